package diff_test

import (
	"slices"
	"testing"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/diff/difftest"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// TestSameOutputs: what package spectra says of two runs is what comparing them in full lists.
func TestSameOutputs(t *testing.T) {
	for _, c := range []struct {
		reason string
		change func(*spectra.Spectrum)
	}{
		{"nothing", func(*spectra.Spectrum) {}},
		{"a result", func(s *spectra.Spectrum) {
			s.Steps[1].Results = []spectra.Output{{Text: "2", Digest: spectra.Digest{2}}}
		}},
		{"one more result", func(s *spectra.Spectrum) {
			s.Steps[0].Results = append(s.Steps[0].Results, spectra.Output{})
		}},
		{"a panic", func(s *spectra.Spectrum) { s.Steps[1].Panic = "string: no" }},
		{"a step that did not run", func(s *spectra.Spectrum) { s.Steps[1].Ran, s.Steps[1].Results = false, nil }},
		{"printed text", func(s *spectra.Spectrum) { s.Stdout = "x" }},
		{"a message", func(s *spectra.Spectrum) { s.Stderr = "x" }},
		{"a file", func(s *spectra.Spectrum) { s.Files = []spectra.FileOutput{{Name: "f", Size: 1}} }},
		{"a call of a stub", func(s *spectra.Spectrum) {
			s.StubCalls = []spectra.StubCall{{Output: spectra.Output{Text: "f(1)"}}}
		}},
		{"the end", func(s *spectra.Spectrum) { s.End.Kind = wire.EndExited }},
		{"a limit", func(s *spectra.Spectrum) { s.End.Kind, s.Stdout = wire.EndTimeout, "x" }},
	} {
		const text = "m.F(a=1) -> ret0=1\n--\nm.G(a=1) -> ret0=1"
		old, new := difftest.Spectrum(text), difftest.Spectrum(text)
		c.change(new)
		for _, pair := range [][2]*spectra.Spectrum{{old, new}, {new, old}} {
			want := len(diff.Compare(pair[0], pair[1], diff.Options{}).Outputs) == 0
			if got := spectra.SameOutputs(pair[0], pair[1]); got != want {
				t.Errorf("%s differs: the outputs are the same: %v, want %v", c.reason, got, want)
			}
		}
	}
}

// TestMaskedStubCalls: that calls of what was handed over are masked says nothing of when a text was printed.
func TestMaskedStubCalls(t *testing.T) {
	const second = "\n--\nm.G(x=1) -> ret0=1\n"
	old := difftest.Spectrum("m.F(a=1) -> ret0=1" + second + "stub 1\nstdout one")
	new := difftest.Spectrum("m.F(a=1) -> ret0=2" + second + "stub 2\nstdout two")
	mask := diff.Unstable(old, difftest.Spectrum("m.F(a=1) -> ret0=1"+second+"stub 3\nstdout one"), spectra.Old, nil)
	c := diff.Compare(old, new, diff.Options{Mask: mask})
	var seen []string
	for _, e := range c.WholeRun(c.Deviations[0]) {
		seen = append(seen, e.Path)
	}
	if !slices.Equal(seen, []string{"stdout"}) {
		t.Errorf("what deviates before the masked call may have led to %q, want to what was printed", seen)
	}
}
