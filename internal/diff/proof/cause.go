package proof

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/diff/root"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// Settle returns the findings with the causes that the trials showed, where those are not the blamed changes. What no
// change of a function, variable or constant leads to comes from a dependency or a type.
func Settle(findings []*diff.Finding, changes root.Changes) []*diff.Finding {
	var list []*diff.Finding
	for _, f := range findings {
		if f.Proof != nil {
			f = settled(f, changes)
		}
		list = append(list, f)
	}
	return list
}

// shown returns the finding with the effect that its cause leads to.
func shown(of *diff.Finding) *diff.Finding {
	if of.Proof.Effect == nil {
		return of
	}
	f := *of
	f.Effect, f.Example.Effect = *of.Proof.Effect, *of.Proof.Effect
	return &f
}

func settled(of *diff.Finding, changes root.Changes) *diff.Finding {
	f, p := *shown(of), *of.Proof
	f.Proof = &p
	switch {
	case p.Alone != nil:
		f.Cause.Position = p.Alone.Position
	case len(p.Instead) > 0:
		instead(&f, changes)
	case p.Outside:
		if m := dependencyOf(changes.Modules, &f, true); m != nil {
			fromDependency(&f, m)
		} else if t := typeOf(changes.Declarations, &f); t != nil {
			if !p.Confirmed() && (p.Reason == "" || p.Reason == untold) {
				p.Reason = NoProgram
			}
			moveCause(&f, t.Name, t.Change, t.Position)
		} else if m := dependencyOf(changes.Modules, &f, false); m != nil && !otherwise(&f, changes) {
			fromDependency(&f, m)
		}
	}
	return &f
}

// moveCause makes another change the cause of a finding. The evidence stays that of the blamed one.
func moveCause(f *diff.Finding, name spectra.Symbol, change spectra.Change, at diff.Position) {
	f.Cause = diff.Cause{Symbol: name, Change: change, Position: at, Evidence: f.Cause.Evidence, ByTrial: true}
}

// otherwise reports whether something that can't be taken back explains a root better than a module of which it is not
// known who is concerned: the variable or constant that it is of, or one of several types.
func otherwise(f *diff.Finding, changes root.Changes) bool {
	return f.Cause.Change == spectra.ChangeVariable ||
		slices.ContainsFunc(
			changes.Declarations,
			func(d root.Declaration) bool { return d.Change == spectra.ChangeType },
		)
}

// NoProgram is the reason of a root that is a type which no program can take back.
const NoProgram = "new does not compile with the type as it was, so it can't be tried"

// WithoutProgram returns the findings, some of which come from a type that no program can take back.
func WithoutProgram(findings []*diff.Finding, some []int) []*diff.Finding {
	list := slices.Clone(findings)
	for _, i := range some {
		f, proof := *list[i], *list[i].Proof
		proof.Reason = NoProgram
		f.Proof, list[i] = &proof, &f
	}
	return list
}

// Type returns the changed type that a finding comes from, as far as its trials tell; "" if it is something else.
func Type(f *diff.Finding, changes root.Changes) spectra.Symbol {
	p := f.Proof
	if p == nil || !p.Outside {
		return ""
	}
	if f.Cause.Change == spectra.ChangeType {
		return f.Cause.Symbol
	}
	if len(p.Instead) > 0 || dependencyOf(changes.Modules, f, true) != nil {
		return ""
	}
	if t := typeOf(changes.Declarations, f); t != nil {
		return t.Name
	}
	return ""
}

// instead makes the first of the changes that show the effect without the blamed one the cause.
func instead(f *diff.Finding, changes root.Changes) {
	cause := f.Proof.Instead[0]
	for _, c := range changes.Functions {
		if c.Symbol == cause {
			moveCause(f, cause, c.Change, diff.PositionOf(spectra.New, c.New))
			return
		}
	}
	for _, d := range changes.Declarations {
		if d.Name == cause {
			moveCause(f, cause, d.Change, d.Position)
			return
		}
	}
}

func fromDependency(f *diff.Finding, m *root.Module) {
	f.Proof.Reason = "a dependency can't be undone alone; with --deps its functions are tried"
	moveCause(f, spectra.Symbol(m.Path), spectra.ChangeDependency, diff.Position{})
	f.Cause.Upgrade = &m.Upgrade
}

// dependencyOf returns a changed module that the function of a finding can call, or one of which that is not known.
func dependencyOf(modules []root.Module, f *diff.Finding, known bool) *root.Module {
	var deviation *diff.Deviation
	if n := f.Example.Node; n != nil {
		deviation = n.Deviation
	}
	return root.Likely(modules, deviation, func(m *root.Module) bool {
		return (m.Users != nil) == known && (!known || slices.Contains(m.Users, f.Cause.Symbol))
	})
}

// typeOf returns the changed type that a root's function refers to, or else that its example names; nil if there is
// none or more than one.
func typeOf(declarations []root.Declaration, f *diff.Finding) *root.Declaration {
	text := f.Example.Case.Sequence.String()
	for _, refers := range []func(d root.Declaration) bool{
		func(d root.Declaration) bool { return slices.Contains(d.Users, f.Cause.Symbol) },
		func(d root.Declaration) bool { return names(text, string(d.Name)) },
	} {
		var found []*root.Declaration
		for i, d := range declarations {
			if d.Change == spectra.ChangeType && refers(d) {
				found = append(found, &declarations[i])
			}
		}
		if len(found) == 1 {
			return found[0]
		}
	}
	return nil
}

// names reports whether a text has a name that does not go on.
func names(text, name string) bool {
	for {
		_, rest, found := strings.Cut(text, name)
		if !found {
			return false
		}
		next, _ := utf8.DecodeRuneInString(rest)
		if next != '_' && !unicode.IsLetter(next) && !unicode.IsDigit(next) {
			return true
		}
		text = rest
	}
}
