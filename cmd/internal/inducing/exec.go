package inducing

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spectradiff/spectradiff/cmd/internal/env"
	"github.com/spectradiff/spectradiff/cmd/internal/pipeline"
	"github.com/spectradiff/spectradiff/internal/diff/bisect"
	"github.com/spectradiff/spectradiff/internal/replay/gocommand"
	"github.com/spectradiff/spectradiff/internal/replay/history"
	"github.com/spectradiff/spectradiff/internal/replay/predicate"
	"github.com/spectradiff/spectradiff/internal/replay/repository"
	"github.com/spectradiff/spectradiff/internal/replay/sandbox"
	"github.com/spectradiff/spectradiff/internal/report"
)

// runTime is how long a command may take at one commit.
const runTime = 10 * time.Minute

// What a command shows at a commit.
const (
	passes = "passes"
	fails  = "fails"
)

// byCommand tells commits apart by how a command of the user ends.
type byCommand struct {
	*run
	command *predicate.Command
	layers  sandbox.Layers
	machine []string                    // what it depends on beside the commit and its text
	results map[string]predicate.Result // by commit
	broken  bool                        // the end at which it fails does not compile
}

// execute finds the commit at which the command ends otherwise, and the change in it that is the cause.
func (r *run) execute(ctx context.Context) (*report.Report, error) {
	e, err := env.Open(env.Options{
		Jobs: 1, NoSandbox: r.Config.NoSandbox, Cache: r.Config.Cache, Verbose: r.Config.Verbose,
		Progress: r.Config.Progress, Log: r.Config.Log,
	})
	if err != nil {
		return nil, err
	}
	defer e.Close(ctx)
	x := &byCommand{run: r, results: map[string]predicate.Result{}, command: &predicate.Command{
		Text: r.Exec, Sub: r.repo.Sub, Temp: filepath.Join(e.Temp, "exec"), Limit: runTime,
	}}
	if x.layers, err = e.Confine(ctx); err != nil {
		return nil, err
	}
	x.command.Go = e.Go
	searching, stop := r.ended(ctx)
	defer stop()
	l, err := x.line(searching)
	if errors.Is(context.Cause(searching), errEnd) {
		const early = "the run ended before the command had run on both versions; give it more time with --timeout"
		return nil, errors.New(early)
	}
	if err != nil {
		return nil, err
	}
	return x.find(searching, l)
}

// line runs the command at both ends, and returns the way between them.
func (x *byCommand) line(ctx context.Context) (*line, error) {
	if err := x.askMachine(ctx); err != nil {
		return nil, err
	}
	x.expected = bisect.Halving(len(x.way.Steps)) + 1
	ends := []repository.Commit{x.ends.Old, x.ends.New}
	var results []predicate.Result
	for _, at := range ends {
		result, err := x.result(ctx, at)
		if err != nil {
			return nil, err
		}
		if result.Untestable != "" {
			return nil, fmt.Errorf("the command can't tell anything of %s: %s%s", at.Revision, result.Untestable,
				printed(result))
		}
		results = append(results, result)
	}
	if results[0].Passes == results[1].Passes {
		return nil, fmt.Errorf("the command %s on %s%s, and %s on %s%s: name two versions between which it changes",
			ending(results[0]), ends[0].Revision, printed(results[0]),
			ending(results[1]), ends[1].Revision, printed(results[1]))
	}
	ask := pipeline.Ask{}
	for i, end := range []*string{&ask.Old, &ask.New} {
		if *end = passes; !results[i].Passes {
			*end, x.broken = fails, results[i].Broken != ""
		}
	}
	return &line{run: x.run, by: x, way: x.way, asks: []pipeline.Ask{ask}, roots: []int{0}}, nil
}

// find searches the commits of the way, and the change in each one that is found.
func (x *byCommand) find(ctx context.Context, l *line) (*report.Report, error) {
	known, err := x.history(ctx, l.way, l.asks)
	if err != nil {
		return nil, err
	}
	found := &report.Commits{FirstParent: x.FirstParent}
	if !slices.Contains(known.Same[1:], false) {
		return nil, errSameFiles
	}
	origins, err := l.search(ctx, known, l.ends())
	if err != nil && !errors.Is(context.Cause(ctx), errEnd) {
		return nil, err
	}
	return x.report(ctx, found, origins)
}

