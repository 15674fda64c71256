package gocommand

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay/sandbox"
)

func TestMain(m *testing.M) {
	if sandbox.Child() {
		return
	}
	os.Exit(m.Run())
}

// atHome makes a home folder for the test, with the real caches, and returns it.
func atHome(t *testing.T) string {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("only Linux confines")
	}
	for _, name := range []string{"GOCACHE", "GOMODCACHE", "GOPATH"} {
		out, err := exec.Command("go", "env", name).Output()
		if err != nil {
			t.Fatal(err)
		}
		t.Setenv(name, strings.TrimSpace(string(out)))
	}
	home := t.TempDir()
	t.Setenv("HOME", home)
	// Otherwise the go command leaves a process behind that writes there while the test removes it.
	save(t, filepath.Join(home, ".config", "go", "telemetry", "mode"), "off")
	return home
}

func confined(t *testing.T) *Runner {
	t.Helper()
	box, err := sandbox.Open(sandbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := box.Close(); err != nil {
			t.Error(err)
		}
	})
	r, err := NewRunner(t.Context(), box, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func save(t *testing.T, name, text string) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, []byte(text), 0o777); err != nil {
		t.Fatal(err)
	}
	return name
}

// TestConfined checks what a command sees: the folders that it may use, and of the user's files the credentials only
// while it may fetch.
func TestConfined(t *testing.T) {
	home, tree := atHome(t), t.TempDir()
	key, shown := save(t, filepath.Join(home, ".netrc"), "key"), save(t, filepath.Join(tree, "shown"), "shown")
	secret := save(t, filepath.Join(home, "secret"), "secret")
	r := confined(t)
	c := Command{Path: "/bin/sh", Dir: tree, Env: r.Environment(os.Environ()), Folders: Folders{Read: []string{tree}}}
	const script = `cat "$@"; echo; echo "$GOPROXY"; echo x >"$TMPDIR/x" && echo made; echo x >shown && echo changed`
	for _, test := range []struct {
		network     bool
		want, never []string
	}{
		{false, []string{"shown", "off\n", "made\n"}, []string{"key", "secret", "changed"}},
		{true, []string{"shown", "key", "made\n"}, []string{"secret", "changed", "off\n"}},
	} {
		c.Network = test.network
		out, errs, err := r.Run(t.Context(), c, "-c", script, "sh", shown, key, secret)
		if err == nil || err.Error() != "exit status 1" && err.Error() != "exit status 2" {
			t.Errorf("ended with %v: %s", err, errs)
		}
		for _, want := range test.want {
			if !strings.Contains(out, want) {
				t.Errorf("network %v: %q does not have %q (%s)", test.network, out, want, errs)
			}
		}
		for _, never := range test.never {
			if strings.Contains(out, never) {
				t.Errorf("network %v: %q has %q", test.network, out, never)
			}
		}
	}
}

// TestConfinedBuilds checks that the go command can build, including caches and temporary files of tests.
func TestConfinedBuilds(t *testing.T) {
	atHome(t)
	tree, out := t.TempDir(), t.TempDir()
	save(t, filepath.Join(tree, "go.mod"), "module example.com/m\n\ngo 1.24\n")
	save(t, filepath.Join(tree, "m.go"), "package main\n\nfunc main() { println(1) }\n")
	r := confined(t)
	folders := Folders{Read: []string{tree}, Write: []string{out}}
	c := Command{Dir: tree, Env: r.Environment(os.Environ()), Folders: folders}
	if _, errs, err := r.Run(t.Context(), c, "build", "-o", filepath.Join(out, "m"), "."); err != nil {
		t.Fatal(err, errs)
	}
	if _, err := os.Stat(filepath.Join(out, "m")); err != nil {
		t.Error(err)
	}
}

// TestAskedWithin checks that the first go command has its temporary folder inside that of the run. If it is killed, it
// leaves files there.
func TestAskedWithin(t *testing.T) {
	home := atHome(t)
	real, err := exec.LookPath("go")
	if err != nil {
		t.Fatal(err)
	}
	const script = "#!/bin/sh\necho \"$TMPDIR $GOTMPDIR\" >%s\nexec %s \"$@\"\n"
	said := filepath.Join(home, "said")
	program := save(t, filepath.Join(home, "bin", "go"), fmt.Sprintf(script, said, real))
	t.Setenv("PATH", filepath.Dir(program)+string(filepath.ListSeparator)+os.Getenv("PATH"))
	r := confined(t)
	if _, err := r.ask(); err != nil {
		t.Fatal(err)
	}
	got, err := os.ReadFile(said)
	if err != nil {
		t.Fatal(err)
	}
	for _, folder := range strings.Fields(string(got)) {
		if filepath.Dir(folder) != filepath.Dir(r.temp) {
			t.Errorf("its temporary files are in %s, want a folder beside %s", folder, r.temp)
		}
	}
	if len(strings.Fields(string(got))) != 2 {
		t.Errorf("it was told %q", got)
	}
}

// TestHiddenPrograms checks that the error names a program of the user that builds do not see.
func TestHiddenPrograms(t *testing.T) {
	home := atHome(t)
	program := save(t, filepath.Join(home, "bin", "prog"), "#!/bin/sh\n")
	for name, value := range map[string]string{"GOCACHEPROG": program + " -x", "GOFLAGS": "-toolexec=" + program} {
		t.Run(name, func(t *testing.T) {
			t.Setenv(name, value)
			r := confined(t)
			_, _, err := r.Run(t.Context(), Command{Dir: t.TempDir(), Env: r.Environment(os.Environ())}, "env", "GOOS")
			if err == nil || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), program) {
				t.Errorf("got %v, want an error with %s and %s", err, name, program)
			}
		})
	}
}

// TestCachesAboveHome checks that no cache exposes the whole home folder.
func TestCachesAboveHome(t *testing.T) {
	home := atHome(t)
	for _, folder := range []string{home, filepath.Dir(home)} {
		t.Setenv("GOCACHE", folder)
		r := confined(t)
		_, _, err := r.Run(t.Context(), Command{Dir: t.TempDir(), Env: r.Environment(os.Environ())}, "env", "GOOS")
		if err == nil || !strings.Contains(err.Error(), "GOCACHE") {
			t.Errorf("got %v, want an error with GOCACHE", err)
		}
	}
}
