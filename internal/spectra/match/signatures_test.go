package match_test

import (
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/match/matchtest"
)

func TestSignatures(t *testing.T) {
	m := matchtest.Match(t, `-- old/go.mod --
module example.com/m

go 1.24
-- old/m.go --
package m

type T struct{ n int }

func (t T) Value() int { return t.n }
func plain(n int) int { return n * 2 }
func swapped(low, high int) int { return high - low }
func renamed(low, high int) int { return high - low }
func Exported(low, high int) int { return high - low }
func results() int { return 1 }
func other(n int) int { return n * 2 }
func rest(n []int) int { return len(n) }
-- new/go.mod --
module example.com/m

go 1.24
-- new/m.go --
package m

type T struct{ n int }

func (t *T) Value() int { return t.n }
func plain(n int, twice bool) int { return n * 2 }
func swapped(high, low int) int { return high - low }
func renamed(high, low int) int { return low - high }
func Exported(high, low int) int { return high - low }
func results() (int, error) { return 1, nil }
func other(s string) (string, error) {
	for range s {
		s += "x"
	}
	return s, nil
}
func rest(n ...int) int { return len(n) }
`)
	got := map[spectra.Symbol]string{}
	for _, c := range m.Structural() {
		got[c.Symbol] = string(c.Change) + " " + strings.ReplaceAll(c.Detail, "example.com/", "")
	}
	for _, c := range []struct {
		reason   string
		function spectra.Symbol
		want     string
	}{
		{"a receiver became a pointer", "T.Value", "signature receiver m.T → *m.T"},
		{"a parameter more", "plain", "signature gained twice bool"},
		{"names say that places were exchanged", "swapped", "signature parameters in another order"},
		{"the body says that names were exchanged", "renamed", ""},
		{"of an exported function places count", "Exported", ""},
		{"a result more", "results", "signature results (int) → (int, error)"},
		{"nothing but the name stayed", "other",
			"signature lost n int; gained s string; results (int) → (string, error); another body, not compared"},
		{"the slots are the same", "rest", "signature func([]int) int → func(...int) int"},
	} {
		if got := got["example.com/m."+c.function]; got != c.want {
			t.Errorf("%s: %s %q, want %q", c.reason, c.function, got, c.want)
		}
		if want := strings.HasSuffix(c.want, "not compared"); m.Strangers("example.com/m."+c.function) != want {
			t.Errorf("%s: %s is a stranger: %v", c.reason, c.function, !want)
		}
	}
}
