package pipeline

// This file plays suspects again, alone in fresh processes and with values: isolation is the judge.

import (
	"context"

	"golang.org/x/sync/errgroup"

	"github.com/spectradiff/spectradiff/diff"
	"github.com/spectradiff/spectradiff/replay"
	"github.com/spectradiff/spectradiff/replay/sequence"
	"github.com/spectradiff/spectradiff/report"
	"github.com/spectradiff/spectradiff/spectra"
)

// Of suspects that look alike, so many are judged; the others share the verdict. All in all not
// more than judgedSuspects are.
const (
	judgedAlike    = 5
	judgedSuspects = 150
)

// A verdict is what judging a suspect gave.
type verdict struct {
	suspect    suspect
	comparison *diff.Comparison // nil: not judged
	mask       *diff.Mask
	values     int // compared values of one run, and how many of them are masked
	masked     int
}

// confirmed says whether the sequence deviates on its own.
func (v *verdict) confirmed() bool { return v.comparison != nil && deviates(v.comparison) }

func (r *run) judge(ctx context.Context) error {
	chosen := r.choose()
	r.verdicts = make([]verdict, len(chosen))
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(max(r.cfg.Jobs, 1))
	workers := r.workers()
	done := make(chan int, len(chosen))
	for i, s := range chosen {
		g.Go(func() error {
			worker := <-workers
			defer func() { workers <- worker }()
			var err error
			r.verdicts[i], err = r.judgeOne(ctx, worker, s)
			done <- i
			r.progress("confirming", len(done), len(chosen))
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	r.expose()
	r.noise()
	return r.roots()
}

// choose picks the suspects to judge: of each kind the first few, the shortest first.
func (r *run) choose() []suspect {
	alike := map[string][]suspect{}
	var order []string
	for _, s := range r.suspects {
		if alike[s.signature] == nil {
			order = append(order, s.signature)
		}
		alike[s.signature] = append(alike[s.signature], s)
	}
	var chosen []suspect
	for round := 0; round < judgedAlike; round++ {
		for _, signature := range order {
			if list := alike[signature]; round < len(list) && len(chosen) < judgedSuspects {
				chosen = append(chosen, r.shortest(list, round))
			}
		}
	}
	return chosen
}

// shortest moves the n-th shortest suspect to place n and returns it.
func (r *run) shortest(list []suspect, n int) suspect {
	best := n
	for i := n; i < len(list); i++ {
		if len(r.kept[list[i].index].sequence.Statements) < len(r.kept[list[best].index].sequence.Statements) {
			best = i
		}
	}
	list[n], list[best] = list[best], list[n]
	return list[n]
}

// judgeOne plays a suspect alone: twice on each version to see what is unstable in it, then once
// more to see every deviation again.
func (r *run) judgeOne(ctx context.Context, worker int, s suspect) (verdict, error) {
	v := verdict{suspect: s, mask: &diff.Mask{}}
	q := r.kept[s.index].sequence
	old, err := r.alone(ctx, worker, r.old, q)
	if err != nil {
		return v, err
	}
	new, err := r.alone(ctx, worker, r.new, q)
	if err != nil {
		return v, err
	}
	oldMask := diff.Unstable(old[0], old[1], "old")
	oldMask.Union(diff.Unstable(old[0], old[2], "old"))
	newMask := diff.Unstable(new[0], new[1], "new")
	newMask.Union(diff.Unstable(new[0], new[2], "new"))
	v.values, v.masked = oldMask.Weigh(old[0])
	v.mask.Union(oldMask.Renamed(r.matched), newMask)
	options := diff.Options{Common: r.matched, Mask: v.mask, Brought: newMask.Without(oldMask.Renamed(r.matched))}
	v.comparison = diff.Compare(old[0], new[0], options)
	return v, nil
}

// alone plays a sequence three times in processes of its own: with the main seed, another one, and
// the main seed again.
func (r *run) alone(ctx context.Context, worker int, s *side, q sequence.Sequence) ([]*spectra.Spectrum, error) {
	var list []*spectra.Spectrum
	player := r.player(s, worker)
	for _, seed := range []uint64{mainSeed, otherSeed, mainSeed} {
		played, err := player.Play(ctx, []sequence.Sequence{q}, replay.Values, seed)
		if err != nil {
			return nil, err
		}
		list = append(list, played[0].Spectrum)
	}
	return list, nil
}

// expose counts the sequences in which each spectrum differs. Suspects that were not judged count
// when one like them was confirmed.
func (r *run) expose() {
	confirmed, judged := map[string]bool{}, map[int]*verdict{}
	for i := range r.verdicts {
		v := &r.verdicts[i]
		judged[v.suspect.index] = v
		if v.confirmed() {
			confirmed[v.suspect.signature] = true
		}
	}
	for _, s := range r.suspects {
		exposure := s.exposure
		if v := judged[s.index]; v != nil {
			if !v.confirmed() {
				continue
			}
			exposure = v.comparison.Exposure
		} else if !confirmed[s.signature] {
			continue
		}
		count(&r.report.Exposure, exposure)
	}
}

func count(e *report.Exposure, d diff.Exposure) {
	for n, differs := range map[*int]bool{&e.Hit: d.Hit, &e.Count: d.Count, &e.Trace: d.Trace, &e.Output: d.Output} {
		if differs {
			*n++
		}
	}
}

// noise reports what was masked.
func (r *run) noise() {
	all := &diff.Mask{}
	for i := range r.verdicts {
		v := &r.verdicts[i]
		r.report.Noise.Values += v.values
		r.report.Noise.Masked += v.masked
		all.Union(v.mask)
	}
	for _, site := range all.Sites() {
		r.report.Noise.Sites = append(r.report.Noise.Sites, report.NoiseSite{
			Function: string(site.Function), Path: string(site.State) + " " + string(site.Path), Reason: site.Reason,
		})
	}
}
