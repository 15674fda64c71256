package inducing

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"

	"github.com/spectradiff/spectradiff/internal/diff/ddmin"
	"github.com/spectradiff/spectradiff/internal/replay/predicate"
	"github.com/spectradiff/spectradiff/internal/replay/repository"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/deltas"
	"github.com/spectradiff/spectradiff/internal/spectra/source"
)

// mostTrials is how often the command is run at most to find the cause in what a commit changed.
const mostTrials = 40

// errTrials says that no more trials are made.
var errTrials = errors.New("more trials would be too many")

// A narrowing finds which of the changes between two versions make the command end otherwise. A trial runs it on the
// version before, with some of the changes.
type narrowing struct {
	*byCommand
	try func(ctx context.Context, some []int) (predicate.Result, error) // with some changes

	from, to   repository.Commit
	after      predicate.Result // what is to be shown
	tree       *repository.Tree // of the version before
	files      []deltas.File
	deltas     *deltas.Deltas
	whole      bool   // these are whole files
	root       string // folder of the module, from the root of the repository
	trials     int
	lines      spectra.Pair[map[string][]string] // of the files that differ
	unresolved string                            // why the last trial that could not tell could not
}

// A cause is what was found out about the changes between two versions.
type cause struct {
	changes []int // all that are needed; where that could not be found, all
	with    []int // additions that these need
	proven  bool  // changes was found by trials
	cut     bool  // fewer might be enough, but that would have taken too many trials
	needed  bool  // without these the version after ends as the one before
	trials  int
	reason  string // why they are not proven
}

// changes reads what differs between the versions before and after an origin.
func (x *byCommand) changes(ctx context.Context, o origin, m moduleOf) (*narrowing, error) {
	n := &narrowing{byCommand: x, from: o.from, to: o.to, after: x.results[o.to.Hash], root: m.folder}
	n.try = n.with
	n.lines = spectra.Pair[map[string][]string]{Old: map[string][]string{}, New: map[string][]string{}}
	names, err := x.repo.ChangedFiles(ctx, o.from, o.to)
	if err != nil {
		return nil, err
	}
	if n.tree, err = x.kept.Materialise(ctx, x.repo, o.from); err != nil {
		return nil, err
	}
	after, err := x.kept.Materialise(ctx, x.repo, o.to)
	if err != nil {
		return nil, err
	}
	for _, c := range names {
		f := deltas.File{Name: c.Name}
		if f.Old, err = content(n.tree, c.Name); err != nil {
			return nil, err
		}
		if f.New, err = content(after, c.Name); err != nil {
			return nil, err
		}
		n.keepLines(f)
		n.files = append(n.files, f)
	}
	n.deltas = deltas.Of(n.files, func(name string) string {
		return source.PackagePath(m.path, relative(m.folder, name))
	})
	if len(n.deltas.List) == 0 { // comments
		n.deltas, n.whole = deltas.Whole(n.files), true
	}
	if len(n.deltas.List) == 0 {
		return nil, errSameFiles
	}
	return n, nil
}

// content reads a file or a link of a tree; nil: it is not there. What is a file on one side may be a folder on the
// other.
func content(tree *repository.Tree, name string) (*deltas.Content, error) {
	root, err := os.OpenRoot(tree.Dir)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	defer root.Close()
	file := filepath.FromSlash(name)
	info, err := root.Lstat(file)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) || err == nil && info.IsDir() {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", name, err)
	}
	if info.Mode()&fs.ModeSymlink != 0 {
		target, err := root.Readlink(file)
		return &deltas.Content{Text: []byte(target), Mode: info.Mode()}, err
	}
	text, err := root.ReadFile(file)
	return &deltas.Content{Text: text, Mode: info.Mode()}, err
}

// keepLines keeps the lines of a file for the report.
func (n *narrowing) keepLines(f deltas.File) {
	for _, side := range []struct {
		to *map[string][]string
		of *deltas.Content
	}{{&n.lines.Old, f.Old}, {&n.lines.New, f.New}} {
		if side.of != nil && side.of.Mode.IsRegular() && !slices.Contains(side.of.Text, 0) {
			(*side.to)[f.Name] = strings.Split(strings.ReplaceAll(string(side.of.Text), "\r\n", "\n"), "\n")
		}
	}
}

