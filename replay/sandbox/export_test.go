package sandbox

// Without says which layers to do without: "landlock", "seccomp", "netns", "mountns", "pidns",
// "userns".
func Without(o Options, layers ...string) Options {
	o.without = layers
	return o
}

// CountTasks is for tests that look whether anything is left.
var CountTasks = countTasks

// Descendants is for tests that look whether anything is left.
var Descendants = descendants
