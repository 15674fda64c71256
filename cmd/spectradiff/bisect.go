package main

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/cmd/internal/inducing"
	"github.com/spectradiff/spectradiff/cmd/internal/pipeline"
	"github.com/spectradiff/spectradiff/internal/report"
)

func bisectCommand() command {
	return command{
		name:  "bisect",
		args:  "OLD..NEW [PACKAGE...]",
		short: "find the commits that brought in what differs",
		long: `Compares OLD with NEW, as compare does, and then finds for each root the commit at
which its shortest sequence first gives another value. The sequence serves as the
test: nobody has to write one.

A commit that is built answers for all roots at once. The next one to build is the
one that is expected to tell most, by what each commit touches: the lines of a
root, its function, its package. Commits that change nothing that the sequences
can reach are never built. Those that do not build, or on which the sequence does
not compile, are skipped; the answer then names a range. A value that changes
several times on the way has several commits: both sides of each commit that
touches the root's function are asked.

The commits are those of the first parents; if a merge is the cause, the branch that
it took in is searched next, unless --first-parent is given. If OLD is no ancestor of
NEW, the search goes over their merge base, and the report marks commits that only
OLD has.

With --timeout half of the time is for comparing OLD with NEW. Without it the search
has no limit; that comparison has 5m on a terminal, without --budget and --sequences.

Answers are kept in the cache. After Ctrl-C the report says between which commits
each root lies, and the same command continues from there.

With --run only tests that match are played, as they are.

With --exec nothing is compared: COMMAND, which sh runs in a copy of a commit's
files, tells commits apart, as with git bisect run. Status 0 passes; 125, SIGKILL
and more than ten minutes skip the commit; any other status fails. A commit where
COMMAND fails is skipped if it does not compile, unless the one of OLD and NEW that
fails does not either, or if a module is missing that can't be fetched; so is one
that lacks the folder -C. COMMAND has to pass on one of OLD and NEW and fail on the
other. Flags that say how versions are compared can't be given: --all,
--allow-outside, --budget, --deps, --drive, --jobs, --keep, --rename, --run, --seed,
--sequences. COMMAND is confined, without a network (modules that are missing are
fetched before), sees $TMPDIR and not /tmp, and can change the copy alone. Then the
change within the commit is found: the command runs on the commit before with some
of what changed, declaration by declaration (delta debugging, 40 runs at most), until
few are left that make it end so, and on the commit without these. With -v what the
command prints is shown.`,
		flags: func(s *settings) *flagSet {
			s.bisected = true
			f := newFlags("bisect")
			f.what(s)
			f.Lookup("timeout").Usage = "time for the whole run, 0 = no limit (default 0, see above): `DURATION`"
			f.Func("rename", renameUsage, s.addRename)
			f.how(s)
			f.commits(s)
			f.Func("exec", "tell commits apart by a command for sh, such as 'go test ./...': `COMMAND`", s.setExec)
			f.result(s, report.FailAny)
			return f
		},
		configured: true,
		revisions:  true,
		run:        compare,
	}
}

// commits defines the flags for how commits are searched.
func (f *flagSet) commits(s *settings) {
	f.BoolVar(&s.firstParent, "first-parent", false, "do not look into branches that were merged")
}

// setExec notes the command that tells commits apart.
func (s *settings) setExec(text string) error {
	if strings.TrimSpace(text) == "" {
		return errors.New("want a command, such as 'go test ./...'")
	}
	s.exec = text
	return nil
}

// comparing are the flags that say how versions are compared, which a command does not do.
var comparing = []string{
	"all", "allow-outside", "budget", "deps", "drive", "jobs", "keep", "rename", "run", "seed", "sequences",
}

// checkExec refuses flags on the command line that a command can't use. What the repository's file says counts for
// comparisons only.
func (f *flagSet) checkExec() error {
	if i := slices.IndexFunc(comparing, f.given); f.given("exec") && i >= 0 {
		return fmt.Errorf("%s says how versions are compared, but with --exec a command tells them apart: leave it out",
			flagName(comparing[i]))
	}
	return nil
}

// checkCommits refuses what the search for commits can't use.
func (s *settings) checkCommits() error {
	if s.firstParent && !s.searchesCommits() {
		return errors.New("--first-parent: only with --commits; add it, or use spectradiff bisect")
	}
	return nil
}

// searchesCommits reports whether the commits of roots are to be found.
func (s *settings) searchesCommits() bool { return s.commits || s.bisected }

// name returns the command that compares.
func (s *settings) name() string {
	if s.bisected {
		return "bisect"
	}
	return "compare"
}

// endsShare is the part of the time of a run in which its ends are compared.
const endsShare = 2

// runner returns what makes the report.
func (s *settings) runner() func(context.Context, pipeline.Config) (*report.Report, error) {
	switch {
	case s.shards+s.shard.Of > 0:
		return s.runShards
	case !s.searchesCommits():
		return pipeline.Run
	}
	return func(ctx context.Context, cfg pipeline.Config) (*report.Report, error) {
		in := inducing.Input{Config: cfg, FirstParent: s.firstParent, Exec: s.exec}
		if s.timeout != nil { // else there is a limit for those who wait for a first answer
			in.Limit, in.Config.Timeout = cfg.Timeout, cfg.Timeout/endsShare
		}
		return inducing.Run(ctx, in)
	}
}
