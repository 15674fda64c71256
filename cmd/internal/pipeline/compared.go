package pipeline

import (
	"maps"
	"slices"

	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// comparisons are what each player compares, and how it names it.
type comparisons struct {
	Of     spectra.Pair[replay.Comparison]
	Tables spectra.Pair[replay.Table]
}

// without leaves out package variables, by their indexes.
func (c comparisons) without(dropped map[int]bool) comparisons {
	for _, s := range spectra.Sides() {
		of := c.Of.Of(s)
		of.Touches = maps.Clone(of.Touches)
		for function, list := range of.Touches {
			of.Touches[function] = slices.DeleteFunc(slices.Clone(list), func(i int) bool { return dropped[i] })
		}
	}
	return c
}

// comparisons lists what both versions have of every state.
func (b *built) comparisons(opaque []string) comparisons {
	touched := b.paired.Touched(
		spectra.Pair[map[spectra.Symbol][]string]{Old: b.Versions.Old.touches, New: b.Versions.New.touches},
		spectra.Pair[map[string]bool]{Old: b.Versions.Old.constants, New: b.Versions.New.constants},
	)
	variables, fields := b.Plan.Common.OwnVariables(), b.Plan.Common.FieldNames()
	numbers, slots := b.paired.Numbers(), b.paired.Slots()
	var c comparisons
	for _, s := range spectra.Sides() {
		*c.Tables.Of(s) = b.Table(s)
		*c.Of.Of(s) = replay.Comparison{
			Bubbles: true, Opaque: opaque,
			Skips: b.Plan.Common.Skips(), Fields: *fields.Of(s), Vars: *variables.Of(s),
			Touches: *touched.Of(s), Slots: *slots.Of(s),
			Numbers: *numbers.Of(s), Watch: b.byPackage(s, *b.Watched.Of(s)),
		}
	}
	c.Of.New.Renames, c.Of.New.Literals = b.Plan.Common.Renamed(), b.renumbered()
	return c
}

// renumbered returns the function literals of new that have another number in old, by their linked names.
func (b *built) renumbered() map[string]string {
	literals := map[string]string{}
	for name, old := range b.Matched {
		if name != old && name.Declared() != name && name.Declared() == old.Declared() {
			literals[name.Linked()] = old.Linked()
		}
	}
	return literals
}

// table lists the points and blocks of a version for its players, slots by the names that both versions
// go by.
func (b *built) Table(s spectra.Side) replay.Table {
	var t replay.Table
	for _, p := range b.Versions.Of(s).Packages {
		points := p.Points
		if s == spectra.Old {
			points = b.paired.Named(points)
		}
		t = append(t, replay.PackageTable{Path: p.Path, Points: points, Blocks: len(p.Blocks)})
	}
	return t
}

// byPackage lists blocks of a version by their places in their packages.
func (b *built) byPackage(s spectra.Side, sets ...map[uint32]bool) map[string][]int {
	watch := map[string][]int{}
	b.Versions.Of(s).Packages.Blocks(func(id uint32, pkg string, i int, _ spectra.Block) {
		if slices.ContainsFunc(sets, func(set map[uint32]bool) bool { return set[id] }) {
			watch[pkg] = append(watch[pkg], i)
		}
	})
	return watch
}

// inUse returns the blocks of a version, by their numbers, without those of functions that are not used.
func (b *built) inUse(s spectra.Side, v *instrumented, numbers map[uint32]bool) map[uint32]bool {
	if len(b.Plan.Unused) == 0 {
		return numbers
	}
	places := map[string][]spectra.Lines{}
	for _, f := range b.Plan.Unused {
		at := f.Old
		if s == spectra.New {
			at = f.New
		}
		places[at.File] = append(places[at.File], at)
	}
	used := map[uint32]bool{}
	v.Packages.Blocks(func(id uint32, _ string, _ int, b spectra.Block) {
		if numbers[id] && !slices.ContainsFunc(places[b.File], func(at spectra.Lines) bool {
			return at.Line <= b.Line && b.EndLine <= at.EndLine
		}) {
			used[id] = true
		}
	})
	return used
}
