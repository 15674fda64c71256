package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// TestTold: what is told of a root is right only if it names the known commit and nothing else.
func TestTold(t *testing.T) {
	in := func(commits ...string) (list []report.Introduction) {
		for _, c := range commits {
			if among := strings.Split(c, " "); len(among) > 1 {
				list = append(list, report.Introduction{Among: among})
			} else {
				list = append(list, report.Introduction{Commit: c})
			}
		}
		return list
	}
	for _, c := range []struct {
		introduced   []report.Introduction
		want, reason string
	}{
		{in("a"), toldRight, "the commit"},
		{in("b"), toldRight, "one that it merged"},
		{in("x", "a"), toldMore, "the value changed before, too"},
		{in("a", "x y"), toldMore, "the value changed in one of two others, too"},
		{in("x a y"), toldSome, "those between could not be asked"},
		{in("x a", "y"), toldSome, "one of two, and another one"},
		{in("x"), toldWrong, "another commit"},
		{in("x y"), toldWrong, "others"},
		{nil, toldNone, "nothing is told"},
	} {
		if got := told(&report.Root{Introduced: c.introduced}, []string{"a", "b"}); got != c.want {
			t.Errorf("%s: %s, want %s", c.reason, got, c.want)
		}
	}
	if got := told(nil, []string{"a"}); got != notExposed {
		t.Errorf("no root: %s", got)
	}
}

// TestFound: rows, sums and remarks count roots at the known functions, and what git bisect would ask for all roots.
func TestFound(t *testing.T) {
	order := strings.Fields("1 2 3 4 5 6 7 8")
	root := func(rank int, function string, c spectra.Confidence, commit string) report.Root {
		r := report.Root{Rank: rank, Function: function, Confidence: c}
		if commit != "" {
			r.Introduced = []report.Introduction{{Commit: commit, Before: "0", After: "a|b"}}
		}
		return r
	}
	r := &report.Report{
		Roots: []report.Root{
			root(1, "m.F", spectra.Confirmed, "3"), root(2, "m.G", spectra.Likely, "5"),
			root(3, "m.H", spectra.Confirmed, ""), root(4, "m.Own", spectra.Confirmed, "merged"),
		},
		Commits: &report.Commits{
			Asked: 4, Remembered: 1, List: []report.Commit{{Hash: "5", Subject: "other"}},
			Unasked: []report.Unasked{{Root: 3, Reason: "it shows no difference"}},
		},
		Stages: []report.Stage{{Name: "load", Seconds: 8}, {Name: searchStage, Seconds: 10}},
	}
	r.Roots = append(r.Roots, report.Root{Rank: 5, Function: "m.Calls", Tier: spectra.TierCalls})
	h := &hunted{repository: "m", order: order, report: r, took: 18 * time.Second}
	for i, function := range []string{"m.F", "m.G", "m.H", "m.Calls"} {
		h.expected = append(h.expected, expected{
			what: function, how: "a || b", commits: order[i+2 : i+3], match: rootAt(function),
		})
	}
	r.Subject.Why = map[string]string{"m.Calls": "nothing calls it"}
	var out bytes.Buffer
	h.print(&out)
	all := []*hunted{h, {repository: "n", trouble: "it does not build\nat all"}}
	sumUpHunts(&out, all)
	printFindings(&out, all)
	for _, want := range []string{
		// of F at 3 of 8, G at 4, one on a merged branch: 3 each
		"| m | 8 | 4 | 3 | 2 | 1 | 0 | 0 | 1 | 1 | 1 | 3 | 5 | 3.0 | 9 | 2.0 | 18 | nothing |\n",
		"| all | 8 | 4 | 3 | 2 | 1 | 0 | 0 | 1 | 1 | 1 | 3 | 5 | – | 9 | 2.0 | 18 | 0 |\n",
		"| m | m.F | a \\|\\| b | 3 | 3 | 8 | 1 | confirmed | right | 3 |\n",
		"| m | m.G | a \\|\\| b | 4 | 4 | 8 | 2 | likely | wrong | 3 |\n",
		"| m | m.Calls | a \\|\\| b | 6 | 6 | 8 | – | – | not exposed | – |\n",
		"\n- m, m.G: wrong; the commit is 4; 5 \"other\", at 5: 0 → a\\|b",
		"\n- m, m.H: not told; the commit is 5; it shows no difference",
		"\n- m, m.Calls: not exposed; not reached: nothing calls it",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("%q is missing in\n%s", want, out.String())
		}
	}
}

