package search

import (
	"slices"

	"github.com/spectradiff/spectradiff/internal/replay/shard"
	"github.com/spectradiff/spectradiff/internal/replay/suite"
)

// Own returns those of some tests, or command lines, that are a shard's.
func Own(of shard.Shard, tests []suite.Test) []suite.Test {
	return slices.DeleteFunc(slices.Clone(tests), func(t suite.Test) bool { return !of.Has(t.Name + "\x00" + t.Line) })
}
