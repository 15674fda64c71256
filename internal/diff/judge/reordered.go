package judge

import (
	"context"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// Reordered counts sequences in which no execution deviates, because each occurs in the other run too: more or less
// often, which the value count spectrum shows, or only in another order, which the value trace spectrum shows.
type Reordered struct{ Count, Trace int }

// A reordering is such a sequence.
type reordering struct {
	at       int // its place in the part
	exposure diff.Exposure
}

// countReordered counts sequences of a part whose executions are in another number or order, unless that differs
// between two runs of one version, or chance decides it.
func (r *replaying) countReordered(
	ctx context.Context, worker int, c *chunk, sequences []sequence.Sequence, first spectra.Pair[[]replay.Played],
	list []reordering,
) error {
	if len(list) == 0 || !r.Patched || r.env.Over() {
		return nil
	}
	var again []sequence.Sequence
	for _, of := range list {
		again = append(again, sequences[of.at])
	}
	second, err := r.both(ctx, worker, again, otherSeed, false)
	if err != nil {
		return err
	}
	for n := range second.New {
		was, is := playedPair(first, list[n].at), playedPair(second, n)
		if !repeats(was.Old, is.Old) || !repeats(was.New, is.New) {
			continue
		}
		if list[n].exposure.Count {
			c.Reordered.Count++
		}
		if list[n].exposure.Trace {
			c.Reordered.Trace++
		}
	}
	return nil
}
