package explain

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/report/text"
)

// A Call is an execution in the call tree, or several that do not deviate.
type Call struct {
	Depth    int
	Name     string
	Function string // as in the report; "": several
	Mark     string // how it deviates; "": it does not
	Ended    string // how it ended, where it did not return in both versions
	Deviates bool
	Root     bool
	Step     int // the first step that it is, from 1; 0: none

	Entry, Exit *State // nil: not in the report
}

// A State is what was recorded at the begin or end of an execution.
type State struct {
	Values  []Value // receiver, parameters, results, variables
	Differ  []Value // the places in them that differ, topmost first
	Shared  []Value // places that are the same as another one
	Omitted int     // values that the report left out
}

// A Value is a value in both versions.
type Value struct {
	Path     string
	Old, New string // equal, unless Differs
	Differs  bool
	Varies   bool // a part differs from run to run, so there are no texts
}

// deepest is the depth up to which calls are indented: a saved report may claim any.
const deepest = 1000

// mostOfState is how many values of a list are shown.
const mostOfState = 100

// calls lays out the call tree.
func (s *Story) calls(of *report.Calls) {
	if of == nil {
		return
	}
	s.Left = max(0, of.Left)
	for i := range of.Nodes {
		n := &of.Nodes[i]
		c := Call{
			Depth: max(0, min(n.Depth, deepest)), Name: "several functions", Function: n.Function, Root: n.Root,
			Deviates: n.Root || n.Status != report.CallEqual && n.Status != report.CallUnknown && n.Status != "",
			Ended:    s.ended(n.Ended), Entry: s.state(n.Entry), Exit: s.state(n.Exit),
		}
		if n.Function != "" {
			c.Name = s.words.Short(n.Function)
		}
		if n.Go {
			c.Name = "go " + c.Name
		}
		if n.Executions > 1 {
			c.Name += fmt.Sprintf(" (%s)", text.Plural(n.Executions, "execution"))
		}
		if n.Status != report.CallEqual && n.Status != "" {
			c.Mark = "[" + text.Clean(string(n.Status)) + "]"
		}
		s.Calls = append(s.Calls, c)
	}
}

// ended says how an execution ended that did not return.
func (s *Story) ended(of *report.Endings) string {
	switch {
	case of == nil:
		return ""
	case of.Old == of.New:
		return s.words.Short(of.Old) + " in both versions"
	case of.Old == "" || of.New == "":
		return s.words.Short(cmp.Or(of.Old, of.New))
	}
	return s.words.Short(of.Old) + " in old, " + s.words.Short(of.New) + " in new"
}

func (s *Story) state(of *report.CallState) *State {
	if of == nil {
		return nil
	}
	out := &State{Omitted: max(0, of.Omitted)}
	for _, list := range []struct {
		from []report.CallValue
		to   *[]Value
	}{{of.Values, &out.Values}, {of.Differ, &out.Differ}, {of.Shared, &out.Shared}} {
		n := min(len(list.from), mostOfState)
		for _, v := range list.from[:n] {
			*list.to = append(*list.to, *s.value(v))
		}
		out.Omitted += len(list.from) - n
	}
	for i := range out.Differ {
		out.Differ[i].Differs = true
	}
	out.Differ = slices.DeleteFunc(out.Differ, func(v Value) bool { return slices.Contains(out.Values, v) })
	return out
}

// value makes a value printable. A side that has none says so.
func (s *Story) value(of report.CallValue) *Value {
	v := &Value{Path: s.words.Short(of.Path), Varies: of.Varies}
	if of.Varies {
		return v
	}
	v.Old, v.New = cmp.Or(s.words.Short(of.Old), nothing), s.words.Short(of.New)
	v.Differs = of.New != "" && of.New != of.Old
	if !v.Differs {
		v.New = v.Old
	}
	return v
}

// both is a value of which both texts are known to be there, or none.
func (s *Story) both(path, before, after string) *Value {
	v := s.value(report.CallValue{Path: path, Old: before, New: cmp.Or(after, nothing)})
	v.Differs = true
	return v
}

// nothing stands for an absent value.
const nothing = "(none)"

// Said returns what stands for both texts of a value where one line is enough.
func (v *Value) Said() string {
	switch {
	case v.Varies:
		return "differs from run to run"
	case !v.Differs:
		return v.Old
	case v.Old == v.New:
		return "differs after the part of the values that is kept"
	}
	return v.Old + " → " + v.New
}

// Marks are what stands behind the name of a call: how it deviates, whether it is the root, which step it is.
func (c *Call) Marks() string {
	marks := []string{c.Mark}
	if c.Root {
		marks = append(marks, "<- root")
	}
	if c.Step > 0 {
		marks = append(marks, fmt.Sprintf("step %d", c.Step))
	}
	return joined(marks, " ")
}

// Place returns where the function of a call stands, if a step says so.
func (s *Story) Place(call int) *report.Position {
	for i := range s.Steps {
		if step := &s.Steps[i]; step.Function == s.Calls[call].Function {
			return step.At
		}
	}
	return nil
}
