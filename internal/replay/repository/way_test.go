package repository

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// graph makes commits from lines "name parent parent", and branches of these names. Each commit has a file of its own
// content. time returns when a commit was made.
func (f fixture) graph(time func(i int) int, lines ...string) map[string]string {
	f.t.Helper()
	var in strings.Builder
	for i, line := range lines {
		name, parents, _ := strings.Cut(line, " ")
		fmt.Fprintf(&in, "commit refs/heads/%s\ncommitter n <n@example.com> %d +0000\ndata %d\n%s\n",
			name, time(i), len(name), name)
		word := "from"
		for parent := range strings.FieldsSeq(parents) {
			fmt.Fprintf(&in, "%s refs/heads/%s\n", word, parent)
			word = "merge"
		}
		fmt.Fprintf(&in, "M 100644 inline f.txt\ndata %d\n%s\n", len(name), name)
	}
	f.gitInput(strings.NewReader(in.String()), "fast-import", "--quiet")
	made := map[string]string{}
	for line := range strings.Lines(f.git("for-each-ref", "--format=%(refname:short) %(objectname)")) {
		name, hash, _ := strings.Cut(strings.TrimSpace(line), " ")
		made[name] = hash
	}
	return made
}

// ascending gives each commit a later time than the one before.
func ascending(i int) int { return 1700000000 + i }

// spelled writes the steps of a way by the names of commits: "-x" takes x back.
func spelled(way *Way, err error) string {
	if err != nil {
		return "error: " + err.Error()
	}
	text := []string{"from " + way.Steps[0].Commit.Revision}
	for _, s := range way.Steps[1:] {
		name := s.By.Subject
		if s.Lacking {
			name = "-" + name
		}
		text = append(text, name)
	}
	return strings.Join(text, " ")
}

// wayOf resolves two revisions and returns the way between them.
func wayOf(t *testing.T, r *Repository, old, new string) (*Way, error) {
	t.Helper()
	one, err := r.Resolve(old)
	must(t, err)
	other := r.Worktree()
	if new != worktree {
		other, err = r.Resolve(new)
		must(t, err)
	}
	return r.Way(one, other)
}

func TestWay(t *testing.T) {
	f := newFixture(t)
	f.graph(ascending,
		"a", "b a", "c b", "d c", // the main line
		"p b", "q p", "m1 d q", "e m1", // a merged branch
		"r1 c", "r2 r1", "r3 r2", // a release branch
		"h e r2", "i h", // that was merged back before its end
		"x a", "y a", "xy x y", "yx y x", // branches that merged each other
		"o1 a", "o2 a", "o3 o2", "oct e o1 o3", // an octopus
		"z", "sub e z", // another root
		"n1 c", "n2 n1", "back n2 e", // new merged the old line into its own
	)
	r := f.open()
	for _, c := range []struct{ reason, old, new, want string }{
		{"one line", "a", "d", "from a b c d"},
		{"the same commit", "c", "c", "from c"},
		{"backwards", "d", "a", "from d -d -c -b"},
		{"a merge is one step", "b", "e", "from b c d m1 e"},
		{"backwards over a merge", "e", "c", "from e -e -m1 -d"},
		{"from a branch that was merged", "q", "e", "from q m1 e"},
		{"from inside of a branch that was merged", "p", "m1", "from p q m1"},
		{"to a merged branch", "e", "q", "from e -e -m1"},
		{"from a release branch", "r2", "e", "from r2 -r2 -r1 d m1 e"},
		{"to a release branch", "e", "r3", "from e -e -m1 -d r1 r2 r3"},
		{"a release branch that was merged back is not taken back", "r2", "i", "from r2 h i"},
		{"but what came after that is", "r3", "i", "from r3 -r3 h i"},
		{"rebased: the same commits on another base", "q", "d", "from q -q -p c d"},
		{"branches that merged each other", "xy", "yx", "from xy -xy yx"},
		{"an octopus is one step", "d", "oct", "from d m1 e oct"},
		{"from the third branch of an octopus", "o2", "oct", "from o2 o3 oct"},
		{"backwards from an octopus", "oct", "o1", "from oct -oct"},
		{"a merged history of its own", "z", "sub", "from z sub"},
		{"two lines without a common commit", "z", "d", "error: find the commits from z to d: " + ErrUnrelated.Error()},
		{"old merged by new's line", "d", "back", "from d m1 e back"},
	} {
		got := spelled(wayOf(t, r, c.old, c.new))
		if got != c.want {
			t.Errorf("%s: %s..%s is %q, want %q", c.reason, c.old, c.new, got, c.want)
		}
	}
}

