package main

import (
	"context"
	"errors"
	"os"
	"runtime"
	"runtime/debug"
	"time"

	"github.com/spectradiff/spectradiff/cmd/internal/pipeline"
	"github.com/spectradiff/spectradiff/internal/replay/cache"
	"github.com/spectradiff/spectradiff/internal/report"
)

// compareLong is the help on compare.
const compareLong = `OLD and NEW are revisions as git understands them: a branch, a tag, HEAD~3, a
short hash. OLD..NEW and OLD...NEW (from the merge base) work as in git diff.
NEW left out means the working tree, uncommitted changes included. PACKAGE is
a pattern as the go command takes it (default ./...). Of those packages, the
ones that the change touches are run, and the nearest of those that it can reach
or that can see it; --all runs all.

At the root of a repository, and without PACKAGE, all modules whose code the change
touches are compared, with one report that names files from there. In a folder of
a module it is that module.

Defaults of flags may stand in .spectradiff/config.toml at the root of the repository,
a flag a line, as in seed = 2, drive = ["api", "tests"], fail-on = "visible": all,
budget, color, deps, details, drive, explore, fail-on, format, jobs, no-proof,
redundancy, rename, secret, seed, sequences and timeout. Flags on the command line win.

With --format jsonl each root is printed as a line of JSON as soon as it is proven,
and the report in the last line.

Calls are generated for the time of --budget, or until --sequences are kept; the budget
does not count then. --timeout is for the whole run. Without it a run whose standard error
is a terminal has 5m, unless --budget or --sequences is given; others have no limit, but
without any of the three, tests and commands end some 4½ minutes after the begin.
When the time is over, or at Ctrl-C, the report says what is known by then, marked as
partial. A second Ctrl-C ends the run at once.

Renamed declarations are recognised by their types and bodies. Where that fails,
--rename OLD=NEW says it of a function, a method (p.T.M), a type, a field (p.T.field),
a variable or a package; a name may be shortened as long as it is unique.

With --deps, dependencies whose version changed are recorded too, so that a root can
lie in their code. Their files are named as in a vendor folder.

A path that leads out of the repository (a folder that go.mod replaces a module
by, or go.work uses; a symbolic link that the build follows) is refused. With
--allow-outside DIR it may lead into DIR. Relative paths lead where they do in the
working tree, and both versions are built with what DIR holds at the start.

With --explore N each type that the change can reach is explored first: every call,
with N numbers and N texts as arguments, on every value that up to N calls make; equal
values count once. N above 5 takes very long; 20 is the most.

Sequences that show nothing new are dropped; new is a result or a state that was not
seen before. --redundancy R drops a sequence if all its calls were made before on equal
receivers and arguments in place of that. R says what equal means: made by the same
calls (whole-seq), or by the same of those that changed something (modifying-seq),
reaching equal values (whole-state), equal in what their method Equal reads
(monitor-equals), or as Equal says (pairwise-equals).

With --commits each root says which commit between OLD and NEW brought it in, as
spectradiff bisect finds it, and the commits are listed: first those whose subject
says that behaviour stays (refactoring, cleanup, typo, docs, bump, performance, tests).
Without --timeout the search for commits has no limit.

With --shards N the run is divided: each shard has a seed of its own, an Nth of
--sequences, and some of the tests and commands. With --shard K/N only shard K is
done, and --out part=FILE writes what spectradiff merge needs of it. So several
machines can each do a shard, and merge makes one report of their files. --budget is
for each shard. --emit, --corpus, --keep and --commits need a run that is not divided.

Types that the repository lists in .spectradiff/opaque are not compared;
spectradiff help opaque prints how to write it, and all the types of that kind.`

