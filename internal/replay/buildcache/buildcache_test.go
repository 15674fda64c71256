package buildcache_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay/buildcache"
)

func TestMain(m *testing.M) {
	if buildcache.Child() {
		return
	}
	os.Exit(m.Run())
}

type answer struct {
	ID       int64
	Err      string
	Miss     bool
	OutputID []byte
	Size     int64
	DiskPath string
}

// serve answers requests, written as JSON, but for the first line, which says what can be asked.
func serve(t *testing.T, below, own string, requests ...string) (answers []answer) {
	t.Helper()
	var out bytes.Buffer
	if err := buildcache.Serve(strings.NewReader(strings.Join(requests, "\n")), &out, below, own, false); err != nil {
		t.Fatal(err)
	}
	read := json.NewDecoder(&out)
	for {
		var a answer
		err := read.Decode(&a)
		if err == io.EOF {
			return answers[1:]
		}
		if err != nil {
			t.Fatal(err)
		}
		answers = append(answers, a)
	}
}

// TestServe: what was put is got, from the own folder or from the one below, and only if it is complete.
func TestServe(t *testing.T) {
	below, own := t.TempDir(), t.TempDir()
	const get, put = `{"ID":%d,"Command":"get","ActionID":"%s"}`,
		`{"ID":%d,"Command":"put","ActionID":"%s","OutputID":"%s","BodySize":3}` + "\n\"YWJj\"" // abc
	first := serve(t, t.TempDir(), below, fmt.Sprintf(put, 1, "AAEC", "AwQF"), fmt.Sprintf(put, 2, "CQkJ", "CAgI"))
	if err := os.Truncate(first[1].DiskPath, 1); err != nil {
		t.Fatal(err)
	}
	got := serve(t, below, own,
		fmt.Sprintf(get, 1, "AAEC"), fmt.Sprintf(get, 2, "BBBB"), fmt.Sprintf(put, 3, "BBBB", "CCCC"),
		fmt.Sprintf(get, 4, "BBBB"), fmt.Sprintf(get, 5, "CQkJ"), `{"ID":6,"Command":"close"}`,
		fmt.Sprintf(get, 7, "AAEC"))
	var told []string
	for _, a := range got {
		where := "nowhere"
		for _, folder := range []string{below, own} {
			if strings.HasPrefix(a.DiskPath, folder) {
				text, err := os.ReadFile(a.DiskPath)
				if err != nil {
					t.Error(err)
				}
				where = map[string]string{below: "below", own: "own"}[folder] + " " + string(text)
			}
		}
		told = append(told, fmt.Sprint(a.ID, " ", a.Miss, " ", where, a.Err))
	}
	want := []string{
		"1 false below abc", "2 true nowhere", "3 false own abc", "4 false own abc", "5 true nowhere",
		"6 false nowhere",
	}
	if !slices.Equal(told, want) {
		t.Errorf("got %q, want %q", told, want)
	}
	if left, err := filepath.Glob(filepath.Join(below, "*", "*")); err != nil || len(left) != 4 {
		t.Errorf("below holds %v, %v", left, err)
	}
}

// TestBuild: a build with the go command takes from the cache below what is there, and writes to the own one alone.
func TestBuild(t *testing.T) {
	out, err := exec.Command("go", "env", "GOCACHE").Output()
	if err != nil {
		t.Fatal(err)
	}
	below, own, module := strings.TrimSpace(string(out)), t.TempDir(), t.TempDir()
	files := map[string]string{"go.mod": "module m\n\ngo 1.24\n", "m.go": "package m\n\nconst C = 1\n"}
	for name, text := range files {
		if err := os.WriteFile(filepath.Join(module, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	entry, program := buildcache.Variable(below, own)
	if program == "" {
		t.Fatal("there is no program")
	}
	var last string
	for range 2 {
		list := exec.Command("go", "list", "-export", "-f", "{{.Export}}", ".")
		list.Dir, list.Env = module, append(os.Environ(), entry)
		out, err := list.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		if !strings.HasPrefix(string(out), own) || last != "" && last != string(out) {
			t.Errorf("it was built to %s, before to %q", out, last)
		}
		last = string(out)
	}
}

// TestCopying: what the cache below has is put in the own one, which then holds all that the build needs.
func TestCopying(t *testing.T) {
	if testing.Short() {
		t.Skip("only in make test-all: it builds a part of the standard library with an empty cache")
	}
	built := func(entry string) string {
		list := exec.Command("go", "list", "-export", "-f", "{{.Export}}", "errors")
		list.Env = append(os.Environ(), entry)
		out, err := list.CombinedOutput()
		if err != nil {
			t.Fatalf("%v: %s", err, out)
		}
		return string(out)
	}
	below, own := t.TempDir(), t.TempDir()
	first, _ := buildcache.Variable(t.TempDir(), below)
	built(first)
	entry, _ := buildcache.Copying(below, own)
	if got := built(entry); !strings.HasPrefix(got, own) {
		t.Errorf("it lies in %s", got)
	}
	alone, _ := buildcache.Variable(own, t.TempDir())
	if got := built(alone); !strings.HasPrefix(got, own) {
		t.Errorf("it was built again, to %s", got)
	}
}
