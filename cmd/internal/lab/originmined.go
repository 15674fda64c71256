package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// A minedCommit is a commit that is known to change behaviour, as its tests fail on the commit before.
type minedCommit struct {
	Commit  string   // the first digits of its hash at least
	Module  string   // the folder of its module; "": the repository
	Code    []string // files that it changes
	Subject string
}

// known has those commits of a list found that are in a repository. Each is the last one of a range.
func (h *originHunt) known(ctx context.Context, of string) (all []*hunted, err error) {
	text, err := os.ReadFile(h.mined)
	if err != nil {
		return nil, err
	}
	var list []minedCommit
	if err := json.Unmarshal(text, &list); err != nil {
		return nil, fmt.Errorf("%s: %w; want a list of commits", h.mined, err)
	}
	clone, err := h.cloneOf(ctx, of)
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(clone)
	for _, c := range list {
		hash, err := gitOutput(ctx, clone, "rev-parse", "--verify", "--quiet", c.Commit+"^{commit}")
		if err != nil {
			continue // it is another repository's
		}
		c.Commit = strings.TrimSpace(hash)
		one := &hunted{repository: repositoryName(of), mark: fmt.Sprintf("-%.12s", c.Commit)}
		if err := h.findMined(ctx, one, clone, c); err != nil {
			one.trouble = err.Error()
		}
		if ctx.Err() != nil {
			return all, ctx.Err()
		}
		all = append(all, one)
	}
	if len(all) == 0 {
		return nil, errors.New("it has none of the commits")
	}
	return all, nil
}

// findMined has one commit found. Where it is a merge, what it merged is right too.
func (h *originHunt) findMined(ctx context.Context, one *hunted, clone string, c minedCommit) error {
	line, err := gitOutput(ctx, clone, "rev-list", "--first-parent", "-n", fmt.Sprint(h.commits+1), c.Commit)
	if err != nil {
		return err
	}
	own, err := gitOutput(ctx, clone, "rev-list", c.Commit+"^.."+c.Commit)
	if err != nil {
		return err
	}
	changed, err := gitOutput(ctx, clone, append([]string{
		"diff", "-U0", "--no-renames", "--no-color", c.Commit + "^", c.Commit, "--"}, c.Code...)...)
	if err != nil {
		return err
	}
	lines := changedLines(changed)
	touches := func(file string, at *report.Position) bool { return overlaps(lines[file], at) }
	one.expected = []expected{{
		what: strings.Join(c.Code, ", "), how: c.Subject, commits: strings.Fields(own),
		match: func(r report.Root) bool {
			return r.Tier != spectra.TierCalls && r.Position != nil && r.Position.Side == spectra.New &&
				(touches(path.Join(c.Module, r.Position.File), r.Position) || touches(r.Position.File, r.Position))
		},
	}}
	if err := git(ctx, clone, "checkout", "-q", "-f", "--detach", c.Commit); err != nil {
		h.logf("%s: some files can't be checked out: %v", clone, err)
	}
	hashes := strings.Fields(line)
	return h.find(ctx, one, clone, c.Module, hashes[len(hashes)-1]+".."+c.Commit)
}

// changedLines reads which lines of the new side of each file a difference touches, in ranges of first and last.
func changedLines(diff string) map[string][][2]int {
	lines, file := map[string][][2]int{}, ""
	for line := range strings.Lines(diff) {
		if name, ok := strings.CutPrefix(line, "+++ b/"); ok {
			file = strings.TrimSpace(name)
		}
		_, at, ok := strings.Cut(line, " +")
		if !ok || !strings.HasPrefix(line, "@@ ") {
			continue
		}
		first, count := 0, 1
		if n, _ := fmt.Sscanf(at, "%d,%d", &first, &count); n == 1 {
			count = 1
		}
		lines[file] = append(lines[file], [2]int{first, first + max(count, 1) - 1})
	}
	return lines
}

// overlaps reports whether a position has lines in one of some ranges.
func overlaps(ranges [][2]int, at *report.Position) bool {
	return slices.ContainsFunc(ranges, func(r [2]int) bool {
		return at.Line <= r[1] && r[0] <= max(at.Line, at.EndLine)
	})
}
