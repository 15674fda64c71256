package report_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// hash returns a commit's hash made of one digit.
func hash(digit string) string { return strings.Repeat(digit, 40) }

// introduced has a root for each list of digits: the commits with which it came, one of several if they are in
// brackets. No commit was asked of one without.
func introduced(t *testing.T, commits *report.Commits, roots ...string) *report.Report {
	t.Helper()
	r := &report.Report{Commits: commits, Replay: report.Replay{Sequences: 1}}
	for i, digits := range roots {
		of := root(fmt.Sprintf("m.F%d", i), spectra.Masked)
		among, several := strings.CutPrefix(digits, "[")
		switch {
		case several:
			in := report.Introduction{Before: "1", After: "2"}
			for _, digit := range strings.Split(strings.TrimSuffix(among, "]"), "") {
				in.Among = append(in.Among, hash(digit))
			}
			of.Introduced = []report.Introduction{in}
		case digits == "":
			commits.Unasked = append(commits.Unasked, report.Unasked{Root: i + 1, Reason: "it varies"})
		default:
			for _, digit := range strings.Split(digits, "") {
				of.Introduced = append(of.Introduced, report.Introduction{Commit: hash(digit), Before: "1", After: "2"})
			}
		}
		r.Add(of)
	}
	return r
}

// listed returns the commits of a report with the ranks of their roots.
func listed(r *report.Report) string {
	var out []string
	for _, c := range r.Commits.List {
		out = append(out, strings.ReplaceAll(fmt.Sprint(c.Hash[:1], c.Roots), " ", ","))
	}
	return strings.Join(out, " ")
}

func TestFinishLinksCommits(t *testing.T) {
	const tidy = spectra.PurposeCleanup
	for _, c := range []struct {
		reason   string
		purposes map[string]spectra.Purpose // of the commits 1, 2, 3, which stand in this order
		roots    []string
		want     string
	}{
		{"by their first roots", nil, []string{"2", "1", "2"}, "2[1,3] 1[2]"},
		{"those that should change nothing come first", map[string]spectra.Purpose{"1": tidy}, []string{"2", "1"},
			"1[2] 2[1]"},
		{"of one root, in the order of the way", nil, []string{"23", "1"}, "2[1] 3[1] 1[2]"},
		{"a commit that a root names twice", nil, []string{"212"}, "1[1] 2[1]"},
		{"one of several is none of them", nil, []string{"[123]", "3"}, "3[2]"},
		{"none was asked", nil, []string{""}, ""},
	} {
		of := &report.Commits{Count: 3, Distinct: 3, Asked: 2}
		for _, digit := range []string{"1", "2", "3"} {
			of.List = append(of.List, report.Commit{Hash: hash(digit), Purpose: c.purposes[digit], Roots: []int{9}})
		}
		was := slices.Clone(of.List)
		r := finish(t, introduced(t, of, c.roots...), report.FailAny)
		if got := listed(r); got != c.want {
			t.Errorf("%s: %s, want %s", c.reason, got, c.want)
		}
		if !reflect.DeepEqual(of.List, was) {
			t.Errorf("%s: the caller's list became %v", c.reason, of.List)
		}
		again := *r
		if finish(t, &again, report.FailAny); !reflect.DeepEqual(again.Commits, r.Commits) {
			t.Errorf("%s: a second time it is %+v", c.reason, again.Commits)
		}
	}
}

func TestValidateCommits(t *testing.T) {
	for _, c := range []struct {
		reason string
		change func(*report.Report)
		want   string // in the error; "": there is none
	}{
		{"as it was made", func(*report.Report) {}, ""},
		{"uncommitted changes", func(r *report.Report) {
			r.Commits.List[1].Hash, r.Roots[2].Introduced[0].Commit = report.Worktree, report.Worktree
		}, ""},
		{"no commits, but roots that name some", func(r *report.Report) { r.Commits = nil }, "is not listed"},
		{"no hash", func(r *report.Report) { r.Commits.List[0].Hash = "$(id)" }, "neither 40 hex digits"},
		{"a commit twice", func(r *report.Report) { r.Commits.List[1] = r.Commits.List[0] }, "listed twice"},
		{"a commit without roots", func(r *report.Report) { r.Commits.List[0].Roots = nil }, "has no roots"},
		{"a root that is not there", func(r *report.Report) { r.Commits.List[1].Roots = []int{7} }, "names root 7"},
		{"one that does not name it", func(r *report.Report) { r.Commits.List[0].Roots = []int{1, 3} }, "names root 3"},
		{"a root that it does not name", func(r *report.Report) {
			r.Roots[0].Introduced = append(r.Roots[0].Introduced, report.Introduction{Commit: hash("2")})
		}, "which is not listed with it"},
		{"no commit at all", func(r *report.Report) { r.Roots[1].Introduced[0].Among = nil }, "want two commits"},
		{"one of several, and sure", func(r *report.Report) {
			r.Roots[1].Introduced[0].Commit = hash("1")
		}, "not listed with"},
		{"another order", func(r *report.Report) { slices.Reverse(r.Commits.List) }, "order of surprise"},
		{"what can't be asked is no commit", func(r *report.Report) {
			r.Commits.Untestable = []report.Untestable{{Hash: "x"}}
		}, "can't be asked"},
		{"not asked, but it came with one", func(r *report.Report) { r.Commits.Unasked[0].Root = 1 }, "or came"},
		{"not asked, and not there", func(r *report.Report) { r.Commits.Unasked[0].Root = 0 }, "does not exist"},
	} {
		of := &report.Commits{List: []report.Commit{{Hash: hash("1")}, {Hash: hash("2")}}}
		r := finish(t, introduced(t, of, "1", "[34]", "2", ""), report.FailAny)
		c.change(r)
		err := r.Validate()
		if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%s: error %v, want %q", c.reason, err, c.want)
		}
	}
}

// TestMergeCommits: ranks move, and so does all that names them.
func TestMergeCommits(t *testing.T) {
	part := func(folder string, tier spectra.Tier, of *report.Commits, roots ...string) report.Part {
		r := introduced(t, of, roots...)
		for i := range r.Roots {
			r.Roots[i].Tier = tier
		}
		return report.Part{Folder: folder, Report: finish(t, r, report.FailAny)}
	}
	list := func() []report.Commit { return []report.Commit{{Hash: hash("1")}, {Hash: hash("2")}} }
	broken := report.Untestable{Hash: hash("9"), Reason: "it does not build"}
	r, err := report.Merge([]report.Part{
		part("a", spectra.TierText, &report.Commits{
			Count: 10, Distinct: 6, Asked: 3, Remembered: 1, List: list(), Untestable: []report.Untestable{broken},
		}, "1", ""),
		part("b", spectra.TierCrash, &report.Commits{
			Count: 10, Distinct: 7, Asked: 2, List: list(), Untestable: []report.Untestable{broken},
		}, "2", "", "1"),
	}, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := listed(r), "2[1] 1[3,4]"; got != want {
		t.Errorf("commits %s, want %s", got, want)
	}
	want := []report.Unasked{{Root: 2, Reason: "it varies"}, {Root: 5, Reason: "it varies"}}
	if !slices.Equal(r.Commits.Unasked, want) {
		t.Errorf("no commit was asked of %v, want %v", r.Commits.Unasked, want)
	}
	of := r.Commits
	if of.Count != 10 || of.Distinct != 10 || of.Asked != 5 || of.Remembered != 1 || len(of.Untestable) != 1 {
		t.Errorf("numbers %+v", of)
	}
}
