package load

import (
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// Apart returns the packages of the module with nothing but tests, which no program imports. The list is sorted.
func (v *Version) Apart() []string { return slices.Sorted(maps.Keys(v.apart)) }

// addApart notes which packages have nothing but tests: the go command lists them without files.
func (v *Version) addApart(found []*packages.Package) {
	v.apart = map[string]string{}
	for _, p := range found {
		if v.own(p) && len(p.GoFiles)+len(p.CompiledGoFiles)+len(p.Errors) == 0 && p.Dir != "" {
			v.apart[p.PkgPath] = p.Dir
		}
	}
}

// Tested returns the package in which tests of that import path lie, type-checked. It is empty where the version has
// nothing but tests there, or not even that, so that those of another version can be laid there. It is nil if there is
// code that was not type-checked, or if the module can have no such package.
func (v *Version) Tested(path string) *packages.Package {
	if p := v.Package(path); p != nil {
		return p
	}
	dir := v.apart[path]
	if dir == "" {
		rest, below := strings.CutPrefix(path+"/", v.Module+"/")
		if _, listed := v.listed[path]; listed || !below {
			return nil
		}
		if dir = filepath.Join(v.Dir, filepath.FromSlash(rest)); !v.vacant(dir) {
			return nil
		}
	}
	p := &packages.Package{ID: path, PkgPath: path, Dir: dir, Fset: v.Fset, Types: types.NewPackage(path, "")}
	cfg := types.Config{}
	for _, other := range v.Packages {
		if v.own(other) {
			cfg.GoVersion = other.Types.GoVersion()
		}
	}
	_ = types.NewChecker(&cfg, v.Fset, p.Types, nil).Files(nil) // which notes the version of the language
	return p
}

// vacant reports whether a folder of the module's tree belongs to the module and has no code, or is not there.
func (v *Version) vacant(dir string) bool {
	files, err := os.ReadDir(dir)
	code := func(f os.DirEntry) bool {
		return strings.HasSuffix(f.Name(), ".go") && !strings.HasSuffix(f.Name(), "_test.go")
	}
	if err != nil && !os.IsNotExist(err) || slices.ContainsFunc(files, code) {
		return false
	}
	for ; dir != v.Dir && filepath.Dir(dir) != dir; dir = filepath.Dir(dir) {
		if _, err := os.Lstat(filepath.Join(dir, "go.mod")); err == nil {
			return false
		}
	}
	return true
}
