package replay

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay/build"
	"github.com/spectradiff/spectradiff/internal/replay/sandbox"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// A handing are hands that give the same whatever they are asked.
type handing struct {
	replies []byte
	read    error // what was said of it
	after   func()
}

func (h *handing) Slots() int { return 1 }

func (h *handing) Do(_ context.Context, _ *Task, read func([]byte) error) error {
	h.read = read(h.replies)
	h.after()
	return h.read
}

// TestHanded: what other machines give is played, and who handed a task out is told if that is no result.
func TestHanded(t *testing.T) {
	p, sequences, given, _ := replied(t)
	p.Binary, p.Side = &build.Binary{}, "old"
	ctx, cancel := context.WithCancel(t.Context())
	hands := &handing{replies: encodeReplies(given[:2]), after: func() {}}
	h := handed{p, &Workers{Hands: hands}}
	played, err := h.Play(ctx, sequences, wire.ModeDigests, wire.MainSeed)
	if err != nil || len(played) != 2 {
		t.Errorf("%d played, %v", len(played), err)
	}
	// It would be played here, because a clock ended the third.
	hands.replies, hands.after = encodeReplies(given), cancel
	if played, err := h.Play(ctx, sequences, wire.ModeDigests, wire.MainSeed); !errors.Is(err, context.Canceled) {
		t.Errorf("%d played after a clock of the other machine, %v", len(played), err)
	}
	if _, is := errors.AsType[Discarded](hands.read); !is {
		t.Errorf("who handed it out hears %v", hands.read)
	}
	hands.replies = []byte("garbage")
	if _, err := h.Play(ctx, sequences, wire.ModeDigests, wire.MainSeed); !errors.Is(err, context.Canceled) {
		t.Errorf("garbage: %v", err)
	}
	if !errors.Is(hands.read, errReplies) {
		t.Errorf("the hands are told %v, want %v", hands.read, errReplies)
	}
}

// TestTimed: who wants to know is told of each sequence that a clock ended, whichever player played it.
func TestTimed(t *testing.T) {
	var told []Clock
	w := &Workers{Sandboxes: make([]*sandbox.Sandbox, 1), Timed: func(c Clock) { told = append(told, c) }}
	for _, s := range spectra.Sides() {
		p, ok := w.Players(spectra.Pair[Player]{}).Player(s, 0).(spanned).VersionPlayer.(*Player)
		if !ok {
			t.Fatal("no player of this machine")
		}
		p.tell([]Played{{}, {Clock: Processor}, {Clock: Waiting}})
	}
	if want := []Clock{Processor, Waiting, Processor, Waiting}; !slices.Equal(told, want) {
		t.Errorf("told %q, want %q", told, want)
	}
	for c, want := range map[Clock]bool{Processor: true, Wall: true, Waiting: false, "": false} {
		if got := c.OfMachine(); got != want {
			t.Errorf("%q: of the machine %v, want %v", c, got, want)
		}
	}
}
