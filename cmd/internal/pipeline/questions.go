package pipeline

import (
	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/observe"
)

// seenThrough says which observer alone shows what differs, if its code changed as well: then either may
// be what is wrong.
func (b *built) seenThrough(values []report.Difference) string {
	changed := b.changedSymbols()
	var through spectra.Symbol
	for _, v := range values {
		if v.Output {
			continue
		}
		symbol := observe.Through(b.reshaped, v.Path)
		if symbol == "" || through != "" && symbol != through {
			return ""
		}
		through = symbol
	}
	if through == "" || !changed[through] {
		return ""
	}
	return ", seen through " + through.Short() + ", which changed as well"
}
