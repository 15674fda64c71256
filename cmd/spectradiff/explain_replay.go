package main

import (
	"errors"
	"fmt"
	"os"
	"runtime"
	"strings"

	"github.com/spectradiff/spectradiff/cmd/internal/pipeline"
	"github.com/spectradiff/spectradiff/internal/replay/cache"
	"github.com/spectradiff/spectradiff/internal/replay/suite"
	"github.com/spectradiff/spectradiff/internal/report"
)

// replayed plays the sequence of a finding again, and returns the report with what that showed in its place: whole
// values, where the report has them cut.
func replayed(std streams, set *settings, r *report.Report, rank int) (*report.Report, error) {
	ctx, end := interruptible(std, set)
	defer end()
	ask, err := again(r, &r.Roots[rank-1])
	if err != nil {
		return nil, fmt.Errorf("explain --replay: %w", err)
	}
	where, err := cache.FromEnvironment(os.Getenv)
	if err != nil {
		return nil, err
	}
	progress := newProgress(std.err, 0)
	config := pipeline.Config{
		Dir: set.dir, Args: []string{r.Old.Commit}, Jobs: runtime.NumCPU(), NoSandbox: set.noSandbox, Cache: where,
		All: r.Settings.All, Deps: r.Settings.Deps, Renames: r.Settings.Renames, Tool: toolVersion(),
		Progress: progress.update, Log: progress.log,
	}
	if r.New.Commit != report.Worktree {
		config.Args = append(config.Args, r.New.Commit)
	}
	roots, err := pipeline.Replay(ctx, config, ask)
	progress.end()
	if ctx.Err() != nil {
		return nil, errors.New("interrupted")
	}
	if err != nil {
		return nil, fmt.Errorf("explain --replay: %w", err)
	}
	return withPlayed(r, rank, roots)
}

// withPlayed returns a report with the call tree of the same root among those that were played again.
func withPlayed(r *report.Report, rank int, roots []report.Root) (*report.Report, error) {
	root := &r.Roots[rank-1]
	for i := range roots {
		if roots[i].Function != root.Function || roots[i].Calls == nil {
			continue
		}
		own := *r
		own.Roots = append([]report.Root{}, r.Roots...)
		own.Roots[rank-1].Calls = roots[i].Calls
		return &own, nil
	}
	const gone = "explain --replay: played again, the sequence does not show %s: " +
		"is the repository at -C the one of the report?"
	return nil, fmt.Errorf(gone, root.Function)
}

// again returns what is played again for a root.
func again(r *report.Report, root *report.Root) (a pipeline.Ask, err error) {
	switch {
	case root.Sequence == "":
		return a, errors.New("no sequence shows this finding")
	case root.Redacted:
		return a, errors.New("its sequence has secrets, which the report hides: write one with --show-secrets")
	}
	a = pipeline.Ask{Driver: pipeline.DriveAPI, Sequence: root.Sequence}
	a.Module.Folder = folderOf(r, root)
	switch t := root.Test; {
	case t == nil:
	case t.Command != nil:
		a.Driver = pipeline.DriveCommand
	default:
		name, _, _ := strings.Cut(t.Name, "/")
		a.Driver, a.Test, a.Within.Outside = pipeline.DriveTests, suite.Exactly(name), true
		if root.Only {
			a.NewTest = "."
		}
	}
	return a, nil
}

// folderOf returns the folder of the module of a root; "" where the report is of one module.
func folderOf(r *report.Report, root *report.Root) (folder string) {
	longest := ""
	for _, m := range r.Modules {
		if m.Subject == nil {
			continue
		}
		of := m.Subject.Module
		rest, within := strings.CutPrefix(root.Function, of)
		if within && rest != "" && strings.ContainsAny(rest[:1], "./") && len(of) > len(longest) {
			longest, folder = of, m.Folder
		}
	}
	return folder
}
