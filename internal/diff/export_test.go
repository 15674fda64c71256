package diff

import (
	"github.com/spectradiff/spectradiff/internal/diff/noise"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// UnstableWhole is Unstable that leaves out nothing.
func UnstableWhole(first, second *spectra.Spectrum, side spectra.Side) *noise.Mask {
	return unstable(first, second, side, nil, false)
}
