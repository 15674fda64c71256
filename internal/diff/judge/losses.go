package judge

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/replay/selection"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// lost notes a sequence that can't be compared.
func (j *judgedLosses) lost(l Loss) { j.left.Lose(l.at(), l.Changed) }

// at returns where a sequence was lost.
func (l Loss) at() string {
	if l.Function != "" {
		return string(l.Function)
	}
	return l.Operation
}

// unjudged notes a suspect that could not be judged: it deviates, unless that is noise.
func unjudged(left *Uncompared, v *Verdict) {
	if v.Unjudged() {
		left.Lose("", true)
		left.Unjudged++
	}
}

// judgeWait returns how long is waited in all for sequences that don't end while they are judged, as a sum of limits.
func judgeWait(budget time.Duration) time.Duration { return 2*budget + 25*time.Second }

// judgedLosses is the result of judging the losses.
type judgedLosses struct {
	verdicts []*Verdict // of those that ended on both versions after all, or deviate
	suspects []Suspect  // the sequences that are known to deviate by not ending
	left     Uncompared
	held     *holding
}

// A place is where sequences were lost: the versions, the function and the driven operation.
type place struct {
	by            spectra.Pair[replay.Clock]
	at, operation string
}

// judgeLosses judges the first sequence that was lost at each place. If it turns out to end, so may the others, and
// they are judged too.
func judgeLosses(ctx context.Context, e *replay.Workers, p *Played, h *holding) (judgedLosses, error) {
	j := judgedLosses{held: h}
	for _, u := range p.Unplayed {
		j.left.Unplay(u.Operation, u.Changed)
	}
	groups, order := map[place][]Loss{}, []place(nil)
	for _, l := range p.Losses {
		at := place{l.Clocks, l.at(), l.Operation}
		switch {
		case l.Alike:
			j.left.Alike++
		case p.Reach.Bodies && !l.Changed, l.Large,
			l.Clocks.Old == replay.Wall, l.Clocks.New == replay.Wall: // waiting would not tell more
			j.lost(l)
		default:
			if groups[at] == nil {
				order = append(order, at)
			}
			groups[at] = append(groups[at], l)
		}
	}
	wait := judgeWait(p.Budget)
	var first, rest []Loss
	for _, at := range order {
		groups[at] = shortestFirst(groups[at], p.Sequences)
		first = append(first, groups[at][0])
	}
	outcomes, err := j.judge(ctx, e, p, first, &wait)
	if err != nil {
		return j, err
	}
	for i, at := range order {
		if outcomes[i] == ended {
			rest = append(rest, groups[at][1:]...)
			continue
		}
		if outcomes[i] == notJudged { // in the same function another one was, driven otherwise
			other := slices.IndexFunc(order[:i], func(p place) bool { return p.by == at.by && p.at == at.at })
			if other >= 0 && outcomes[other] == oneEnds {
				j.share(groups[at], outcomes[other], j.verdictOf(first[other].Index))
				continue
			}
		}
		j.share(groups[at], outcomes[i], j.verdictOf(first[i].Index))
	}
	outcomes, err = j.judge(ctx, e, p, rest, &wait)
	for i, l := range rest {
		if outcomes[i] != ended {
			j.share([]Loss{l}, outcomes[i], j.verdictOf(l.Index))
		}
	}
	return j, err
}

// shortestFirst moves the shortest sequence to the front.
func shortestFirst(list []Loss, sequences []selection.Sequence) []Loss {
	slices.SortStableFunc(list, func(x, y Loss) int {
		return len(sequences[x.Index].Statements) - len(sequences[y.Index].Statements)
	})
	return list
}

// judge judges losses in their order, as long as the time allows to wait for them.
func (j *judgedLosses) judge(
	ctx context.Context, e *replay.Workers, p *Played, list []Loss, wait *time.Duration,
) ([]outcome, error) {
	outcomes, verdicts := make([]outcome, len(list)), make([]*Verdict, len(list))
	n := 0
	for limits := replay.DefaultLimits(); n < len(list) && *wait > 0; n++ {
		list[n].Clocks.Each(func(_ spectra.Side, by replay.Clock) {
			*wait -= (shorterWait + longerWait) * limits.Of(by)
		})
	}
	first := j.held.Places(n)
	err := e.Each(ctx, n, "confirming", func(ctx context.Context, worker, i int) (err error) {
		v, found, err := judgeLost(ctx, p, worker, list[i])
		if err == nil && (found == ended || found == oneEnds) {
			v.Suspect, v.place = p.newSuspect(list[i].Index, v.Comparison), first+i
			j.held.hold(v.place, v)
			verdicts[i] = v
		}
		outcomes[i] = found
		e.Detailf("sequence %d, lost at %s: outcome %d", list[i].Index, list[i].at(), outcomes[i])
		return err
	})
	for i, v := range verdicts {
		if v == nil {
			continue
		}
		j.verdicts = append(j.verdicts, v)
		if outcomes[i] == ended && (v.Confirmed() || v.dropped) {
			j.suspects = append(j.suspects, v.Suspect)
		}
	}
	return outcomes, err
}

func judgeLost(ctx context.Context, p *Played, worker int, l Loss) (*Verdict, outcome, error) {
	t := &trial{Played: p, worker: worker, sequence: p.Sequences[l.Index].Sequence, known: p.Calibrated.Known}
	v := &Verdict{Suspect: Suspect{Index: l.Index}}
	found, err := t.judgeLoss(ctx, v)
	if errors.Is(err, ErrTimeUp) {
		found, err = undecided, nil
	}
	return v, found, err
}

// share gives the outcome of one loss to some.
func (j *judgedLosses) share(list []Loss, found outcome, v *Verdict) {
	for _, l := range list {
		switch found {
		case neitherEnds:
			j.left.Alike++
		case oneEnds:
			s := v.Suspect
			s.Index = l.Index
			j.suspects = append(j.suspects, s)
		default:
			j.lost(l)
		}
	}
}

// verdictOf returns the verdict on a sequence, nil if there is none.
func (j *judgedLosses) verdictOf(index int) *Verdict {
	for _, v := range j.verdicts {
		if v.Suspect.Index == index {
			return v
		}
	}
	return nil
}

// with returns p with further suspects.
func (p *Played) with(suspects []Suspect) *Played {
	more := *p
	more.Suspects = WithSuspects(slices.Clone(p.Suspects), suspects)
	return &more
}
