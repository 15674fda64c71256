package diff_test

import (
	"testing"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/diff/difftest"
	"github.com/spectradiff/spectradiff/internal/diff/noise"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// TestShows: a place shows the value of new where it differs from old, of several the wanted one.
func TestShows(t *testing.T) {
	const old = "m.R(x=1) -> ret0=1\n  m.F(x=1) -> ret0=1\n  m.F(x=2) -> ret0=1"
	for _, c := range []struct {
		reason   string
		new      string
		function spectra.Symbol
		at       noise.State
		path     spectra.Path
		wanted   string
		want     string
		differs  bool
	}{
		{"nothing deviates at all", old, "m.F", noise.Exit, "ret0", "2", "", false},
		{
			"another place deviates", "m.R(x=1) -> ret0=2\n  m.F(x=1) -> ret0=1\n  m.F(x=2) -> ret0=1",
			"m.F", noise.Exit, "ret0", "2", "", false,
		},
		{
			"the wanted one of several", "m.R(x=1) -> ret0=2\n  m.F(x=1) -> ret0=7\n  m.F(x=2) -> ret0=2",
			"m.F", noise.Exit, "ret0", "2", "2", true,
		},
		{
			"the first where none is wanted", "m.R(x=1) -> ret0=2\n  m.F(x=1) -> ret0=7\n  m.F(x=2) -> ret0=8",
			"m.F", noise.Exit, "ret0", "2", "7", true,
		},
		{
			"an argument", "m.R(x=1) -> ret0=1\n  m.F(x=5) -> ret0=1\n  m.F(x=2) -> ret0=1",
			"m.F", noise.Entry, "x", "5", "5", true,
		},
		{"new does not run it", "m.R(x=1) -> ret0=2", "m.F", noise.Exit, "ret0", "2", "not run", true},
	} {
		compared := diff.Compare(difftest.Spectrum(old), difftest.Spectrum(c.new), diff.Options{})
		got, differs := compared.Shows(c.function, c.at, c.path, c.wanted)
		if got != c.want || differs != c.differs {
			t.Errorf("%s: %q, %t; want %q, %t", c.reason, got, differs, c.want, c.differs)
		}
	}
	if got, differs := new(diff.Comparison).Shows("m.F", noise.Exit, "ret0", ""); got != "" || differs {
		t.Errorf("a comparison without a tree, because nothing deviates: %q, %t", got, differs)
	}
}
