package main

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/plumbing/object"
	"golang.org/x/tools/txtar"

	"github.com/spectradiff/spectradiff/cmd/internal/env"
	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

//go:embed demo/jobqueue.txtar
var demoArchive []byte

// demoSequences is the number of sequences that the demo plays. It is a number and not a budget of time,
// so that every run prints the same.
const demoSequences = 400

func demoCommand() command {
	return command{
		name:  "demo",
		short: "the main job on an embedded repository",
		long: `The repository holds two versions of a job queue: a refactoring whose outputs
all match while an internal value deviates, a visible regression, and a
harmless rename. It is made in a temporary folder, which is removed again.`,
		flags: func(s *settings) *flagSet {
			f := newFlags("demo")
			s.seed, s.sequences, s.drive, s.failOn = 1, demoSequences, "api", string(report.FailAny)
			f.how(s)
			f.printed(s)
			return f
		},
		run: demo,
	}
}

func demo(std streams, set *settings, args []string) (exit int, err error) {
	if len(args) > 0 {
		return 0, &usageError{"demo", errors.New("takes no arguments")}
	}
	ctx, end := interruptible(std, set)
	defer end()
	folder, err := env.NewTemporary(nil)
	if err != nil {
		return 0, fmt.Errorf("make demo repository: %w", err)
	}
	defer folder.Remove()
	if err := makeDemo(folder.Path); err != nil {
		return 0, fmt.Errorf("make demo repository: %w", err)
	}
	return demoReport(ctx, std, set, folder.Path)
}

func demoReport(ctx context.Context, std streams, set *settings, folder string) (int, error) {
	set.dir = folder
	r, err := runPipeline(ctx, std, set, []string{"v1.0.0", "v1.1.0"})
	if ctx.Err() != nil {
		return 0, interrupted(set.keep)
	}
	if err != nil {
		return 0, err
	}
	if err := write(std, set, r); err != nil {
		return 0, err
	}
	if err := checkDemo(r); err != nil {
		return 0, fmt.Errorf("demo: %w; please report it with the output of demo -v", err)
	}
	return exitOK, nil
}

// makeDemo makes the repository with both versions as tagged commits.
func makeDemo(folder string) error {
	repository, err := git.PlainInit(folder, false)
	if err != nil {
		return err
	}
	archive := txtar.Parse(demoArchive)
	for i, version := range []struct{ side, tag, message string }{
		{"old/", "v1.0.0", "A bounded queue of jobs"},
		{"new/", "v1.1.0", "Simplify the ring and the delay"},
	} {
		if err := writeSide(folder, archive, version.side); err != nil {
			return err
		}
		// The date is fixed, so that the commits have the same hashes everywhere.
		when := time.Date(2026, time.January, 1+i, 12, 0, 0, 0, time.UTC)
		if err := commitAndTag(repository, version.tag, version.message, when); err != nil {
			return err
		}
	}
	return nil
}

func writeSide(folder string, archive *txtar.Archive, side string) error {
	for _, file := range archive.Files {
		name, found := strings.CutPrefix(file.Name, side)
		if !found {
			continue
		}
		if err := os.WriteFile(filepath.Join(folder, filepath.FromSlash(name)), file.Data, 0o666); err != nil {
			return err
		}
	}
	return nil
}

func commitAndTag(repository *git.Repository, tag, message string, when time.Time) error {
	worktree, err := repository.Worktree()
	if err != nil {
		return err
	}
	if err := worktree.AddGlob("."); err != nil {
		return err
	}
	author := &object.Signature{Name: "spectradiff", Email: "demo@example.com", When: when}
	commit, err := worktree.Commit(message, &git.CommitOptions{Author: author})
	if err != nil {
		return err
	}
	_, err = repository.CreateTag(tag, commit, nil)
	return err
}

// checkDemo returns an error if the report does not show what the repository was made to show.
func checkDemo(r *report.Report) error {
	expected := map[string]spectra.Reach{
		"example.com/jobqueue.(*ring).pop": spectra.Masked,
		"example.com/jobqueue.Delay":       spectra.Visible,
	}
	for _, root := range r.Roots {
		reach, known := expected[root.Function]
		if !known {
			return fmt.Errorf("root %d is %s, which changes nothing", root.Rank, root.Function)
		}
		if root.Reach != reach {
			return fmt.Errorf("root %s is %s, want %s", root.Function, root.Reach, reach)
		}
	}
	if len(r.Roots) != len(expected) {
		return fmt.Errorf("the example has %d roots, found were %d", len(expected), len(r.Roots))
	}
	return nil
}
