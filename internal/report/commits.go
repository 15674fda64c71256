package report

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"

	"github.com/spectradiff/spectradiff/internal/spectra"
)

// Commits says which commits between old and new brought in the roots. Of List the caller sets the facts, of all
// commits that Root.Introduced names and in the order of the way; Finish sets Commit.Roots, drops commits without, and
// orders.
type Commits struct {
	// Count is the number of commits that were searched: those on the way from old to new, and of the branches that
	// merges took in those that were looked into. Distinct is how many of them may behave in another way than the one
	// before: the others change nothing that the sequences can reach.
	Count    int `json:"count"`
	Distinct int `json:"distinct"`

	FirstParent bool `json:"first_parent,omitempty"` // merged branches were not looked into

	// Asked is how many commits were built and played, Remembered how many an earlier run had played.
	Asked      int `json:"asked"`
	Remembered int `json:"remembered,omitempty"`

	Untestable []Untestable `json:"untestable,omitempty"` // asked in vain, in the order of the way
	List       []Commit     `json:"list"`                 // that brought in roots, the most surprising first
	Unasked    []Unasked    `json:"unasked,omitempty"`    // roots that no commit was asked of, by rank
}

// A Commit brought in roots.
type Commit struct {
	Hash        string          `json:"hash"` // 40 hex digits, or Worktree
	Subject     string          `json:"subject"`
	Author      string          `json:"author"`
	Date        string          `json:"date"`                   // of the author, RFC 3339
	PullRequest int             `json:"pull_request,omitempty"` // as the subject or the merge says; 0: not known
	Purpose     spectra.Purpose `json:"purpose,omitempty"`
	Roots       []int           `json:"roots"` // ranks, ascending

	// Lacking says that old has the commit and new does not: what it did is missing in new.
	Lacking bool `json:"lacking,omitempty"`
}

// An Untestable commit could not be asked.
type Untestable struct {
	Hash   string `json:"hash"`
	Reason string `json:"reason"`
}

// An Unasked root has nothing by which a commit could be told from another.
type Unasked struct {
	Root   int    `json:"root"`
	Reason string `json:"reason"`
}

// An Introduction is where on the way from old to new what a root shows becomes another value.
type Introduction struct {
	Commit string `json:"commit"` // 40 hex digits or Worktree, one of Commits.List; "": one of Among

	// Among are the commits of which it is one, where those between could not be asked, in the order of the way.
	Among []string `json:"among,omitempty"`

	// Function is the one whose executions show it, by its name in old, Path where; absent: the whole run, or not
	// known.
	Function string `json:"function,omitempty"`
	Path     string `json:"path,omitempty"`

	Before string `json:"before"` // what is seen at the commit before
	After  string `json:"after"`
}

// Commit returns the facts about a commit that brought in roots, or nil if there are none.
func (r *Report) Commit(hash string) *Commit {
	if r.Commits == nil {
		return nil
	}
	i := slices.IndexFunc(r.Commits.List, func(c Commit) bool { return c.Hash == hash })
	if i < 0 {
		return nil
	}
	return &r.Commits.List[i]
}

// linkCommits names in each commit the roots that it brought in, drops the others, and puts all in order.
func (r *Report) linkCommits() {
	if r.Commits == nil {
		return
	}
	c := *r.Commits
	c.List, c.Unasked = slices.Clone(c.List), slices.Clone(c.Unasked)
	at := map[string]*Commit{}
	for i := range c.List {
		c.List[i].Roots = nil
		at[c.List[i].Hash] = &c.List[i]
	}
	for _, root := range r.Roots {
		for _, in := range root.Introduced {
			if of := at[in.Commit]; of != nil && !slices.Contains(of.Roots, root.Rank) {
				of.Roots = append(of.Roots, root.Rank)
			}
		}
	}
	c.List = notNil(slices.DeleteFunc(c.List, func(of Commit) bool { return len(of.Roots) == 0 }))
	slices.SortStableFunc(c.List, compareSurprise)
	slices.SortStableFunc(c.Unasked, compareUnasked)
	r.Commits = &c
}

