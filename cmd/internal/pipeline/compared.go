package pipeline

// This file decides what of the states both players compare: what both versions have.

import (
	"maps"
	"slices"

	"github.com/spectradiff/spectradiff/diff/match"
	"github.com/spectradiff/spectradiff/replay"
	"github.com/spectradiff/spectradiff/spectra"
)

// comparisons are what each player compares, and how it names it.
type comparisons struct {
	of     spectra.Pair[replay.Comparison]
	tables spectra.Pair[replay.Table]
}

// without leaves out package variables, by their indexes.
func (c comparisons) without(dropped map[int]bool) comparisons {
	for _, s := range spectra.Sides() {
		of := c.of.Of(s)
		of.Touches = maps.Clone(of.Touches)
		for function, list := range of.Touches {
			of.Touches[function] = slices.DeleteFunc(slices.Clone(list), func(i int) bool { return dropped[i] })
		}
	}
	return c
}

// compared lists what both versions have of every state.
func (b *built) compared(opaque []string) comparisons {
	c := comparisons{tables: spectra.MakePair(func(s spectra.Side) replay.Table { return b.versions.Of(s).table() })}
	for _, s := range spectra.Sides() {
		*c.of.Of(s) = replay.Comparison{
			Bubbles: true, Opaque: opaque,
			Skips: map[string][]string{}, Fields: b.fieldNames(s), Vars: b.comparedVariables(s),
			Touches: map[spectra.Symbol][]int{}, Slots: map[spectra.Symbol][]replay.Slot{},
			Numbers: map[spectra.Symbol]uint32{}, Watch: b.watchedByPackage(s),
		}
		for _, shape := range b.common.Shapes() {
			c.of.Of(s).Skips[shape.Type] = shape.Skip
		}
	}
	c.of.New.Renames = b.renamedTypes()
	changing := b.changingVariables()
	olds, news := bySymbol(c.tables.Old), bySymbol(c.tables.New)
	for newSymbol, oldSymbol := range b.matched {
		c.of.Old.Numbers[oldSymbol] = uint32(len(c.of.Old.Numbers))
		c.of.New.Numbers[newSymbol] = c.of.Old.Numbers[oldSymbol]
		if touched := b.touchedByBoth(oldSymbol, newSymbol, changing); len(touched) > 0 {
			c.of.Old.Touches[oldSymbol], c.of.New.Touches[newSymbol] = touched, touched
		}
		b.pairSlots(&c, olds[oldSymbol], news[newSymbol])
	}
	return c
}

// table lists the points and blocks of a version for its players.
func (v *instrumented) table() replay.Table {
	var t replay.Table
	for _, p := range v.packages {
		points := slices.Clone(p.Points)
		for i := range points {
			points[i].Slots = slices.Clone(points[i].Slots)
		}
		t = append(t, replay.PackageTable{Path: p.Path, Points: points, Blocks: len(p.Blocks)})
	}
	return t
}

func bySymbol(t replay.Table) map[spectra.Symbol]*spectra.Point {
	points := map[spectra.Symbol]*spectra.Point{}
	for _, p := range t {
		for i := range p.Points {
			points[p.Points[i].Symbol] = &p.Points[i]
		}
	}
	return points
}

// comparedVariables lists the package variables that both versions have, as one of them names them.
func (b *built) comparedVariables(s spectra.Side) []string {
	var names []string
	for _, name := range b.common.Variables() {
		if s == spectra.New {
			name = b.newName(name)
		}
		names = append(names, name)
	}
	return names
}

// changingVariables returns the indexes of the package variables that may change while sequences run.
func (b *built) changingVariables() map[string]int {
	index := map[string]int{}
	for i, name := range b.common.Variables() {
		if !b.versions.Old.constants[name] || !b.versions.New.constants[b.newName(name)] {
			index[name] = i
		}
	}
	return index
}

// touchedByBoth lists the variables that either version of a function may touch.
func (b *built) touchedByBoth(old, new spectra.Symbol, changing map[string]int) []int {
	var touched []int
	for _, name := range b.versions.Old.touches[old] {
		if i, ok := changing[name]; ok {
			touched = append(touched, i)
		}
	}
	for _, name := range b.versions.New.touches[new] {
		if i, ok := changing[string(b.oldName(spectra.Symbol(name)))]; ok {
			touched = append(touched, i)
		}
	}
	slices.Sort(touched)
	return slices.Compact(touched)
}

// fieldNames has a version know renamed fields by the names that both agree on.
func (b *built) fieldNames(s spectra.Side) map[string]map[string]string {
	fields := map[string]map[string]string{}
	for _, shape := range b.common.Shapes() {
		for _, f := range shape.Renamed {
			own := f.Old
			if s == spectra.New {
				own = f.New
			}
			if own == f.Agreed() {
				continue
			}
			if fields[shape.Type] == nil {
				fields[shape.Type] = map[string]string{}
			}
			fields[shape.Type][own] = f.Agreed()
		}
	}
	return fields
}

// watchedByPackage lists the blocks in changed code, every hit of which is reported.
func (b *built) watchedByPackage(s spectra.Side) map[string][]int {
	watch := map[string][]int{}
	b.versions.Of(s).blocks(func(id uint32, pkg string, i int, _ spectra.Block) {
		if (*b.watched.Of(s))[id] {
			watch[pkg] = append(watch[pkg], i)
		}
	})
	return watch
}

// renamedTypes maps what new has under another name, types above all, to the old names.
func (b *built) renamedTypes() map[string]string {
	return b.common.Renamed()
}

// pairSlots has both versions of a function compare the slots that both have, in the order of
// old. They get new's names, so that a path means the same in both.
func (b *built) pairSlots(c *comparisons, old, new *spectra.Point) {
	pairs := b.common.Slots(old.Symbol, old.Slots, new.Slots)
	olds, news := []replay.Slot{}, []replay.Slot{} // none is not all
	plain := len(pairs) == len(old.Slots) && len(pairs) == len(new.Slots)
	for i, p := range pairs {
		olds = append(olds, replay.Slot{Index: p.Old, Pointee: p.OldPointer})
		news = append(news, replay.Slot{Index: p.New, Pointee: p.NewPointer})
		plain = plain && p == match.SlotPair{Old: i, New: i}
	}
	if !plain {
		c.of.Old.Slots[old.Symbol], c.of.New.Slots[new.Symbol] = olds, news
	}
	for _, p := range pairs {
		old.Slots[p.Old].Name, old.Slots[p.Old].Kind = new.Slots[p.New].Name, new.Slots[p.New].Kind
	}
}
