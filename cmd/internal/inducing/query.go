package inducing

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/cmd/internal/kept"
	"github.com/spectradiff/spectradiff/cmd/internal/pipeline"
	"github.com/spectradiff/spectradiff/internal/diff/bisect"
	"github.com/spectradiff/spectradiff/internal/replay/history"
	"github.com/spectradiff/spectradiff/internal/replay/repository"
	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// A line is some commits that roots of one module are looked for in.
type line struct {
	*run
	by    asker
	way   *repository.Way
	asks  []pipeline.Ask // of one module
	roots []int          // by ask, the index of its root in the report
	pull  int            // the pull request that all of it came with; 0: it is not known
}

// An asker answers what asks show at a commit, and tells what is known of a way before any commit is asked.
type asker interface {
	answers(ctx context.Context, at repository.Commit, asks []pipeline.Ask) ([]pipeline.Answer, error)
	history(ctx context.Context, way *repository.Way, asks []pipeline.Ask) (*history.Known, error)
}

// ask answers what some of the asks show at a version of the line. What earlier runs asked is not asked again. An error
// says that the search has to end.
func (l *line) ask(ctx context.Context, version int, things []int) ([]bisect.Answer, error) {
	at := l.way.Steps[version].Commit
	of := make([]pipeline.Ask, len(things))
	for i, thing := range things {
		of[i] = l.asks[thing]
	}
	answers, err := l.by.answers(ctx, at, of)
	if err != nil {
		return nil, err
	}
	list := make([]bisect.Answer, len(answers))
	for i, a := range answers {
		list[i] = bisect.Answer{Value: a.Value, Untestable: a.Untestable}
	}
	return list, nil
}

// answers answers asks at a commit.
func (r *run) answers(ctx context.Context, at repository.Commit, asks []pipeline.Ask) ([]pipeline.Answer, error) {
	if at.Hash == r.ends.Old.Hash {
		answers := make([]pipeline.Answer, len(asks))
		for i, a := range asks {
			answers[i].Value = a.Old
		}
		return answers, nil
	}
	of := r.recall(ctx, at, asks)
	if len(of.missing) > 0 {
		new, err := r.first(ctx, at, pick(asks, of.missing), pick(of.keys, of.missing))
		if err != nil {
			return nil, err
		}
		if of.add(new) {
			if err := r.kept.Remember(of.name, of.before); err != nil {
				r.detailf("what %.12s showed is not kept: %v", at.Hash, err)
			}
		}
	}
	r.count(at, len(of.missing) > 0)
	r.note(at, of.answers)
	return of.answers, nil
}

// A recalled is what earlier runs know of a commit.
type recalled struct {
	name    string // under which it is kept
	before  map[string]pipeline.Answer
	keys    []string          // by ask
	answers []pipeline.Answer // by ask
	missing []int             // asks that nobody answered
}

// add adds answers to what was missing. It reports whether some of them are worth keeping.
func (of *recalled) add(new []pipeline.Answer) (lasting bool) {
	for n, i := range of.missing {
		of.answers[i] = new[n]
		if of.keys[i] != "" && new[n].Lasts() {
			of.before[of.keys[i]], lasting = new[n], true
		}
	}
	return lasting
}

// askable reports whether other machines can be asked what is missing.
func (of recalled) askable() bool {
	return len(of.missing) > 0 && !slices.Contains(pick(of.keys, of.missing), "") // "": this machine alone has it
}

// recall looks up what earlier runs were answered at a commit.
func (r *run) recall(ctx context.Context, at repository.Commit, asks []pipeline.Ask) recalled {
	of := recalled{
		name: r.nameOf(ctx, at), before: map[string]pipeline.Answer{},
		keys: make([]string, len(asks)), answers: make([]pipeline.Answer, len(asks)),
	}
	kept.RecallAll(r.kept, of.name, of.before)
	for i, a := range asks {
		of.keys[i] = r.question(ctx, a)
		var known bool
		if of.answers[i], known = of.before[of.keys[i]]; !known || of.keys[i] == "" {
			of.missing = append(of.missing, i)
		}
	}
	return of
}

