package inducing

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"path"
	"runtime"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/replay/module"
	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/report/summary"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/deltas"
)

// mostRoots is how many changes are roots of their own: more than that are places of one.
const mostRoots = 10

// A moduleOf is the module in which the user is: its folder, from the root of the repository, and its path.
type moduleOf struct{ folder, path string }

// report makes the report of what was found.
func (x *byCommand) report(ctx context.Context, found *report.Commits, origins []origin) (*report.Report, error) {
	into := &report.Report{
		Tool: report.Tool{Version: x.Config.Tool, Go: runtime.Version()},
		Old:  report.Revision{Revision: x.ends.Old.Revision, Commit: x.ends.Old.Hash},
		New:  report.Revision{Revision: x.ends.New.Revision, Commit: x.ends.New.Hash},
		Settings: report.Settings{
			Exec: x.Exec, Sandbox: x.layers.String(), FailOn: report.FailOn(x.Config.FailOn),
		},
		Warnings: slices.Concat(x.ends.Warnings, x.layers.Missing(), x.layers.Weak()),
	}
	whole := context.WithoutCancel(ctx) // what is known is reported, also when the search ended
	m, err := x.module(whole)
	if err != nil {
		return nil, err
	}
	into.Subject.Module = m.path
	var placed []origin
	for _, o := range origins {
		n, err := x.changes(whole, o, m)
		if err != nil {
			return nil, err
		}
		c, err := n.search(ctx)
		if err != nil && !errors.Is(context.Cause(ctx), errEnd) {
			return nil, fmt.Errorf("find the change that is the cause: %w", err)
		}
		if err != nil {
			c.reason = "the search for the cause was ended"
		}
		o.before, o.after = ending(x.results[o.from.Hash]), ending(x.results[o.to.Hash])
		for _, root := range n.roots(c) {
			o.root = len(into.Roots)
			into.Add(root)
			placed = append(placed, o)
		}
	}
	if errors.Is(context.Cause(ctx), errEnd) {
		into.Partial = x.partial()
	}
	return into, x.write(into, found, placed)
}

// module finds the module where the user is, in new.
func (x *byCommand) module(ctx context.Context) (moduleOf, error) {
	tree, err := x.kept.Materialise(ctx, x.repo, x.ends.New)
	if err != nil {
		return moduleOf{}, err
	}
	m, err := module.Find(ctx, tree, x.repo.Sub, "")
	if err != nil || m.Made { // what is no module is named by its files
		return moduleOf{folder: "."}, nil
	}
	return moduleOf{m.Rel, m.Path}, nil
}

// roots makes roots of a cause.
func (n *narrowing) roots(c cause) (list []report.Root) {
	if !c.proven || len(c.changes) > mostRoots {
		one := n.of(c, c.changes[0])
		for _, i := range c.changes[1:] {
			d := n.deltas.List[i]
			one.Places = append(one.Places, report.Place{
				Function: string(d.Symbol), Position: n.position(d), Confidence: one.Confidence,
			})
		}
		return []report.Root{one}
	}
	for _, i := range c.changes {
		list = append(list, n.of(c, i))
	}
	return list
}

// of returns the root of one change.
func (n *narrowing) of(c cause, i int) report.Root {
	d := n.deltas.List[i]
	before := n.results[n.from.Hash]
	root := report.Root{
		Function: string(d.Symbol), Position: n.position(d), Change: d.Change, Confidence: spectra.Likely,
		Proof: &report.Proof{Sufficient: c.proven, Necessary: c.needed, Trials: c.trials, Reason: c.reason},
		Tier:  spectra.TierError, Reach: spectra.Visible,
		Summary: "with this change the command " + ending(n.after),
		Values: []report.Difference{
			{Path: "end", Old: ending(before), New: ending(n.after), Output: true},
		},
		Diff: n.changed(d), Basis: n.basis(d),
	}
	if c.proven && c.needed {
		root.Confidence = spectra.Confirmed
	}
	if !c.proven {
		root.Summary = fmt.Sprintf("with what changed here the command %s", ending(n.after))
	}
	if c.cut {
		root.Why = fmt.Sprintf("whether fewer changes are enough was not found in %d trials", mostTrials)
	}
	if name := path.Base(d.File); d.Whole && (name == "go.mod" || name == "go.sum") {
		root.Change = spectra.ChangeDependency
	}
	if old, new := strings.Join(before.Output, "\n"), strings.Join(n.after.Output, "\n"); old != new {
		root.Values = append(root.Values, report.Difference{Path: "stdout", Old: old, New: new, Output: true})
	}
	if c.proven {
		for _, other := range slices.Concat(c.changes, c.with) {
			if other != i {
				root.Proof.With = append(root.Proof.With, string(n.deltas.List[other].Symbol))
			}
		}
	}
	return root
}

// position returns where a change stands, in new if it is there.
func (n *narrowing) position(d deltas.Delta) *report.Position {
	side, lines := spectra.New, d.New
	if lines.Line == 0 {
		side, lines = spectra.Old, d.Old
	}
	if lines.Line == 0 {
		return nil
	}
	return &report.Position{
		Side: side, File: relative(n.root, lines.File), Line: lines.Line, EndLine: lines.EndLine,
	}
}

// changed returns the lines of a change that differ.
func (n *narrowing) changed(d deltas.Delta) string {
	old, new := n.part(n.lines.Old, d.Old), n.part(n.lines.New, d.New)
	return summary.ChangedLines(old, new, max(d.Old.Line, 1), max(d.New.Line, 1), diff.Position{})
}

// part returns some lines of a file.
func (n *narrowing) part(of map[string][]string, l spectra.Lines) []string {
	lines := of[l.File]
	if l.Line < 1 || l.EndLine > len(lines) {
		return nil
	}
	return lines[l.Line-1 : l.EndLine]
}

// basis identifies a change by what it replaces and by what.
func (n *narrowing) basis(d deltas.Delta) string {
	all := sha256.New()
	for _, part := range [][]string{n.part(n.lines.Old, d.Old), n.part(n.lines.New, d.New)} {
		fmt.Fprintf(all, "%q\n", part)
	}
	return hex.EncodeToString(all.Sum(nil)[:16])
}
