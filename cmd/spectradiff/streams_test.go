package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay/cache"
)

// TestStreams: whatever becomes of the streams, a run ends as it should and leaves nothing.
func TestStreams(t *testing.T) {
	onlyInAll(t, "it compares once for each stream")
	temporary, cached := t.TempDir(), t.TempDir()
	program := filepath.Join(t.TempDir(), "spectradiff")
	executable, err := os.Executable()
	if err == nil {
		err = os.Symlink(executable, program)
	}
	if err != nil {
		t.Fatal(err)
	}
	reader, gone, err := os.Pipe()
	if err == nil {
		err = reader.Close()
	}
	if err != nil {
		t.Fatal(err)
	}
	defer gone.Close()
	repository := t.TempDir()
	if err := makeDemo(repository); err != nil {
		t.Fatal(err)
	}
	environment := append(append(os.Environ(), goEnvironment(t)...),
		"TMPDIR="+temporary, cache.FolderVariable+"="+cached)
	const command = `exec "$0" compare -v --sequences 100 -C "$1" v1.0.0 v1.1.0 `
	for _, test := range []struct {
		reason   string
		redirect string // descriptor 3 is a pipe that nobody reads
		exit     int
		printed  bool // the report arrives
	}{
		{"as usual", "", 1, true},
		{"who read the log has stopped", "2>&3", 1, true},
		{"no place for the log", "2>/dev/full", 1, true},
		{"no standard error: files that are opened must not take its number", "2>&-", 1, true},
		{"nothing is open", "<&- >&- 2>&-", 1, false},
		{"who read the report has stopped", ">&3", 1, false},
		{"no place for the report", ">/dev/full", exitTrouble, false},
	} {
		// The shell itself opens what is missing at no number below 3.
		cmd := exec.Command("sh", "-c", command+test.redirect, program, repository)
		cmd.Env, cmd.ExtraFiles = environment, []*os.File{gone}
		var out bytes.Buffer
		cmd.Stdout = &out
		err := cmd.Run()
		if cmd.ProcessState.ExitCode() != test.exit {
			t.Errorf("%s: %v, want exit status %d", test.reason, err, test.exit)
		}
		if printed := strings.Contains(out.String(), "(*ring).pop"); printed != test.printed {
			t.Errorf("%s: the report was printed: %v, want %v:\n%s", test.reason, printed, test.printed, out.String())
		}
		if left, _ := filepath.Glob(filepath.Join(temporary, "*")); len(left) > 0 {
			t.Errorf("%s: left behind: %q", test.reason, left)
		}
	}
}