// nameOf returns the name under which it is kept what a commit shows in comparison with old; "": it is not.
func (r *run) nameOf(ctx context.Context, at repository.Commit) string {
	c := r.Config
	deciding := pipeline.Config{
		Dir: c.Dir, Deps: c.Deps, Renames: c.Renames, NoSandbox: c.NoSandbox, Outside: c.Outside, Tool: c.Tool,
	}
	return r.kept.Key(ctx, deciding, r.repo, spectra.Pair[repository.Commit]{Old: r.ends.Old, New: at})
}

// question returns a text that stands for all that decides the answer to an ask, at one commit; "": the working tree
// does, which may change.
func (r *run) question(ctx context.Context, a pipeline.Ask) string {
	all := []any{a.Question(), a.Module.Folder, a.Module.Patterns}
	if a.NewTest != "" { // new's tests are played
		held, err := r.repo.Held(ctx, r.ends.New)
		if err != nil { // the working tree holds what it will
			return ""
		}
		all = append(all, held)
	}
	return r.kept.Name(all...)
}

func pick[T any](list []T, at []int) (some []T) {
	for _, i := range at {
		some = append(some, list[i])
	}
	return some
}

// query plays asks on old and a commit. What can't be played there is untestable, for the same reason for all if
// nothing can.
func (r *run) query(
	ctx context.Context, at repository.Commit, asks []pipeline.Ask,
) (answers []pipeline.Answer, err error) {
	cfg := r.Config
	cfg.Args = []string{r.ends.Old.Hash}
	if !at.Worktree {
		cfg.Args = append(cfg.Args, at.Hash)
	}
	cfg.End, cfg.Found = nil, nil
	if r.crew != nil { // they are asked other commits at the same time
		cfg = cfg.Alone()
	}
	cfg.Progress = func(string, int, int) { r.progress() }
	tests, err := r.newTests(ctx, asks)
	if err != nil {
		return nil, err
	}
	answers, err = pipeline.Query(ctx, cfg, asks, tests)
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	if err != nil {
		r.detailf("%.12s: %v", at.Hash, err)
		of := pipeline.Answer{Untestable: reason(err, at), Proven: pipeline.Proven(err)}
		return slices.Repeat([]pipeline.Answer{of}, len(asks)), nil
	}
	return answers, nil
}

// reason returns why a commit can't be asked, in a line: of what a compiler prints below the name of a package the
// first.
func reason(err error, at repository.Commit) string {
	text := strings.TrimPrefix(err.Error(), fmt.Sprintf("%s version (%s): ", spectra.New, at.Revision))
	text = byGo.ReplaceAllString(text, "")
	line, rest, _ := strings.Cut(text, "\n")
	if before, _, named := strings.Cut(": "+line, ": # "); named && rest != "" {
		below, _, _ := strings.Cut(rest, "\n")
		return strings.TrimPrefix(before+": "+strings.TrimSpace(below), ": ")
	}
	return line
}

// byGo matches how an error of the go command begins. What it printed says more.
var byGo = regexp.MustCompile(`\bgo [a-z]+: exit status \d+: `)

// newTests returns the folder of the files of new, if tests of it are asked.
func (r *run) newTests(ctx context.Context, asks []pipeline.Ask) (string, error) {
	if !playsNew(asks) {
		return "", nil
	}
	tree, err := r.kept.Materialise(ctx, r.repo, r.ends.New)
	if err != nil {
		return "", fmt.Errorf("write the files of %s: %w", r.ends.New.Revision, err)
	}
	return tree.Dir, nil
}

// playsNew reports whether tests of new are asked.
func playsNew(asks []pipeline.Ask) bool {
	return slices.ContainsFunc(asks, func(a pipeline.Ask) bool { return a.NewTest != "" })
}

// note remembers that a commit could tell nothing.
func (r *run) note(at repository.Commit, answers []pipeline.Answer) {
	for _, a := range answers {
		if a.Untestable == "" {
			return
		}
	}
	of := report.Untestable{Hash: at.Hash, Reason: answers[0].Untestable}
	for _, known := range r.untestable {
		if known.Hash == of.Hash {
			return
		}
	}
	r.untestable = append(r.untestable, of)
}
