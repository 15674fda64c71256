package summary

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/diff/difftest"
	"github.com/spectradiff/spectradiff/internal/diff/noise"
	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// finding compares two recordings, and finds the root in a function.
func finding(old, new string, root spectra.Symbol) *diff.Finding {
	c := diff.Compare(difftest.Spectrum(old), difftest.Spectrum(new), diff.Options{})
	f := &diff.Finding{Example: diff.Example{Case: &diff.Case{Comparison: c}}}
	c.Root.Walk(func(n *diff.Node) bool {
		if n.Function == root && f.Example.Node == nil {
			f.Example.Node = n
		}
		return true
	})
	return f
}

// drawn returns a tree as a text.
func drawn(of *report.Calls) string {
	var out strings.Builder
	for _, n := range of.Nodes {
		fmt.Fprintf(&out, "%s%s %s", strings.Repeat("  ", n.Depth), n.Function, n.Status)
		if n.Executions > 0 {
			fmt.Fprintf(&out, " %d", n.Executions)
		}
		if n.Root {
			out.WriteString(" root")
		}
		if n.Ended != nil {
			fmt.Fprintf(&out, " %s/%s", n.Ended.Old, n.Ended.New)
		}
		out.WriteString("\n")
	}
	if of.Left > 0 {
		fmt.Fprintf(&out, "%d left\n", of.Left)
	}
	return out.String()
}

func TestCalls(t *testing.T) {
	many := func(call string, n int) string { return strings.Repeat("  "+call+"\n", n) }
	for _, c := range []struct{ reason, old, new, want string }{
		{
			"what does not deviate is one node for each function",
			"m.A(x=1) -> ret0=1\n" + many("m.E(x=1) -> ret0=1", 3) + "  m.D(x=1) -> ret0=1\n  m.R(x=1) -> ret0=1",
			"m.A(x=1) -> ret0=2\n" + many("m.E(x=1) -> ret0=1", 3) + "  m.D(x=1) -> ret0=1\n  m.R(x=1) -> ret0=2",
			"m.A container\n  m.E equal 3\n  m.D equal 1\n  m.R container root\n",
		},
		{
			"executions of one version, and another way to end",
			"m.R(x=1) -> ret0=1\n  m.O(x=1) -> ret0=1\n    m.P(x=1) -> ret0=1",
			"m.R(x=1) -> panic=boom !panic\n  m.N(x=1) -> ret0=1",
			"m.R container root returned/panicked\n  m.O old-only\n    m.P old-only\n  m.N new-only\n",
		},
		{
			"functions beyond the first ones stand together",
			"m.R(x=1) -> ret0=1\n" + numbered(12), "m.R(x=1) -> ret0=2\n" + numbered(12),
			"m.R container root\n  m.F0 equal 1\n  m.F1 equal 1\n  m.F2 equal 1\n  m.F3 equal 1\n  m.F4 equal 1\n" +
				"  m.F5 equal 1\n  m.F6 equal 1\n   equal 5\n",
		},
	} {
		if got := drawn(calls(finding(c.old, c.new, "m.R"))); got != c.want {
			t.Errorf("%s:\n%swant\n%s", c.reason, got, c.want)
		}
	}
}

// numbered calls so many functions.
func numbered(n int) string {
	var out strings.Builder
	for i := range n {
		fmt.Fprintf(&out, "  m.F%d(x=1) -> ret0=1\n", i)
	}
	return out.String()
}

// TestStates: values of both versions stand side by side, what differs is named, and what varies has no text.
func TestStates(t *testing.T) {
	const old = "m.R(recv=[1,2] s=a id=7) -> ret0=1 recv=[1,2]"
	f := finding(old, "m.R(recv=[1,2] s=a id=9) -> ret0=2 recv=[1,3]", "m.R")
	unstable := &noise.Mask{}
	unstable.Add(noise.Site{Function: "m.R", State: noise.Entry, Path: "id"}, "varies")
	f.Example.Known = f.Example.Known.With(noise.Sequence, spectra.New, unstable)
	got, err := json.Marshal(calls(f, roomy).Nodes[0])
	if err != nil {
		t.Fatal(err)
	}
	const want = `{"depth":0,"function":"m.R","status":"follower","root":true,` +
		`"entry":{"values":[{"path":"recv","old":"[1, 2]"},{"path":"s","old":"\"a\""},{"path":"id","varies":true}]},` +
		`"exit":{"values":[{"path":"ret0","old":"1","new":"2"},{"path":"recv","old":"[1, 2]","new":"[1, 3]"}],` +
		`"differ":[{"path":"ret0","old":"1","new":"2"},{"path":"recv[1]","old":"2","new":"3"}]}}`
	if string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

// TestCallsBounded: a run of any size leads to a tree that a report can hold.
func TestCallsBounded(t *testing.T) {
	const executions = 30_000
	lines := func(result string) string {
		long := strings.Repeat(result, 500)
		return "m.A(x=1) -> ret0=" + result + "\n" +
			strings.Repeat("  m.B(x="+long+") -> ret0="+long+"\n  m.E(x=1) -> ret0=1\n", executions/2) +
			"  m.R(x=1) -> ret0=" + result + "\n"
	}
	got := calls(finding(lines("1"), lines("2"), "m.R"))
	text, err := json.Marshal(got)
	if err != nil {
		t.Fatal(err)
	}
	roots, all := 0, got.Left
	for _, n := range got.Nodes {
		if n.Root {
			roots++
		}
		all += max(n.Executions, 1)
	}
	if len(text) > 400_000 || len(got.Nodes) > 2*mostCalls || roots != 1 || all != executions+2 {
		t.Errorf("%d bytes, %d nodes, %d roots, for %d executions of %d", len(text), len(got.Nodes), roots, all,
			executions+2)
	}
}
