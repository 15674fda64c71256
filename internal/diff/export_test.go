package diff

import (
	"github.com/spectradiff/spectradiff/internal/diff/noise"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// UnstableWhole is Unstable that leaves out nothing.
func UnstableWhole(first, second *spectra.Spectrum) *noise.Mask {
	m := &noise.Mask{}
	for before := -1; m.Size() > before; {
		before = m.Size()
		for _, s := range Compare(first, second, Options{Mask: m}).unstable(m) {
			m.Add(s, "")
		}
	}
	return m
}
