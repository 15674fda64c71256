package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spectradiff/spectradiff/internal/replay/cache"
)

// An originHunt measures how well commits are found.
type originHunt struct {
	tool           tool
	commits, seeds int
	random         uint64
	limit          time.Duration
	to             string // the newest commit
	mined          string // a file of commits that are known; "": faults are seeded
	reports        string // a folder for the reports; "": they are not kept
	dry, verbose   bool
	dir            string
}

// runOrigins has the commits found with which roots came whose origin is known. It seeds faults into the newest commits
// of clones of repositories, each with a commit of its own, or takes commits that are known to change behaviour. It
// prints which were found, with how many builds, next to what git bisect would need for one root after the other.
func runOrigins(ctx context.Context, dir string, args []string) error {
	h := originHunt{dir: dir}
	flags := flag.NewFlagSet("origins", flag.ExitOnError)
	flags.StringVar(&h.tool.path, "command", "bin/spectradiff", "the built command: `FILE`")
	flags.IntVar(&h.commits, "commits", 200, "length of each range: `N`")
	flags.IntVar(&h.seeds, "seeds", 6, "faults in each repository: `N`")
	flags.Uint64Var(&h.random, "seed", 1, "which functions, faults and places of the range: `N`")
	flags.StringVar(&h.to, "to", "HEAD", "the newest commit: `REVISION`")
	flags.DurationVar(&h.limit, "timeout", time.Hour, "for a run: `TIME`")
	flags.StringVar(&h.mined, "mined", "", "commits that change behaviour, in place of faults: JSON `FILE`")
	flags.StringVar(&h.reports, "reports", "", "keep the reports in `DIR`, which is there")
	flags.BoolVar(&h.dry, "dry", false, "only seed, and print the faults")
	flags.BoolVar(&h.verbose, "v", false, "say on standard error what goes on")
	_ = flags.Parse(args) // it exits by itself
	if flags.NArg() == 0 {
		return errors.New("no repository: want folders of clones, or of their git directories")
	}
	if !h.dry {
		if err := h.tool.find(); err != nil {
			return err
		}
	}
	return h.run(ctx, flags.Args())
}

// logf says what goes on.
func (h *originHunt) logf(format string, args ...any) {
	if h.verbose {
		fmt.Fprintf(os.Stderr, format+"\n", args...)
	}
}

// run measures repository by repository, and prints a row for each, then each finding.
func (h *originHunt) run(ctx context.Context, repositories []string) error {
	measure := h.seeded
	if h.mined != "" {
		measure = h.known
	}
	if !h.dry {
		printHuntHead(os.Stdout)
	}
	var all []*hunted
	for _, repository := range repositories {
		repository, err := filepath.Abs(repository) // clones are made in another folder
		if err != nil {
			return err
		}
		found, err := measure(ctx, repository)
		if ctx.Err() != nil {
			return ctx.Err()
		}
		if err != nil {
			found = append(found, &hunted{repository: repositoryName(repository), trouble: err.Error()})
		}
		for _, one := range found {
			if !h.dry || one.trouble != "" {
				one.print(os.Stdout)
			}
		}
		all = append(all, found...)
	}
	if !h.dry {
		sumUpHunts(os.Stdout, all)
	}
	printFindings(os.Stdout, all)
	return nil
}

// cloneOf makes a clone of a repository that shares its objects, without a working tree.
func (h *originHunt) cloneOf(ctx context.Context, of string) (clone string, err error) {
	clone = filepath.Join(h.dir, repositoryName(of))
	return clone, git(ctx, h.dir, "clone", "-q", "--shared", "--no-checkout", of, clone)
}

// find has the commits found that brought in what differs between the ends of a range. The cache of the tool is empty.
func (h *originHunt) find(ctx context.Context, one *hunted, clone, module, ends string) error {
	order, err := gitOutput(ctx, clone, "rev-list", "--first-parent", "--reverse", ends)
	if err != nil {
		return err
	}
	one.order = strings.Fields(order)
	if h.dry {
		return nil
	}
	args := []string{"--timeout", h.limit.String()}
	if h.reports != "" {
		args = append(args, "--out", "json="+filepath.Join(h.reports, one.name()+".json"))
	}
	with, folder := h.tool, filepath.Join(h.dir, "cache")
	with.env = []string{cache.FolderVariable + "=" + folder}
	defer os.RemoveAll(folder)
	before, err := stateOf(ctx, clone)
	if err != nil {
		return err
	}
	began := time.Now()
	one.report, err = with.run(ctx, "bisect", filepath.Join(clone, module), append(args, ends)...)
	one.took = time.Since(began)
	if ctx.Err() != nil {
		return ctx.Err()
	}
	if err != nil {
		one.trouble = err.Error() // the clone has to be as it was all the same
	}
	after, err := stateOf(ctx, clone)
	if err != nil {
		return err
	}
	one.touched = before.differing(after)
	return nil
}
