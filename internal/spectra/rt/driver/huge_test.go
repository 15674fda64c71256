package driver

import (
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// TestHugeText: a text that is too large for it is not handed on while sequences are tried out, and always otherwise.
func TestHugeText(t *testing.T) {
	for _, c := range []struct {
		reason string
		size   int
		tries  bool
		want   error
	}{
		{"as large as may be", hugeText, true, nil},
		{"larger", hugeText + 1, true, errHuge},
		{"larger, of a sequence that is compared", hugeText + 1, false, nil},
	} {
		var first wire.Writer
		first.Uint(0)
		first.Uint(0)
		text := strings.Repeat("a", c.size)
		p := &run{
			d: &driver{}, tries: c.tries, r: wire.NewReader(first),
			results: [][]reflect.Value{{reflect.ValueOf(text)}},
		}
		v, err := p.reference()
		if !errors.Is(err, c.want) || err == nil && v.String() != text {
			t.Errorf("%s: got %d bytes, %v", c.reason, len(text), err)
		}
	}
}
