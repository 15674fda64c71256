package diff

import (
	"github.com/spectradiff/spectradiff/diff/noise"
	"github.com/spectradiff/spectradiff/spectra"
)

// UnstableWhole is Unstable that leaves out nothing.
func UnstableWhole(first, second *spectra.Spectrum, side spectra.Side) *noise.Mask {
	return unstable(first, second, side, nil, false)
}
