package hybrid

import (
	"go/types"

	"golang.org/x/tools/go/packages"
)

// Linked returns the packages that some import, themselves or through others.
func Linked(list []*packages.Package) map[string]bool {
	found := map[string]bool{"unsafe": true}
	var add func(p *types.Package)
	add = func(p *types.Package) {
		if !found[p.Path()] {
			found[p.Path()] = true
			for _, imported := range p.Imports() {
				add(imported)
			}
		}
	}
	for _, p := range list {
		add(p.Types)
	}
	return found
}
