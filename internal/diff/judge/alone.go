package judge

import (
	"context"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// Alone plays each sequence of a subject alone on both versions, and returns their comparisons in the order of the
// sequences. Under the main seed alone is enough where told says so of the comparison; else what deviates is played
// again as suspects are. Where tier says nondeterminism, it is played under other seeds even if nothing deviates.
func Alone(
	ctx context.Context, e *replay.Workers, s *Subject, tier func(i int) spectra.Tier,
	told func(i int, c *diff.Comparison) bool,
) ([]*diff.Comparison, error) {
	list := make([]*diff.Comparison, len(s.Sequences))
	played := &Played{Subject: s}
	return list, e.Each(ctx, len(list), "playing", func(ctx context.Context, worker, i int) error {
		t := &trial{
			Played: played, worker: worker, sequence: s.Sequences[i].Sequence, known: s.noise(), example: true,
			varies: tier(i) == spectra.TierNondeterminism, few: true,
		}
		for _, t.once = range []bool{!t.varies, false} {
			var v Verdict
			err := t.judgeAny(ctx, &v)
			list[i] = v.Comparison
			if err != nil || !t.once || told(i, v.Comparison) {
				return err
			}
		}
		return nil
	})
}
