package rt

import (
	"syscall"

	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

var seed, child = takeSeed()

// Seed is the seed that the runtime's random choices follow: see wire.MainSeed.
var Seed = seed

// Child says that the target started the process, and not the tool.
var Child = child

func takeSeed() (seed uint64, child bool) {
	text, given := syscall.Getenv(wire.SeedVariable)
	if !given {
		text, _ = syscall.Getenv(wire.ChildSeedVariable)
	}
	_ = syscall.Unsetenv(wire.SeedVariable)
	_ = syscall.Unsetenv(wire.ChildSeedVariable)
	_ = syscall.Unsetenv(wire.ClockVariable) // the runtime has read it
	for _, c := range []byte(text) {
		seed = seed*10 + uint64(c-'0')
	}
	return seed, !given
}

// Restarted is what the driver of tests does in a process that one of them started. It does not return, unless it does
// not know which tests these are. nil: the driver has no tests.
var Restarted func()
