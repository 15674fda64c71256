package judge

import (
	"context"

	"github.com/spectradiff/spectradiff/internal/diff/noise"
	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// withOwnFiles plays what deviates once more, beside the files of the version that reads those of the other one: code
// and a file that it reads, as a template, may have changed together. What does not deviate then is left out.
func (t *trial) withOwnFiles(ctx context.Context, v *Verdict) error {
	side := t.Players.Apart()
	if side == "" || t.shared || !v.Confirmed() {
		return nil
	}
	player := t.Players.Player(side, t.worker, t.limitValues(v.mode), t.adjust, (*replay.Player).WithOwn)
	played, err := player.Play(ctx, []sequence.Sequence{t.sequence}, v.mode, wire.MainSeed)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case err != nil: // a version that does not even start beside its own files deviates as it does beside the others
		return nil
	case len(played) == 0:
		return ErrTimeUp
	}
	if first := *t.first.Of(side); first != nil {
		played[0].Beside(first)
	}
	shared, recorded := *v.Recorded.Of(side), v.Recorded
	*recorded.Of(side) = played[0].Recorded()
	own := t.compare(recorded, v.Known)
	switch {
	case own.Incomparable != "":
		return nil
	case len(own.Deviations) == 0:
		v.Comparison = own
		return nil
	}
	other := unstableBetween(shared, *recorded.Of(side), side, v.Known.Of(noise.Sequence, side))
	v.Known = v.Known.Without(side, other, func(of noise.Site) bool { return !own.DeviatesAt(of) })
	t.decide(v)
	return nil
}
