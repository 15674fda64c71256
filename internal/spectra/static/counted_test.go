package static

import (
	"testing"

	"github.com/spectradiff/spectradiff/internal/spectra"
)

// TestCounted: a constant is counted on if its declaration mentions iota.
func TestCounted(t *testing.T) {
	p := loadOne(t, `package m

const (
	first = iota
	second
	_
	fourth
)
const alone = 7
const ( one = 1; two = 2 )
var v = 3
func f() {}
`)
	for name, want := range map[spectra.Symbol]spectra.Symbol{
		"first": "example.com/m.first", "fourth": "example.com/m.first", "alone": "", "two": "", "v": "", "f": "",
		"gone": "",
	} {
		if got := p.Counted("example.com/m." + name); got != want {
			t.Errorf("%s: counted from %q, want %q", name, got, want)
		}
	}
}
