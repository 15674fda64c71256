package api

import (
	"go/types"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/replay/load"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// Names translates names between two versions.
type Names interface {
	Old(text string) string // translates a name of new, or all names within a type, to old's
	New(text string) string // translates a name of old, or all names within a type, to new's
}

// A Surface holds the operations and types that sequences can use in both versions. The lists of both sides have the
// same length, the same order, and the names of old. The other fields are as each version needs them.
type Surface struct {
	Operations spectra.Pair[[]*Operation] // with the same canonical signature, sorted by name, suppliers last
	Settings   spectra.Pair[[]*Operation] // likewise: settings of variables that code on the way to changed code reads
	Types      spectra.Pair[[]Type]       // sorted by name
	// Implemented are interfaces that the driver has to implement because only callers do, or because they matter to
	// the change, sorted by old's name.
	Implemented []spectra.Pair[*types.Named]
}

// Common returns the surface of two versions for packages, given by their paths in old. It marks old's operations whose
// symbols are in reaching with Reaches. Where reaching is nil none is, and every package variable can be set.
// Interfaces of old that matter to the change are implemented by the driver, although something else may do so.
func Common(
	old, new *load.Version, paths []string, names Names, reaching map[spectra.Symbol]bool, matter ...*types.Named,
) *Surface {
	var inNew []string
	for _, path := range paths {
		inNew = append(inNew, names.New(path), symbol.Rebase(path, old.Module, new.Module))
	}
	s := &Surface{}
	s.implemented(implementable(old, matter), new, names)
	var answered spectra.Pair[[]*types.Named]
	for _, pair := range s.Implemented {
		answered.Old, answered.New = append(answered.Old, pair.Old), append(answered.New, pair.New)
	}
	newOperations, _ := sorted(new, inNew, answered.New)
	oldOperations, implemented := sorted(old, paths, answered.Old)
	s.implemented(implemented, new, names)
	for _, op := range oldOperations {
		op.Reaches = reaching[op.Symbol]
	}
	s.operations(oldOperations, newOperations, names)
	s.settings(spectra.Pair[*load.Version]{Old: old, New: new}, spectra.Pair[[]string]{Old: paths, New: inNew},
		names, reaching)
	s.types(Types(old, s.Operations.Old, paths), Types(new, newOperations, inNew), names)
	return s
}

// operations keeps the operations that both versions have with the same signature.
func (s *Surface) operations(olds, news []*Operation, names Names) {
	byName := map[string]*Operation{}
	for _, op := range news {
		byName[names.Old(op.Name)] = op
	}
	for _, old := range olds {
		found := byName[old.Name]
		if found == nil {
			continue
		}
		if other := found.otherReceiver(); other != nil && names.Old(other.signature()) == old.signature() {
			found = other
		}
		if names.Old(found.signature()) != old.signature() {
			continue
		}
		own := *found
		own.Name = old.Name
		s.Operations.Old = append(s.Operations.Old, old)
		s.Operations.New = append(s.Operations.New, &own)
	}
}

// types keeps the types that both versions can name.
func (s *Surface) types(olds, news []Type, names Names) {
	byName := map[string]Type{}
	for _, t := range news {
		byName[names.Old(t.Name)] = t
	}
	for _, old := range olds {
		if own, ok := byName[old.Name]; ok {
			own.Name = old.Name
			s.Types.Old = append(s.Types.Old, old)
			s.Types.New = append(s.Types.New, own)
		}
	}
}

// otherReceiver returns a method's operation with a pointer in place of its receiver, or with the value that the
// receiver points to; nil for other operations.
func (op *Operation) otherReceiver() *Operation {
	if !op.Receiver || types.IsInterface(op.Params[0]) {
		return nil
	}
	other := *op
	other.Params = slices.Clone(op.Params)
	other.Pointee = true
	if p, ok := types.Unalias(op.Params[0]).(*types.Pointer); ok {
		other.Params[0] = p.Elem()
	} else {
		other.Params[0] = types.NewPointer(op.Params[0])
	}
	return &other
}

// signature returns the types of the operation's parameters and results as text.
func (op *Operation) signature() string {
	var parts []string
	for _, list := range [][]types.Type{op.Params, op.Results} {
		for _, t := range list {
			parts = append(parts, symbol.Type(t))
		}
		parts = append(parts, ";")
	}
	if op.Variadic {
		parts = append(parts, "...")
	}
	return strings.Join(parts, ",")
}

// Calling returns the surface with those operations and settings whose names are given.
func (s *Surface) Calling(names map[string]bool) *Surface {
	own := *s
	others := func(op *Operation) bool { return !names[op.Name] }
	for _, side := range spectra.Sides() {
		*own.Operations.Of(side) = slices.DeleteFunc(slices.Clone(*s.Operations.Of(side)), others)
		*own.Settings.Of(side) = slices.DeleteFunc(slices.Clone(*s.Settings.Of(side)), others)
	}
	return &own
}

// Reaches reports whether some operation can reach changed code.
func (s *Surface) Reaches() bool {
	return slices.ContainsFunc(s.Operations.Old, func(op *Operation) bool { return op.Reaches })
}
