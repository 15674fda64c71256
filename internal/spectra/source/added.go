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
	inert, found := c.inert(), false
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

// inert returns a function that reports whether a declaration is a function, type or constant that only new has, and
// that no code of old can reach or be changed by.
func (c *Changes) inert() func(Change) bool {
	passive := c.Passive()
	return func(d Change) bool { return d.What == spectra.ChangeAdded && d.Kind != Variable && passive(d) }
}

// Passive returns a function that reports whether a declaration that only one version has acts through code alone that
// names it: it is no method of a type that both have, by whatever name, which an interface may find, it does nothing
// when a program starts, as an init function, an import and the value of a variable may, and it does not give another
// meaning to a predeclared name.
func (c *Changes) Passive() func(Change) bool {
	own := map[spectra.Change]map[string]bool{spectra.ChangeAdded: {}, spectra.ChangeRemoved: {}}
	for _, d := range c.Declarations {
		if of := own[d.What]; of != nil && d.Kind == Type && !d.Alias && !d.Test && !d.Other {
			of[string(d.Symbol)] = true
		}
	}
	return func(d Change) bool { return own[d.What] != nil && d.passive(own[d.What]) }
}

// passive reports whether a declaration of one version is as Passive says; own are the types that this one alone has.
func (c *Change) passive(own map[string]bool) bool {
	if types.Universe.Lookup(c.Symbol.Short()) != nil {
		return false
	}
	switch c.Kind {
	case Type, Constant:
		return true
	case Variable:
		return !c.Starts
	case Function:
		receiver, _, method := strings.Cut(strings.Trim(strings.Replace(c.Symbol.Short(), ")", "", 1), "(*"), ".")
		if method {
			return own[c.Symbol.Package()+"."+receiver]
		}
		return receiver != "main"
	case Import, Required, Directive:
	}
	return false
}
