//go:build linux

package sandbox_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay/sandbox"
)

// TestOrdinaryUser runs the most important tests again as a user without any privileges.
func TestOrdinaryUser(t *testing.T) {
	if testing.Short() {
		t.Skip("only in make test-all: it repeats other tests")
	}
	if os.Getuid() != 0 {
		t.Log("not root: all tests run as an ordinary user anyway")
		return
	}
	self, err := os.ReadFile("/proc/self/exe")
	if err != nil {
		t.Fatal(err)
	}
	copied := filepath.Join(binaries.dir, "tests")
	if err := os.WriteFile(copied, self, 0o755); err != nil {
		t.Fatal(err)
	}
	temp, err := os.MkdirTemp(binaries.dir, "temp")
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(temp, 1234, 1234); err != nil {
		t.Fatal(err)
	}
	c := exec.Command(copied, "-test.v", "-test.run",
		"^Test(Hello|Place|Files|Descriptors|ReadOnly|WritesOutside|Removes|Network|KillsOthers|Traces|"+
			"ProcessLimit|Kill|Proc|End|Context|Attributes|OwnAttributes|Datagrams|SignalsByKernel|Segment|"+
			"Sibling|Disk|Victim|Command.*)$")
	c.Env = []string{prebuilt + "=" + binaries.hostile, "TMPDIR=" + temp}
	c.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 1234, Gid: 1234}}
	out, err := c.CombinedOutput()
	if err != nil || !strings.Contains(string(out), "landlock+") {
		t.Errorf("as an ordinary user: %v\n%s", err, out)
	}
}

// TestLayers checks the sentences about missing layers.
func TestLayers(t *testing.T) {
	const no = "not here"
	for _, c := range []struct {
		layers  sandbox.Layers
		text    string
		missing []string
		weak    []string // a word of each sentence
		reason  string
	}{
		{sandbox.Layers{LandlockABI: 7}, "landlock+netns+pidns+mountns+seccomp+rlimits", nil, nil,
			"everything is there"},
		{sandbox.Layers{Landlock: no}, "netns+pidns+mountns+seccomp+rlimits", nil, nil,
			"the mount namespace does for files"},
		{sandbox.Layers{LandlockABI: 7, Network: no, Pid: no, Mount: no}, "landlock+seccomp+rlimits", nil,
			[]string{"one by one", "fixed path", "can be seen", "in the scratch folder too", "measured"},
			"a container: Landlock and the filter do"},
		{sandbox.Layers{LandlockABI: 4, Network: no, Pid: no, Mount: no, User: no}, "landlock+seccomp+rlimits", nil,
			[]string{"one by one", "sends signals", "fixed path", "can be seen", "in the scratch folder too",
				"measured", "stay root"},
			"an older kernel, where the filter does for signals too, and a container that can't change users"},
		{sandbox.Layers{LandlockABI: 2, Network: no, Pid: no, Mount: no}, "landlock+seccomp+rlimits", []string{"Files"},
			[]string{"one by one", "sends signals", "fixed path", "can be seen", "in the scratch folder too",
				"measured"},
			"old Landlock lets files be emptied"},
		{sandbox.Layers{LandlockABI: 7, Pid: no}, "landlock+netns+mountns+seccomp+rlimits", nil, []string{"one by one"},
			"Landlock does for signals"},
		{sandbox.Layers{LandlockABI: 7, Mount: no}, "landlock+netns+pidns+seccomp+rlimits", nil,
			[]string{"fixed path", "can be seen", "in the scratch folder too", "measured"}, "the host's files"},
		{sandbox.Layers{LandlockABI: 7, Seccomp: no}, "landlock+netns+pidns+mountns+rlimits", nil,
			[]string{"no limit counts"}, "namespaces and Landlock do"},
		{sandbox.Layers{LandlockABI: 7, Mount: no, Seccomp: no}, "landlock+netns+pidns+rlimits", []string{"network"},
			[]string{"fixed path", "can be seen", "can be changed", "measured", "no limit counts"},
			"sockets in the host's file tree are reached"},
		{sandbox.Layers{LandlockABI: 4, Network: no, Pid: no, Mount: no, Seccomp: no}, "landlock+rlimits",
			[]string{"network"}, []string{"one by one", "not prevented", "fixed path", "can be seen", "can be changed",
				"measured", "no limit counts"}, "Landlock knows TCP only"},
		{sandbox.Layers{Landlock: no, Network: no, Pid: no, Mount: no, Seccomp: no, User: no, Limits: no}, "none",
			[]string{"Files", "network"}, []string{"one by one", "not prevented", "fixed path", "can be seen",
				"can be changed", "measured", "no limit counts", "stay root", "not limited"}, "nothing at all"},
	} {
		if got := c.layers.String(); got != c.text {
			t.Errorf("String() = %q, want %q (%s)", got, c.text, c.reason)
		}
		missing := c.layers.Missing()
		if len(missing) != len(c.missing) {
			t.Errorf("Missing() = %q, want %q (%s)", missing, c.missing, c.reason)
			continue
		}
		for i, want := range c.missing {
			if !strings.Contains(missing[i], want) || !strings.Contains(missing[i], "--no-sandbox") {
				t.Errorf("Missing() = %q, want %q (%s)", missing, c.missing, c.reason)
			}
		}
		weak := c.layers.Weak()
		if len(weak) != len(c.weak) {
			t.Errorf("Weak() = %q, want %q (%s)", weak, c.weak, c.reason)
			continue
		}
		for i, want := range c.weak {
			if !strings.Contains(weak[i], want) {
				t.Errorf("Weak()[%d] = %q, want %q (%s)", i, weak[i], want, c.reason)
			}
		}
	}
}

// TestUnconfined checks that nothing runs unconfined unless the options allow it.
func TestUnconfined(t *testing.T) {
	for _, c := range []struct {
		without []string
		reason  string
	}{
		{[]string{"landlock", "mountns"}, "files are open"},
		{[]string{"seccomp", "netns"}, "the network is open"},
		{[]string{"userns", "landlock", "seccomp", "netns", "mountns", "pidns"}, "everything is open"},
	} {
		if s, err := sandbox.Open(sandbox.Without(sandbox.Options{}, c.without...)); err == nil {
			s.Close()
			t.Errorf("opened although %s", c.reason)
		} else if !strings.Contains(err.Error(), "--no-sandbox") {
			t.Errorf("got %v, which doesn't say what to do (%s)", err, c.reason)
		}
		s, err := sandbox.Open(sandbox.Without(sandbox.Options{Unconfined: true}, c.without...))
		if err != nil {
			t.Fatal(err)
		}
		mark := unique()
		p := startUntil(t, s, sandbox.Limits{Memory: 256 << 20}, "daemon started", "daemon", "twice", mark)
		p.Kill()
		if found := left(t, mark); len(found) > 0 {
			t.Errorf("left: %v (%s)", found, c.reason)
		}
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	}
}
