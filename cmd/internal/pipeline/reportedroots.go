package pipeline

import (
	"go/token"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/diff/group"
	"github.com/spectradiff/spectradiff/internal/diff/judge"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/source"
)

// A Source is where findings come from.
type Source struct {
	Calls   []*diff.Finding     // what calls of the module showed
	Inside  []*diff.Finding     // what only calls from inside packages showed
	Initial judge.InitialValues // package variables before any call
}

// Shown returns the findings that the report shows: those of calls, and those of calls from inside packages.
func Shown(b *built, found Source) (list []*diff.Finding) {
	list = findings(b, found)
	if len(found.Inside) > 0 {
		for _, f := range potential(b, found.Inside) {
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
func findings(b *built, found Source) []*diff.Finding {
	list := group.JoinInitial(group.Join(identified(b, found.Calls)), initialFindings(b, found.Initial))
	slices.SortStableFunc(list, group.Compare)
	return group.Fold(list)
}

// potential returns what differs only where functions are called from inside their packages.
func potential(b *built, found []*diff.Finding) []*diff.Finding {
	list := identified(b, found)
	for _, f := range list {
		f.Potential, f.Proof = true, nil
	}
	slices.SortStableFunc(list, group.Compare)
	return group.Fold(list)
}

// identified returns copies of findings that say which edit each is of.
func identified(b *built, found []*diff.Finding) (list []*diff.Finding) {
	for _, f := range found {
		own := *f
		own.Through, own.Identity = seenThrough(b, f), identity(b, f.Cause.Symbol)
		list = append(list, &own)
	}
	return list
}

// identity tells the edit of a declaration from another one.
func identity(b *built, function spectra.Symbol) diff.Identity {
	bodies, shape := basis(b, function)
	return diff.Identity{Bodies: bodies, Shape: shape, Block: string(b.Plan.Sides.New.Program.Counted(function))}
}

// basis identifies the edit of a function by its bodies in both versions, and returns the shape of the new one.
func basis(b *built, function spectra.Symbol) (basis, shape string) {
	var parts []string
	for _, p := range b.Versions.New.Packages.Points() {
		if p.Symbol == function {
			parts, shape = append(parts, p.Body), p.Shape
		}
	}
	for _, p := range b.Versions.Old.Packages.Points() {
		if p.Symbol == b.Plan.OldName(function) {
			parts = append(parts, p.Body)
		}
	}
	return strings.Join(parts, " "), shape
}

// initialFindings returns the package variables that differ before any call.
func initialFindings(b *built, initial judge.InitialValues) (list []*diff.Finding) {
	for _, v := range initial.Differing {
		name := spectra.Symbol(b.Plan.NewName(v.Name))
		if b.Plan.Beyond != nil && b.Plan.Beyond(name) {
			continue
		}
		first := &diff.Initial{Variable: name, Difference: diff.Difference{Path: spectra.Path(name)}}
		if differences := diff.States(v.States.Old, v.States.New); len(differences) > 0 {
			first.Difference = differences[0]
		}
		first.Visible = token.IsExported(name.Short()) && !b.Plan.Borrowed(name.Package())
		cause := diff.Cause{Symbol: name, Change: spectra.ChangeVariable}
		i := slices.IndexFunc(b.Plan.Changes.Declarations, func(c source.Change) bool { return c.Symbol == name })
		if i >= 0 {
			cause.Position = changedDeclaration(b.Plan.Changes.Declarations[i]).Position
		}
		list = append(list, &diff.Finding{
			Blamed: cause, Cause: cause, Initial: first, Own: first.Difference,
			Deviations: []diff.Occurrence{{Initial: first}},
		})
	}
	return list
}
