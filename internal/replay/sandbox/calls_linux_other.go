//go:build linux && !amd64 && !arm64

package filter

// There is no filter on these architectures.
var forbiddenHere, attributesHere []uint32