// relative returns a name from the root of the repository as one from a folder of it.
func relative(folder, name string) string {
	if rel, err := filepath.Rel(filepath.FromSlash(folder), filepath.FromSlash(name)); err == nil {
		return path.Clean(filepath.ToSlash(rel))
	}
	return name
}

// search finds the cause. What nothing of the version before can notice goes along, unless it shows the effect by
// itself: then the cause is among that. Changes of tests are tried where the others are not enough. Where declarations
// together don't show it, as for a command that reads comments, whole files are tried.
func (n *narrowing) search(ctx context.Context) (c cause, err error) {
	if c.changes = upTo(len(n.deltas.List)); n.Config.NoProof {
		c.reason = "it was not tried"
		return c, nil
	}
	if c.proven, c.reason, err = n.narrow(ctx, &c); err != nil || !c.proven {
		c.trials = n.trials
		return c, err
	}
	outcome, err := n.back(ctx, c.changes)
	if err == nil && outcome == ddmin.Unresolved {
		outcome, err = n.back(ctx, slices.Concat(c.changes, n.removals()))
	}
	c.trials = n.trials
	switch {
	case err != nil:
		return c, err
	case outcome == ddmin.NotShown:
		c.needed = true
	case outcome == ddmin.Shown:
		c.reason = "the commit without it ends in the same way"
	default:
		c.reason = "the commit without it can't be told: " + n.unresolved
	}
	return c, nil
}

// back runs the command on the version after without some changes.
func (n *narrowing) back(ctx context.Context, some []int) (ddmin.Outcome, error) {
	rest := without(some, len(n.deltas.List))
	if len(rest) == 0 { // that is the version before
		return ddmin.NotShown, nil
	}
	return n.run(ctx, rest)
}

// removals lists what is gone and does nothing by being there, but may be needed by what is taken back.
func (n *narrowing) removals() (list []int) {
	for i, d := range n.deltas.List {
		if d.Harmless && d.Change == spectra.ChangeRemoved {
			list = append(list, i)
		}
	}
	return list
}

// narrow leaves out what is not needed. It reports whether what is left shows the effect, and else why it does not.
func (n *narrowing) narrow(ctx context.Context, c *cause) (shown bool, reason string, err error) {
	try := func(along []int) func([]int) (ddmin.Outcome, error) {
		return func(some []int) (ddmin.Outcome, error) {
			if n.trials >= mostTrials {
				return 0, errTrials
			}
			return n.run(ctx, slices.Concat(along, some))
		}
	}
	outcome, err := try(nil)(c.changes)
	if err == nil && outcome != ddmin.Shown {
		n.deltas, n.whole = deltas.Whole(n.files), true
		c.changes = upTo(len(n.deltas.List))
		outcome, err = try(nil)(c.changes)
	}
	if err != nil || outcome != ddmin.Shown {
		return false, "all changes put together do not show it: the command does not end in the same way each time", err
	}
	along, candidates, err := n.candidates(try)
	if err == nil {
		candidates, err = ddmin.Minimise(candidates, try(along))
	}
	if candidates == nil {
		return false, fmt.Sprintf("the cause was not found in %d trials", n.trials), skip(err)
	}
	c.changes, c.cut = candidates, errors.Is(err, errTrials)
	if err != nil || len(along) == 0 {
		return true, "", skip(err)
	}
	outcome, err = try(nil)(candidates)
	if err == nil && outcome != ddmin.Shown {
		c.with = along
		c.with, err = ddmin.Minimise(along, try(candidates))
	}
	return true, "", skip(err)
}

// skip returns an error, but none if no more trials are made.
func skip(err error) error {
	if errors.Is(err, errTrials) {
		return nil
	}
	return err
}

