package hybrid

import (
	"cmp"
	"go/types"
	"maps"
	"os"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/internal/diff/root"
	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/replay/load"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// A Recipe says how to make a hybrid of two loaded versions: which version is the base, and which of its packages,
// changes, types or patches are those of the other version. The players of a hybrid compare what the players of both
// versions compare. Executions of either version's code have new's names, so that they compare like executions of new.
type Recipe struct {
	Loaded  spectra.Pair[*load.Version]
	Paths   []string // of the recorded packages, as the base has them
	Changes root.Changes
	Base    spectra.Side
	Type    spectra.Symbol // a changed type that the program has as the other version has it, by new's name; "": none
	Patches []Patch        // of the base; not together with Type
	Lend    bool           // struct types of the base have the fields of the other version as well

	Name Renaming // of init functions as well, as WithInits has it
}

// A Renaming returns a name of the other version as one has it.
type Renaming func(to spectra.Side, name spectra.Symbol) spectra.Symbol

// Make makes the hybrid of the versions.
func (v *Recipe) Make() (*Hybrid, error) {
	c, sources, unpatched, err := v.other(v.config())
	if err != nil {
		return nil, err
	}
	h, err := Make(c)
	if err != nil {
		return nil, err
	}
	h.Unpatched = unpatched
	for name, text := range sources {
		if h.Overlay[name] == nil {
			h.Overlay[name] = text
		}
	}
	for _, p := range c.Packages {
		if h.Packages[p.Base.PkgPath] == nil && p.Base != (*v.Loaded.Of(v.Base)).Package(p.Base.PkgPath) {
			h.Packages[p.Base.PkgPath] = p.Base
		}
	}
	return h, nil
}

// other returns the configuration of a hybrid whose base has a type or patches of the other version, with the sources
// that differ from the base's.
func (v *Recipe) other(c Config) (
	of Config, sources map[string][]byte, unpatched []spectra.Symbol, err error,
) {
	switch {
	case len(v.Patches) > 0:
		return Patched(c, v.Patches)
	case v.Type != "":
		names := spectra.Pair[spectra.Symbol]{Old: v.Name(spectra.Old, v.Type), New: v.Type}
		of, sources, err = Retype(c, *names.Of(v.Base), *names.Of(v.Base.Other()))
		return of, sources, nil, err
	}
	return c, nil, nil, nil
}

// config returns the configuration of a hybrid of the versions.
func (v *Recipe) config() Config {
	of, other := *v.Loaded.Of(v.Base), *v.Loaded.Of(v.Base.Other())
	c := Config{
		Functions: map[spectra.Symbol]spectra.Symbol{}, Values: map[spectra.Symbol]spectra.Symbol{},
		BaseName: func(s spectra.Symbol) spectra.Symbol { return v.Name(v.Base, s) }, Lend: v.Lend,
		Read: os.ReadFile,
		Check: func(p *packages.Package, overlay map[string][]byte) (*packages.Package, []types.Error, error) {
			return of.Recheck(p, overlay, other)
		},
	}
	add := func(list map[spectra.Symbol]spectra.Symbol, name spectra.Symbol) {
		names := spectra.Pair[spectra.Symbol]{Old: v.Name(spectra.Old, name), New: name}
		list[*names.Of(v.Base)] = *names.Of(v.Base.Other())
	}
	for _, f := range v.Changes.Functions {
		if !isInit(f.Symbol) || f.Before != "" {
			add(c.Functions, f.Symbol)
		}
	}
	for _, d := range v.Changes.Declarations {
		if d.Change == spectra.ChangeVariable {
			add(c.Values, d.Name)
		}
	}
	for _, path := range v.Paths {
		pair := Versions{
			Base: of.Package(path), Other: other.Package(string(v.Name(v.Base.Other(), spectra.Symbol(path)))),
		}
		if pair.Base != nil && pair.Other != nil && !usesC(pair.Base) && !usesC(pair.Other) {
			c.Packages = append(c.Packages, pair)
		}
	}
	for _, p := range other.Packages {
		if !slices.ContainsFunc(c.Packages, func(pair Versions) bool { return pair.Other == p }) {
			c.Further = append(c.Further, p)
		}
	}
	return c
}

func usesC(p *packages.Package) bool { return len(p.GoFiles) != len(p.CompiledGoFiles) }

// Names are both names of a function.
type Names = spectra.Pair[spectra.Symbol]

// Compared says what the players of both versions compare.
type Compared struct {
	Of     spectra.Pair[replay.Comparison]
	Tables spectra.Pair[replay.Table]

	Paired map[spectra.Symbol]spectra.Symbol // functions of new → those of old
}

// Besides returns the comparison for a program that is one version, with code of the other under further names. The
// table lists the program's points; points in the other's code get the slots of the other's functions. Others maps the
// further functions to their names in the other version, renumbered the base's literals to those that they were.
func (c *Compared) Besides(
	base spectra.Side, table replay.Table, others, renumbered map[spectra.Symbol]spectra.Symbol,
) replay.Comparison {
	of, from := *c.Of.Of(base), *c.Of.Of(base.Other())
	of.Watch, of.Names = nil, map[spectra.Symbol]spectra.Symbol{}
	of.Touches, of.Slots, of.Numbers = maps.Clone(of.Touches), maps.Clone(of.Slots), maps.Clone(of.Numbers)
	literals := map[string]string{}
	maps.Copy(literals, of.Literals)
	of.Literals = literals
	slots := map[spectra.Symbol][]spectra.SlotDecl{}
	for _, t := range *c.Tables.Of(base.Other()) {
		for _, p := range t.Points {
			slots[p.Symbol] = p.Slots
		}
	}
	paired := c.names()
	for _, t := range table {
		for i := range t.Points {
			p := &t.Points[i]
			other, beside := otherOf(others, p.Symbol)
			if !beside {
				own := renumber(&of, c.Of.Of(base), p.Symbol, renumbered)
				if names, ok := (*paired.Of(base))[own]; ok {
					of.Names[p.Symbol] = names.New
				}
				continue
			}
			of.Literals[p.Symbol.Linked()] = other.Linked()
			if names, ok := (*paired.Of(base.Other()))[other]; ok {
				of.Literals[p.Symbol.Linked()] = names.Old.Linked()
				of.Names[p.Symbol], p.Slots = names.New, slots[other]
				adopt(&of, &from, p.Symbol, other)
			}
		}
	}
	return of
}

// otherOf returns the name of a function in the other version, false if it is none of its functions.
func otherOf(others map[spectra.Symbol]spectra.Symbol, function spectra.Symbol) (spectra.Symbol, bool) {
	if other, ok := others[function]; ok {
		return other, true
	}
	declared := function.Declared()
	other, ok := others[declared]
	return other + function[len(declared):], ok
}

// adopt has a function compared as it is in the other version.
func adopt(of, from *replay.Comparison, name, other spectra.Symbol) {
	of.Numbers[name] = from.Numbers[other]
	if list, ok := from.Touches[other]; ok {
		of.Touches[name] = list
	}
	if list, ok := from.Slots[other]; ok {
		of.Slots[name] = list
	}
}

// renumber has a function of the base compared as the one that it was, if it is a literal with another number, or as no
// function of both versions if it was none. It returns what it was called.
func renumber(
	of, from *replay.Comparison, name spectra.Symbol, renumbered map[spectra.Symbol]spectra.Symbol,
) spectra.Symbol {
	was, ok := renumbered[name]
	if !ok {
		return name
	}
	delete(of.Numbers, name)
	delete(of.Touches, name)
	delete(of.Slots, name)
	delete(of.Literals, name.Linked())
	if was != "" {
		adopt(of, from, name, was)
		of.Literals[name.Linked()] = cmp.Or(from.Literals[was.Linked()], was.Linked())
	}
	return was
}

// names returns both names of the functions that both versions have, by each version's.
func (c *Compared) names() *spectra.Pair[map[spectra.Symbol]Names] {
	paired := spectra.MakePair(func(spectra.Side) map[spectra.Symbol]Names { return map[spectra.Symbol]Names{} })
	for name, old := range c.Paired {
		names := Names{Old: old, New: name}
		paired.Old[old], paired.New[name] = names, names
	}
	return &paired
}
