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

// shown returns the findings that the report shows. Neither stage may have been reached.
func (b *built) shown(j *tried, inside *judge.Judged) (list []*diff.Finding) {
	if j != nil {
		list = b.findings(j.findings)
	}
	if inside != nil {
		for _, f := range b.potential(inside.Findings) {
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
func (b *built) findings(found []*diff.Finding) []*diff.Finding {
	list := group.JoinInitial(group.Join(b.identified(found)), b.initialFindings())
	slices.SortStableFunc(list, group.Compare)
	return group.Fold(list)
}

// potential returns what differs only where functions are called from inside their packages.
func (b *built) potential(found []*diff.Finding) []*diff.Finding {
	list := b.identified(found)
	for _, f := range list {
		f.Potential, f.Proof = true, nil
	}
	slices.SortStableFunc(list, group.Compare)
	return group.Fold(list)
}

// identified returns copies of findings that say which edit each is of.
func (b *built) identified(found []*diff.Finding) (list []*diff.Finding) {
	for _, f := range found {
		own := *f
		own.Through, own.Identity = b.seenThrough(f), b.identity(f.Cause.Symbol)
		list = append(list, &own)
	}
	return list
}

// identity tells the edit of a declaration from another one.
func (b *built) identity(function spectra.Symbol) diff.Identity {
	bodies, shape := b.basis(function)
	return diff.Identity{Bodies: bodies, Shape: shape, Block: string(b.sides.New.program.Counted(function))}
}

// basis identifies the edit of a function by its bodies in both versions, and returns the shape of the new one.
func (b *built) basis(function spectra.Symbol) (basis, shape string) {
	var parts []string
	for _, p := range b.versions.New.packages.Points() {
		if p.Symbol == function {
			parts, shape = append(parts, p.Body), p.Shape
		}
	}
	for _, p := range b.versions.Old.packages.Points() {
		if p.Symbol == b.oldName(function) {
			parts = append(parts, p.Body)
		}
	}
	return strings.Join(parts, " "), shape
}

// initialFindings returns the package variables that differ before any call.
func (b *built) initialFindings() (list []*diff.Finding) {
	for _, v := range b.initial.Differing {
		name := spectra.Symbol(b.newName(v.Name))
		if b.beyond != nil && b.beyond(name) {
			continue
		}
		first := &diff.Initial{Variable: name, Difference: diff.Difference{Path: spectra.Path(name)}}
		if differences := diff.States(v.States.Old, v.States.New); len(differences) > 0 {
			first.Difference = differences[0]
		}
		first.Visible = token.IsExported(name.Short()) && !b.borrowed(name.Package())
		cause := diff.Cause{Symbol: name, Change: spectra.ChangeVariable}
		i := slices.IndexFunc(b.changes.Declarations, func(c source.Change) bool { return c.Symbol == name })
		if i >= 0 {
			cause.Position = changedDeclaration(b.changes.Declarations[i]).Position
		}
		list = append(list, &diff.Finding{
			Blamed: cause, Cause: cause, Initial: first, Own: first.Difference,
			Deviations: []diff.Occurrence{{Initial: first}},
		})
	}
	return list
}
