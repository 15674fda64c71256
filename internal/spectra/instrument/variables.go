package instrument

import (
	"go/types"

	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// variables lists the package variables by name. If nothing is known about them, none is constant.
func packageVariables(pkg *packages.Package, o Options) []spectra.Var {
	var list []spectra.Var
	for _, short := range pkg.Types.Scope().Names() {
		v, ok := pkg.Types.Scope().Lookup(short).(*types.Var)
		if !ok || sourceOf(pkg, v.Pos()) == "" {
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