// candidates returns what goes along with every trial, and those changes among which the cause is looked for.
func (n *narrowing) candidates(
	try func([]int) func([]int) (ddmin.Outcome, error),
) (along, candidates []int, err error) {
	var tests []int
	for i, d := range n.deltas.List {
		switch {
		case d.Test:
			tests = append(tests, i)
		case d.Harmless && d.Change == spectra.ChangeAdded:
			along = append(along, i)
		default:
			candidates = append(candidates, i)
		}
	}
	if len(along) > 0 && len(along) < len(n.deltas.List) {
		switch outcome, err := try(nil)(along); {
		case err != nil:
			return nil, nil, err
		case outcome == ddmin.Shown:
			return nil, along, nil
		case outcome == ddmin.Unresolved:
			along, candidates = nil, slices.Sorted(slices.Values(slices.Concat(along, candidates)))
		}
	} else {
		along, candidates = nil, append(candidates, along...)
	}
	if len(tests) == 0 {
		return along, candidates, nil
	}
	if len(candidates) > 0 {
		outcome, err := try(along)(candidates)
		if err != nil || outcome == ddmin.Shown {
			return along, candidates, err
		}
	}
	return along, append(candidates, tests...), nil
}

// run tries some changes, and says what that shows.
func (n *narrowing) run(ctx context.Context, some []int) (ddmin.Outcome, error) {
	n.trials++
	if progress := n.Config.Progress; progress != nil {
		progress("cause", n.trials, 0)
	}
	result, err := n.try(ctx, slices.Sorted(slices.Values(some)))
	if err != nil {
		return 0, err
	}
	return n.outcome(result), nil
}

// with runs the command on the version before with some changes, unless an earlier run has done so.
func (n *narrowing) with(ctx context.Context, some []int) (result predicate.Result, err error) {
	name := n.name(ctx, []repository.Commit{n.from, n.to}, n.whole, some)
	if n.kept.Recall(name, &result) {
		return result, nil
	}
	var files []predicate.File
	for _, f := range n.deltas.Take(some) {
		one := predicate.File{Name: f.Name}
		if f.New != nil {
			one.Text, one.Mode = append([]byte{}, f.New.Text...), f.New.Mode
		}
		files = append(files, one)
	}
	if result, err = n.command.Run(ctx, n.tree, files...); err != nil {
		return result, cmp.Or(context.Cause(ctx), err)
	}
	n.say(fmt.Sprintf("%.12s with %s", n.from.Hash, n.listed(some)), result)
	n.keep(name, result)
	return result, nil
}

// listed names changes for people who want to know all.
func (n *narrowing) listed(some []int) string {
	const most = 5
	var names []string
	for _, i := range some[:min(len(some), most)] {
		d := n.deltas.List[i]
		name := d.Symbol.Short()
		if d.Whole {
			name = d.File
		}
		names = append(names, name)
	}
	if more := len(some) - most; more > 0 {
		names = append(names, fmt.Sprintf("%d more changes", more))
	}
	return strings.Join(names, ", ")
}

// outcome says what a trial shows. Where the code does not compile and that of the version after does, or does not for
// another reason, nothing can be told.
func (n *narrowing) outcome(r predicate.Result) ddmin.Outcome {
	switch {
	case r.Untestable != "":
		n.unresolved = r.Untestable
		return ddmin.Unresolved
	case r.Passes != n.after.Passes && (r.Passes || r.Broken == ""):
		return ddmin.NotShown
	case !r.Passes && unplaced(r.Broken) != unplaced(n.after.Broken):
		n.unresolved = "it does not compile: " + r.Broken
		return ddmin.Unresolved
	}
	return ddmin.Shown
}

// unplaced returns an error of the compiler without its lines, which move.
func unplaced(text string) string { return lineNumbers.ReplaceAllString(text, "") }

var lineNumbers = regexp.MustCompile(`:\d+(:\d+)?`)

func upTo(n int) (list []int) {
	for i := range n {
		list = append(list, i)
	}
	return list
}

// without returns the numbers below n that are not in a list.
func without(list []int, n int) []int {
	return slices.DeleteFunc(upTo(n), func(i int) bool { return slices.Contains(list, i) })
}
