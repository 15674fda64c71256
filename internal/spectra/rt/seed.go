package rt

import (
	"syscall"

	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// Seed is the seed that the runtime's random choices follow: see wire.MainSeed.
var Seed = takeSeed()

func takeSeed() uint64 {
	text, _ := syscall.Getenv(wire.SeedVariable)
	_ = syscall.Unsetenv(wire.SeedVariable)
	_ = syscall.Unsetenv(wire.ClockVariable) // the runtime has read it
	seed := uint64(0)
	for _, c := range []byte(text) {
		seed = seed*10 + uint64(c-'0')
	}
	return seed
}
