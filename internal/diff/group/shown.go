package group

import (
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/diff/judge"
	"github.com/spectradiff/spectradiff/internal/diff/root"
	"github.com/spectradiff/spectradiff/internal/replay/drivers"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/source"
)

// A Source is where findings come from.
type Source struct {
	Calls   []*diff.Finding     // what calls of the module showed
	Inside  []*diff.Finding     // what only calls from inside packages showed
	Initial judge.InitialValues // package variables before any call

	Variables map[spectra.Symbol]*diff.Finding // the proven causes of those of them that have one
}

// Shown returns the findings that the report shows: those of calls, and those of calls from inside packages.
func Shown(d *drivers.Drivers, found Source) (list []*diff.Finding) {
	list = findings(d, found)
	if len(found.Inside) > 0 {
		for _, f := range potential(d, found.Inside) {
			if !names(list, f.Cause.Symbol) { // trials may have shown that it is the cause of another finding
				list = append(list, f)
			}
		}
	}
	return list
}

// names reports whether a function is the cause of a finding, or one of its places.
func names(list []*diff.Finding, function spectra.Symbol) bool {
	return slices.ContainsFunc(list, func(f *diff.Finding) bool {
		return f.Cause.Symbol == function || names(f.Places, function)
	})
}

// findings returns those of what was judged and of what differs before any call, the
// worst first. A package variable is one, wherever it shows, and one decision of the author is one.
func findings(d *drivers.Drivers, found Source) []*diff.Finding {
	list := JoinInitial(Join(identified(d, found.Calls)), initialFindings(d, found))
	slices.SortStableFunc(list, Compare)
	return Fold(list)
}

// potential returns what differs only where functions are called from inside their packages.
func potential(d *drivers.Drivers, found []*diff.Finding) []*diff.Finding {
	list := identified(d, found)
	for _, f := range list {
		f.Potential, f.Proof = true, nil
	}
	slices.SortStableFunc(list, Compare)
	return Fold(list)
}

// identified returns copies of findings that say which edit each is of.
func identified(d *drivers.Drivers, found []*diff.Finding) (list []*diff.Finding) {
	for _, f := range found {
		list = append(list, Identified(d, f))
	}
	return list
}

// Identified returns a copy of a finding that says which edit it is of.
func Identified(d *drivers.Drivers, f *diff.Finding) *diff.Finding {
	own := *f
	own.Through, own.Identity = seenThrough(d, f), identity(d, f.Cause.Symbol)
	return &own
}

// identity tells the edit of a declaration from another one.
func identity(d *drivers.Drivers, function spectra.Symbol) diff.Identity {
	bodies, shape := basis(d, function)
	return diff.Identity{Bodies: bodies, Shape: shape, Block: string(d.Plan.Sides.New.Program.Counted(function))}
}

// basis identifies the edit of a function by its bodies in both versions, and returns the shape of the new one. How the
// function names what it declares does not count, so that the edit stays the same where only that changes.
func basis(d *drivers.Drivers, function spectra.Symbol) (basis, shape string) {
	parts := d.Plan.Sides.New.Program.Bodies(function)
	known := len(parts) > 0
	for _, p := range d.Versions.New.Packages.Points() {
		if p.Symbol == function {
			shape = p.Shape
			if !known {
				parts = append(parts, p.Body)
			}
		}
	}
	before := d.Plan.OldName(function)
	was := d.Plan.Sides.Old.Program.Bodies(before)
	if len(was) == 0 {
		for _, p := range d.Versions.Old.Packages.Points() {
			if p.Symbol == before {
				was = append(was, p.Body)
			}
		}
	}
	return strings.Join(append(parts, was...), " "), shape
}

// initialFindings returns the package variables that differ before any call.
func initialFindings(d *drivers.Drivers, found Source) (list []*diff.Finding) {
	for _, v := range found.Initial.Differing {
		name := spectra.Symbol(d.Plan.NewName(v.Name))
		if d.Plan.Beyond != nil && d.Plan.Beyond(name) {
			continue
		}
		first := &diff.Initial{Variable: name, Difference: diff.Difference{Path: spectra.Path(name)}}
		if differences := diff.States(v.States.Old, v.States.New); len(differences) > 0 {
			first.Difference = differences[0]
		}
		first.Visible = name.Exported() && !d.Plan.Borrowed(name.Package())
		cause := diff.Cause{Symbol: name, Change: spectra.ChangeVariable}
		i := slices.IndexFunc(d.Plan.Changes.Declarations, func(c source.Change) bool { return c.Symbol == name })
		if i >= 0 {
			cause.Position = root.ChangedDeclaration(d.Plan.Changes.Declarations[i]).Position
		}
		f := &diff.Finding{
			Blamed: cause, Cause: cause, Initial: first, Own: first.Difference,
			Deviations: []diff.Occurrence{{Initial: first}},
		}
		if proven := found.Variables[name]; proven != nil {
			f.Proof = proven.Proof
			if proven.Cause.Symbol != name {
				f.Cause, f.Identity = proven.Cause, identity(d, proven.Cause.Symbol)
			}
		}
		list = append(list, f)
	}
	return list
}
