package fleet

import "testing"

// TestModel: what a processor is called does not depend on how many there are, nor on how fast one is at the moment.
func TestModel(t *testing.T) {
	const amd = "processor\t: %\nvendor_id\t: AuthenticAMD\ncpu family\t: 25\nmodel\t\t: 17\n" +
		"model name\t: AMD EPYC\nstepping\t: 1\ncpu MHz\t\t: 2596.150\n\n"
	for _, c := range []struct{ reason, text, want string }{
		{"one", amd, "AuthenticAMD AMD EPYC 25 17 1"},
		{"two", amd + amd, "AuthenticAMD AMD EPYC 25 17 1"},
		{"two of ARM that differ", "CPU implementer\t: 0x41\nCPU part\t: 0xd0b\n\nCPU implementer\t: 0x41\n" +
			"CPU part\t: 0xd05\n\nHardware\t: BCM\n", "0x41 0xd0b, 0x41 0xd05"},
		{"nothing is known", "processor\t: 0\n", ""},
	} {
		if got := modelIn(c.text); got != c.want {
			t.Errorf("%s: %q, want %q", c.reason, got, c.want)
		}
	}
}
