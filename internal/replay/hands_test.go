package replay

import (
	"context"
	"errors"
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay/build"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// A handing are hands that give the same whatever they are asked.
type handing struct {
	replies []byte
	read    error // what was said of it
}

func (h *handing) Slots() int { return 1 }

func (h *handing) Do(_ context.Context, _ *Task, read func([]byte) error) error {
	h.read = read(h.replies)
	return h.read
}

// TestHanded: what other machines give is played, and who handed a task out is told if that is no result.
func TestHanded(t *testing.T) {
	p, sequences, given, _ := replied(t)
	p.Binary, p.Side = &build.Binary{}, "old"
	hands := &handing{replies: encodeReplies(given)}
	h := handed{p, &Workers{Hands: hands}}
	played, err := h.Play(t.Context(), sequences, wire.ModeDigests, wire.MainSeed)
	if err != nil || len(played) != len(sequences) {
		t.Errorf("%d played, %v", len(played), err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel() // else it is played here
	hands.replies = []byte("garbage")
	if _, err := h.Play(ctx, sequences, wire.ModeDigests, wire.MainSeed); !errors.Is(err, context.Canceled) {
		t.Errorf("garbage: %v", err)
	}
	if !errors.Is(hands.read, errReplies) {
		t.Errorf("the hands are told %v, want %v", hands.read, errReplies)
	}
}
