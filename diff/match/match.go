// Package match says what corresponds to what in two versions of a module: packages, types, fields,
// functions, their parameters, and what of it has another name or another shape.
//
// In: two type-checked versions, what the user says of renames, and later the points at which their
// functions are recorded. Out: a Match, and Functions for the points. Both are complete when they
// are returned, and nothing changes them afterwards; what their methods return belongs to the caller.
//
// Names are canonical: aliases resolved, packages by full import path. Where the two versions have
// different names, also where the module's own path differs (m and m/v2), a name is meant as old has
// it unless the documentation says otherwise; Old and New translate. Every list is in a stated order,
// and the same input gives the same result.
//
// Nothing is loaded, built, run or read here: saved results can be matched as well as fresh ones.
package match

import (
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/spectra"
)

// A Version is what a match needs to know of one version of a module.
type Version struct {
	Module   string              // module path
	Dir      string              // of the module's root; the files of functions are named relative to it
	Packages []*packages.Package // the module's packages that type-check, with syntax and types, sorted by path
	Broken   []string            // import paths of the module's packages that don't
	Foreign  []*types.Package    // other packages, whose struct types are compared too
}

// A Match is what two versions have in common and what they don't.
type Match struct {
	reading
	renames                    []Rename
	packages, oldOnly, newOnly []string
	structural                 []Structural
	shapes                     []Shape
	variables                  []string
	newNames                   map[string]string // of declarations of new: what old calls them, where that differs
}

// Change says how something differs between the versions.
type Change string

// The changes.
const (
	Added     Change = "added"
	Removed   Change = "removed"
	Modified  Change = "modified"
	Signature Change = "signature"
)

// A Structural is a declared function that can't be compared by value, or not all of it.
type Structural struct {
	Symbol spectra.Symbol // as old has it
	Change Change         // Added, Removed or Signature
	Detail string         // how a signature differs, else ""
}

// Versions matches two versions. What renames say, each as "old=new", is no question; a name there
// may be as short as it is unique: "F", "p.T.field", "p.(*T).M" or, without the parentheses, "p.T.M".
// It is an error if one of them names nothing, several things, things of two kinds, or gives something
// two counterparts; the error starts with that text.
//
// A package that is broken in one version is left out, not called added or removed.
func Versions(old, new Version, renames []string) (*Match, error) {
	known, err := overrides(old, new, renames)
	if err != nil {
		return nil, err
	}
	found := findRenames(&old, &new, known)
	m := &Match{reading: found.reading, renames: found.found}
	before, after := old.inventory(func(name string) string { return name }), new.inventory(m.Old)
	m.comparePackages(before, after)
	m.compareFunctions(before, after)
	m.compareStructs(before, after, found.fieldNames)
	for _, name := range sortedKeys(before.vars) {
		if kind, ok := after.vars[name]; ok && kind == before.vars[name] {
			m.variables = append(m.variables, name)
		}
	}
	m.newNames = m.renamed()
	for _, p := range new.Packages {
		for _, name := range p.Types.Scope().Names() {
			full := p.PkgPath + "." + name
			if name := m.Old(full); name != full {
				m.newNames[full] = name
			}
		}
	}
	return m, nil
}

// Packages returns the import paths of the packages that both versions have, sorted.
func (m *Match) Packages() []string { return slices.Clone(m.packages) }

// OldOnly returns the import paths of the packages that only old has, sorted. Their functions are not
// in Structural.
func (m *Match) OldOnly() []string { return slices.Clone(m.oldOnly) }

// NewOnly returns the import paths of the packages that only new has, translated and sorted. Their
// functions are not in Structural.
func (m *Match) NewOnly() []string { return slices.Clone(m.newOnly) }

// Structural returns the functions of the common packages that are in one version only or changed
// their signature, sorted by symbol.
func (m *Match) Structural() []Structural { return slices.Clone(m.structural) }

// Shapes returns the struct types that both versions have with other fields, those of other modules
// included, sorted by name.
func (m *Match) Shapes() []Shape {
	shapes := slices.Clone(m.shapes)
	for i := range shapes {
		s := &shapes[i]
		s.Skip, s.Added, s.Removed = slices.Clone(s.Skip), slices.Clone(s.Added), slices.Clone(s.Removed)
		s.Retyped, s.Renamed = slices.Clone(s.Retyped), slices.Clone(s.Renamed)
	}
	return shapes
}

// Variables returns the package variables that both versions have with the same type, "m/p.x", sorted.
func (m *Match) Variables() []string { return slices.Clone(m.variables) }

// OwnVariables returns these variables by the names that each version has for them, in the same order.
func (m *Match) OwnVariables() spectra.Pair[[]string] {
	own := spectra.Pair[[]string]{Old: m.Variables()}
	for _, name := range m.variables {
		own.New = append(own.New, m.New(name))
	}
	return own
}

// Renames returns what new has under another name, sorted by old's; it is nowhere else in the lists.
func (m *Match) Renames() []Rename { return slices.Clone(m.renames) }

// Renamed maps the packages and the package-level declarations of new, by their names there, to those
// that old has, where these differ.
func (m *Match) Renamed() map[string]string { return maps.Clone(m.newNames) }

// Same reports whether a declared function of both versions differs in nothing but names, its own or
// others that were renamed, and layout.
func (m *Match) Same(function spectra.Symbol) bool { return m.same(string(function)) }

// comparePackages sorts the packages into common ones and others.
func (m *Match) comparePackages(before, after *inventory) {
	for _, path := range sortedKeys(before.packages) {
		switch {
		case after.packages[path]:
			m.packages = append(m.packages, path)
		case !after.broken[path]:
			m.oldOnly = append(m.oldOnly, path)
		}
	}
	for _, path := range sortedKeys(after.packages) {
		if !before.packages[path] && !before.broken[path] {
			m.newOnly = append(m.newOnly, path)
		}
	}
}