// errSameFiles is the error for a command that nobody can bisect with.
var errSameFiles = errors.New("the command ends differently on versions with the same files: it does not depend on " +
	"these alone, so commits can't be told apart by it")

// askMachine finds what a result depends on beside the commit and the command.
func (x *byCommand) askMachine(ctx context.Context) error {
	environment := x.command.Go.Environment(os.Environ())
	local := append(environment, "GOTOOLCHAIN=local")
	version, errs, err := x.command.Go.Run(ctx, gocommand.Command{Dir: os.TempDir(), Env: local}, "env", "GOVERSION")
	if err != nil {
		return fmt.Errorf("ask for the Go version: %w: %s", err, strings.TrimSpace(errs))
	}
	x.machine = []string{x.command.Go.Deciding(environment), strings.TrimSpace(version)}
	return nil
}

// answers answers, for every ask alike, how the command ends at a commit.
func (x *byCommand) answers(
	ctx context.Context, at repository.Commit, asks []pipeline.Ask,
) ([]pipeline.Answer, error) {
	result, err := x.result(ctx, at)
	if err != nil {
		return nil, err
	}
	answer := pipeline.Answer{Value: passes, Untestable: result.Untestable}
	switch {
	case result.Untestable != "" || result.Passes:
	case result.Broken != "" && !x.broken:
		answer.Untestable = "it does not compile: " + result.Broken
	default:
		answer.Value = fails
	}
	answers := slices.Repeat([]pipeline.Answer{answer}, len(asks))
	x.note(at, answers)
	return answers, nil
}

// history returns what is known of the commits before the command runs on any: it may read every file.
func (x *byCommand) history(
	ctx context.Context, way *repository.Way, asks []pipeline.Ask,
) (*history.Known, error) {
	return history.Of(ctx, x.repo, way, func(string) bool { return true }, make([]history.Finding, len(asks)))
}

// result returns how the command ends at a commit. It is not run where an earlier run has told.
func (x *byCommand) result(ctx context.Context, at repository.Commit) (predicate.Result, error) {
	if known, ok := x.results[at.Hash]; ok {
		return known, nil
	}
	name := x.name(ctx, []repository.Commit{at})
	var result predicate.Result
	remembered := x.kept.Recall(name, &result)
	if !remembered {
		x.progress()
		tree, err := x.kept.Materialise(ctx, x.repo, at)
		if err == nil {
			result, err = x.command.Run(ctx, tree)
		}
		if err != nil {
			return result, cmp.Or(context.Cause(ctx), err)
		}
		x.say(fmt.Sprintf("%.12s", at.Hash), result)
		x.keep(name, result)
	}
	x.count(at, !remembered)
	x.results[at.Hash] = result
	return result, nil
}

// name returns the name under which is kept how the command ends, at a commit or with some of the changes between two;
// "": it is not kept.
func (x *byCommand) name(ctx context.Context, commits []repository.Commit, changes ...any) string {
	all := []any{"exec", x.repo.Sub, x.Config.NoSandbox, x.Exec, x.machine}
	for _, c := range commits {
		held, err := x.repo.Held(ctx, c)
		if err != nil {
			return ""
		}
		all = append(all, held)
	}
	return x.kept.Name(append(all, changes...)...)
}

// keep keeps a result, unless another run may have another one.
func (x *byCommand) keep(name string, result predicate.Result) {
	if result.Transient {
		return
	}
	if err := x.kept.Remember(name, result); err != nil {
		x.detailf("how the command ended is not kept: %v", err)
	}
}

// say tells who wants to know how the command ended, with what it printed.
func (x *byCommand) say(where string, of predicate.Result) {
	if of.Untestable != "" {
		x.detailf("%s: can't be told: %s", where, of.Untestable)
	} else {
		x.detailf("%s: the command %s", where, ending(of))
	}
	for _, line := range of.Output {
		x.detailf("  %s", line)
	}
}

// ending says how a command ended.
func ending(of predicate.Result) string {
	switch {
	case of.Passes:
		return passes
	case strings.HasPrefix(of.End, "SIG"):
		return "fails by " + of.End
	}
	return "fails with " + of.End
}

// printed returns the first line that a command printed that did not pass, for an error.
func printed(of predicate.Result) string {
	if of.Passes || len(of.Output) == 0 {
		return ""
	}
	return fmt.Sprintf(" (%s)", of.Output[0])
}
