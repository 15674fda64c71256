package pipeline

// This file decides which functions of the two versions are the same, and what of their states is
// compared: what both have.

import (
	"slices"

	"github.com/spectradiff/spectradiff/replay"
	"github.com/spectradiff/spectradiff/replay/target"
	"github.com/spectradiff/spectradiff/spectra"
)

// match pairs the functions that both versions have: declared ones by name, literals within their
// declaring function.
func (r *run) match() {
	before, after := byDeclaration(r.old.points(), nil), byDeclaration(r.new.points(), r.oldName)
	r.matched = map[spectra.Symbol]spectra.Symbol{}
	for declared, olds := range before {
		news := after[declared]
		if len(news) == 0 || r.common.Strangers(declared) {
			continue
		}
		if olds[0].Symbol == declared && r.oldName(news[0].Symbol) == declared {
			r.matched[news[0].Symbol] = declared
			olds, news = olds[1:], news[1:]
		}
		r.matchLiterals(olds, news)
	}
	r.report.Subject.Functions = len(r.matched)
}

// points lists the points of a version in the order of their packages.
func (s *side) points() []*spectra.Point {
	var list []*spectra.Point
	for _, p := range s.build.instrumented {
		for i := range p.Points {
			list = append(list, &p.Points[i])
		}
	}
	return list
}

// byDeclaration groups points by their declared function, that one first, then its literals in the
// order of the source.
func byDeclaration(points []*spectra.Point, rename func(spectra.Symbol) spectra.Symbol) map[spectra.Symbol][]*spectra.Point {
	groups := map[spectra.Symbol][]*spectra.Point{}
	for _, p := range points {
		declared := p.Symbol.Declared()
		if rename != nil {
			declared = rename(declared)
		}
		groups[declared] = append(groups[declared], p)
	}
	for _, group := range groups {
		slices.SortStableFunc(group, func(one, other *spectra.Point) int {
			switch literal := one.Symbol != one.Symbol.Declared(); {
			case literal == (other.Symbol != other.Symbol.Declared()):
				return 0
			case literal:
				return 1
			}
			return -1
		})
	}
	return groups
}

// matchLiterals pairs literals: those with the same body first, then, in their order, the rest of
// those that have the same parameters and results, if none of these came or went.
func (r *run) matchLiterals(olds, news []*spectra.Point) {
	olds, news = slices.Clone(olds), slices.Clone(news)
	pair := func(i, j int) {
		r.matched[news[j].Symbol] = olds[i].Symbol
		olds[i], news[j] = nil, nil
	}
	for i, old := range olds {
		j := slices.IndexFunc(news, func(new *spectra.Point) bool { return new != nil && old.Body == new.Body && r.sameSlots(old, new) })
		if j >= 0 {
			pair(i, j)
		}
	}
	for i, old := range olds {
		if old == nil {
			continue
		}
		alike := func(p *spectra.Point) bool { return p != nil && r.sameSlots(old, p) }
		before, after := indexesOf(olds, r.likeOld(old)), indexesOf(news, alike)
		for k := range before {
			if len(before) == len(after) {
				pair(before[k], after[k])
			}
		}
		olds[i] = nil
	}
}

// likeOld finds points of old with the same parameters and results.
func (r *run) likeOld(old *spectra.Point) func(*spectra.Point) bool {
	return func(p *spectra.Point) bool {
		return p != nil && slices.EqualFunc(signature(old), signature(p), func(one, other spectra.SlotDecl) bool {
			return one.Kind == other.Kind && one.Type == other.Type
		})
	}
}

func indexesOf(points []*spectra.Point, fits func(*spectra.Point) bool) []int {
	var found []int
	for i, p := range points {
		if fits(p) {
			found = append(found, i)
		}
	}
	return found
}

// sameSlots says whether two literals have the same parameters and results.
func (r *run) sameSlots(old, new *spectra.Point) bool {
	return slices.EqualFunc(signature(old), signature(new), func(one, other spectra.SlotDecl) bool {
		return one.Kind == other.Kind && one.Type == r.common.Names.Old(other.Type)
	})
}

// signature lists a point's slots without the captured ones.
func signature(p *spectra.Point) []spectra.SlotDecl {
	var slots []spectra.SlotDecl
	for _, s := range p.Slots {
		if s.Kind != spectra.Captured {
			slots = append(slots, s)
		}
	}
	return slots
}

