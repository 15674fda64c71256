package plan

import (
	"github.com/spectradiff/spectradiff/internal/replay/load"
	"github.com/spectradiff/spectradiff/internal/replay/suite"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// Apart returns the packages of a version with nothing but tests that may reach the change, by their paths in old, and
// how many imports lie between, as load.Distances says. Where nothing changed, these are all.
func (p *Plan) Apart(s spectra.Side) map[string]int {
	near, changed := map[string]int{}, p.ChangedPackages()
	away := load.Distances(p.Sides.Old.Target, p.Sides.New.Target, changed)
	target := p.Sides.Of(s).Target
	for _, path := range target.Apart() {
		name := string(p.OldName(spectra.Symbol(path)))
		imports := suite.Imports(target.Tested(path).Dir)
		for i, imported := range imports {
			imports[i] = string(p.OldName(spectra.Symbol(imported)))
		}
		if n, reaches := load.Importing(imports, away); reaches || len(changed) == 0 {
			near[name] = n
		}
	}
	return near
}
