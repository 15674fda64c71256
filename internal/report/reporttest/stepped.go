package reporttest

import (
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// Stepped is Commits with a call tree for the root that has a chain. The first root is accepted.
func Stepped(t testing.TB) *report.Report {
	r := Commits(t)
	for i := range r.Roots {
		if root := &r.Roots[i]; root.Chain != nil && root.Chain.Swallowed == "" {
			root.Calls = stepped(root.Function)
		}
	}
	why := report.Acceptance{Reason: "as we want it", Author: "Ann <ann@example.com>", Date: "2026-11-26"}
	if err := r.Accept(map[string]report.Acceptance{r.Roots[0].Fingerprint: why}, nil); err != nil {
		t.Fatal(err)
	}
	decide(t, r, report.FailAny)
	return r
}

// stepped is a call tree with every status, in which a root has states.
func stepped(root string) *report.Calls {
	const shop = "example.com/shop/v2."
	long := `"` + strings.Repeat("tea, ", 30)
	receiver := report.CallValue{
		Path: "recv", Old: `&v2.Cart{items: ["tea"], n: 3, total: 1200, note: ` + long,
		New: `&v2.Cart{items: ["tea"], n: 3, total: 1180, note: ` + long,
	}
	entry := &report.CallState{Values: []report.CallValue{
		{Path: "recv", Old: "&v2.Cart{n: 3}"}, {Path: "at", Varies: true},
	}}
	exit := &report.CallState{
		Values: []report.CallValue{receiver, {Path: "ret0", Old: "1200", New: "1180"}},
		Differ: []report.CallValue{
			{Path: "recv.total", Old: "1200", New: "1180"}, {Path: "recv.m[1]", Old: "4", New: "(none)"},
		},
		Shared:  []report.CallValue{{Path: "ret1.next", Old: "the same as recv", New: "(none)"}},
		Omitted: 2,
	}
	step := &report.CallState{
		Values: []report.CallValue{{Path: "step", Old: "5", New: "10"}},
		Differ: []report.CallValue{{Path: "step", Old: "5", New: "10"}},
	}
	return &report.Calls{Left: 1200, Nodes: []report.Call{
		{Function: shop + "New", Status: report.CallEqual, Executions: 19},
		{Function: shop + "(*Cart).String", Status: report.CallContainer, Entry: entry},
		{Depth: 1, Function: root, Status: report.CallContainer, Root: true, Entry: entry, Exit: exit},
		{Depth: 2, Function: "example.com/shop/v2/price.round", Status: report.CallFollower, Entry: step,
			Ended: &report.Endings{Old: "returned", New: "panicked"}},
		{Depth: 3, Function: shop + "Log", Status: report.CallOldOnly, Ended: &report.Endings{Old: "panicked"}},
		{Depth: 3, Status: report.CallUnknown, Executions: 7},
		{Depth: 2, Function: shop + "tax", Status: report.CallReordered},
		{Depth: 2, Function: shop + "watch", Status: report.CallNewOnly, Go: true,
			Ended: &report.Endings{New: "did not end"}},
	}}
}

// SourceOf has the lines of a function of Stepped in a version; first is 0 where there is none.
func SourceOf(side spectra.Side, function string) (file string, first int, lines []string) {
	switch {
	case function == "example.com/shop/v2.(*Cart).Total":
		changed, line := "\treturn c.sum", 39
		if side == spectra.New {
			changed, line = "\treturn c.sum - 20 // \x1b[2J\u202e", 41
		}
		body := []string{"func (c *Cart) Total() int {"}
		for range 25 {
			body = append(body, "\tc.add(c.next())", "")
		}
		return "cart.go", line, append(body, changed, "}")
	case function == "example.com/shop/v2.(*Cart).String":
		return "text.go", 7, []string{"func (c *Cart) String() string {", "\treturn c.text()", "}"}
	}
	return "", 0, nil
}
