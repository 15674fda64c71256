package group

import (
	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/replay/drivers"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/observe"
)

// seenThrough returns the observer that alone shows what differs, if its code changed as well: then either may be what
// is wrong. It returns "" if there is none.
func seenThrough(d *drivers.Drivers, f *diff.Finding) (through spectra.Symbol) {
	for _, v := range f.Example.Shown() {
		symbol := observe.Through(d.Reshaped, string(v.Path))
		if symbol == "" || through != "" && symbol != through {
			return ""
		}
		through = symbol
	}
	if !d.Plan.ChangedSymbols()[through] {
		return ""
	}
	return through
}
