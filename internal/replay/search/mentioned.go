package search

import (
	"go/ast"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/internal/replay/plan"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// mentioned returns the names of fields, parameters and variables in changed functions of both versions, in small
// letters.
func (in Input) mentioned() map[string]bool {
	names := map[string]bool{}
	for _, c := range in.Drivers.Plan.ChangedFunctions() {
		for _, s := range spectra.Sides() {
			lines := c.Old
			if s == spectra.New {
				lines = c.New
			}
			if lines.Line == 0 {
				continue
			}
			plan.EachIn(in.Drivers.Plan.Sides.Of(s).Target, lines, func(_ *packages.Package, n ast.Node) {
				if id, ok := n.(*ast.Ident); ok {
					names[strings.ToLower(id.Name)] = true
				}
			})
		}
	}
	return names
}
