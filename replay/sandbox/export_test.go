//go:build linux

package sandbox

// Without returns options that leave out layers: "landlock", "seccomp", "netns", "mountns", "pidns",
// "userns".
func Without(o Options, layers ...string) Options {
	o.without = layers
	return o
}
