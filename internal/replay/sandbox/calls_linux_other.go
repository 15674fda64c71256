//go:build linux && !amd64 && !arm64

package sandbox

// forbiddenHere and attributesHere are empty: these architectures have no filter.
var forbiddenHere, attributesHere []uint32
