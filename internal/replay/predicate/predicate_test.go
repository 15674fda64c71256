package predicate_test

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spectradiff/spectradiff/internal/replay/cache"
	"github.com/spectradiff/spectradiff/internal/replay/gocommand"
	"github.com/spectradiff/spectradiff/internal/replay/predicate"
	"github.com/spectradiff/spectradiff/internal/replay/repository"
	"github.com/spectradiff/spectradiff/internal/replay/sandbox"
)

func TestMain(m *testing.M) {
	if sandbox.Child() {
		return
	}
	os.Exit(m.Run())
}

// confined returns a command that runs in the folder sub of trees.
func confined(t *testing.T, sub string) *predicate.Command {
	t.Helper()
	if runtime.GOOS != "linux" {
		t.Skip("only Linux confines")
	}
	box, err := sandbox.Open(sandbox.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := box.Close(); err != nil {
			t.Error(err)
		}
	})
	runner, err := gocommand.NewRunner(t.Context(), box, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	return &predicate.Command{Sub: sub, Go: runner, Temp: t.TempDir(), Limit: time.Minute}
}

// tree returns a tree with some files.
func tree(t *testing.T, files map[string]string) *repository.Tree {
	t.Helper()
	folder := t.TempDir()
	for name, text := range files {
		full := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(full), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	trees, err := cache.Open(cache.Settings{Folder: t.TempDir()}, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { trees.Finish(context.Background()) })
	copied, err := repository.Copy(t.Context(), folder, trees)
	if err != nil {
		t.Fatal(err)
	}
	return copied
}

func TestRun(t *testing.T) {
	c := confined(t, "sub")
	of := tree(t, map[string]string{"sub/a": "old\n", "b": "here\n"})
	for _, test := range []struct {
		reason, text, end, untestable string
		passes                        bool
		output                        []string
	}{
		{reason: "status 0 passes", text: "true", passes: true},
		{reason: "others fail", text: "exit 3", end: "exit status 3"},
		{reason: "a command that is not there fails", text: "nonsense 2>/dev/null", end: "exit status 127"},
		{reason: "status 125 can't tell", text: "exit 125", untestable: "the command says so: exit status 125"},
		{reason: "a crash fails", text: "kill -SEGV $$", end: "SIGSEGV"},
		{reason: "as does that of a program that sh started", text: "exit 139", end: "SIGSEGV"},
		{
			reason: "what was killed can't tell", text: "kill -KILL $$",
			untestable: "the command was killed (SIGKILL), perhaps because memory ran out",
		},
		{
			reason: "it runs in the folder of the user, and prints to both streams",
			text:   "cat a ../b; echo wrong >&2", passes: true, output: []string{"old", "here", "wrong"},
		},
		{
			reason: "output is printable, and without empty lines",
			text:   `printf '\033[31mred\033[0m\n\n\ttab \n'; exit 1`,
			end:    "exit status 1", output: []string{"[31mred[0m", " tab"},
		},
		{
			reason: "each run has new files and a new folder for temporary ones",
			text:   `test ! -e made && test ! -e "$TMPDIR/made" && touch made "$TMPDIR/made" && chmod 500 .`,
			passes: true,
		},
		{reason: "and the next one too", text: `test ! -e made && test ! -e "$TMPDIR/made"`, passes: true},
	} {
		c.Text = test.text
		got, err := c.Run(t.Context(), of)
		if err != nil {
			t.Fatalf("%s: %v", test.reason, err)
		}
		if got.Passes != test.passes || got.End != test.end || got.Untestable != test.untestable ||
			test.output != nil && !slices.Equal(got.Output, test.output) {
			t.Errorf("%s: got %+v", test.reason, got)
		}
	}
}

// TestConfined: the command changes nothing but its copy and its own cache.
func TestConfined(t *testing.T) {
	c := confined(t, ".")
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte("secret"), 0o666); err != nil {
		t.Fatal(err)
	}
	of := tree(t, map[string]string{"a": "old\n"})
	c.Text = "echo new >a; cat a; cat " + secret + "; echo new >" + of.Dir + "/a; " +
		`mkdir "$(go env GOMODCACHE)/new" && echo spoiled; pwd; go env GOCACHE; exit 1`
	got, err := c.Run(t.Context(), of)
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Join(got.Output, "\n")
	if !strings.HasPrefix(text, "new\n") || !strings.HasSuffix(text, "\n.\n$TMPDIR/cache") ||
		strings.Contains(text, "\nsecret") || strings.Contains(text, "spoiled") {
		t.Errorf("it printed %q", text)
	}
	if kept, err := os.ReadFile(filepath.Join(of.Dir, "a")); string(kept) != "old\n" || err != nil {
		t.Errorf("the tree holds %q, %v", kept, err)
	}
}

