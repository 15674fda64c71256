package noise

import "github.com/spectradiff/spectradiff/internal/spectra"

// Renamed returns m, taken from the old version, under the new names of functions.
func (m *Mask) Renamed(common map[spectra.Symbol]spectra.Symbol) *Mask {
	return newNames(common).rename(m)
}
