package proof

import (
	"github.com/spectradiff/spectradiff/internal/diff/hybrid"
	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/replay/plan"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/source"
)

// lacks lists all that differs and that a program has as its base has it, whatever units are switched: what uses the
// base's version of what it holds twice, what it can't hold, and all that changed and is neither in a unit, nor comes
// along, nor acts through code alone that names it.
func (in Input) lacks(m *mixed, units [][]spectra.Symbol) (list []Lack) {
	p := in.Drivers.Plan
	l := &lacking{in: in, mixed: m, plan: p, passive: p.Changes.Passive(), switched: map[spectra.Symbol]bool{}}
	for _, unit := range units {
		for _, name := range unit {
			l.switched[name] = true
		}
	}
	l.note()
	for _, of := range m.Bound {
		run := l.users[m.inNew(of.Of)]
		if of.Function {
			run = l.function(m.inNew(of.User))
		}
		list = append(list, Lack{Of: m.inNew(of.Of), User: m.inNew(of.User), Run: run})
	}
	for _, left := range m.Unswitchable {
		list = append(list, Lack{Of: m.inNew(left.Symbol), Run: l.run(m.inNew(left.Symbol))})
	}
	for _, c := range p.Changes.Declarations {
		if lack := l.declaration(c); lack != nil {
			list = append(list, *lack)
		}
	}
	for _, f := range p.Changes.Files {
		if f.Embedded || f.Kind == source.NativeFile && f.Compiled() {
			list = append(list, Lack{Of: spectra.Symbol(f.Path), Outer: f.Vendor})
		}
	}
	if p.DependenciesChanged() {
		list = append(list, Lack{Of: "dependencies", Outer: true})
	}
	return list
}

// A lacking finds out what a program lacks. Names are new's, those of what only old has old's.
type lacking struct {
	in       Input
	mixed    *mixed
	plan     *plan.Plan
	passive  func(source.Change) bool
	switched map[spectra.Symbol]bool // what is in a unit
	probed   map[spectra.Symbol]bool // functions whose executions are recorded
	users    map[spectra.Symbol][]spectra.Symbol
	linked   spectra.Pair[map[string]bool] // the packages that each version imports somewhere
}

func (l *lacking) note() {
	l.probed, l.users = map[spectra.Symbol]bool{}, map[spectra.Symbol][]spectra.Symbol{}
	l.in.Drivers.Compared.Tables.Each(func(s spectra.Side, t replay.Table) {
		for _, of := range t {
			for _, p := range of.Points {
				name := p.Symbol
				if s == spectra.Old {
					name = l.mixed.name(spectra.New, name)
				}
				l.probed[name] = true
			}
		}
	})
	for _, d := range l.in.causes().Declarations {
		l.users[d.Name] = d.Users
	}
	l.linked = spectra.MakePair(func(s spectra.Side) map[string]bool {
		return hybrid.Linked(l.plan.Sides.Of(s).Target.Packages)
	})
}

// function returns what has to run for a function to matter. An init function has run before any example.
func (l *lacking) function(name spectra.Symbol) []spectra.Symbol {
	if l.probed[name] && name.Declared() == name {
		return []spectra.Symbol{name}
	}
	return nil
}

// run returns what has to run for a declaration to matter; nil if that is not known.
func (l *lacking) run(name spectra.Symbol) []spectra.Symbol {
	if users, ok := l.users[name]; ok {
		return users
	}
	return l.function(name)
}

// declaration returns how a program lacks what changed; nil if it does not.
func (l *lacking) declaration(c source.Change) *Lack {
	if c.Test || c.Other || c.Kind == source.Required || l.renamed(c) {
		return nil
	}
	lack := &Lack{Of: c.Symbol, Outer: c.Vendor || c.Kind == source.Type}
	switch alone := l.alone(c); {
	case alone && (l.passive(c) || l.along(c)):
		return nil
	case c.Order:
		return lack
	case !alone && (l.switched[c.Symbol] || l.twice(c)):
		if !c.Directed {
			return nil
		}
		lack.Outer = true // its code is switched, and the language that it is written in is the base's
	case !c.Starts:
		lack.Run = l.run(c.Symbol)
	}
	return lack
}

// twice reports whether a program has both versions of a constant: what uses it and is not switched is bound to one.
func (l *lacking) twice(c source.Change) bool {
	other := c.Symbol
	if l.mixed.base == spectra.New {
		other = l.mixed.name(spectra.Old, c.Symbol)
	}
	return c.Kind == source.Constant && l.mixed.Held[other]
}

// renamed reports whether nothing changed but names, or what changed is a change of another name.
func (l *lacking) renamed(c source.Change) bool {
	switch c.Kind {
	case source.Function:
		_, changed := l.plan.Common.Edit(c.Symbol, c.What)
		return !changed
	case source.Variable, source.Constant, source.Type:
		return l.plan.Common.OnlyRenamed(c.Symbol, c.What)
	case source.Import, source.Required, source.Directive:
	}
	return false
}

// alone reports whether only one version has a declaration, under whatever name.
func (l *lacking) alone(c source.Change) bool {
	both := c.What == spectra.ChangeModified || l.plan.Common.Elsewhere(l.plan.OldName(c.Symbol), spectra.ChangeRemoved)
	return !both
}

// along reports whether what only one version has is in the program as far as it acts by itself: the other version's
// came along, or it is an import of a package that the other version has, too.
func (l *lacking) along(c source.Change) bool {
	has := spectra.New
	if c.What == spectra.ChangeRemoved {
		has = spectra.Old
	}
	if c.Kind == source.Import {
		name := func(to spectra.Side, of spectra.Symbol) string {
			if to == has {
				return string(of)
			}
			return string(l.mixed.name(to, of))
		}
		return (*l.linked.Of(has.Other()))[name(has.Other(), c.Symbol)] || has != l.mixed.base &&
			l.mixed.Imports(name(l.mixed.base, spectra.Symbol(c.Package)), string(c.Symbol))
	}
	return has != l.mixed.base && l.mixed.Held[c.Symbol]
}
