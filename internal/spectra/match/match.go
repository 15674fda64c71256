// Package match pairs the packages, types, fields, functions, parameters and recorded points of two versions of a
// module, also if they were renamed, moved or changed.
//
// In: two type-checked versions, and renames that the user states. Out: a Match, and for the points of both versions
// PointPairs. Both are complete when they are returned and never change. The results of their methods belong to the
// caller.
//
// Names are canonical: aliases are resolved, and packages have their full import path. Names are those of old unless
// the documentation says otherwise, even if only the module's path differs (m and m/v2). Old and New translate names.
// Every list has a stated order, and the same input has the same result.
//
// The package never loads, builds, runs or reads anything.
package match

import (
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/internal/spectra"
)

// A Version has the facts about one version of a module that a match needs.
type Version struct {
	Module   string              // module path
	Dir      string              // of the module's root; the files of functions are named relative to it
	Packages []*packages.Package // the module's packages that type-check, with syntax and types, sorted by path
	Broken   []string            // import paths of the module's packages that don't
	Foreign  []*types.Package    // other packages, whose struct types are compared too
}

// A Match holds the declarations of two versions that correspond, and how they differ.
type Match struct {
	reading
	renames                    []Rename
	packages, oldOnly, newOnly []string
	structural                 []Structural
	shapes                     []Shape
	variables                  []string
	newNames                   map[string]string // from the names of new's declarations to old's, where they differ
}

// A Structural is a declared function of which not everything can be compared by value, because only one
// version has it or its signature changed.
type Structural struct {
	Symbol spectra.Symbol // under old's names
	Change spectra.Change // added, removed or signature
	Detail string         // how a signature differs, else ""
}

// Versions matches two versions. Renames that the user states, each as "old=new", are taken as given. A name
// in them may be shortened as long as it is unique: "F", "p.T.field", "p.(*T).M" or "p.T.M". It is an error
// if a rename names nothing, several things or things of two kinds, or if something gets two counterparts.
// The error starts with the rename's text.
//
// A package that does not type-check in one version is left out: it is neither added nor removed.
func Versions(old, new Version, renames []string) (*Match, error) {
	known, err := overrides(old, new, renames)
	if err != nil {
		return nil, err
	}
	found := findRenames(&old, &new, known)
	m := &Match{reading: found.reading, renames: found.found}
	m.indexInits(spectra.Pair[map[string][]piece]{Old: old.inits(), New: new.inits()})
	before, after := old.inventory(func(name string) string { return name }), new.inventory(m.Old)
	m.comparePackages(before, after)
	m.compareFunctions(before, after)
	m.compareStructs(before, after, found.fieldNames)
	for _, name := range slices.Sorted(maps.Keys(before.vars)) {
		if kind, ok := after.vars[name]; ok && kind == before.vars[name] {
			m.variables = append(m.variables, name)
		}
	}
	m.newNames = m.renamed()
	for _, p := range new.Packages {
		if name := m.Old(p.PkgPath); name != p.PkgPath {
			m.newNames[p.PkgPath] = name
		}
		for _, name := range p.Types.Scope().Names() {
			full := p.PkgPath + "." + name
			if name := m.Old(full); name != full {
				m.newNames[full] = name
			}
		}
	}
	m.forget()
	return m, nil
}

// Packages returns the import paths of the packages that both versions have, sorted.
func (m *Match) Packages() []string { return slices.Clone(m.packages) }

// OldOnly returns the import paths of the packages that only old has, sorted. Structural does not list their
// functions.
func (m *Match) OldOnly() []string { return slices.Clone(m.oldOnly) }

// NewOnly returns the import paths of the packages that only new has, translated and sorted. Structural does
// not list their functions.
func (m *Match) NewOnly() []string { return slices.Clone(m.newOnly) }

// Structural returns the functions of the common packages that only one version has or that have another
// signature, sorted by symbol.
func (m *Match) Structural() []Structural { return slices.Clone(m.structural) }

// Shapes returns the struct types that both versions have and whose fields differ, sorted by name. Types of
// other modules are included.
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

// OwnVariables returns the variables of Variables under the names of each version, in the same order.
func (m *Match) OwnVariables() spectra.Pair[[]string] {
	own := spectra.Pair[[]string]{Old: m.Variables()}
	for _, name := range m.variables {
		own.New = append(own.New, m.New(name))
	}
	return own
}

// Renames returns the declarations that have another name in new, sorted by their names in old. Other lists
// don't have them as removed and added.
func (m *Match) Renames() []Rename { return slices.Clone(m.renames) }

// Renamed maps the new names of packages and package-level declarations to the old ones, where these differ.
func (m *Match) Renamed() map[string]string { return maps.Clone(m.newNames) }

// Same reports whether both versions have a declared function that is the same but for layout and for names
// that were changed.
func (m *Match) Same(function spectra.Symbol) bool { return m.same(string(function)) }

// comparePackages sorts the packages into those of both versions and those of one.
func (m *Match) comparePackages(before, after *inventory) {
	for _, path := range slices.Sorted(maps.Keys(before.packages)) {
		switch {
		case after.packages[path]:
			m.packages = append(m.packages, path)
		case !after.broken[path]:
			m.oldOnly = append(m.oldOnly, path)
		}
	}
	for _, path := range slices.Sorted(maps.Keys(after.packages)) {
		if !before.packages[path] && !before.broken[path] {
			m.newOnly = append(m.newOnly, path)
		}
	}
}