func compareCommand() command {
	return command{
		name:  "compare",
		args:  "OLD [NEW] [PACKAGE...]",
		short: "compare two versions of a module from the inside",
		long:  compareLong,
		flags: func(s *settings) *flagSet {
			f := newFlags("compare")
			f.what(s)
			f.how(s)
			f.BoolVar(&s.commits, "commits", false, "say which commit brought in each root, see help bisect")
			f.commits(s)
			f.result(s, report.FailAny)
			f.Func("rename", renameUsage, s.addRename)
			f.StringVar(&s.corpus, "corpus", "", "play the sequences in DIR first, and keep telling ones there: `DIR`")
			f.deeper(s)
			f.shards(s)
			f.StringVar(&s.emit, "emit", "", "write a Go test for each root below DIR: `DIR`")
			return f
		},
		configured: true,
		revisions:  true,
		run:        compare,
	}
}

func compare(std streams, set *settings, args []string) (int, error) {
	if len(args) == 0 {
		return 0, &usageError{set.name(), errors.New("no revision: want OLD [NEW] or OLD..NEW")}
	}
	if set.sequences == 0 && set.budget == (budget{}) {
		return 0, &usageError{set.name(), errors.New("--budget 0s without --sequences: nothing would be generated")}
	}
	ctx, end := interruptible(std, set)
	defer end()
	r, err := runPipeline(ctx, std, set, args)
	if err != nil {
		return 0, err
	}
	if err := write(std, set, r); err != nil {
		return 0, err
	}
	if ctx.Err() != nil {
		return 0, interrupted(set.keep)
	}
	return r.Exit, nil
}

// tightMemory is from where on more is spent on collecting garbage, unless the user decides with GOMEMLIMIT. It is no
// limit: a run takes as much as it needs.
const tightMemory = 700 << 20

// garbage is how much garbage there may be before it is collected, in percent of what is needed, unless the user
// decides with GOGC: recordings are large, and memory is dearer than time.
const garbage = 75

// runPipeline runs a comparison with progress on standard error. If the context ends, so does the comparison, with a
// report of what is known then.
func runPipeline(ctx context.Context, std streams, set *settings, args []string) (*report.Report, error) {
	where, err := cache.FromEnvironment(os.Getenv)
	if err != nil {
		return nil, err
	}
	collectGarbage(1)
	limit := set.timeLimit(std.err)
	progress := newProgress(std.err, limit)
	defer progress.end()
	config := set.pipeline(limit, where)
	config.Args, config.End, config.Found = args, ctx.Done(), telling(std, set)
	if !set.noProgress {
		config.Progress = progress.update
	}
	if !set.noProgress || set.verbose {
		config.Log = progress.log
	}
	r, err := set.runner()(context.WithoutCancel(ctx), config)
	if err != nil && ctx.Err() != nil {
		return nil, interrupted(set.keep)
	}
	return r, err
}

// pipeline returns the configuration of a comparison, but for what is compared and what is told while it runs.
func (s *settings) pipeline(limit time.Duration, where cache.Settings) pipeline.Config {
	config := pipeline.Config{
		Dir: s.dir, Seed: s.seed, Sequences: s.sequences, Budget: s.budget.time, Auto: s.budget.auto,
		Drive: s.drivers(), Run: s.run.String(), All: s.all,
		Renames: s.renames, FailOn: s.failOn, Jobs: s.jobs,
		Deps: s.deps, NoProof: s.noProof, NoSandbox: s.noSandbox,
		Emit: s.emit, Corpus: s.corpus, Explore: s.explore, Redundant: s.redundancy,
		Keep:    s.keep,
		Timeout: limit, Unlimited: s.timeout != nil && *s.timeout == 0,
		Outside: s.outside, Cache: where,
		Tool: toolVersion(), Verbose: s.verbose, Nats: s.nats,
	}
	if config.Jobs == 0 {
		config.Jobs = runtime.NumCPU()
	}
	return config
}

// collectGarbage sets how much memory is spared for time, where so many runs are done at once, unless the user decides
// it.
func collectGarbage(atOnce int) {
	if os.Getenv("GOMEMLIMIT") == "" {
		debug.SetMemoryLimit(int64(atOnce) * tightMemory)
	}
	if os.Getenv("GOGC") == "" {
		debug.SetGCPercent(garbage)
	}
}
