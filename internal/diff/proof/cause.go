package proof

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spectradiff/spectradiff/internal/diff/judge"
	"github.com/spectradiff/spectradiff/internal/diff/root"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// Cause returns a root with the cause that the trials showed, where that is not the change that the root is of. What no
// change of a function, variable or constant leads to comes from a dependency or a type: then the proof says so.
func (p *Proof) Cause(e judge.Example, changes root.Changes) judge.Example {
	switch {
	case p.Alone != nil:
		e.Root = e.Root.Narrowed(p.Alone.Position, p.Alone.Of)
	case len(p.Instead) > 0:
		e.Root = p.instead(e.Root, changes)
	case p.Outside:
		if m := dependencyOf(changes.Modules, e.Root.Function, true); m != nil {
			return p.dependency(e, m)
		}
		if t := typeOf(changes.Declarations, e); t != nil {
			if !p.Confirmed() && (p.Reason == "" || p.Reason == untold) {
				p.Reason = NoProgram
			}
			e.Root = e.Root.Because(t.Name, t.Change, t.Position, fmt.Sprintf(
				"%s changed, and no function that changed does it", t.Name.Short()))
		} else if m := dependencyOf(changes.Modules, e.Root.Function, false); m != nil && !otherwise(e.Root, changes) {
			return p.dependency(e, m)
		}
	}
	return e
}

// otherwise reports whether something that can't be taken back explains a root better than a module of which it is not
// known who is concerned: the variable or constant that it is of, or one of several types.
func otherwise(r *root.Root, changes root.Changes) bool {
	return r.Change == spectra.ChangeVariable ||
		slices.ContainsFunc(changes.Declarations, func(d root.Declaration) bool { return d.Change == spectra.ChangeType })
}

// NoProgram is the reason of a root that is a type which no program can take back.
const NoProgram = "no program holds this type as it was with the rest of new"

// Type returns the changed type that a root comes from, as far as the trials tell; "" if it is something else.
func (p *Proof) Type(e judge.Example, changes root.Changes) spectra.Symbol {
	if p.Outside && e.Root.Change == spectra.ChangeType {
		return e.Root.Function
	}
	if !p.Outside || len(p.Instead) > 0 || dependencyOf(changes.Modules, e.Root.Function, true) != nil {
		return ""
	}
	if t := typeOf(changes.Declarations, e); t != nil {
		return t.Name
	}
	return ""
}

// instead returns the root of the changes that show the effect without the root's own.
func (p *Proof) instead(r *root.Root, changes root.Changes) *root.Root {
	cause := p.Instead[0]
	text := "old does so too with " + cause.Short() + " alone"
	if more := len(p.Instead) - 1; more > 0 {
		text = fmt.Sprintf("old does so too with %s and %d more", cause.Short(), more)
	}
	for _, f := range changes.Functions {
		if f.Symbol == cause {
			return r.Because(cause, f.Change, root.Position{
				Side: spectra.New, File: f.New.File, Line: f.New.Line, EndLine: f.New.EndLine,
			}, text)
		}
	}
	for _, d := range changes.Declarations {
		if d.Name == cause {
			return r.Because(cause, d.Change, d.Position, text)
		}
	}
	return r
}

func (p *Proof) dependency(e judge.Example, m *root.Module) judge.Example {
	p.Reason = "dependencies can't be taken back"
	e.Root = e.Root.Because(spectra.Symbol(m.Path), spectra.ChangeDependency, root.Position{}, fmt.Sprintf(
		"with %s %s in place of %s, whatever else is taken back", m.Path, m.New, m.Old))
	return e
}

// dependencyOf returns a changed module that a function can call, or one of which that is not known.
func dependencyOf(modules []root.Module, function spectra.Symbol, known bool) *root.Module {
	for i, m := range modules {
		if (m.Users != nil) == known && (!known || slices.Contains(m.Users, function)) {
			return &modules[i]
		}
	}
	return nil
}

// typeOf returns the changed type that a root's function refers to, or else that its example names; nil if there is
// none or more than one.
func typeOf(declarations []root.Declaration, e judge.Example) *root.Declaration {
	text := e.Sequence.String()
	for _, refers := range []func(d root.Declaration) bool{
		func(d root.Declaration) bool { return slices.Contains(d.Users, e.Root.Function) },
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