// compareSurprise orders commits with roots: those come first that should have left behaviour as it was, then those
// with the worst root.
func compareSurprise(x, y Commit) int {
	if (x.Purpose == "") != (y.Purpose == "") {
		if x.Purpose != "" {
			return -1
		}
		return 1
	}
	return cmp.Compare(x.Roots[0], y.Roots[0])
}

func compareUnasked(x, y Unasked) int { return cmp.Compare(x.Root, y.Root) }

// hash matches what names a commit of a way.
var hash = regexp.MustCompile(`^([0-9a-f]{40}|` + Worktree + `)$`)

// checkCommits checks that roots and commits name each other, and that all are in order.
func (r *Report) checkCommits() error {
	of := r.Commits
	if of == nil {
		of = new(Commits)
	}
	for i, c := range of.List {
		switch {
		case !hash.MatchString(c.Hash):
			return fmt.Errorf("commit %q is neither 40 hex digits nor %q", c.Hash, Worktree)
		case r.Commit(c.Hash) != &of.List[i]:
			return fmt.Errorf("commit %s is listed twice", c.Hash)
		case len(c.Roots) == 0 || !slices.IsSorted(c.Roots):
			return fmt.Errorf("commit %s has no roots, or they are not in order", c.Hash)
		}
		for _, rank := range c.Roots {
			named := func(in Introduction) bool { return in.Commit == c.Hash }
			if rank < 1 || rank > len(r.Roots) || !slices.ContainsFunc(r.Roots[rank-1].Introduced, named) {
				return fmt.Errorf("commit %s names root %d, which does not exist or does not name it", c.Hash, rank)
			}
		}
	}
	for _, root := range r.Roots {
		for _, in := range root.Introduced {
			if err := r.checkIntroduction(root.Rank, in); err != nil {
				return err
			}
		}
	}
	if !slices.IsSortedFunc(of.List, compareSurprise) {
		return fmt.Errorf("commits are not in the order of surprise")
	}
	return r.checkUnasked(of)
}

// checkIntroduction checks that a commit is known that brought in a root, or that it is one of several.
func (r *Report) checkIntroduction(rank int, in Introduction) error {
	if in.Commit == "" {
		odd := func(of string) bool { return !hash.MatchString(of) }
		if len(in.Among) < 2 || slices.ContainsFunc(in.Among, odd) {
			return fmt.Errorf("root %d came with one of %q, want two commits or more", rank, in.Among)
		}
		return nil
	}
	if c := r.Commit(in.Commit); c == nil || !slices.Contains(c.Roots, rank) || len(in.Among) > 0 {
		return fmt.Errorf("root %d came with commit %q, which is not listed with it, or with one of several", rank,
			in.Commit)
	}
	return nil
}

// checkUnasked checks the commits that could not be asked, and the roots that no commit was asked of.
func (r *Report) checkUnasked(of *Commits) error {
	for _, u := range of.Untestable {
		if !hash.MatchString(u.Hash) {
			return fmt.Errorf("commit %q, which can't be asked, is neither 40 hex digits nor %q", u.Hash, Worktree)
		}
	}
	for _, u := range of.Unasked {
		if u.Root < 1 || u.Root > len(r.Roots) || len(r.Roots[u.Root-1].Introduced) > 0 {
			return fmt.Errorf("root %d, of which no commit was asked, does not exist or came with one", u.Root)
		}
	}
	if !slices.IsSortedFunc(of.Unasked, compareUnasked) {
		return fmt.Errorf("roots of which no commit was asked are not in order")
	}
	return nil
}

// addCommits adds what is known of the same way for another module. A commit that both asked was asked twice; one that
// both list, linkCommits keeps once. Which are distinct for both is not known, so there are at most so many. Unasked
// goes with the roots.
func addCommits(c, d *Commits) *Commits {
	if c == nil || d == nil {
		return either(c, d)
	}
	count := max(c.Count, d.Count)
	return &Commits{
		Count: count, Distinct: min(c.Distinct+d.Distinct, count), FirstParent: c.FirstParent || d.FirstParent,
		Asked: c.Asked + d.Asked, Remembered: c.Remembered + d.Remembered,
		Untestable: firstOfEach(slices.Concat(c.Untestable, d.Untestable)), List: slices.Concat(c.List, d.List),
	}
}
