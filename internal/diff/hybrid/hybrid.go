// Package hybrid writes the source of a program that holds the changed code of both versions, so that a run can choose
// for each change which version it executes. Package proof runs such programs to prove causes.
//
// In: both versions of the packages in which something changed, type-checked; which functions, variables and constants
// changed; a function that type-checks a package again with other sources. Out: a Hybrid: sources to lay over one of
// the versions, the base, and which functions hand their calls to code of the other. Who builds the program has them do
// so (spectra/instrument.Switch).
//
// It always holds that the sources compile, and that the base's code stays as it is, on its lines, but for fields
// that its types are lent: the other's stands in files of its own, unless it depends on the frame that it runs in. A
// change that can't be held together with the base's code, as that of a type, is left out and listed; then no choice of
// units may be exactly the other version, which is for the user of this package to find out. The same input gives the
// same bytes. Nothing is read but what Config.Read reads, and nothing is written.
package hybrid

import (
	"cmp"
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/internal/replay/fault"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/instrument"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// A Config says which versions and changes a hybrid is made of.
type Config struct {
	Packages  []Versions
	Functions map[spectra.Symbol]spectra.Symbol   // changed functions, the base's names → the other's
	Values    map[spectra.Symbol]spectra.Symbol   // changed variables and constants, likewise
	BaseName  func(spectra.Symbol) spectra.Symbol // of fields as well: path.T.f
	Further   []*packages.Package                 // of the other, without a hybrid: they may use what changed
	Lend      bool                                // struct types of the base get the fields that only the other has

	// Read returns the source of a file. Check type-checks a package of the base again, with other and further files.
	Read  func(name string) ([]byte, error)
	Check func(*packages.Package, map[string][]byte) (*packages.Package, []types.Error, error)
}

// Versions are both versions of a package. A hybrid is the base, with code of the other beside it.
type Versions struct{ Base, Other *packages.Package }

// A Hybrid is the base with the other's code beside it.
type Hybrid struct {
	Units        []Unit
	Packages     map[string]*packages.Package         // those with code of the other, by path
	Overlay      map[string][]byte                    // absolute path → source
	Switches     map[spectra.Symbol]instrument.Switch // by functions of the base
	Others       map[spectra.Symbol]spectra.Symbol    // functions that are the other's code → what they are there
	Unswitchable []Unswitchable                       // changes that it does not hold
	Adapted      map[spectra.Symbol]bool              // functions of units, changed only to fit others of them
	Bound        []Bound                              // what no unit switches though it uses what differs, sorted
	Held         map[spectra.Symbol]bool              // declarations of the other that it holds, by their names there

	// Renumbered has the function literals of the base that have another number → those in the base. Those around
	// initial values, which the base does not have, are there without a name.
	Renumbered map[spectra.Symbol]spectra.Symbol

	Lacks bool // code of the other uses fields that the base's types lack: with Config.Lend they have them

	Unpatched []spectra.Symbol // functions of the base that do not compile with their patches, and are without them
}

// A Unit is a group of declarations that are switched at once: a function or a variable, or what the hybrid holds twice
// together with the changed code that uses it. The symbols are those that changed, by the base's names.
type Unit []spectra.Symbol

// An Unswitchable is a changed declaration that the hybrid has in the base's version only.
type Unswitchable struct {
	Symbol spectra.Symbol // the base's name
	Reason string
}

// Make writes the hybrid of two versions.
func Make(cfg Config) (*Hybrid, error) {
	h := &Hybrid{
		Packages: map[string]*packages.Package{}, Overlay: map[string][]byte{},
		Switches: map[spectra.Symbol]instrument.Switch{}, Others: map[spectra.Symbol]spectra.Symbol{},
		Held: map[spectra.Symbol]bool{}, Adapted: map[spectra.Symbol]bool{},
		Renumbered: map[spectra.Symbol]spectra.Symbol{},
	}
	var mixers []*mixer
	for _, of := range cfg.Packages {
		var m *mixer
		var checked *packages.Package
		var err error
		fault.In(of.Base.PkgPath, "building both versions of", func() {
			m = newMixer(cfg, of)
			m.choose()
			checked, err = m.settle()
		})
		if err != nil {
			return nil, err
		}
		mixers = append(mixers, m)
		h.Unswitchable, h.Lacks = append(h.Unswitchable, m.left...), h.Lacks || m.lacks
		if checked != nil {
			h.add(m, checked)
		} else {
			m.parts = nil
		}
	}
	h.Bound = binding(mixers, cfg.Further)
	slices.SortFunc(h.Unswitchable, func(x, y Unswitchable) int { return cmp.Compare(x.Symbol, y.Symbol) })
	return h, nil
}

// add adds a package whose sources compile.
func (h *Hybrid) add(m *mixer, checked *packages.Package) {
	h.Packages[checked.PkgPath] = checked
	for name, text := range m.overlay {
		h.Overlay[name] = text
	}
	functions := symbol.Functions(checked.PkgPath, checked.TypesInfo, checked.Syntax)
	others := symbol.Functions(m.of.Other.PkgPath, m.of.Other.TypesInfo, m.of.Other.Syntax)
	h.hold(m)
	h.renumber(m, checked, functions)
	units := map[spectra.Symbol]int{}
	for _, p := range m.parts {
		switch {
		case p.inside:
			h.addInside(m, p, checked)
		case p.other != "":
			h.Others[functions[declared(checked, p)]] = p.other
		}
		if node := m.initialised(p); node != nil {
			was, is := literalsIn(node), literalsIn(declared(checked, p))
			for i := range min(len(was), len(is)) {
				h.Others[functions[is[i]]] = others[was[i]]
			}
		}
		if p.unit == "" {
			continue
		}
		unit := m.groups.find(p.unit)
		if _, known := units[unit]; !known {
			units[unit] = len(h.Units)
			h.addUnit(m, m.groups.members(unit))
		}
		h.Switches[p.from] = instrument.Switch{Unit: units[unit], To: p.name}
		if p.inside {
			h.Switches[p.from] = instrument.Switch{Unit: units[unit], Inside: m.insideName(p)}
		}
	}
}

// addUnit adds a unit, and notes which of several functions are in it for others only.
func (h *Hybrid) addUnit(m *mixer, unit Unit) {
	h.Units = append(h.Units, unit)
	if len(unit) == 1 {
		return
	}
	for _, name := range unit {
		if m.Functions[name] != "" && m.adapted(name) {
			h.Adapted[name] = true
		}
	}
}

// hold notes the declarations of the other that the hybrid of a package holds.
func (h *Hybrid) hold(m *mixer) {
	for object, p := range m.chosen {
		switch {
		case p.dropped, p.kind == lent:
		case p.kind == function:
			h.Held[p.other] = true
		default:
			h.Held[symbol.Declared(object)] = true
		}
	}
}

// Imports reports whether the hybrid of a package, or the package itself, imports another one.
func (h *Hybrid) Imports(p, path string) bool {
	of := h.Packages[p]
	return of != nil && slices.ContainsFunc(of.Types.Imports(), func(p *types.Package) bool { return p.Path() == path })
}

// declared returns the last function of a part in the checked package.
func declared(checked *packages.Package, p *part) (last ast.Node) {
	for _, file := range checked.Syntax {
		if checked.Fset.PositionFor(file.FileStart, false).Filename != p.file.name {
			continue
		}
		for _, d := range file.Decls {
			at := checked.Fset.PositionFor(d.Pos(), false).Offset
			if p.start <= at && at < p.end {
				last = d
			}
		}
	}
	return last
}

// A groups says which symbols are one unit.
type groups map[spectra.Symbol]spectra.Symbol

func (g groups) find(s spectra.Symbol) spectra.Symbol {
	for g[s] != "" && g[s] != s {
		s = g[s]
	}
	return s
}

// unite makes one unit of symbols, and returns its first symbol.
func (g groups) unite(list []spectra.Symbol) spectra.Symbol {
	first := g.find(list[0])
	g[first] = first
	for _, s := range list[1:] {
		if s = g.find(s); s != first {
			g[s] = first
		}
	}
	return first
}

func (g groups) members(of spectra.Symbol) Unit {
	list := Unit{of}
	for s := range g {
		if s != of && g.find(s) == of {
			list = append(list, s)
		}
	}
	slices.Sort(list[1:])
	return list
}

func (m *mixer) leave(of spectra.Symbol, format string, args ...any) {
	m.left = append(m.left, Unswitchable{of, fmt.Sprintf(format, args...)})
}
