package pipeline

// This file makes players for both versions.

import (
	"context"

	"github.com/spectradiff/spectradiff/replay"
	"github.com/spectradiff/spectradiff/replay/sequence"
	"github.com/spectradiff/spectradiff/spectra"
)

// players play on both versions. A player is made for each use, with limits of its own.
type players struct {
	env *environment
	of  spectra.Pair[replay.Player] // all but the sandbox, which belongs to a worker
}

// player returns a player for one version in the sandbox of a worker. Each adjust may set limits.
func (p *players) player(s spectra.Side, worker int, adjust ...func(*replay.Player)) player {
	own := *p.of.Of(s)
	if n := len(p.env.sandboxes); n > 0 {
		own.Sandbox = p.env.sandboxes[worker%n]
	}
	for _, set := range adjust {
		set(&own)
	}
	return p.env.player(&own)
}

// withoutBubbles returns players that play outside of time bubbles.
func (p *players) withoutBubbles() *players {
	plain := *p
	plain.of.Old.Compare.Bubbles, plain.of.New.Compare.Bubbles = false, false
	return &plain
}

// bubbles reports whether each sequence is played in a time bubble.
func (p *players) bubbles() bool { return p.of.Old.Compare.Bubbles }

// both plays sequences on the old version, then as many on the new one as the old one played.
func (p *players) both(
	ctx context.Context, worker int, sequences []sequence.Sequence, mode replay.Mode, seed uint64,
	adjust ...func(*replay.Player),
) (played spectra.Pair[[]replay.Played], err error) {
	played.Old, err = p.player(spectra.Old, worker, adjust...).Play(ctx, sequences, mode, seed)
	if err == nil {
		played.New, err = p.player(spectra.New, worker, adjust...).Play(ctx, sequences[:len(played.Old)], mode, seed)
	}
	return played, err
}