// compareWhat fills in what both players compare.
func (r *run) compareWhat() {
	vars := r.common.Vars
	index := map[string]int{} // of those that may change while sequences run
	for i, name := range vars {
		if !r.old.build.constants[name] || !r.new.build.constants[r.newName(name)] {
			index[name] = i
		}
	}
	for _, s := range []*side{r.old, r.new} {
		c := &s.build.compare
		c.Bubbles = true
		c.Skips = map[string][]string{}
		c.Fields = map[string]map[string]string{}
		for _, shape := range r.common.Shapes {
			c.Skips[shape.Type] = shape.Skip
			for _, f := range shape.Renamed {
				r.renameField(s, shape.Type, f)
			}
		}
		for _, name := range vars {
			if s == r.new {
				name = r.newName(name)
			}
			c.Vars = append(c.Vars, name)
		}
		c.Touches = map[spectra.Symbol][]int{}
		c.Slots = map[spectra.Symbol][]replay.Slot{}
	}
	r.new.build.compare.Renames = r.renamedTypes()
	r.watchChanges()
	olds, news := bySymbol(r.old.points()), bySymbol(r.new.points())
	for newSymbol, oldSymbol := range r.matched {
		r.touchBoth(oldSymbol, newSymbol, index)
		r.slotsOfBoth(olds[oldSymbol], news[newSymbol])
	}
	r.numberBoth()
}

// renameField has a version know a field by the name that both agree on.
func (r *run) renameField(s *side, owner string, f target.FieldRename) {
	own := f.Old
	if s == r.new {
		own = f.New
	}
	fields := s.build.compare.Fields
	if own == f.Agreed() {
		return
	}
	if fields[owner] == nil {
		fields[owner] = map[string]string{}
	}
	fields[owner][own] = f.Agreed()
}

// numberBoth gives the functions that both versions have the same numbers in both.
func (r *run) numberBoth() {
	olds, news := map[spectra.Symbol]uint32{}, map[spectra.Symbol]uint32{}
	for newSymbol, oldSymbol := range r.matched {
		olds[oldSymbol] = uint32(len(olds))
		news[newSymbol] = olds[oldSymbol]
	}
	r.old.build.compare.Numbers, r.new.build.compare.Numbers = olds, news
}

func bySymbol(points []*spectra.Point) map[spectra.Symbol]*spectra.Point {
	m := map[spectra.Symbol]*spectra.Point{}
	for _, p := range points {
		m[p.Symbol] = p
	}
	return m
}

// renamedTypes maps what new has under another name, types above all, to the old names.
func (r *run) renamedTypes() map[string]string {
	renames := r.common.Names.Renamed()
	for _, p := range r.new.target.Packages {
		for _, name := range p.Types.Scope().Names() {
			full := p.PkgPath + "." + name
			if old := string(r.oldName(spectra.Symbol(full))); old != full {
				renames[full] = old
			}
		}
	}
	return renames
}

// touchBoth has both versions of a function compare the variables that either may touch.
func (r *run) touchBoth(old, new spectra.Symbol, index map[string]int) {
	var touched []int
	for _, name := range r.old.build.touches[old] {
		if i, ok := index[name]; ok {
			touched = append(touched, i)
		}
	}
	for _, name := range r.new.build.touches[new] {
		if i, ok := index[string(r.oldName(spectra.Symbol(name)))]; ok {
			touched = append(touched, i)
		}
	}
	slices.Sort(touched)
	if touched = slices.Compact(touched); len(touched) > 0 {
		r.old.build.compare.Touches[old] = touched
		r.new.build.compare.Touches[new] = touched
	}
}

// slotsOfBoth has both versions of a function compare the slots that both have, in the order of
// old. They get new's names, so that a path means the same in both.
func (r *run) slotsOfBoth(old, new *spectra.Point) {
	pairs := r.common.Pairs(old.Symbol, old.Slots, new.Slots)
	olds, news := []replay.Slot{}, []replay.Slot{} // none is not all
	plain := len(pairs) == len(old.Slots) && len(pairs) == len(new.Slots)
	for i, p := range pairs {
		olds = append(olds, replay.Slot{Index: p.Old, Pointee: p.OldPointer})
		news = append(news, replay.Slot{Index: p.New, Pointee: p.NewPointer})
		plain = plain && p == target.Pair{Old: i, New: i}
	}
	if !plain {
		r.old.build.compare.Slots[old.Symbol] = olds
		r.new.build.compare.Slots[new.Symbol] = news
	}
	for _, p := range pairs {
		name, kind := new.Slots[p.New].Name, new.Slots[p.New].Kind
		old.Slots[p.Old].Name, old.Slots[p.Old].Kind = name, kind
	}
}

// watchChanges has both players report every hit of a block in changed lines.
func (r *run) watchChanges() {
	for _, s := range []*side{r.old, r.new} {
		s.build.compare.Watch = map[string][]int{}
		s.build.watched = map[uint32]bool{}
		id := uint32(0)
		for _, p := range s.build.instrumented {
			for i, b := range p.Blocks {
				if r.changedBlock(s, b) {
					s.build.compare.Watch[p.Path] = append(s.build.compare.Watch[p.Path], i)
					s.build.watched[id] = true
				}
				id++
			}
		}
	}
}

// changedBlock says whether a block lies in changed lines, or next to lines that only the other
// version has.
func (r *run) changedBlock(s *side, b spectra.Block) bool {
	for _, h := range r.changes.Hunks(b.File) {
		lines := h.New
		if s == r.old {
			lines = h.Old
		}
		if b.Line <= lines.Start+max(lines.Count, 1)-1 && lines.Start <= b.EndLine {
			return true
		}
	}
	return false
}
