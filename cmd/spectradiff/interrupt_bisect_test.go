package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/go-git/go-git/v5"
)

// TestInterruptBisect: a search for commits that is interrupted says between which a root came, and the next one goes
// on from there.
func TestInterruptBisect(t *testing.T) {
	onlyInAll(t, "it compares until a bisection is under way")
	folder, temporary, cached := t.TempDir(), t.TempDir(), t.TempDir()
	makeLine(t, folder)
	args := []string{"bisect", "-C", folder, "--sequences", "50", "--drive", "api", "--no-proof", "v0..v9"}
	cmd := program(t, temporary, cached, args...)
	var out bytes.Buffer
	cmd.Stdout = &out
	reader := started(t, cmd)
	for line := ""; !strings.HasPrefix(line, "commits: 1 of "); {
		var err error
		if line, err = reader.ReadString('\n'); err != nil {
			t.Fatalf("the run ended before it asked a commit: %v", err)
		}
	}
	if err := cmd.Process.Signal(os.Interrupt); err != nil {
		t.Fatal(err)
	}
	_, _ = reader.WriteTo(&bytes.Buffer{})
	if err := cmd.Wait(); cmd.ProcessState.ExitCode() != exitTrouble {
		t.Errorf("%v, want exit status %d", err, exitTrouble)
	}
	want := "the run ended before all that tell were asked"
	if !strings.Contains(unwrapped(out.String()), want) {
		t.Errorf("no %q in\n%s", want, out.String())
	}
	next := program(t, temporary, cached, args...)
	text, _ := next.CombinedOutput()
	for _, want := range []string{"compared before", `"number 4"`, `"number 8"`} {
		if !strings.Contains(unwrapped(string(text)), want) {
			t.Errorf("no %q in\n%s", want, text)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(temporary, "*")); len(left) > 0 {
		t.Errorf("left behind: %q", left)
	}
}

// unwrapped returns a text with its words in one line.
func unwrapped(text string) string { return strings.Join(strings.Fields(text), " ") }

// makeLine makes a repository of ten commits. All of them can matter, and the fifth one does.
func makeLine(t *testing.T, folder string) {
	t.Helper()
	repository, err := git.PlainInit(folder, false)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 10 {
		files := map[string]string{
			"go.mod": "module example.com/m\n\ngo 1.24\n",
			"add.go": fmt.Sprintf("package m\n\nfunc Add(n int) int {\n\treturn n + %d\n}\n", 1+i/4),
			"no.go":  fmt.Sprintf("package m\n\n// Number %d.\nfunc No(n int) int { return n }\n", i),
		}
		for name, text := range files {
			if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		when := time.Date(2026, time.January, 1+i, 12, 0, 0, 0, time.UTC)
		if err := commitAndTag(repository, fmt.Sprintf("v%d", i), fmt.Sprintf("number %d", i), when); err != nil {
			t.Fatal(err)
		}
	}
}
