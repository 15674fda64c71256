package instrument

import (
	"fmt"
	"slices"
	"strings"
)

// edit replaces the bytes start..end with text. An insertion has start == end.
type edit struct {
	start, end int
	text       string
}

// A buffer collects edits of one source text. Insertions at the same offset appear in the order in which
// they were made. No edit may add or remove a line.
type buffer struct {
	src   []byte
	edits []edit
}

func (b *buffer) insert(at int, text string) { b.replace(at, at, text) }

func (b *buffer) replace(start, end int, text string) {
	b.edits = append(b.edits, edit{start, end, text})
}

// bytes returns the text with all edits applied. The buffer stays unchanged and can be used again.
func (b *buffer) bytes() ([]byte, error) {
	edits := slices.Clone(b.edits)
	slices.SortStableFunc(edits, func(x, y edit) int {
		if x.start != y.start {
			return x.start - y.start
		}
		return x.end - y.end // insertions come before the replacement that starts there
	})
	var out []byte
	done := 0
	for _, e := range edits {
		switch {
		case e.start < 0 || e.end < e.start || e.end > len(b.src):
			return nil, fmt.Errorf("edit %d..%d of a source of %d bytes: out of bounds", e.start, e.end, len(b.src))
		case e.start < done:
			return nil, fmt.Errorf("edit %d..%d overlaps the one that ends at %d", e.start, e.end, done)
		case strings.ContainsRune(e.text, '\n') || slices.Contains(b.src[e.start:e.end], '\n'):
			return nil, fmt.Errorf("edit %d..%d adds or removes a line", e.start, e.end)
		}
		out = append(out, b.src[done:e.start]...)
		out = append(out, e.text...)
		done = e.end
	}
	return append(out, b.src[done:]...), nil
}
