package repository

import (
	"fmt"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// Tags lists the names of all tags, sorted.
func (r *Repository) Tags() []string {
	var names []string
	for _, ref := range r.refs() {
		if name, ok := strings.CutPrefix(ref, "refs/tags/"); ok {
			names = append(names, name)
		}
	}
	return names
}

// TreeHash returns the hash of the files of a commit, which other commits may share. The working tree has none.
func (r *Repository) TreeHash(c Commit) (string, error) {
	read := r.objects.reader()
	defer read.close()
	h, err := resolver{r, read}.peel(c.id(), plumbing.TreeObject)
	if err != nil {
		return "", fmt.Errorf("find the files of %s: %w", c.Revision, r.advise(c.Revision, err))
	}
	return h.String(), nil
}
