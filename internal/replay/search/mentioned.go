package search

import (
	"go/ast"
	"path/filepath"
	"strings"

	"github.com/spectradiff/spectradiff/internal/replay/load"
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
			if lines.Line > 0 {
				mention(in.Drivers.Plan.Sides.Of(s).Target, lines, names)
			}
		}
	}
	return names
}

// mention adds the names in some lines of a version.
func mention(target *load.Version, lines spectra.Lines, names map[string]bool) {
	file := filepath.Join(target.Dir, filepath.FromSlash(lines.File))
	for _, p := range target.Packages {
		for _, syntax := range p.Syntax {
			if target.Fset.PositionFor(syntax.Package, false).Filename != file {
				continue
			}
			ast.Inspect(syntax, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok {
					if at := target.Fset.PositionFor(id.Pos(), false).Line; lines.Line <= at && at <= lines.EndLine {
						names[strings.ToLower(id.Name)] = true
					}
				}
				return true
			})
		}
	}
}
