package history

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay/repository"
	"github.com/spectradiff/spectradiff/internal/spectra/align"
)

// files are the contents of files, by their names.
type files = map[string]string

// commits makes a repository on one branch, one commit for each map from files to contents; "" removes a file.
func commits(t *testing.T, all ...files) string {
	t.Helper()
	dir := t.TempDir()
	git := func(in string, args ...string) {
		t.Helper()
		cmd := exec.Command("git", append([]string{"-C", dir}, args...)...)
		cmd.Env = append(os.Environ(), "HOME="+dir, "GIT_CONFIG_NOSYSTEM=1", "XDG_CONFIG_HOME="+dir)
		cmd.Stdin = strings.NewReader(in)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	var in strings.Builder
	for i, files := range all {
		fmt.Fprintf(&in, "commit refs/heads/main\ncommitter n <n@example.com> %d +0000\ndata 0\n", 1700000000+i)
		for name, text := range files {
			if text == "" {
				fmt.Fprintf(&in, "D %s\n", name)
			} else {
				fmt.Fprintf(&in, "M 100644 inline %s\ndata %d\n%s\n", name, len(text), text)
			}
		}
	}
	git("", "init", "-q", "-b", "main")
	git(in.String(), "fast-import", "--quiet")
	git("", "reset", "-q", "--hard")
	return dir
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// known returns what is known of a finding, from the first commit to the last one, or back.
func known(t *testing.T, dir, old, new string, f Finding) *Known {
	t.Helper()
	repo, err := repository.Open(dir)
	must(t, err)
	one, err := repo.Resolve(old)
	must(t, err)
	other := repo.Worktree()
	if new != "worktree" {
		other, err = repo.Resolve(new)
		must(t, err)
	}
	way, err := repo.Way(one, other)
	must(t, err)
	counts := func(name string) bool { return !strings.HasSuffix(name, ".md") }
	k, err := Of(t.Context(), repo, way, counts, []Finding{f, {}})
	must(t, err)
	for i, w := range k.Weights[1][1:] {
		if w <= 0 || w > changesOther && w != changesModule {
			t.Errorf("step %d has the weight %v for a finding without a place", i+1, w)
		}
	}
	return k
}

const source = `package a

// F is a function.
func F(n int) int {
	n++

	n *= 2
	return n
}

type T struct{}

func (t *T) M() string { return "m" }
`

// changed returns the source with replacements.
func changed(pairs ...string) string { return strings.NewReplacer(pairs...).Replace(source) }

func TestOf(t *testing.T) {
	dir := commits(t,
		files{"go.mod": "module m\n", "a/a.go": source, "a/b.go": "package a\n", "c/c.go": "package c\n"},
		files{"README.md": "text"},
		files{"a/a.go": changed("n *= 2", "n *= 3")},
		files{"a/a.go": changed("n *= 2", "n *= 3", "n++", "n++ // more", "type T", "var x int\n\ntype T")},
		files{"a/a.go": changed("n *= 2", "n *= 3", "n++", "n += 2", "type T", "var x int\n\ntype T")},
		files{"a/b.go": "package a\n\nvar y int\n"},
		files{"go.mod": "module m\n\ngo 1.25\n"},
		files{"c/c.go": "package c\n\nvar z int\n"},
		files{"a/a_test.go": "package a\n", "a/testdata/x": "x"},
		files{"vendor/v/v.go": "package v\n"},
	)
	place := Place{File: "a/a.go", Function: "F", First: 7, Last: 7}
	k := known(t, dir, "HEAD~9", "HEAD", Finding{Places: []Place{place}, Folders: []string{"a"}})
	want := []float64{0, changesNothing, changesLines, changesFile, changesBody, changesPackage, changesModule,
		changesOther, changesTests, changesModule}
	if !slices.Equal(k.Weights[0], want) {
		t.Errorf("the weights are %v, want %v", k.Weights[0], want)
	}
	if !reflect.DeepEqual(k.Touch, [][]int{{2, 4}, nil}) {
		t.Errorf("the function is changed by %v", k.Touch)
	}
	if at := slices.Index(k.Same, true); at != 1 || slices.Contains(k.Same[2:], true) {
		t.Errorf("the same as before: %v", k.Same)
	}
	// From new to old the same steps change the same, each between the same two commits.
	place.First, place.Last = 7, 7
	back := known(t, dir, "HEAD", "HEAD~9", Finding{Places: []Place{place}, Folders: []string{"a"}})
	slices.Reverse(back.Weights[0])
	if got := back.Weights[0][:9]; !slices.Equal(got, want[1:]) {
		t.Errorf("backwards, the weights are %v, want %v", got, want[1:])
	}
}

// TestTouch: which steps change a function that moves, is renamed, or can't be read.
func TestTouch(t *testing.T) {
	const broken = "package a\n\nfunc F( {\n"
	moved := strings.Replace(source, "package a", "package a\n\nimport \"fmt\"\n\nvar _ = fmt.Sprint", 1)
	for _, c := range []struct {
		reason string
		places []Place
		files  []files
		want   []int
	}{
		{"another function of the file", []Place{{File: "a.go", Function: "(*T).M"}},
			[]files{{"a.go": source}, {"a.go": changed("n++", "n--")}, {"a.go": changed(`"m"`, `"n"`)}}, []int{2}},
		{"a function literal in it", []Place{{File: "a.go", Function: "F.func1"}},
			[]files{{"a.go": source}, {"a.go": changed("n++", "n--")}}, []int{1}},
		{"layout and comments", []Place{{File: "a.go", Function: "F"}},
			[]files{{"a.go": source}, {"a.go": changed("n++\n\n", "n++ // why\n", "// F is", "// F was")}}, nil},
		{"the file as a whole", []Place{{File: "a.go"}},
			[]files{{"a.go": source}, {"a.go": changed("n++", "n++ // why")}, {"a.go": changed("T", "U")}},
			[]int{2}},
		{"a file that is no Go", []Place{{File: "a.txt"}},
			[]files{{"a.txt": "a"}, {"a.txt": "b"}, {"a.go": source}}, []int{1}},
		{"a renamed file", []Place{{File: "d/b.go", Function: "F"}},
			[]files{{"a.go": source}, {"a.go": changed("n++", "n--")},
				{"a.go": "", "d/b.go": changed("n++", "n--")}, {"d/b.go": source}}, []int{1, 3}},
		{"a file that moves and changes", []Place{{File: "d/a.go", Function: "F"}},
			[]files{{"a.go": source}, {"a.go": changed("n++", "n--")}, {"a.go": "", "d/a.go": moved}}, []int{1, 2}},
		{"a function that moves to another file", []Place{{File: "b.go", Function: "F"}, {File: "a.go", Function: "F"}},
			[]files{{"a.go": source, "b.go": "package a\n"}, {"a.go": "package a\n", "b.go": source},
				{"b.go": changed("n++", "n--")}}, []int{2}},
		{"a renamed function", []Place{{File: "a.go", Function: "G"}, {File: "a.go", Function: "F"}},
			[]files{{"a.go": source}, {"a.go": changed("n++", "n--")}, {"a.go": changed("n++", "n--", "F(", "G(")},
				{"a.go": changed("F(", "G(")}}, []int{1, 2, 3}},
		{"a function that appears and disappears", []Place{{File: "a.go", Function: "F"}},
			[]files{{"x": "x"}, {"a.go": source}, {"x": "y"}, {"a.go": ""}}, []int{1, 3}},
		{"a file that does not parse", []Place{{File: "a.go", Function: "F"}},
			[]files{{"a.go": source}, {"a.go": broken}, {"a.go": broken + "//"}, {"x": "x"}}, []int{1, 2}},
		{"a file with the same base name among several", []Place{{File: "d/a.go", Function: "F"}},
			[]files{{"e/a.go": changed("n", "m"), "f/a.go": source},
				{"e/a.go": changed("n", "k")}, {"e/a.go": "", "f/a.go": "", "d/a.go": moved}}, []int{2}},
	} {
		dir := commits(t, c.files...)
		old := fmt.Sprintf("HEAD~%d", len(c.files)-1)
		if k := known(t, dir, old, "HEAD", Finding{Places: c.places}); !slices.Equal(k.Touch[0], c.want) {
			t.Errorf("%s: changed by %v, want %v", c.reason, k.Touch[0], c.want)
		}
	}
}

// TestOfWorktree: uncommitted changes are a step like others.
func TestOfWorktree(t *testing.T) {
	dir := commits(t, files{"a.go": source}, files{"b.go": "package a\n"})
	f := Finding{Places: []Place{{File: "a.go", Function: "F", First: 5, Last: 5}}}
	if k := known(t, dir, "HEAD~1", "worktree", f); !k.Same[2] || k.Touch[0] != nil {
		t.Errorf("without changes: %+v", k)
	}
	must(t, os.WriteFile(filepath.Join(dir, "a.go"), []byte(changed("n++", "n--")), 0o644))
	want := []float64{0, changesPackage, changesLines}
	if k := known(t, dir, "HEAD~1", "worktree", f); k.Same[2] || !slices.Equal(k.Weights[0], want) {
		t.Errorf("with a change: %+v", k)
	}
}

// TestShift compares with the lines that are the same in both versions: those that were among the lines after a change
// are among those before it, and nothing that was kept on either side of them.
func TestShift(t *testing.T) {
	for _, c := range []struct{ reason, old, new string }{
		{"nothing", "abcdef", "abcdef"}, {"added", "abef", "abcdef"}, {"removed", "abcdef", "abef"},
		{"replaced", "abcdef", "abxyef"}, {"at the ends", "abcdef", "xbcdey"}, {"all", "abc", "xyz"},
		{"several", "abcdefgh", "xbcyzfh"}, {"added at the ends", "cd", "abcdef"},
		{"removed at the ends", "abcdef", "cd"},
	} {
		old, new := strings.Split(c.old, ""), strings.Split(c.new, "")
		pairs := align.Equal(old, new, maxEdits)
		gaps := align.Gaps(pairs, len(old), len(new))
		for first := 1; first <= len(new); first++ {
			for last := first; last <= len(new); last++ {
				oldFirst, oldLast, touched := shift(gaps, first, last)
				if !touched && (oldLast-oldFirst != last-first) {
					t.Errorf("%s: untouched lines %d-%d were %d-%d", c.reason, first, last, oldFirst, oldLast)
				}
				for _, p := range pairs {
					inside := first <= p.New+1 && p.New+1 <= last
					if was := oldFirst <= p.Old+1 && p.Old+1 <= oldLast; was != inside {
						t.Errorf("%s: lines %d-%d were %d-%d: line %d was line %d", c.reason,
							first, last, oldFirst, oldLast, p.New+1, p.Old+1)
					}
				}
			}
		}
	}
}
