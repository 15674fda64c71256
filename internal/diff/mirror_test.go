package diff_test

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/diff/difftest"
	"github.com/spectradiff/spectradiff/internal/diff/noise"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// The functions that both versions of the random runs have: renamedForth maps new names to old ones,
// renamedBack old ones to new ones.
var (
	renamedForth = map[spectra.Symbol]spectra.Symbol{"m.F": "m.F", "m.G": "m.G", "m.H2": "m.H"}
	renamedBack  = map[spectra.Symbol]spectra.Symbol{"m.F": "m.F", "m.G": "m.G", "m.H": "m.H2"}
)

// vary makes a random run into one of the old or the new version, which have a name and a helper of their
// own.
func vary(r *rand.Rand, s *spectra.Spectrum, isNew bool) {
	var visit func(list []*spectra.Execution) []*spectra.Execution
	visit = func(list []*spectra.Execution) []*spectra.Execution {
		var out []*spectra.Execution
		for _, e := range list {
			if isNew && e.Symbol == "m.H" {
				e.Symbol = "m.H2"
			}
			e.Children = visit(e.Children)
			if r.Intn(10) == 0 { // called through a helper of this version
				own := difftest.Spectrum(fmt.Sprintf("m.own%v(a=%d) -> ret0=1", isNew, r.Intn(2))).Steps[0].Calls[0]
				own.Children, own.Go = []*spectra.Execution{e}, e.Go
				e.Go = false
				e = own
			}
			out = append(out, e)
		}
		return out
	}
	for i := range s.Steps {
		s.Steps[i].Calls = visit(s.Steps[i].Calls)
		s.Steps[i].Results = []spectra.Output{{Digest: spectra.Digest{uint64(r.Intn(3))}, Text: fmt.Sprint(r.Intn(3))}}
		if r.Intn(10) == 0 {
			s.Steps[i].Panic = fmt.Sprint("boom ", r.Intn(2))
		}
	}
	if n := len(s.Steps[0].Calls); n > 1 && r.Intn(3) == 0 {
		s.Stray, s.Steps[0].Calls = s.Steps[0].Calls[n-1:], s.Steps[0].Calls[:n-1]
	}
	s.Stdout = strings.Repeat("line\n", r.Intn(3))
	s.End.Kind = []wire.End{
		wire.EndDone, wire.EndDone, wire.EndDone, wire.EndExited, wire.EndCrashed, wire.EndBlocked,
	}[r.Intn(6)]
}

// pairOf makes two runs that are partly alike.
func pairOf(seed int64) (old, new *spectra.Spectrum) {
	old, new = random(rand.New(rand.NewSource(seed))), random(rand.New(rand.NewSource(seed)))
	mutate(rand.New(rand.NewSource(seed+1)), new)
	vary(rand.New(rand.NewSource(seed+2)), old, false)
	vary(rand.New(rand.NewSource(seed+2+seed%2)), new, true)
	return old, new
}

// randomMask masks a few states, by the names of the new version or of the old one.
func randomMask(seed int64, common map[spectra.Symbol]spectra.Symbol) *noise.Mask {
	r := rand.New(rand.NewSource(seed))
	m := &noise.Mask{}
	for _, name := range []spectra.Symbol{"m.F", "m.G", "m.H2"} {
		if r.Intn(4) > 0 {
			continue
		}
		if common != nil {
			name = common[name]
		}
		m.Add(noise.Site{Function: name, State: noise.Exit, Path: "ret0"}, "random")
	}
	return m
}

// said lists the content of a comparison; with mirrored, that of its mirror image.
func said(c *diff.Comparison, mirrored bool) []string {
	kinds := map[spectra.Kind]spectra.Kind{
		spectra.KindNewOnly: spectra.KindOldOnly,
		spectra.KindOldOnly: spectra.KindNewOnly,
	}
	var list []string
	for _, d := range c.Deviations {
		kind, function, old, new := d.Kind, d.Function, d.Old, d.New
		if mirrored {
			old, new = new, old
			if other, ok := kinds[kind]; ok {
				kind = other
			}
			if name, ok := renamedForth[function]; ok {
				function = name // the exchanged comparison goes by what was old's name
			}
		}
		line := fmt.Sprintf("%s %s %s %s: %s | %s", kind, function, d.State, d.Path, old, new)
		for _, f := range d.Differences {
			old, new := f.Old, f.New
			if mirrored {
				old, new = new, old
			}
			line += fmt.Sprintf("; %s: %s | %s", f.Path, old, new)
		}
		list = append(list, line)
	}
	for _, o := range c.Outputs {
		old, new := o.Old, o.New
		if mirrored {
			old, new = new, old
		}
		list = append(list, fmt.Sprintf("output %d %s: %s | %s", o.Step, o.Path, old, new))
	}
	slices.Sort(list)
	return append(list, fmt.Sprintf("%+v %v", c.Exposure, c.Incomparable != ""))
}

// TestMirror exchanges the versions of random pairs.
func TestMirror(t *testing.T) {
	deviating, kinds := 0, map[spectra.Kind]int{}
	for seed := range int64(1500) {
		old, new := pairOf(seed)
		forth := diff.Compare(old, new, diff.Options{Common: renamedForth, Mask: randomMask(seed, nil)})
		back := diff.Compare(new, old, diff.Options{Common: renamedBack, Mask: randomMask(seed, renamedForth)})
		if got, want := said(back, false), said(forth, true); !slices.Equal(got, want) {
			t.Fatalf("seed %d: exchanged, the comparison says\n%s\nnot\n%s",
				seed, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		if len(forth.Deviations) > 0 {
			deviating++
		}
		for _, d := range forth.Deviations {
			kinds[d.Kind]++
		}
	}
	t.Log(deviating, kinds)
	if deviating < 500 || len(kinds) < 6 {
		t.Errorf("%d of 1500 pairs deviate, kinds %v: the test shows little", deviating, kinds)
	}
}

// TestSubsumption checks that count spectra differ wherever hit spectra do, and trace spectra wherever count
// spectra do (section 7.2.1 of the dissertation).
func TestSubsumption(t *testing.T) {
	for seed := range int64(500) {
		old, new := pairOf(seed)
		x := diff.Compare(old, new, diff.Options{Common: renamedForth}).Exposure
		if x.Hit && !x.Count || x.Count && !x.Trace {
			t.Fatalf("seed %d: %+v", seed, x)
		}
	}
}
