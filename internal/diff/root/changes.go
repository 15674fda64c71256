package root

import (
	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// A Function is a changed function. Function literals are a part of the function that declares them.
type Function struct {
	Symbol    spectra.Symbol // its new name; of a removed function the old one
	OldSymbol spectra.Symbol // the old name of a renamed function; "" = the same
	Before    spectra.Symbol // of an init function: its name in old, where it may have another number
	Change    spectra.Change
	Old, New  spectra.Lines
	Hunks     []spectra.Hunk // within the function; a function that was only renamed or moved has none
}

// A Declaration is a changed package variable, constant or type.
type Declaration struct {
	Name     spectra.Symbol
	Change   spectra.Change // ChangeVariable or ChangeType
	Position diff.Position
	Users    []spectra.Symbol // the functions that refer to it, themselves or through code without probes
}

// A Module is a dependency in another version.
type Module struct {
	diff.Upgrade
	Users []spectra.Symbol // the functions that can call it; nil: any
}

// Changes is all that changed. Of several changes that explain a deviation equally well, the first in its
// list is taken.
type Changes struct {
	Functions    []Function
	Declarations []Declaration
	Modules      []Module
}

// An index finds changes by the declarations that they touch.
type index struct {
	Changes
	functions map[spectra.Symbol]*Function
	users     []map[spectra.Symbol]bool           // of each declaration
	callers   map[*Module]map[spectra.Symbol]bool // of each module of which they are known
}

func newIndex(c Changes) *index {
	x := &index{
		Changes: c, functions: map[spectra.Symbol]*Function{}, callers: map[*Module]map[spectra.Symbol]bool{},
	}
	for i := range c.Functions {
		f := &c.Functions[i]
		if f.Change == spectra.ChangeRenamed && len(f.Hunks) == 0 {
			continue // the function behaves as before
		}
		x.functions[f.Symbol] = f
		if f.OldSymbol != "" && x.functions[f.OldSymbol] == nil {
			x.functions[f.OldSymbol] = f
		}
	}
	for _, d := range c.Declarations {
		x.users = append(x.users, set(d.Users))
	}
	for i := range c.Modules {
		if m := &c.Modules[i]; m.Users != nil {
			x.callers[m] = set(m.Users)
		}
	}
	return x
}

// set returns the declared functions of a list, for which function literals stand.
func set(list []spectra.Symbol) map[spectra.Symbol]bool {
	s := make(map[spectra.Symbol]bool, len(list))
	for _, symbol := range list {
		s[symbol.Declared()] = true
	}
	return s
}

// changed returns the change of the function that declares s; nil = none.
func (x *index) changed(s spectra.Symbol) *Function { return x.functions[s.Declared()] }
