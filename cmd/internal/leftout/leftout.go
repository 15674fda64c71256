// Package leftout leaves packages that a step can't work on out of both versions, so that the others are compared.
//
// In: both versions, faults. Out: the versions without these packages, which count as broken there, and warnings, one
// for each package, in the order of the faults. What nobody leaves out is as it was.
package leftout

import (
	"fmt"
	"slices"

	"github.com/spectradiff/spectradiff/diff/match"
	"github.com/spectradiff/spectradiff/replay/fault"
	"github.com/spectradiff/spectradiff/replay/load"
	"github.com/spectradiff/spectradiff/spectra"
	"github.com/spectradiff/spectradiff/spectra/symbol"
)

// Packages returns the versions without the packages that have faults. Common may be nil. No warnings: none is gone.
func Packages(
	versions spectra.Pair[*load.Version], common *match.Match, faults fault.List,
	detailf func(format string, args ...any),
) (left spectra.Pair[*load.Version], warnings []string) {
	left = versions
	for _, f := range faults {
		names, found := called(versions, common, f.Package), false
		for _, s := range spectra.Sides() {
			of := left.Of(s)
			for _, name := range names {
				if (*of).Package(name) != nil {
					*of, found = (*of).Without(name, f.Text()), true
				}
			}
		}
		if found {
			warnings = append(warnings, warning(f, "package %s is left out", detailf))
		}
	}
	return left, warnings
}

// Tests returns warnings about packages whose tests could not be read.
func Tests(faults fault.List, detailf func(format string, args ...any)) (warnings []string) {
	for _, f := range faults {
		warnings = append(warnings, warning(f, "the tests of package %s are not read", detailf))
	}
	return warnings
}

// warning says what is done about a fault, and why.
func warning(f *fault.Fault, what string, detailf func(format string, args ...any)) string {
	if f.Trace != "" {
		detailf("%s\n%s", f.Error(), f.Trace)
	}
	text := fmt.Sprintf(what, f.Package) + ": " + f.Text()
	if f.Side != "" {
		text = fmt.Sprintf("%s version: %s", f.Side, text)
	}
	return text
}

// called returns the paths that a package may have in either version.
func called(versions spectra.Pair[*load.Version], common *match.Match, path string) []string {
	old, new := versions.Old.Module, versions.New.Module
	names := []string{path, symbol.Rebase(path, old, new), symbol.Rebase(path, new, old)}
	if common != nil {
		names = append(names, common.Old(path), common.New(path))
	}
	slices.Sort(names)
	return slices.Compact(names)
}
