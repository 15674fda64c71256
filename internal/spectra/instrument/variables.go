package instrument

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// packageVariables lists the package variables by name. If nothing is known about them, none is constant.
func packageVariables(pkg *packages.Package, o Options) []spectra.Var {
	var list []spectra.Var
	written := sourcesOf(pkg)
	for _, short := range pkg.Types.Scope().Names() {
		v, ok := pkg.Types.Scope().Lookup(short).(*types.Var)
		// Not by the line of the variable: in the file that cgo made by itself, what stands behind the wrapper of an
		// exported function has lines of the source.
		if !ok || !slices.ContainsFunc(written, func(f *ast.File) bool {
			return f.FileStart <= v.Pos() && v.Pos() < f.FileEnd
		}) {
			continue
		}
		name := symbol.Global(v)
		list = append(list, spectra.Var{
			Name: name, Type: symbol.Type(v.Type()),
			Constant: o.Written != nil && !o.Written[name],
		})
	}
	return list
}
