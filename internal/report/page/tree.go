package page

import (
	"math"
	"regexp"
	"strconv"
	"strings"

	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// A tree is the call tree of a finding's first sequence: as text, and as an icicle.
type tree struct {
	Rank   int
	Lines  []treeLine
	Icicle icicle
}

// A treeLine is a line of the tree as text.
type treeLine struct{ Indent, Text, Status, Mark string }

// An icicle is what the script draws.
type icicle struct {
	Name  string `json:"name"`
	Nodes []node `json:"nodes"`
	Left  int    `json:"left,omitempty"` // executions that no node stands for
}

// A node is an execution, or some that are folded.
type node struct {
	Depth  int    `json:"d"`
	Text   string `json:"t"`
	Name   string `json:"f,omitempty"` // of the function, if Text shortens it
	Status string `json:"s"`
	Calls  int    `json:"n"` // executions that it stands for
	Root   bool   `json:"r,omitempty"`
	Ended  string `json:"e,omitempty"` // unless it returned
	Entry  *state `json:"in,omitempty"`
	Exit   *state `json:"out,omitempty"`
}

// A state has lists of values: path, old, new if that is another text, or only a path where it varies.
type state struct {
	Values  [][]string `json:"v,omitempty"`
	Differ  [][]string `json:"d,omitempty"`
	Shared  [][]string `json:"h,omitempty"`
	Omitted int        `json:"o,omitempty"`
}

// The statuses of an execution. They are classes of the style sheet and words of the script.
const (
	statusEqual     = "equal"
	statusFolded    = "folded"
	statusContainer = "container"
	statusFollower  = "follower"
	statusOldOnly   = "old-only"
	statusNewOnly   = "new-only"
)

// maxDepth bounds the depth of a line, which a saved report may claim to be anything.
const maxDepth = 200

// The remarks behind the name of a function that only one version runs.
const (
	onlyOld = " (only in the old run)"
	onlyNew = " (only in the new run)"
)

// folded matches a line that stands for executions which are not shown.
var folded = regexp.MustCompile(`^… (\d{1,9}) `)

func (v *viewer) tree(root *report.Root) *tree {
	if len(root.Tree) == 0 && (root.Calls == nil || len(root.Calls.Nodes) == 0) {
		return nil
	}
	t := &tree{Rank: root.Rank, Icicle: icicle{Name: "shortest sequence"}}
	if root.Test != nil {
		t.Icicle.Name = v.name(root.Test.Name)
	}
	if root.Calls != nil {
		t.Icicle.Nodes, t.Icicle.Left = v.calls(root.Calls)
	}
	whole := len(t.Icicle.Nodes) > 0
	for _, line := range root.Tree[:min(len(root.Tree), maxTree)] {
		n := v.node(line)
		if !whole {
			t.Icicle.Nodes = append(t.Icicle.Nodes, n)
		}
		t.Lines = append(t.Lines, treeLine{
			Indent: strings.Repeat("  ", n.Depth), Text: v.name(line.Text), Status: n.Status, Mark: v.mark(line),
		})
	}
	if left := len(root.Tree) - len(t.Lines); left > 0 {
		t.Lines = append(t.Lines, treeLine{Text: "… " + count(left) + " more lines", Status: statusFolded})
	}
	return t
}

// node says what a line stands for.
func (v *viewer) node(line report.TreeLine) node {
	n := node{
		Depth: max(0, min(line.Depth, maxDepth)), Text: v.name(line.Text), Status: statusEqual, Calls: 1,
		Root: line.Root,
	}
	switch found := folded.FindStringSubmatch(line.Text); {
	case strings.HasSuffix(line.Text, onlyOld):
		n.Status, n.Text = statusOldOnly, strings.TrimSuffix(n.Text, onlyOld)
	case strings.HasSuffix(line.Text, onlyNew):
		n.Status, n.Text = statusNewOnly, strings.TrimSuffix(n.Text, onlyNew)
	case line.Mark == string(spectra.KindContainer):
		n.Status = statusContainer
	case line.Mark != "":
		n.Status = statusFollower
	case found != nil:
		calls, err := strconv.Atoi(found[1])
		if err == nil && calls > 0 && calls < math.MaxInt32 {
			n.Calls = calls
		}
		n.Status = statusFolded
	case strings.HasPrefix(line.Text, "…"):
		n.Status = statusFolded
	}
	return n
}

// mark returns what stands behind a line.
func (v *viewer) mark(line report.TreeLine) string {
	text := ""
	if line.Mark != "" {
		text = "[" + v.name(line.Mark) + "]"
	}
	if line.Root {
		text = strings.TrimSpace(text + " ← root")
	}
	return text
}