// TestChangedLines: lines of the new side, where lines are only removed the one before them.
func TestChangedLines(t *testing.T) {
	lines := changedLines("--- a/p/x.go\n+++ b/p/x.go\n@@ -1 +1,2 @@ func F\n-a\n+b\n+c\n@@ -7,2 +8,0 @@\n-d\n-e\n" +
		"--- a/y.go\n+++ b/y.go\n@@ -3 +4 @@\n-f +1\n+@@ -1 +1 @@\n")
	for _, c := range []struct {
		file        string
		first, last int
		want        bool
		reason      string
	}{
		{"p/x.go", 2, 0, true, "the last line of a range"}, {"p/x.go", 3, 7, false, "between two"},
		{"p/x.go", 5, 12, true, "around removed lines"}, {"p/x.go", 9, 0, false, "behind all"},
		{"y.go", 4, 4, true, "one line"}, {"y.go", 1, 1, false, "what an added line says"},
		{"z.go", 1, 9, false, "another file"},
	} {
		if got := overlaps(lines[c.file], &report.Position{Line: c.first, EndLine: c.last}); got != c.want {
			t.Errorf("%s %d-%d: %v, want %v: %s", c.file, c.first, c.last, got, c.want, c.reason)
		}
	}
}

// TestSeeding: faults lie in functions that are the same in the whole range, each in another place of it; the range
// begins with the module.
func TestSeeding(t *testing.T) {
	if testing.Short() {
		t.Skip("builds packages")
	}
	dir := filepath.Join(t.TempDir(), "m")
	text := func(name string) string {
		return "package p\n\nfunc " + name + "(n int) int {\n\tm := n\n\tm++\n\treturn m + 1\n}\n"
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := git(t.Context(), dir, "init", "-q", "-b", "main"); err != nil {
		t.Fatal(err)
	}
	for i, files := range []map[string]string{
		{"p/p.go": text("A")},
		{"go.mod": "module example.com/m\n\ngo 1.24\n"}, // the base
		{"p/late.go": text("Late")},
		{"p/p_test.go": text("Test")},
		{"q/q.go": text("Q")},
		{"other": "other"},
		{"examples/e.go": text("E")},
	} {
		if err := writeFiles(dir, files); err != nil {
			t.Fatal(err)
		}
		if err := commit(t.Context(), dir, fmt.Sprint("c", i)); err != nil {
			t.Fatal(err)
		}
	}
	h := &originHunt{commits: 100, seeds: 1, random: 1, to: "HEAD", dry: true, dir: t.TempDir()}
	found, err := h.seeded(t.Context(), dir)
	if err != nil || len(found) != 1 || found[0].trouble != "" {
		t.Fatalf("%+v, %v", found, err)
	}
	if one := found[0]; len(one.order) != 6 || len(one.expected) != 1 || one.expected[0].what != "example.com/m/p.A" ||
		one.place(one.expected[0].commits) < 2 {
		t.Errorf("%+v, want one fault in A on a line of five commits, behind one of them", one)
	}
	h.seeds = 6
	if _, err := h.seeded(t.Context(), dir); err == nil || !strings.Contains(err.Error(), "5 commits are too few") {
		t.Errorf("six faults among five commits: %v", err)
	}
}

// TestStateOf: whatever is written to a clone is noticed, and looking writes nothing.
func TestStateOf(t *testing.T) {
	dir := t.TempDir()
	run := func(args ...string) {
		t.Helper()
		if err := git(t.Context(), dir, args...); err != nil {
			t.Fatal(err)
		}
	}
	file := func(name string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(dir, name), []byte(name), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	run("init", "-q", "-b", "main")
	file("a")
	if err := commit(t.Context(), dir, "old"); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		do     func()
		want   []string
		reason string
	}{
		{func() {}, nil, "nothing was done"},
		{func() { file("b") }, []string{"working tree"}, "a new file"},
		{func() { run("add", "b") }, []string{"index", "working tree"}, "it is added"},
		{func() { run("branch", "other") }, []string{"refs"}, "a branch"},
		{func() { run("symbolic-ref", "HEAD", "refs/heads/other") }, []string{"HEAD"}, "another current branch"},
	} {
		before, err := stateOf(t.Context(), dir)
		if err != nil {
			t.Fatal(err)
		}
		c.do()
		after, err := stateOf(t.Context(), dir)
		if err != nil {
			t.Fatal(err)
		}
		if got := before.differing(after); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q, want %q", c.reason, got, c.want)
		}
	}
}

// TestObjects: what names stand for, in their order; what is not there is empty.
func TestObjects(t *testing.T) {
	dir := t.TempDir()
	if err := git(t.Context(), dir, "init", "-q", "-b", "main"); err != nil {
		t.Fatal(err)
	}
	for name, text := range map[string]string{"a b": "1\n\n2", "c": "1\n\n2", "empty": "", "d": "3\n"} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if err := commit(t.Context(), dir, "old"); err != nil {
		t.Fatal(err)
	}
	got, err := objects(t.Context(), dir, []string{"old:d", "old:a b", "old:nothing", "old:empty", "old:c", "old:d"})
	if want := []string{"3\n", "1\n\n2", "", "", "1\n\n2", "3\n"}; err != nil || !slices.Equal(got, want) {
		t.Errorf("got %q, %v, want %q", got, err, want)
	}
}
