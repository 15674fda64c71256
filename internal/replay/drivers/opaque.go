package drivers

import (
	"fmt"
	"maps"

	"github.com/spectradiff/spectradiff/internal/replay/plan"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// opaqueTypes returns the types that the project lists, under their names in either version, and the
// warning that says so.
func (d *Drivers) opaqueTypes(entries []OpaqueEntry) (names, warnings []string, err error) {
	if len(entries) == 0 {
		return nil, nil, nil
	}
	known := map[string]bool{}
	d.Plan.Sides.Each(func(_ spectra.Side, s plan.Side) { maps.Copy(known, s.Target.TypeNames()) })
	for _, entry := range entries {
		if !known[entry.Type] {
			return nil, nil, fmt.Errorf("%s: neither version knows %s: list a type, or with a dot at the end "+
				"a package, that the module declares or imports", entry.At, entry.Type)
		}
		d.Tools.Workers.Detailf("%s: %s is not compared: %s", entry.At, entry.Type, entry.What)
		names = append(names, entry.Type)
		if old := string(d.Plan.OldName(spectra.Symbol(entry.Type))); old != entry.Type {
			names = append(names, old)
		}
	}
	what := fmt.Sprintf("%d types or packages are", len(entries))
	if len(entries) == 1 {
		what = entries[0].Type + " is"
	}
	return names, []string{fmt.Sprintf("%s not compared, because %s says so", what, OpaqueFile)}, nil
}
