package repository

import (
	"errors"
	"fmt"
	"sort"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// maxNear is how many similar names an error lists.
const maxNear = 5

// shallowEnd is the error for a commit whose parents are missing in a shallow clone.
type shallowEnd struct{ hash hash }

func (e *shallowEnd) Error() string {
	return fmt.Sprintf("the history ends at %.12s: the clone is shallow", e.hash)
}

// advise adds advice for the user to an error.
func (r *Repository) advise(revision string, err error) error {
	var unknown *unknownRevision
	var missing *missingObject
	var end *shallowEnd
	switch {
	case errors.As(err, &unknown):
		return fmt.Errorf("%w%s%s", err, r.nearNames(unknown.name), r.fetchName(unknown.name))
	case errors.As(err, &end):
		return fmt.Errorf("%w; run `git fetch --unshallow %s`", err, r.remote())
	case errors.As(err, &missing):
		return fmt.Errorf("%w; %s", err, r.fetchObject(revision, missing.hash))
	}
	return err
}

// fetchObject returns advice for getting a missing object. If git assumes that it already has the object, a plain fetch
// does not get it.
func (r *Repository) fetchObject(revision string, h hash) string {
	remote := r.remote()
	named := revision == h.String()
	switch {
	case r.config.Setting("remote", remote, "url") == "":
		return "there is no remote to fetch it from: " +
			"add one with `git remote add origin URL`, then run `git fetch --refetch origin`"
	case r.config.Setting("remote", remote, "promisor") == "true" && !named:
		return fmt.Sprintf("the clone is partial: run `git fetch --refetch --no-filter %s`", remote)
	case len(r.shallow) > 0 && named:
		return fmt.Sprintf("the clone is shallow: run `git fetch --unshallow %s`, or only `git fetch %s %s`",
			remote, remote, h)
	case len(r.shallow) > 0:
		return fmt.Sprintf("the clone is shallow: run `git fetch --unshallow %s`", remote)
	case named:
		return fmt.Sprintf("run `git fetch %s %s`", remote, h)
	}
	return fmt.Sprintf("run `git fetch --refetch %s`", remote)
}

// fetchName returns advice for getting a name that only the remote may have.
func (r *Repository) fetchName(name string) string {
	remote := r.remote()
	if r.config.Setting("remote", remote, "url") == "" {
		return "; `git branch -a` and `git tag` list what is there"
	}
	if len(r.shallow) > 0 {
		return fmt.Sprintf("; the clone is shallow: run `git fetch --unshallow --tags %s`", remote)
	}
	if short, ok := strings.CutPrefix(name, remote+"/"); ok {
		return fmt.Sprintf("; if %s has it, run `git fetch %s %s`", remote, remote, short)
	}
	return fmt.Sprintf("; if %s has it, run `git fetch --tags %s`", remote, remote)
}

// nearNames lists references that look like name, nearest first.
func (r *Repository) nearNames(name string) string {
	type near struct {
		name     string
		distance int
	}
	var all []near
	known := map[string]bool{}
	for _, ref := range append(r.refs(), "HEAD") {
		short := shortName(ref)
		if short == "" || known[short] {
			continue
		}
		known[short] = true
		if d := nameDistance(name, short); d <= max(2, len(name)/3) {
			all = append(all, near{short, d})
		}
	}
	sort.Slice(all, func(i, j int) bool {
		if all[i].distance != all[j].distance {
			return all[i].distance < all[j].distance
		}
		return all[i].name < all[j].name
	})
	if len(all) == 0 {
		return ""
	}
	var names []string
	for _, n := range all[:min(maxNear, len(all))] {
		names = append(names, n.name)
	}
	return "; did you mean " + strings.Join(names, ", ") + "?"
}

// shortName returns the usual short form of a reference; "" for references that users don't name.
func shortName(ref string) string {
	for _, prefix := range []string{"refs/heads/", "refs/tags/", "refs/remotes/"} {
		if short, ok := strings.CutPrefix(ref, prefix); ok {
			return strings.TrimSuffix(short, "/HEAD")
		}
	}
	if ref == string(plumbing.HEAD) {
		return ref
	}
	return ""
}

// nameDistance returns the edit distance of two names, ignoring case. It is smaller if have contains wanted.
func nameDistance(wanted, have string) int {
	wanted, have = strings.ToLower(wanted), strings.ToLower(have)
	if len(wanted) >= 3 && strings.HasSuffix(have, wanted) {
		return 1
	}
	if len(wanted) >= 3 && strings.Contains(have, wanted) {
		return 2
	}
	row := make([]int, len(have)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(wanted) {
		corner := row[0]
		row[0] = i + 1
		for j := range len(have) {
			change := corner
			if wanted[i] != have[j] {
				change++
			}
			corner = row[j+1]
			row[j+1] = min(change, corner+1, row[j]+1)
		}
	}
	return row[len(have)]
}
