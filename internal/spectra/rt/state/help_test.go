package state

import "github.com/spectradiff/spectradiff/internal/spectra/rt/names"

// shared digests the values of all tests, so that each walk is one after others.
var shared Walker

// configure replaces the budget of a walk, 0 for the usual one, and the names.
func configure(nodes int, c names.Config) {
	names.Configure(c)
	Configure(Config{Nodes: nodes})
}
