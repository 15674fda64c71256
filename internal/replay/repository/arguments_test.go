package repository

import (
	"slices"
	"strings"
	"testing"
)

func TestParseRange(t *testing.T) {
	f := newFixture(t)
	f.write("go.mod", "module example.com/m\n")
	f.write("pkg/p.go", "package pkg\n")
	f.history(3)
	f.git("branch", "side", "HEAD~1")
	f.git("branch", "pkg", "HEAD~2")
	f.write("only/folder.go", "package only\n")
	r := f.open()
	cases := []struct {
		reason   string
		args     string
		old, new string
		rest     string
	}{
		{"one revision: the working tree is new", "HEAD~1", "HEAD~1", "", ""},
		{"two revisions", "HEAD~2 main", "HEAD~2", "main", ""},
		{"a pattern after OLD", "HEAD~2 ./...", "HEAD~2", "", "./..."},
		{"a pattern after NEW", "HEAD~2 side ./pkg/...", "HEAD~2", "side", "./pkg/..."},
		{"a folder that is no revision", "main only", "main", "", "only"},
		{"a revision wins over a folder", "main pkg ./...", "main", "pkg", "./..."},
		{"unless the line says so", "main -- pkg", "main", "", "pkg"},
		{"an import path", "main example.com/m/pkg", "main", "", "example.com/m/pkg"},
		{"an import pattern", "main pkg/...", "main", "", "pkg/..."},
		{"the folder itself", "main .", "main", "", "."},
		{"two dots", "side..main ./...", "side", "main", "./..."},
		{"left side empty", "..side", "HEAD", "side", ""},
		{"right side empty", "side..", "side", "HEAD", ""},
		{"three dots: merge base", "main...side", "side", "side", ""},
		{"three dots, right side empty", "side...", "side", "HEAD", ""},
	}
	for _, c := range cases {
		got, rest, err := r.ParseRange(strings.Fields(c.args), "example.com/m")
		if err != nil {
			t.Errorf("%s: ParseRange(%q): %v", c.reason, c.args, err)
			continue
		}
		if want := f.git("rev-parse", c.old); got.Old.Hash != want {
			t.Errorf("%s: ParseRange(%q): old %v, want %s", c.reason, c.args, got.Old, want)
		}
		want := worktree
		if c.new != "" {
			want = f.git("rev-parse", c.new)
		}
		if got.New.Hash != want || got.New.Worktree != (c.new == "") {
			t.Errorf("%s: ParseRange(%q): new %v, want %s", c.reason, c.args, got.New, want)
		}
		if !slices.Equal(rest, strings.Fields(c.rest)) {
			t.Errorf("%s: ParseRange(%q): rest %q", c.reason, c.args, rest)
		}
	}
}

func TestParseRangeErrors(t *testing.T) {
	f := newFixture(t)
	f.history(2)
	f.git("checkout", "-q", "--orphan", "unrelated")
	f.commit("unrelated")
	r := f.open()
	cases := []struct{ reason, args, want string }{
		{"nothing", "", "OLD is missing"},
		{"a pattern first", "./...", "write HEAD ./..."},
		{"an unknown OLD", "mian", "did you mean main?"},
		{"an unknown NEW", "main unrelatd", "did you mean unrelated?"},
		{"an unknown side", "main..unrelatd", "read NEW"},
		{"no common commit", "main...unrelated", "no common commit"},
	}
	for _, c := range cases {
		_, _, err := r.ParseRange(strings.Fields(c.args), "example.com/m")
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: ParseRange(%q) = %v; want %q", c.reason, c.args, err, c.want)
		}
	}
}

// TestMergeBase checks histories against git merge-base --all.
func TestMergeBase(t *testing.T) {
	f := newFixture(t)
	f.history(2)
	f.git("checkout", "-q", "-b", "left")
	f.write("left", "1")
	f.commit("left 1")
	f.git("branch", "old-left")
	f.git("checkout", "-q", "-b", "right", "main")
	f.write("right", "1")
	f.commit("right 1")
	f.git("branch", "old-right")
	f.git("merge", "-q", "-m", "right takes left", "old-left")
	f.git("checkout", "-q", "left")
	f.git("merge", "-q", "-m", "left takes right", "old-right") // criss-cross
	f.write("left", "2")
	f.commit("left 2")
	r := f.open()
	read := r.objects.reader()
	defer read.close()
	names := []string{"main", "left", "right", "old-left", "old-right", "left~1", "main~1"}
	for _, one := range names {
		for _, other := range names {
			want := strings.Fields(f.git("merge-base", "--all", one, other))
			slices.Sort(want)
			bases, err := resolver{r, read}.mergeBases(resolved(t, r, one), resolved(t, r, other))
			must(t, err)
			var got []string
			for _, h := range bases {
				got = append(got, h.String())
			}
			slices.Sort(got)
			if !slices.Equal(got, want) {
				t.Errorf("merge bases of %s and %s: %v; git says %v", one, other, got, want)
			}
		}
	}
	spec, _, err := r.ParseRange([]string{"left...right"}, "")
	again, _, _ := r.ParseRange([]string{"right...left"}, "")
	if err != nil || len(spec.Warnings) != 1 || spec.Old.Hash != again.Old.Hash {
		t.Errorf("criss-cross: %+v, %v; swapped: %+v", spec, err, again)
	}
}

func resolved(t *testing.T, r *Repository, revision string) hash {
	t.Helper()
	c, err := r.Resolve(revision)
	must(t, err)
	return c.id()
}
