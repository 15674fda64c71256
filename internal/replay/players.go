package replay

import (
	"context"
	"slices"
	"time"

	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"

	"github.com/spectradiff/spectradiff/internal/replay/build"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// A VersionPlayer plays sequences on one version. Player is the usual implementation.
type VersionPlayer interface {
	Play(context.Context, []sequence.Sequence, wire.Mode, uint64) ([]Played, error)
	Initialised(context.Context, uint64) (Initialised, error)
}

// Players make the players of both versions. Each use gets a new player with limits of its own.
type Players struct {
	make func(s spectra.Side, worker int, own *Player) VersionPlayer
	of   spectra.Pair[Player]
}

// Players returns Players that use the sandboxes of the workers. They stop when the time of the run is over.
func (w *Workers) Players(of spectra.Pair[Player]) *Players {
	of.Old.Over, of.New.Over = w.Over, w.Over
	of.Old.Timed, of.New.Timed = w.Timed, w.Timed
	return PlayersBy(of, func(_ spectra.Side, worker int, own *Player) VersionPlayer {
		own.Sandbox = w.Sandboxes[worker%len(w.Sandboxes)]
		if w.Hands != nil && worker >= max(w.Jobs, 1) {
			return handed{own, w}
		}
		return own
	})
}

// PlayersBy returns Players that make each player with the given function, from its settings.
func PlayersBy(
	of spectra.Pair[Player], make func(s spectra.Side, worker int, own *Player) VersionPlayer,
) *Players {
	return &Players{make, of}
}

// Player returns a player for one version in the sandbox of a worker. The adjust functions may change its limits.
func (p *Players) Player(s spectra.Side, worker int, adjust ...func(*Player)) VersionPlayer {
	own := *p.of.Of(s)
	for _, set := range adjust {
		set(&own)
	}
	return spanned{p.make(s, worker, &own), s}
}

// A spanned is a player whose plays have spans.
type spanned struct {
	VersionPlayer
	side spectra.Side
}

// Play plays the sequences in a span.
func (s spanned) Play(
	ctx context.Context, sequences []sequence.Sequence, mode wire.Mode, seed uint64,
) ([]Played, error) {
	ctx, span := spans.Start(ctx, "play", trace.WithAttributes(
		attribute.String("side", string(s.side)), attribute.Int("sequences", len(sequences))))
	defer span.End()
	return s.VersionPlayer.Play(ctx, sequences, mode, seed)
}

// WithoutBubbles returns Players that play outside time bubbles.
func (p *Players) WithoutBubbles() *Players {
	plain := *p
	plain.of.Old.Compare.Bubbles, plain.of.New.Compare.Bubbles = false, false
	return &plain
}

// Waiting returns Players whose sequences may wait so long for something outside of their process.
func (p *Players) Waiting(idle time.Duration) *Players {
	patient := *p
	patient.of.Old.Limits.Idle, patient.of.New.Limits.Idle = idle, idle
	return &patient
}

// WithGo returns Players whose sequences may start the go command. They play here.
func (p *Players) WithGo(tree *build.GoTree) *Players {
	own := *p
	own.of.Old.Go, own.of.New.Go = tree, tree
	return &own
}

// Go returns the go command that sequences may start; nil: none.
func (p *Players) Go() *build.GoTree { return p.of.Old.Go }

// Writing returns Players whose sequences may change the folders that they read, of which each has a copy. They play
// here.
func (p *Players) Writing() *Players {
	own := *p
	for _, s := range spectra.Sides() {
		of := own.of.Of(s)
		of.Writes, of.Limits.ProcessSize = true, 1
	}
	return &own
}

// Writes reports whether sequences may do that.
func (p *Players) Writes() bool { return p.of.Old.Writes }

// Apart returns the version that reads files of its own if that is asked for; "": none.
func (p *Players) Apart() spectra.Side {
	for _, s := range spectra.Sides() {
		if of := p.of.Of(s); of.Own != nil && !of.Writes {
			return s
		}
	}
	return ""
}

// Watching returns Players that report hits of these blocks of old, by packages, even if they are not new.
func (p *Players) Watching(blocks map[string][]int) *Players {
	watching := *p
	watching.of.Old.Compare.Watch = blocks
	return &watching
}

// Limits returns the limits within which sequences are played.
func (p *Players) Limits() Limits { return p.of.Old.Limits }

// Like returns a player that plays as these do: in time bubbles or not, within the same limits, with the go command or
// without, in copies or not.
func (p *Players) Like(player Player) Player {
	player.Compare.Bubbles, player.Limits, player.Go, player.Writes = p.Bubbles(), p.Limits(), p.Go(), p.Writes()
	return player
}

// Bubbles reports whether each sequence is played in a time bubble.
func (p *Players) Bubbles() bool { return p.of.Old.Compare.Bubbles }

// Both plays sequences on the old version, and then on the new version as many as the old one played. Limits may end it
// early; the result holds the sequences that both versions played. Where a worker has nothing to do, it plays on new
// meanwhile.
func (p *Players) Both(
	ctx context.Context, worker int, sequences []sequence.Sequence, mode wire.Mode, seed uint64,
	adjust ...func(*Player),
) (played spectra.Pair[[]Played], err error) {
	if p.of.Old.limited(adjust).HeldTime == 0 { // else new plays no more than old came to
		if spare, give, ok := spareWorker(ctx); ok {
			return p.together(ctx, spectra.Pair[int]{Old: worker, New: spare}, give, sequences, mode, seed, adjust)
		}
	}
	played.Old, err = p.Player(spectra.Old, worker, adjust...).Play(ctx, sequences, mode, seed)
	if err == nil {
		all := func(p *Player) { p.Limits.HeldTime = 0 } // that old played
		adjust = append(slices.Clone(adjust), all)
		played.New, err = p.Player(spectra.New, worker, adjust...).Play(ctx, sequences[:len(played.Old)], mode, seed)
		played.Old = played.Old[:min(len(played.Old), len(played.New))]
	}
	return played, err
}

// together plays sequences on both versions at the same time, each by a worker of its own. That of new is given back
// when it is done: where old's is one of hands that did not manage, it waits for one of this machine.
func (p *Players) together(
	ctx context.Context, workers spectra.Pair[int], give func(), sequences []sequence.Sequence, mode wire.Mode,
	seed uint64, adjust []func(*Player),
) (spectra.Pair[[]Played], error) {
	played, err := Both(ctx, func(ctx context.Context, s spectra.Side) ([]Played, error) {
		if s == spectra.New {
			defer give()
		}
		return p.Player(s, *workers.Of(s), adjust...).Play(ctx, sequences, mode, seed)
	})
	n := min(len(played.Old), len(played.New))
	return spectra.MakePair(func(s spectra.Side) []Played { return (*played.Of(s))[:n] }), err
}

// limited returns the limits of a player with adjustments.
func (p Player) limited(adjust []func(*Player)) Limits {
	for _, set := range adjust {
		set(&p)
	}
	return p.Limits
}
