package instrument

import (
	"go/types"

	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/spectra"
)

func variables(pkg *packages.Package, o Options) []spectra.Var {
	var list []spectra.Var
	for _, name := range pkg.Types.Scope().Names() {
		v, ok := pkg.Types.Scope().Lookup(name).(*types.Var)
		if !ok {
			continue
		}
		list = append(list, spectra.Var{Name: pkg.PkgPath + "." + name, Type: canonical(v.Type())})
	}
	return list
}
