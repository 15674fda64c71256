//go:build linux

package sandbox

// Without says which layers to do without: "landlock", "seccomp", "netns", "mountns", "pidns",
// "userns".
func Without(o Options, layers ...string) Options {
	o.without = layers
	return o
}
