package history

import (
	"regexp"
	"strconv"
	"strings"
)

// The forms in which hosts write the number of a pull request into a message: in the subject of a merge, behind the
// subject of a squashed branch, and on a line below the subject of a merge. The most telling one comes first.
var pullRequests = []*regexp.Regexp{
	regexp.MustCompile(`^Merge pull request #(\d{1,9}) from `),
	regexp.MustCompile(`^[^\n]*\(#(\d{1,9})\)[ \t\r]*(?:\n|$)`),
	regexp.MustCompile(`(?m)^See merge request [\w./-]*!(\d{1,9})[ \t\r]*$`),
}

// PullRequest returns the number of the pull request that a commit came by, as its message says; 0: none.
func PullRequest(message string) int {
	message = strings.TrimLeft(message, "\n")
	for _, form := range pullRequests {
		if found := form.FindStringSubmatch(message); found != nil {
			n, _ := strconv.Atoi(found[1]) // nine digits
			return n
		}
	}
	return 0
}
