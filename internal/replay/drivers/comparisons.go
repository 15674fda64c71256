package drivers

import (
	"maps"
	"slices"

	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// Comparisons are what each player compares, and how it names it.
type Comparisons struct {
	Of     spectra.Pair[replay.Comparison]
	Tables spectra.Pair[replay.Table]
}

// without leaves out package variables, by their indexes.
func (c Comparisons) without(dropped map[int]bool) Comparisons {
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
func (d *Drivers) comparisons(opaque []string) Comparisons {
	touched := d.paired.Touched(
		spectra.Pair[map[spectra.Symbol][]string]{Old: d.Versions.Old.touches, New: d.Versions.New.touches},
		spectra.Pair[map[string]bool]{Old: d.Versions.Old.constants, New: d.Versions.New.constants},
	)
	variables, fields := d.Plan.Common.OwnVariables(), d.Plan.Common.FieldNames()
	numbers, slots := d.paired.Numbers(), d.paired.Slots()
	var c Comparisons
	for _, s := range spectra.Sides() {
		*c.Tables.Of(s) = d.Table(s)
		*c.Of.Of(s) = replay.Comparison{
			Bubbles: true, Opaque: opaque,
			Skips: d.Plan.Common.Skips(), Fields: *fields.Of(s), Vars: *variables.Of(s),
			Touches: *touched.Of(s), Slots: *slots.Of(s),
			Near:    d.near(c.Tables.Of(s)),
			Numbers: *numbers.Of(s), Watch: d.byPackage(s, *d.Watched.Of(s)),
		}
	}
	c.Of.New.Renames, c.Of.New.Literals = d.Plan.Common.Renamed(), d.renumbered()
	return c
}

// near returns the changed functions of a version.
func (d *Drivers) near(table *replay.Table) map[spectra.Symbol]bool {
	changed, near := d.Plan.ChangedSymbols(), map[spectra.Symbol]bool{}
	for _, p := range *table {
		for i := range p.Points {
			if name := p.Points[i].Symbol; changed[d.Plan.OldName(name.Declared())] {
				near[name] = true
			}
		}
	}
	return near
}

// renumbered returns the function literals of new that have another number in old, by their linked names.
func (d *Drivers) renumbered() map[string]string {
	literals := map[string]string{}
	for name, old := range d.Matched {
		if name != old && name.Declared() != name && name.Declared() == old.Declared() {
			literals[name.Linked()] = old.Linked()
		}
	}
	return literals
}

// Table lists the points and blocks of a version for its players, slots by the names that both versions
// go by.
func (d *Drivers) Table(s spectra.Side) replay.Table {
	var t replay.Table
	for _, p := range d.Versions.Of(s).Packages {
		points := p.Points
		if s == spectra.Old {
			points = d.paired.Named(points)
		}
		t = append(t, replay.PackageTable{Path: p.Path, Points: points, Blocks: len(p.Blocks)})
	}
	return t
}

// byPackage lists blocks of a version by their places in their packages.
func (d *Drivers) byPackage(s spectra.Side, sets ...map[uint32]bool) map[string][]int {
	watch := map[string][]int{}
	d.Versions.Of(s).Packages.Blocks(func(id uint32, pkg string, i int, _ spectra.Block) {
		if slices.ContainsFunc(sets, func(set map[uint32]bool) bool { return set[id] }) {
			watch[pkg] = append(watch[pkg], i)
		}
	})
	return watch
}

// inUse returns the blocks of a version, by their numbers, without those of functions that are not used.
func (d *Drivers) inUse(s spectra.Side, v *Instrumented, numbers map[uint32]bool) map[uint32]bool {
	if len(d.Plan.Unused) == 0 {
		return numbers
	}
	var places []spectra.Lines
	for _, f := range d.Plan.Unused {
		at := f.Old
		if s == spectra.New {
			at = f.New
		}
		places = append(places, at)
	}
	used := map[uint32]bool{}
	v.Packages.Blocks(func(id uint32, _ string, _ int, b spectra.Block) {
		if numbers[id] && !slices.ContainsFunc(places, b.Within) {
			used[id] = true
		}
	})
	return used
}
