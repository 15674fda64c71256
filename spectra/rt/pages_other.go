//go:build !unix

package rt

func newChunk() *chunk { return new(chunk) }
