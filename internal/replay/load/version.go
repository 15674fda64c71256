// Package load lists and type-checks one version of a module, and selects the packages that a change concerns.
//
// Input: a private folder with the source of a version, and package patterns. Output: a Version. It has the packages
// with syntax and types, the errors of unusable packages, and the environment for go commands. Dependencies that
// changed can be copied into the tree first, to be loaded like the module itself.
//
// Lists are sorted by import path. Positions in errors are relative to the module. The package never runs the module's
// code and never writes source into the folder. The go command may complete go.mod and go.sum, in the folder that the
// configuration names or in the version's own. So the version has to be a private copy.
package load

import (
	"cmp"
	"go/token"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/internal/replay/gocommand"
)

// A Version is one version of a module, as List or TypeCheck found it.
type Version struct {
	Dir       string              // the version's root: where go.mod is
	Module    string              // module path
	GoVersion string              // of the toolchain that builds it, "go1.26.8"
	Packages  []*packages.Package // the module's packages that type-check, sorted by path; after List all
	Broken    []Broken            // the others, each with its first error, sorted by path
	Warnings  []string            // problems of the version, and how they were worked around
	Env       []string            // complete environment for go commands on this version, including flags
	Fset      *token.FileSet      // of all positions; nil after List
	Exported  int                 // packages whose types came from export data; 0 after List
	Unfetched bool                // a warning or a broken package is there because something could not be fetched

	// Dependencies are the other modules whose packages are imported, sorted by path.
	Dependencies []Dependency

	// Folders are the folders that go commands on this version may use besides the usual ones.
	Folders gocommand.Folders

	runner    *gocommand.Runner
	toolchain toolchain
	exports   Exports           // of dependencies
	included  map[string]string // other modules whose packages are found too → the folder of their sources
	members   members
	listed    map[string][]string       // the imports of members, as List found them: of all packages
	apart     map[string]string         // packages with nothing but tests → their folders
	unfetched error                     // why what a listing lacked could not be fetched; nil if nothing lacked
	opened    *Version                  // as it was before anything was listed; nil after TypeCheck
	imports   *listing                  // what List was told; nil if it was not called
	universe  map[string]*types.Package // every package whose types can be looked up
	asked     map[string]bool           // packages that tests import, whose types were asked for

	sources map[string]*packages.Package // packages of imports with code; nil until tests need one
}

// A toolchain is the Go toolchain of a version.
type toolchain struct {
	root    string   // GOROOT
	arch    string   // GOARCH
	sources []string // folders of further source files of the version and its dependencies

	settings []string // others that decide what is compiled
}

// A Broken is a package that can't be used.
type Broken struct {
	Package string // import path
	Error   string // first error, position module-relative
	Proven  bool   // the code of the version shows it, wherever and whenever it is loaded

	Unfetched bool // a module could not be fetched, which another machine may have
}

// Without returns the version without a package that compiles, but can't be used for another reason.
func (v *Version) Without(path, reason string) *Version {
	left := *v
	left.Packages = slices.DeleteFunc(slices.Clone(v.Packages), func(p *packages.Package) bool {
		return p.PkgPath == path
	})
	at, _ := slices.BinarySearchFunc(v.Broken, path, func(b Broken, path string) int {
		return strings.Compare(b.Package, path)
	})
	left.Broken = slices.Insert(slices.Clone(v.Broken), at, Broken{Package: path, Error: reason})
	left.members.unused = append(slices.Clone(v.members.unused), path)
	return &left
}

// Package returns the type-checked package with the import path, nil if there is none.
func (v *Version) Package(path string) *packages.Package {
	i, found := slices.BinarySearchFunc(v.Packages, path, func(p *packages.Package, path string) int {
		return strings.Compare(p.PkgPath, path)
	})
	if !found {
		return nil
	}
	return v.Packages[i]
}

// Chosen returns the type-checked packages with the import paths, in the order of v.Packages.
func (v *Version) Chosen(paths []string) []*packages.Package {
	var out []*packages.Package
	for _, p := range v.Packages {
		if slices.Contains(paths, p.PkgPath) {
			out = append(out, p)
		}
	}
	return out
}

// members are the packages of the module and of included modules.
type members struct {
	imports  map[string][]string // package → its imports among the members
	linked   map[string][]string // any package → its imports outside the standard library
	module   map[string]string   // package that is no member → path of its module
	borrowed map[string]bool     // members that are not of the module itself
	unused   []string            // members that compile but are left out
	distant  map[string]bool     // members that were not type-checked, as nobody asked for them
}

// A Dependency is another module whose packages are imported.
type Dependency struct {
	Path    string // the required module path
	Version string // "v1.2.3"; "=> path v1.2.3" where it is replaced, "=> ../folder" where a folder is in its place
	Dir     string // absolute folder of its sources, "" = in the vendor folder
}

// addDependency adds a module, unless it is known. Other modules of a workspace are in the place of any version, and a
// workspace names folders as they lie here, which has to be the same in all versions.
func (v *Version) addDependency(m *packages.Module) {
	of := Dependency{Path: m.Path, Version: m.Version, Dir: m.Dir}
	folder := m.Main
	if r := m.Replace; r != nil {
		of.Version = strings.TrimSpace("=> " + r.Path + " " + r.Version)
		of.Dir = cmp.Or(r.Dir, m.Dir)
		folder = r.Version == ""
	}
	if rel, err := filepath.Rel(v.Dir, of.Dir); err == nil && folder && of.Dir != "" {
		of.Version = "=> " + filepath.ToSlash(rel)
	}
	at, known := slices.BinarySearchFunc(v.Dependencies, of.Path, func(d Dependency, path string) int {
		return strings.Compare(d.Path, path)
	})
	if !known {
		v.Dependencies = slices.Insert(v.Dependencies, at, of)
	}
}

