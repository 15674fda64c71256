package pipeline

// This file makes the example of a root: the shortest sequence found that shows it.

import (
	"context"
	"slices"

	"github.com/spectradiff/spectradiff/diff"
	"github.com/spectradiff/spectradiff/diff/root"
	"github.com/spectradiff/spectradiff/replay"
	"github.com/spectradiff/spectradiff/replay/sequence"
)

// minimiseTrials is how often a sequence is played while it is made shorter.
const minimiseTrials = 80

// An example is a sequence with what it shows.
type example struct {
	sequence   sequence.Sequence
	comparison *diff.Comparison
	root       *root.Root
	index      int // the sequence's number in the references of root
}

// outputs lists the outputs that show the root.
func (e example) outputs() []diff.OutputDifference {
	own := *e.root
	own.Deviations = slices.DeleteFunc(slices.Clone(own.Deviations), func(ref root.Ref) bool { return ref.Sequence != e.index })
	return outputsOf(&own, e.comparison)
}

// example minimises the sequence in which a root shows best.
func (r *run) example(ctx context.Context, worker int, found *root.Root, visible bool, v *verdict) (example, error) {
	e := example{r.kept[v.suspect.index].sequence, v.comparison, found, v.suspect.index}
	trials := 0
	var failed error
	short := sequence.Minimise(e.sequence, func(q sequence.Sequence) bool {
		if trials++; trials > minimiseTrials || failed != nil {
			return false
		}
		t := &trial{run: r, worker: worker, sequence: q, mode: replay.Digests}
		kept, err := t.shows(ctx, found, visible)
		failed = err
		return err == nil && kept
	})
	if failed != nil || len(short.Statements) == 0 {
		return e, failed
	}
	t := &trial{run: r, worker: worker, sequence: short, mode: replay.Values}
	var again verdict
	if err := t.judge(ctx, &again); err != nil || !again.confirmed() {
		return e, err
	}
	if alone := same(root.Find([]root.Case{{Comparison: again.comparison}}, r.causes), found); alone != nil {
		return example{short, again.comparison, alone, 0}, nil
	}
	return e, nil
}

// shows says whether the trial's sequence has the root, and an output that shows it if one is asked
// for.
func (t *trial) shows(ctx context.Context, found *root.Root, visible bool) (bool, error) {
	old, new, err := t.both(ctx, mainSeed)
	if err != nil {
		return false, err
	}
	c := t.compared(&verdict{old: old, new: new, oldMask: t.oldMask, newMask: t.newMask}, nil)
	alone := same(root.Find([]root.Case{{Comparison: c}}, t.causes), found)
	return alone != nil && (!visible || len(outputsOf(alone, c)) > 0), nil
}

// outputsOf lists the outputs of one sequence that show a root: those of a step in which something
// deviates because of it, and those of the whole sequence.
func outputsOf(found *root.Root, c *diff.Comparison) []diff.OutputDifference {
	steps := map[int]bool{-1: true}
	for _, ref := range found.Deviations {
		for n := c.Deviations[ref.Deviation].Node; n != nil && n.Parent != nil; n = n.Parent {
			if n.Parent.Parent == nil {
				steps[n.Step] = true
			}
		}
	}
	var list []diff.OutputDifference
	for _, o := range c.Outputs {
		if steps[o.Step] {
			list = append(list, o)
		}
	}
	return list
}

// same finds the root with the cause of another one.
func same(list []*root.Root, other *root.Root) *root.Root {
	for _, r := range list {
		if r.Function == other.Function && r.Change == other.Change {
			return r
		}
	}
	return nil
}
