package drivers

import (
	"fmt"
	"os"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/positions"
)

// placeLines adds line directives to the sources of new, in the overlay or on disk, so that programs which
// print their own positions print those of old.
func (d *Drivers) placeLines(overlay map[string][]byte) error {
	for _, pkg := range d.Plan.Sides.New.Target.Packages {
		was := d.Plan.Sides.Old.Target.Package(string(d.Plan.OldName(spectra.Symbol(pkg.PkgPath))))
		if was == nil {
			continue
		}
		if err := d.placePackage(spectra.Pair[*packages.Package]{Old: was, New: pkg}, overlay); err != nil {
			return err
		}
	}
	return nil
}

func (d *Drivers) placePackage(of spectra.Pair[*packages.Package], overlay map[string][]byte) error {
	var versions spectra.Pair[positions.Package]
	for _, s := range spectra.Sides() {
		var err error
		if *versions.Of(s), err = sourcesOf(*of.Of(s)); err != nil {
			return d.Plan.Failed(s, err)
		}
	}
	marks := positions.Find(versions, d.Plan.OldName)
	for _, f := range versions.New.Files {
		list := marks[f.Name]
		if len(list) == 0 {
			continue
		}
		source, ok := overlay[f.Name]
		if !ok {
			source = f.Source
		}
		placed, err := positions.Place(f.Name, source, list)
		if err != nil {
			return d.Plan.Failed(spectra.New, err)
		}
		overlay[f.Name] = placed
	}
	return nil
}

// sourcesOf returns the files of a package, without those that cgo made.
func sourcesOf(pkg *packages.Package) (positions.Package, error) {
	of := positions.Package{Path: pkg.PkgPath, Fset: pkg.Fset, Info: pkg.TypesInfo}
	for i, name := range pkg.CompiledGoFiles {
		if !slices.Contains(pkg.GoFiles, name) {
			continue
		}
		text, err := os.ReadFile(name)
		if err != nil {
			return of, fmt.Errorf("place lines: %w", err)
		}
		of.Files = append(of.Files, positions.File{Name: name, Source: text, Syntax: pkg.Syntax[i]})
	}
	return of, nil
}
