package pipeline

// This file makes the example of a root: the shortest sequence found that shows it.

import (
	"context"

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
	root       *root.Root // of this sequence alone
}

// example minimises the sequence in which a root shows best.
func (r *run) example(ctx context.Context, worker int, found *root.Root, v *verdict) (example, error) {
	e := example{r.kept[v.suspect.index].sequence, v.comparison, found}
	trials := 0
	var failed error
	short := sequence.Minimise(e.sequence, func(q sequence.Sequence) bool {
		if trials++; trials > minimiseTrials || failed != nil {
			return false
		}
		t := &trial{run: r, worker: worker, sequence: q, mode: replay.Digests}
		kept, err := t.shows(ctx, found)
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
	again.oldMask.Union(r.oldMask)
	again.newMask.Union(r.newMask)
	r.decide(&again)
	if alone := same(root.Find([]root.Case{{Comparison: again.comparison}}, r.causes), found); alone != nil {
		return example{short, again.comparison, alone}, nil
	}
	return e, nil
}

// shows says whether the trial's sequence has the root, and an output difference if the root had one.
func (t *trial) shows(ctx context.Context, found *root.Root) (bool, error) {
	old, new, err := t.both(ctx, mainSeed)
	if err != nil {
		return false, err
	}
	mask := t.oldMask.Renamed(t.matched)
	mask.Union(t.newMask)
	c := diff.Compare(old, new, diff.Options{Common: t.matched, Mask: mask})
	alone := same(root.Find([]root.Case{{Comparison: c}}, t.causes), found)
	return alone != nil && (alone.Reach == found.Reach || found.Reach == root.Masked), nil
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
