package state

import (
	"fmt"
	"testing"

	"github.com/spectradiff/spectradiff/internal/spectra/rt/digest"
)

// states digests the fmt.State that it is formatted with.
type states struct{ seen *digest.Hash }

func (s states) Format(f fmt.State, verb rune) { *s.seen = hashed(f) }

// TestFormattingState: what another print left in the pool's scratch memory is no part of a state, what this
// one is told is.
func TestFormattingState(t *testing.T) {
	var one, other, wide digest.Hash
	_ = fmt.Sprintf("%v %v", states{&one}, 1)
	_ = fmt.Sprintf("%[2]d %[1]x", 123456789, 987654321)
	_ = fmt.Sprintf("%v %v", states{&other}, 1)
	_ = fmt.Sprintf("%7.3v", states{&wide})
	if one != other {
		t.Error("what an earlier print left makes a difference")
	}
	if one == wide {
		t.Error("width and precision make no difference")
	}
}
