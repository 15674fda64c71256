//go:build linux

package sandbox

// Without returns options that leave out layers: "landlock", "seccomp", "netns", "mountns", "pidns",
// "userns".
func Without(o Options, layers ...string) Options {
	o.without = layers
	return o
}

// Pid returns the driver's process number.
func (p *Process) Pid() int { return p.pid }

// WardenPid returns the supervisor's process number, or 0 if each driver has its own.
func (s *Sandbox) WardenPid() int {
	if s.main == nil {
		return 0
	}
	return s.main.cmd.Process.Pid
}
