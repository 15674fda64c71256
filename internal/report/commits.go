package report

// Commits says which commits between old and new brought in the roots.
type Commits struct {
	// Count is the number of commits on the way from old to new, Distinct how many of them may behave in another way
	// than the one before: the others change nothing that the sequences can reach.
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
	Hash        string  `json:"hash"`
	Subject     string  `json:"subject"`
	Author      string  `json:"author"`
	Date        string  `json:"date"`                   // of the author, RFC 3339
	PullRequest int     `json:"pull_request,omitempty"` // as the subject or the merge says; 0: not known
	Purpose     Purpose `json:"purpose,omitempty"`
	Roots       []int   `json:"roots"` // ranks, ascending

	// Lacking says that old has the commit and new does not: what it did is missing in new.
	Lacking bool `json:"lacking,omitempty"`
}

// A Purpose is what the subject of a commit says of it, if that is to leave behaviour as it is.
type Purpose string

// The purposes of commits that should change nothing that callers meet.
const (
	PurposeRefactoring Purpose = "refactoring"
	PurposeCleanup     Purpose = "cleanup"
	PurposeTypo        Purpose = "typo"
	PurposeDocs        Purpose = "docs"
	PurposeBump        Purpose = "bump"
	PurposePerformance Purpose = "performance"
	PurposeTests       Purpose = "tests"
)

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
	Commit string `json:"commit"` // 40 hex digits, one of Commits.List; "": one of Among

	// Among are the commits of which it is one, where those between could not be asked, in the order of the way.
	Among []string `json:"among,omitempty"`

	Before string `json:"before"` // what is seen at the commit before
	After  string `json:"after"`
}
