package replay

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// A Memory returns what the old version played before, which repeats, instead of playing it again. Only one goroutine
// may use it. The limits of a play must follow from its mode, and but for Comparison.Valued all plays compare the same.
// The zero Memory is empty.
type Memory struct{ played map[play][]Played }

// A play is the key of one remembered call of Play.
type play struct {
	text   string
	mode   wire.Mode
	seed   uint64
	valued string // the functions of Comparison.Valued
}

// With returns Players whose old player asks the memory first.
func (m *Memory) With(p *Players) *Players {
	return PlayersBy(p.of, func(s spectra.Side, worker int, own *Player) VersionPlayer {
		player := p.make(s, worker, own)
		if s == spectra.New {
			return player
		}
		return remembering{player, m, fmt.Sprint(own.Compare.Valued)} // a map is printed in order
	})
}

// remembering is a player of the old version with a memory.
type remembering struct {
	VersionPlayer
	memory *Memory
	valued string
}

// Play returns a remembered outcome, or plays the sequences and remembers the outcome if all were played.
func (r remembering) Play(
	ctx context.Context, list []sequence.Sequence, mode wire.Mode, seed uint64,
) ([]Played, error) {
	var text strings.Builder
	for _, q := range list {
		text.WriteString(q.String())
	}
	key := play{text.String(), mode, seed, r.valued}
	if played, ok := r.memory.played[key]; ok {
		return slices.Clone(played), nil
	}
	played, err := r.VersionPlayer.Play(ctx, list, mode, seed)
	if err != nil || len(played) < len(list) {
		return played, err
	}
	if r.memory.played == nil {
		r.memory.played = map[play][]Played{}
	}
	r.memory.played[key] = slices.Clone(played)
	return played, nil
}
