package rt

import (
	"bytes"
	"testing"
)

// TestWords: an entry that is recorded without a walk, as all are that follow the first one, is the same bytes.
func TestWords(t *testing.T) {
	points := make([]Point, 5)
	Register(Package{Path: "words", Points: points})
	number, small, text := 7, int8(-3), "text"
	var missing error
	buffer := make([]byte, 1<<12)
	for i, slots := range [][]any{{}, {&number, &small}, {&text}, {&missing}, {&number, new(*int)}} {
		var entries [][]byte
		for range 3 {
			Begin(buffer, len(buffer)/2, false, 1<<20)
			Mark(0)
			start := Length()
			if p := &points[i]; recorder.quick(p) != (len(entries) > 0) {
				t.Errorf("slots %d: without a walk %v at call %d", i, recorder.quick(p), len(entries))
			}
			Enter(&points[i], slots...)
			events, _ := End()
			entries = append(entries, bytes.Clone(events[start:]))
		}
		if !bytes.Equal(entries[0], entries[1]) || !bytes.Equal(entries[1], entries[2]) {
			t.Errorf("slots %d: %x by a walk, then %x and %x", i, entries[0], entries[1], entries[2])
		}
	}
}