// Owns reports whether the package belongs to the module.
func (v *Version) Owns(p *types.Package) bool { return p != nil && v.OwnsPath(p.Path()) }

// OwnsPath reports whether a package with that import path belongs to the module.
func (v *Version) OwnsPath(path string) bool { return v.HasSource(path) && !v.members.borrowed[path] }

// HasSource reports whether a package with that import path belongs to the module or an included one. After TypeCheck
// that are the packages which it was asked for.
func (v *Version) HasSource(path string) bool {
	_, ok := v.members.imports[path]
	return ok && !v.members.distant[path]
}

// Concerned returns the packages of other modules that a change of some of these packages may concern: those whose code
// differs, and what imports them through packages of other modules.
func (v *Version) Concerned(differs func(module, path string) bool) map[string]bool {
	users := map[string][]string{}
	for path := range v.members.module {
		for _, imported := range v.members.linked[path] {
			users[imported] = append(users[imported], path)
		}
	}
	var start []string
	for path, module := range v.members.module {
		if differs(module, path) {
			start = append(start, path)
		}
	}
	return closure(start, users)
}

// Using returns the packages of the module, and of included ones, that import one of these. The list is sorted.
func (v *Version) Using(packages map[string]bool) (list []string) {
	for path := range v.members.imports {
		if slices.ContainsFunc(v.members.linked[path], func(imported string) bool { return packages[imported] }) {
			list = append(list, path)
		}
	}
	slices.Sort(list)
	return list
}

// Linking returns the packages of the module, and of included ones, that a program can't have without the package of
// that path: itself, and what imports it, directly or not. The list is sorted.
func (v *Version) Linking(path string) (list []string) {
	for member := range v.members.imports {
		if member == path || closure(v.members.linked[member], v.members.linked)[path] {
			list = append(list, member)
		}
	}
	slices.Sort(list)
	return list
}

// Needed returns the packages of the module, and of included ones, that some packages need, these among them, with
// their folders. It reports false if the folder of one is not known, or what it imports.
func (v *Version) Needed(paths []string) (folders map[string]string, ok bool) {
	folders = map[string]string{}
	for path := range closure(paths, v.listed) {
		if _, member := v.listed[path]; !member {
			if v.below(path) && v.members.module[path] == "" {
				return nil, false
			}
			continue
		}
		module, folder := v.Module, v.Dir
		for other, dir := range v.included {
			if within := path == other || strings.HasPrefix(path, other+"/"); within && len(other) > len(module) {
				module, folder = other, dir
			}
		}
		rest, below := strings.CutPrefix(path, module)
		if !below || rest != "" && rest[0] != '/' {
			return nil, false
		}
		folders[path] = filepath.Join(folder, filepath.FromSlash(rest))
	}
	return folders, true
}

// below reports whether a package with that import path may belong to the module or to an included one.
func (v *Version) below(path string) bool {
	in := func(module string) bool { return path == module || strings.HasPrefix(path, module+"/") }
	return in(v.Module) || slices.ContainsFunc(slices.Collect(maps.Keys(v.included)), in)
}

// Beside returns the folders that are in the place of other modules, without those of included ones.
func (v *Version) Beside() (list []string) {
	for _, d := range v.Dependencies {
		if _, included := v.included[d.Path]; !included && d.IsFolder() {
			list = append(list, d.Dir)
		}
	}
	return list
}

// IsFolder reports whether a folder is in the place of the module, which has no version then.
func (d Dependency) IsFolder() bool {
	path, replaced := strings.CutPrefix(d.Version, "=> ")
	return replaced && !strings.Contains(path, " ")
}

// Settings returns what decides, beside the files of the version, what its code does: toolchain, flags, versions of
// other modules. It reports false if some of these have no version, but a folder.
func (v *Version) Settings() (list []string, ok bool) {
	flags, _ := gocommand.WithoutFlags(gocommand.Flags(v.Env), "-modfile") // which every version has its own of
	list = append([]string{v.GoVersion, v.toolchain.arch, flags}, v.toolchain.settings...)
	for _, d := range v.Dependencies {
		if _, included := v.included[d.Path]; !included && d.IsFolder() {
			return nil, false
		}
		list = append(list, d.Path, d.Version)
	}
	return list, true
}

// Known returns the types of a package that the version refers to, directly or not, or that is in the configuration's
// Wanted; nil for others. A package of another module may be incomplete: it has only the parts that are referred to.
func (v *Version) Known(path string) *types.Package { return v.universe[path] }

// Foreign returns the known packages that belong neither to the module nor to an included one, and those that are left
// out although they compile, sorted by path.
func (v *Version) Foreign() []*types.Package {
	var out []*types.Package
	for _, path := range slices.Sorted(maps.Keys(v.universe)) {
		if p := v.universe[path]; !v.HasSource(path) || slices.Contains(v.members.unused, path) {
			out = append(out, p)
		}
	}
	return out
}