// TestFiles: files that a version has otherwise are put in the place of its own, and a link leads nowhere else.
func TestFiles(t *testing.T) {
	c := confined(t, ".")
	outside := t.TempDir()
	of := tree(t, map[string]string{"a": "old\n", "b/c": "old\n", "gone": ""})
	c.Text = "cat a b/c d/e l; test ! -e gone"
	got, err := c.Run(t.Context(), of,
		predicate.File{Name: "a", Text: []byte("new\n"), Mode: 0o644}, predicate.File{Name: "gone"},
		predicate.File{Name: "d/e", Text: []byte("made\n"), Mode: 0o644},
		predicate.File{Name: "l", Text: []byte("a"), Mode: fs.ModeSymlink | 0o777})
	if want := []string{"new", "old", "made", "new"}; err != nil || !got.Passes || !slices.Equal(got.Output, want) {
		t.Errorf("got %+v, %v, want %q", got, err, want)
	}
	_, err = c.Run(t.Context(), of, predicate.File{Name: "l", Text: []byte(outside), Mode: fs.ModeSymlink | 0o777},
		predicate.File{Name: "l/a", Text: []byte("out"), Mode: 0o644})
	if left, _ := os.ReadDir(outside); len(left) > 0 || err != nil {
		t.Errorf("got %v, and %v outside", err, left)
	}
}

// TestFilesBecomeFolders: what is a file in one version may be a folder in another one, and the reverse.
func TestFilesBecomeFolders(t *testing.T) {
	c := confined(t, ".")
	of := tree(t, map[string]string{"a": "file\n", "b/c": "below\n"})
	c.Text = "cat a/x b"
	got, err := c.Run(t.Context(), of,
		predicate.File{Name: "a"}, predicate.File{Name: "a/x", Text: []byte("x\n"), Mode: 0o644},
		predicate.File{Name: "b", Text: []byte("b\n"), Mode: 0o644}, predicate.File{Name: "b/c"})
	if want := []string{"x", "b"}; err != nil || !got.Passes || !slices.Equal(got.Output, want) {
		t.Errorf("got %+v, %v, want %q", got, err, want)
	}
	c.Text = "cat a/x"
	got, err = c.Run(t.Context(), of, predicate.File{Name: "a/x", Text: []byte("x\n"), Mode: 0o644})
	if err != nil || !got.Passes {
		t.Errorf("got %+v, %v with one of both changes", got, err)
	}
}

// TestSlowlyCompiled: that the command fails counts also where nobody knows in time whether the version compiles.
func TestSlowlyCompiled(t *testing.T) {
	if testing.Short() {
		t.Skip("it compiles for seconds")
	}
	c := confined(t, ".")
	c.Text, c.Limit = "exit 1", 3*time.Second // net/http takes longer with an empty cache
	got, err := c.Run(t.Context(), tree(t, map[string]string{
		"go.mod": "module m\n\ngo 1.24\n", "m.go": "package m\n\nimport _ \"net/http\"\n",
	}))
	if err != nil || got.End != "exit status 1" || got.Broken != "" {
		t.Errorf("got %+v, %v", got, err)
	}
}

// TestUntestable: what can't run in a version, or not within the time, is no failure.
func TestUntestable(t *testing.T) {
	of := tree(t, map[string]string{"a": ""})
	for _, test := range []struct {
		reason, sub, text, want string
		limit                   time.Duration
	}{
		{"no folder", "sub", "true", "it has no folder sub", time.Minute},
		{"no end", ".", "while :; do :; done", "did not end within 1ms", time.Millisecond},
	} {
		c := confined(t, test.sub)
		c.Text, c.Limit = test.text, test.limit
		got, err := c.Run(t.Context(), of)
		if err != nil || !strings.Contains(got.Untestable, test.want) {
			t.Errorf("%s: got %+v, %v", test.reason, got, err)
		}
	}
	c := confined(t, ".")
	c.Text = "true"
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := c.Run(ctx, of); !errors.Is(err, context.Canceled) {
		t.Errorf("with an ended context: got %v", err)
	}
}
