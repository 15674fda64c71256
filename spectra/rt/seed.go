package rt

// This file takes the runtime's seed out of the environment, before the target can see it.

import "syscall"

// Seed is the seed that the runtime's random choices follow. 1 is the one under which versions are
// compared; under another one everything lies and happens elsewhere that a program must not rely on.
var Seed = takeSeed()

const seedVariable = "ZSPECTRA_SEED"

func takeSeed() uint64 {
	text, _ := syscall.Getenv(seedVariable)
	_ = syscall.Unsetenv(seedVariable)
	seed := uint64(0)
	for _, c := range []byte(text) {
		seed = seed*10 + uint64(c-'0')
	}
	return seed
}
