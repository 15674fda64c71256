package impact

import (
	"go/constant"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/source"
)

// unmentioned lists the constants and types that changed, sorted, where no function mentions any of them: nothing that
// runs can show it. There are none where a variable is made with them, as its value is compared before any call, nor
// where nobody can name them or what is made of them.
func (c *Change) unmentioned(affected Affected) (list []spectra.Symbol) {
	exported := false
	for _, of := range []map[spectra.Symbol]bool{affected.Values, affected.Types} {
		for name := range of {
			if _, variable := declaration(c.Versions.Old.Packages, name).(*types.Var); variable {
				return nil
			}
			exported = exported || name.Exported()
		}
	}
	if !exported {
		return nil
	}
	passive := c.Source.Passive()
	for _, d := range c.Source.Declarations {
		elsewhere := d.Test || d.Other || d.Vendor || d.Kind != source.Constant && d.Kind != source.Type
		if !elsewhere && !passive(d) && !c.Match.OnlyRenamed(d.Symbol, d.What) && !c.sameConstant(d.Symbol) {
			list = append(list, d.Symbol)
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// sameConstant reports whether a constant has the same value and type in both versions, however it is written.
func (c *Change) sameConstant(name spectra.Symbol) bool {
	old, _ := declaration(c.Versions.Old.Packages, c.old(name)).(*types.Const)
	new, _ := declaration(c.Versions.New.Packages, name).(*types.Const)
	if old == nil || new == nil || old.Val().Kind() != new.Val().Kind() {
		return false
	}
	return constant.Compare(old.Val(), token.EQL, new.Val()) &&
		c.Match.Old(types.TypeString(new.Type(), nil)) == types.TypeString(old.Type(), nil)
}

// declaration returns what a package declares by a name; nil: nothing.
func declaration(list []*packages.Package, name spectra.Symbol) types.Object {
	for _, pkg := range list {
		if pkg.PkgPath == name.Package() && pkg.Types != nil {
			return pkg.Types.Scope().Lookup(name.Name())
		}
	}
	return nil
}