func TestInto(t *testing.T) {
	f := newFixture(t)
	made := f.graph(ascending,
		"a", "b a", "p a", "q p", "m b q", // a branch
		"c m", "q2 q", "q3 q2 c", "q4 q3", "m2 c q4", // the same branch, which merged main
		"s b", "t b", "t2 t", "oct b s t2", "z", "sub b z", "again oct s",
	)
	r := f.open()
	for _, c := range []struct {
		reason, merge string
		parent, from  int
		want          string
	}{
		{"a branch", "m", 2, 1, "from a p q"},
		{"what the branch lacked", "m", 1, 2, "from a b"},
		{"only what was not merged before", "m2", 2, 1, "from c q3 q4"},
		{"the second branch of an octopus", "oct", 2, 1, "from b s"},
		{"the third branch of an octopus", "oct", 3, 1, "from b t t2"},
		{"the same, seen from the second one", "oct", 3, 2, "from b t t2"},
		{"a branch that was merged before", "again", 2, 1, "from s"},
		{"a history of its own", "sub", 2, 1, "error: " + ErrUnrelated.Error()},
		{"no such parent", "m", 3, 1, "error: it has 2 parents"},
		{"a parent that is both", "m", 2, 2, "error: it has 2 parents"},
		{"no merge", "b", 1, 2, "error: it has 1 parents"},
	} {
		way, err := r.Into(made[c.merge], c.parent, c.from)
		got := spelled(way, err)
		for name, hash := range made {
			got = strings.ReplaceAll(got, hash, name)
		}
		_, cut, _ := strings.Cut(got, fmt.Sprintf("by parent %d: ", c.parent))
		if got != c.want && "error: "+cut != c.want {
			t.Errorf("%s: %q, want %q", c.reason, got, c.want)
		}
	}
}

// TestEntry: what a step says of its commit, and the hashes and times that it hands on.
func TestEntry(t *testing.T) {
	f := newFixture(t)
	f.history(1)
	t.Setenv("GIT_AUTHOR_NAME", "Ada L. Ünal")
	t.Setenv("GIT_AUTHOR_DATE", "1700000000 +0530")
	f.write("f.txt", "other")
	hash := f.commit("One paragraph\non two lines\n\nand more\n" + strings.Repeat("long ", maxMessage))
	way, err := wayOf(t, f.open(), "HEAD~1", "HEAD")
	must(t, err)
	first, last := way.Steps[0], way.Steps[1]
	if first.Commit.Revision != "HEAD~1" || last.Commit.Revision != "HEAD" || first.By != (Entry{}) {
		t.Errorf("the ends are %+v and %+v", first, last)
	}
	if last.By.Hash != hash || last.Commit.Hash != hash || last.Commit.Time != 1700000000 ||
		!slices.Equal(last.Parents, []string{first.Commit.Hash}) {
		t.Errorf("the last step is %+v, want commit %s", last, hash)
	}
	by := last.By
	if by.Subject != "One paragraph on two lines" || by.Author != "Ada L. Ünal" || len(by.Message) != maxMessage ||
		by.Date.Format("2006-01-02 15:04 -0700") != "2023-11-15 03:43 +0530" {
		t.Errorf("the commit says %q, %q, %v and %d bytes", by.Subject, by.Author, by.Date, len(by.Message))
	}
}

// TestDamagedAuthor: lines that git does not write are read as far as they go.
func TestDamagedAuthor(t *testing.T) {
	for _, c := range []struct{ reason, line, author, date string }{
		{"as git writes it", "A B <a@b> 60 +0100", "A B", "1970-01-01T01:01:00+01:00"},
		{"no name", "<a@b> 60 -0030", "", "1969-12-31T23:31:00-00:30"},
		{"no date", "A <a@b>", "A", "0001-01-01T00:00:00Z"},
		{"no number", "A <a@b> x +0000", "A", "0001-01-01T00:00:00Z"},
		{"no zone", "A <a@b> 60 west", "A", "0001-01-01T00:00:00Z"},
		{"nothing", "", "", "0001-01-01T00:00:00Z"},
		{"other bytes", "\xff\xfe <a@b> 60 +0000", "\uFFFD", "1970-01-01T00:01:00Z"},
	} {
		e := commit{author: c.line}.entry()
		if date := e.Date.Format("2006-01-02T15:04:05Z07:00"); e.Author != c.author || date != c.date {
			t.Errorf("%s: %q, %s, want %q, %s", c.reason, e.Author, date, c.author, c.date)
		}
	}
}

func TestWayToWorktree(t *testing.T) {
	f := newFixture(t)
	f.history(3)
	f.git("tag", "old", "HEAD~1")
	f.write("f.txt", "changed")
	r := f.open()
	way, err := wayOf(t, r, "old", worktree)
	if got := spelled(way, err); got != "from old commit c uncommitted changes" {
		t.Errorf("the way is %q", got)
	}
	last := way.Steps[2]
	if !last.Commit.Worktree || last.By.Hash != "" || way.Steps[1].Commit.Revision != f.git("rev-parse", "HEAD") {
		t.Errorf("the last steps are %+v", way.Steps[1:])
	}
	if _, err := r.Way(r.Worktree(), way.Steps[0].Commit); err == nil ||
		!strings.Contains(err.Error(), "nothing comes after the working tree") {
		t.Errorf("from the working tree: %v", err)
	}
}

