package source

import (
	"go/types"
	"strings"

	"github.com/spectradiff/spectradiff/internal/spectra"
)

// OnlyAdds reports whether something differs that is built outside of tests, and all of it are functions, types and
// constants that only new has, and that no code of old can reach or be changed by: none is a method of a type that both
// have, which an interface may find, none runs when a program starts, as a variable and an import may, and none gives
// another meaning to a predeclared name.
func (c *Changes) OnlyAdds() bool {
	if len(c.Modules) > 0 || len(c.Problems) > 0 {
		return false
	}
	for _, f := range c.Files {
		built := !f.Test && !f.Other && f.Kind != TestdataFile && f.Kind != OtherFile
		if built && (f.Kind != GoFile || f.Vendor) {
			return false
		}
	}
	types, found := map[string]bool{}, false
	for _, d := range c.Declarations {
		if d.Kind == Type && d.What == spectra.ChangeAdded && !d.Test && !d.Other {
			types[string(d.Symbol)] = true
		}
	}
	for _, d := range c.Declarations {
		if d.Test || d.Other {
			continue
		}
		if !d.onlyAdds(types) {
			return false
		}
		found = true
	}
	return found
}

// onlyAdds reports whether a declaration is as OnlyAdds says; added are the types that only new has.
func (c *Change) onlyAdds(added map[string]bool) bool {
	if c.What != spectra.ChangeAdded || types.Universe.Lookup(c.Symbol.Short()) != nil {
		return false
	}
	switch c.Kind {
	case Type, Constant:
		return true
	case Function:
		receiver, _, method := strings.Cut(strings.Trim(strings.Replace(c.Symbol.Short(), ")", "", 1), "(*"), ".")
		if method {
			return added[c.Symbol.Package()+"."+receiver]
		}
		return receiver != "main"
	case Variable, Import, Required:
	}
	return false
}
