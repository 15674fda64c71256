package repository

import (
	"context"
	"fmt"
	"path/filepath"
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

// Content returns a text that stands for all that a comparison sees of a commit: its files, its time, and what the Tree
// says of the repository. The working tree has none.
func (r *Repository) Content(ctx context.Context, c Commit) (string, error) {
	read := r.objects.reader()
	defer read.close()
	h, err := resolver{r, read}.peel(c.id(), plumbing.TreeObject)
	if err != nil {
		return "", fmt.Errorf("find the files of %s: %w", c.Revision, r.advise(c.Revision, err))
	}
	apart, err := read.apart(ctx, h)
	if err != nil {
		return "", fmt.Errorf("find the files of %s: %w", c.Revision, r.advise(c.Revision, err))
	}
	return fmt.Sprintf("%s %d %q %q", h.String()+apart, c.Time, r.origin(), filepath.Base(r.Root)), nil
}

// origin returns the address of the repository's origin; "" = none.
func (r *Repository) origin() string { return r.config.Setting("remote", r.remote(), "url") }