func TestWayInIncompleteClones(t *testing.T) {
	origin := newFixture(t)
	origin.history(6)
	origin.git("branch", "side", "HEAD~3")
	origin.git("config", "uploadpack.allowFilter", "true")
	shallow := origin.clone("--depth=2", "--no-single-branch")
	if got := spelled(wayOf(t, shallow.open(), "HEAD~1", "HEAD")); got != "from HEAD~1 commit f" {
		t.Errorf("within a shallow clone: %q", got)
	}
	_, err := wayOf(t, shallow.open(), "origin/side", "HEAD")
	if err == nil || !strings.Contains(err.Error(), "run `git fetch --unshallow origin`") {
		t.Errorf("past the end of a shallow clone: %v", err)
	}
	partial := origin.clone("--filter=tree:0", "--no-checkout")
	way, err := wayOf(t, partial.open(), "HEAD~2", "HEAD")
	must(t, err)
	_, err = partial.open().ChangedFiles(t.Context(), way.Steps[0].Commit, way.Steps[1].Commit)
	if err == nil || !strings.Contains(err.Error(), "git fetch --refetch --no-filter origin") {
		t.Errorf("without trees: %v", err)
	}
}

// TestWayOfMissingCommit: what was not fetched is an error with advice.
func TestWayOfMissingCommit(t *testing.T) {
	f := newFixture(t)
	f.history(1)
	r := f.open()
	head, err := r.Resolve("HEAD")
	must(t, err)
	missing := Commit{Revision: "gone", Hash: strings.Repeat("12", 20)}
	_, way := r.Way(missing, head)
	_, files := r.ChangedFiles(t.Context(), missing, head)
	_, key := r.Key(t.Context(), missing, func(string) bool { return true })
	_, into := r.Into(missing.Hash, 2, 1)
	for call, err := range map[string]error{"way": way, "files": files, "key": key, "into": into} {
		if err == nil || !strings.Contains(err.Error(), "is missing; there is no remote") {
			t.Errorf("%s: %v", call, err)
		}
	}
}

// TestWayIsConnected: in any history, a way begins at old, ends at new, and every step is between a commit and one of
// its parents; old has what it takes back, new has what it makes, and neither the other way round.
func TestWayIsConnected(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for round := range 6 {
		var names, lines []string
		ancestors := map[string]map[string]bool{}
		for i := range 14 {
			name := fmt.Sprintf("c%02d", i)
			ancestors[name] = map[string]bool{name: true}
			line := name
			for range min(i, random.IntN(4)) {
				parent := names[max(0, i-1-random.IntN(6))]
				if !strings.Contains(line, parent) {
					line += " " + parent
					maps.Copy(ancestors[name], ancestors[parent])
				}
			}
			names, lines = append(names, name), append(lines, line)
		}
		f := newFixture(t)
		made := f.graph(func(int) int { return 1700000000 + random.IntN(20) }, lines...)
		has := map[string]map[string]bool{}
		for _, name := range names {
			has[made[name]] = map[string]bool{}
			for ancestor := range ancestors[name] {
				has[made[name]][made[ancestor]] = true
			}
		}
		r := f.open()
		for _, old := range names {
			for _, new := range names {
				way, err := wayOf(t, r, old, new)
				if errors.Is(err, ErrUnrelated) && related(has[made[old]], has[made[new]]) == 0 {
					continue
				}
				must(t, err)
				if text := connected(way, has, made[old], made[new]); text != "" {
					t.Errorf("round %d, %s..%s, %s: %s", round, old, new, spelled(way, nil), text)
				}
			}
		}
	}
}

func related(one, other map[string]bool) (n int) {
	for h := range one {
		if other[h] {
			n++
		}
	}
	return n
}

// connected says what is wrong with a way; has holds the ancestors of each commit.
func connected(way *Way, has map[string]map[string]bool, old, new string) string {
	last := way.Steps[len(way.Steps)-1]
	if way.Steps[0].Commit.Hash != old || last.Commit.Hash != new {
		return "it has other ends"
	}
	for i, s := range way.Steps[1:] {
		before := way.Steps[i]
		switch {
		case s.Lacking && (!slices.Contains(before.Parents, s.Commit.Hash) || s.By.Hash != before.Commit.Hash):
			return fmt.Sprintf("step %d takes back no commit", i+1)
		case s.Lacking && (!has[old][s.By.Hash] || has[new][s.By.Hash]):
			return fmt.Sprintf("step %d takes back what old lacks or new has", i+1)
		case !s.Lacking && (!slices.Contains(s.Parents, before.Commit.Hash) || s.By.Hash != s.Commit.Hash):
			return fmt.Sprintf("step %d makes no commit", i+1)
		case !s.Lacking && (has[old][s.By.Hash] || !has[new][s.By.Hash]):
			return fmt.Sprintf("step %d makes what old has or new lacks", i+1)
		}
	}
	return ""
}
