package symbol

import (
	"go/types"
	"strings"
)

// Composed reports whether a type with a canonical name is made of predeclared types and known ones: it is one of them,
// or made of pointers, lists and maps of them.
func Composed(name string, known func(name string) bool) bool {
	for {
		if known(name) || name == "any" || name == "error" {
			return true
		}
		before := name
		if rest, ok := strings.CutPrefix(name, "*"); ok {
			name = rest
		} else if rest, ok := strings.CutPrefix(name, "map["); ok {
			key, elem, found := strings.Cut(rest, "]")
			if !found || !Composed(key, known) {
				return false
			}
			name = elem
		} else if _, rest, found := strings.Cut(name, "]"); found && name[0] == '[' {
			name = rest
		}
		if name == before {
			obj, ok := types.Universe.Lookup(name).(*types.TypeName)
			return ok && obj != nil
		}
	}
}
