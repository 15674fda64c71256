package source

import (
	"go/types"
	"strings"

	"github.com/spectradiff/spectradiff/internal/spectra"
)

// OnlyAdds reports whether something differs that is built outside of tests, and all of it is inert.
func (c *Changes) OnlyAdds() bool {
	if len(c.Modules) > 0 || len(c.Problems) > 0 {
		return false
	}
	for _, f := range c.Files {
		built := !f.Test && !f.Other && f.Kind != TestdataFile && f.Kind != OtherFile
		if f.Embedded || built && (f.Kind != GoFile || f.Vendor) {
			return false
		}
	}
	inert, found := c.Inert(), false
	for _, d := range c.Declarations {
		if d.Test || d.Other {
			continue
		}
		if !inert(d) {
			return false
		}
		found = true
	}
	return found
}

// Inert returns a function that reports whether a declaration is a function, type or constant that only new has, and
// that no code of old can reach or be changed by: it is no method of a type that both have, which an interface may
// find, it does not run when a program starts, as a variable and an import may, and it does not give another meaning to
// a predeclared name.
func (c *Changes) Inert() func(Change) bool {
	added := map[string]bool{}
	for _, d := range c.Declarations {
		if d.Kind == Type && d.What == spectra.ChangeAdded && !d.Test && !d.Other {
			added[string(d.Symbol)] = true
		}
	}
	return func(d Change) bool { return d.inert(added) }
}

// inert reports whether a declaration is as Inert says; added are the types that only new has.
func (c *Change) inert(added map[string]bool) bool {
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
	case Variable, Import, Required, Directive:
	}
	return false
}
