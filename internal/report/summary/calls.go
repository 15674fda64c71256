package summary

import (
	"math"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/diff/noise"
	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// Limits of the call trees in a report. Reports go to people and to build machines, so they stay small.
const (
	mostCalls    = 1000 // nodes of one
	mostGroups   = 8    // nodes for executions that do not deviate, between two that are shown
	mostStates   = 60   // executions with states
	mostShared   = 8    // places of a state that refer to others
	bytesOfEntry = 40   // of the JSON form of a value, beside its texts
)

// A room is how much of the states of one tree is written.
type room struct {
	bytes   int // of all texts
	runes   int // of a value
	entries int // of one list of a state
}

// A report has roomy trees; whole trees are for somebody who looks at one.
var (
	roomy = room{bytes: 100_000, runes: 200, entries: 24}
	whole = room{bytes: 50_000_000, runes: math.MaxInt32, entries: math.MaxInt32}
)

// A caller makes the call tree of a finding's example.
type caller struct {
	f      *diff.Finding
	hidden *noise.Mask
	keep   map[*diff.Node]bool // the node or one below it deviates, or is the root
	size   map[*diff.Node]int  // executions, the node's own included
	shown  map[*diff.Node]bool
	nodes  []*diff.Node // of out.Nodes; nil: it stands for several
	out    report.Calls
	room   room
	bytes  int
}

// Calls returns the calls of a finding as reports have them.
func Calls(f *diff.Finding) *report.Calls { return calls(f, roomy) }

// WholeCalls returns the call tree of a finding's example with whole values; nil if there is none, or its end depends
// on a clock.
func WholeCalls(f *diff.Finding) *report.Calls { return calls(f, whole) }

// calls returns the call tree of a finding's example; nil if there is none, or its end depends on a clock.
func calls(f *diff.Finding, of room) *report.Calls {
	if f.Example.Case == nil || f.Example.Endless {
		return nil
	}
	c := &caller{
		f: f, room: of, hidden: f.Example.Known.Hidden(f.Example.Known.Elsewhere()),
		keep: map[*diff.Node]bool{}, size: map[*diff.Node]int{}, shown: map[*diff.Node]bool{},
	}
	top := f.Example.Case.Comparison.Root
	c.weigh(top)
	c.choose(top)
	c.below(top, 0)
	if len(c.out.Nodes) == 0 {
		return nil
	}
	c.states()
	return &c.out
}

func (c *caller) weigh(n *diff.Node) {
	c.keep[n], c.size[n] = n.Class.Deviates() || n == c.f.Example.Node, 1
	for _, child := range n.Children {
		c.weigh(child)
		c.keep[n] = c.keep[n] || c.keep[child]
		c.size[n] += c.size[child]
	}
}

// choose says which nodes are shown one by one: the way to the root, what deviates below it, then what deviates
// elsewhere, in the order of the run.
func (c *caller) choose(top *diff.Node) {
	for n := c.f.Example.Node; n != nil; n = n.Parent {
		c.shown[n] = true
	}
	add := func(n *diff.Node) bool {
		if c.keep[n] {
			c.shown[n] = true
		}
		return len(c.shown) < mostCalls
	}
	if n := c.f.Example.Node; n == nil || n.Walk(add) {
		top.Walk(add)
	}
}

// below adds the nodes below one.
func (c *caller) below(n *diff.Node, depth int) {
	var equal []*diff.Node
	for _, child := range n.Children {
		switch {
		case c.shown[child]:
		case c.keep[child]:
			c.out.Left += c.size[child]
			continue
		default:
			equal = append(equal, child)
			continue
		}
		c.groups(equal, depth)
		equal = nil
		c.add(child, c.node(child, depth))
		c.below(child, depth+1)
	}
	c.groups(equal, depth)
}

func (c *caller) add(n *diff.Node, call report.Call) {
	c.nodes = append(c.nodes, n)
	c.out.Nodes = append(c.out.Nodes, call)
}

func (c *caller) node(n *diff.Node, depth int) report.Call {
	call := report.Call{
		Depth: depth, Function: string(n.Function), Status: callStatus(n.Class), Root: n == c.f.Example.Node,
		Go: n.Execution().Go,
	}
	var ends report.Endings
	returned := true
	for _, side := range []struct {
		of *spectra.Execution
		to *string
	}{{n.Old, &ends.Old}, {n.New, &ends.New}} {
		if side.of != nil {
			*side.to = side.of.How.String()
			returned = returned && side.of.How == spectra.Returned
		}
	}
	if !returned {
		call.Ended = &ends
	}
	return call
}

func callStatus(class diff.Class) report.CallStatus {
	switch class {
	case diff.Container:
		return report.CallContainer
	case diff.Follower:
		return report.CallFollower
	case diff.OldOnly:
		return report.CallOldOnly
	case diff.NewOnly:
		return report.CallNewOnly
	case diff.Reordered:
		return report.CallReordered
	case diff.Unknown:
		return report.CallUnknown
	}
	return report.CallEqual
}

// groups adds nodes for executions that do not deviate: those of one function that follow each other together, and the
// last ones all together.
func (c *caller) groups(list []*diff.Node, depth int) {
	for made := 0; len(list) > 0; made++ {
		n := len(list)
		if made < mostGroups-1 {
			other := func(o *diff.Node) bool { return o.Function != list[0].Function || o.Class != list[0].Class }
			if i := slices.IndexFunc(list, other); i > 0 {
				n = i
			}
		}
		c.group(list[:n], depth)
		list = list[n:]
	}
}

// group adds one node for executions, or counts them where there are too many nodes.
func (c *caller) group(list []*diff.Node, depth int) {
	call := report.Call{Depth: depth, Function: string(list[0].Function), Status: report.CallEqual}
	for _, n := range list {
		call.Executions += c.size[n]
		if n.Function != list[0].Function {
			call.Function = ""
		}
		if n.Class != diff.Same && call.Status != report.CallUnknown {
			call.Status = callStatus(n.Class)
		}
	}
	if len(c.out.Nodes) >= 2*mostCalls {
		c.out.Left += call.Executions
		return
	}
	c.add(nil, call)
}

// states adds the states of the executions that are shown one by one, as many as there is room for: first those of the
// root and of what stands behind it.
func (c *caller) states() {
	start := max(0, slices.IndexFunc(c.out.Nodes, func(call report.Call) bool { return call.Root }))
	done := 0
	for i := range c.out.Nodes {
		i = (i + start) % len(c.out.Nodes)
		if n := c.nodes[i]; n != nil && done < mostStates && c.bytes < c.room.bytes {
			call := &c.out.Nodes[i]
			call.Entry, call.Exit = c.state(n, noise.Entry), c.state(n, noise.Exit)
			done++
		}
	}
}

// state returns a state of an execution; nil if it was not recorded with values, or is not known to be stable.
func (c *caller) state(n *diff.Node, at noise.State) *report.CallState {
	match := n.Entry
	if at == noise.Exit {
		match = n.Exit
	}
	of, recorded := statesOf(n, at)
	if !recorded || n.Class == diff.Unknown || n.Old != nil && n.New != nil && match == diff.Undecided {
		return nil
	}
	view := diff.ViewOf(of.Old, of.New, c.hidden.Under(n.Function, at), c.room.runes, mostShared)
	if match != diff.Different {
		view.Differences = nil // what differs by a name alone does not
	}
	out := &report.CallState{}
	for _, s := range view.Slots {
		if variable := strings.Contains(string(s.Path), "."); !variable || s.Old != s.New {
			c.value(out, &out.Values, s)
		}
	}
	for _, d := range view.Differences {
		before, after := spectra.Shorten(d.Old, c.room.runes), spectra.Shorten(d.New, c.room.runes)
		c.value(out, &out.Differ, diff.Beside{Path: d.Path, Old: before, New: after})
	}
	for _, s := range view.Shared {
		c.value(out, &out.Shared, s)
	}
	if len(out.Values)+len(out.Differ)+out.Omitted == 0 {
		return nil
	}
	return out
}

// statesOf returns a state of an execution in both versions, and whether all there are were recorded with values.
func statesOf(n *diff.Node, at noise.State) (of spectra.Pair[spectra.State], recorded bool) {
	for _, side := range []struct {
		from *spectra.Execution
		to   *spectra.State
	}{{n.Old, &of.Old}, {n.New, &of.New}} {
		if side.from == nil {
			continue
		}
		if *side.to = side.from.Entry; at == noise.Exit {
			*side.to = side.from.Exit
		}
		if !side.to.Recorded() {
			return of, false
		}
	}
	return of, true
}

// value adds an entry to a list, or counts it.
func (c *caller) value(of *report.CallState, list *[]report.CallValue, b diff.Beside) {
	if len(*list) >= c.room.entries || c.bytes >= c.room.bytes {
		of.Omitted++
		return
	}
	v := report.CallValue{Path: spectra.Shorten(string(b.Path), c.room.runes), Varies: b.Varies}
	if !b.Varies {
		if v.Old = b.Old; b.New != b.Old {
			v.New = b.New
		}
	}
	c.bytes += len(v.Path) + len(v.Old) + len(v.New) + bytesOfEntry
	*list = append(*list, v)
}
