package load

import (
	"cmp"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/types"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// Recheck type-checks a package of the version again. The sources in overlay, by absolute path, replace files of the
// package or are added to it. The result may import packages that the version imports, directly or not, and packages of
// the standard library that the version other imports. The version and p are not changed. Type errors are returned with
// the package.
func (v *Version) Recheck(
	p *packages.Package, overlay map[string][]byte, other *Version,
) (*packages.Package, []types.Error, error) {
	again := *p
	again.Errors, again.Syntax = nil, nil
	again.GoFiles, again.CompiledGoFiles = slices.Clone(p.GoFiles), slices.Clone(p.CompiledGoFiles)
	for _, name := range slices.Sorted(maps.Keys(overlay)) {
		if !slices.Contains(again.CompiledGoFiles, name) && filepath.Dir(name) == filepath.Dir(p.CompiledGoFiles[0]) {
			again.GoFiles = append(again.GoFiles, name)
			again.CompiledGoFiles = append(again.CompiledGoFiles, name)
		}
	}
	for _, name := range again.CompiledGoFiles {
		file, err := v.parseAgain(name, overlay)
		if err != nil {
			return nil, nil, fmt.Errorf("type-check %s again: %w", p.PkgPath, err)
		}
		again.Syntax = append(again.Syntax, file)
	}
	var found []types.Error
	again.Types = types.NewPackage(p.PkgPath, p.Name)
	err := checkTypes(&again, &types.Config{
		Importer: knownImporter{v, other}, Sizes: p.TypesSizes,
		Error: func(err error) {
			var of types.Error
			if errors.As(err, &of) {
				found = append(found, of)
			}
		},
	})
	if err != nil && len(found) == 0 {
		return nil, nil, fmt.Errorf("type-check %s again: %w", p.PkgPath, err)
	}
	return &again, found, nil
}

func (v *Version) parseAgain(name string, overlay map[string][]byte) (*ast.File, error) {
	text, ok := overlay[name]
	if !ok {
		var err error
		if text, err = v.toolchain.read(name); err != nil {
			return nil, err
		}
	}
	return parser.ParseFile(v.Fset, name, text, parser.ParseComments|parser.SkipObjectResolution)
}

// A knownImporter imports packages that the version knows or has export data of.
type knownImporter struct{ v, other *Version }

// Import returns the types of a package that the version imports, directly or not.
func (i knownImporter) Import(path string) (*types.Package, error) {
	if path == "unsafe" {
		return types.Unsafe, nil
	}
	if known := i.v.universe[path]; known != nil && known.Complete() {
		return known, nil
	}
	file := i.v.exportFile(path)
	if first, _, _ := strings.Cut(path, "/"); file == "" && !strings.Contains(first, ".") &&
		i.v.GoVersion == i.other.GoVersion {
		file = i.other.exportFile(path)
	}
	if file == "" {
		return nil, fmt.Errorf("%s imports it not", i.v.Module)
	}
	if err := i.v.complete(path, file); err != nil {
		return nil, err
	}
	return i.v.universe[path], nil
}

// exportFile returns the export data of a package that the version imports, directly or not; "" if there is none.
func (v *Version) exportFile(path string) (file string) {
	packages.Visit(v.Packages, nil, func(p *packages.Package) {
		if p.PkgPath == path {
			file = cmp.Or(file, p.ExportFile)
		}
	})
	return file
}
