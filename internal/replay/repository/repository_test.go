package repository

import (
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// fixture is a repository of a test.
type fixture struct {
	t   *testing.T
	dir string
}

// isolate keeps the user's git configuration out of a test.
func isolate(t *testing.T) {
	t.Helper()
	home := t.TempDir()
	for name, value := range map[string]string{
		"HOME": home, "XDG_CONFIG_HOME": filepath.Join(home, "xdg"), "GIT_CONFIG_NOSYSTEM": "1",
		"GIT_AUTHOR_NAME": "n", "GIT_AUTHOR_EMAIL": "n@example.com",
		"GIT_COMMITTER_NAME": "n", "GIT_COMMITTER_EMAIL": "n@example.com",
		"GIT_AUTHOR_DATE": "1700000000 +0000", "GIT_COMMITTER_DATE": "1700000000 +0000",
	} {
		t.Setenv(name, value)
	}
}

func newFixture(t *testing.T) fixture {
	t.Helper()
	isolate(t)
	f := fixture{t, filepath.Join(t.TempDir(), "repo")}
	must(t, os.MkdirAll(f.dir, 0o755))
	f.git("init", "-q", "-b", "main")
	return f
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

func (f fixture) git(args ...string) string {
	f.t.Helper()
	return f.gitInput(nil, args...)
}

// gitInput runs git with the given standard input.
func (f fixture) gitInput(in io.Reader, args ...string) string {
	f.t.Helper()
	cmd := exec.Command("git", append([]string{"-C", f.dir}, args...)...)
	cmd.Env = append(os.Environ(), "LC_ALL=C")
	cmd.Stdin = in
	out, err := cmd.CombinedOutput()
	if err != nil {
		f.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

func (f fixture) write(name, text string) {
	f.t.Helper()
	full := filepath.Join(f.dir, name)
	must(f.t, os.MkdirAll(filepath.Dir(full), 0o755))
	must(f.t, os.WriteFile(full, []byte(text), 0o644))
}

// commit commits everything. The time grows with the number of commits.
func (f fixture) commit(message string) string {
	f.t.Helper()
	f.git("add", "-A")
	f.git("commit", "-q", "--allow-empty", "-m", message)
	return f.git("rev-parse", "HEAD")
}

// history makes files and n commits.
func (f fixture) history(n int) {
	f.t.Helper()
	for i := range n {
		f.write("f.txt", strings.Repeat("line\n", i+1))
		f.commit("commit " + string(rune('a'+i)))
	}
}

func (f fixture) open() *Repository {
	f.t.Helper()
	r, err := Open(f.dir)
	must(f.t, err)
	return r
}

// clone runs git clone with args and returns the clone.
func (f fixture) clone(args ...string) fixture {
	f.t.Helper()
	to := fixture{f.t, filepath.Join(f.t.TempDir(), "clone")}
	f.git(append(append([]string{"clone", "-q"}, args...), "file://"+f.dir, to.dir)...)
	return to
}

// snapshot maps every file below dir to its mode and content.
func snapshot(t *testing.T, dir string) map[string]string {
	t.Helper()
	files := map[string]string{}
	err := filepath.WalkDir(dir, func(name string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		rel, _ := filepath.Rel(dir, name)
		text, err := os.ReadFile(name)
		if info.Mode()&os.ModeSymlink != 0 {
			var target string
			target, err = os.Readlink(name)
			text = []byte(target)
		}
		files[filepath.ToSlash(rel)] = info.Mode().String() + "\n" + string(text)
		return err
	})
	must(t, err)
	return files
}
