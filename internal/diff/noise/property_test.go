package noise_test

import (
	"math/rand"
	"slices"
	"testing"

	"github.com/spectradiff/spectradiff/internal/diff/noise"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// random makes a mask of a few sites that have much in common.
func random(r *rand.Rand, functions ...spectra.Symbol) *noise.Mask {
	pick := func(list ...string) string { return list[r.Intn(len(list))] }
	m := &noise.Mask{}
	for range r.Intn(6) {
		site := noise.Site{State: noise.State(pick("entry", "exit", "calls", "order"))}
		site.Function = functions[r.Intn(len(functions))]
		switch site.State {
		case noise.Calls:
			site.Path = spectra.Path(functions[r.Intn(len(functions))])
		case noise.Entry, noise.Exit:
			site.Path = spectra.Path(pick("", "a", "a.x", "a.x[*]", "a.xy", "ret1", "ret10"))
		}
		m.Add(site, "seen")
	}
	return m
}

var (
	oldFunctions = []spectra.Symbol{"F", "G", "H", "J", "K", "Gone"}
	newFunctions = []spectra.Symbol{"F", "G", "H2", "K", "Fresh"}
)

func united(all ...*noise.Mask) *noise.Mask {
	m := &noise.Mask{}
	m.Union(all...)
	return m
}

const rounds = 2000

func TestAlgebra(t *testing.T) {
	r := rand.New(rand.NewSource(1))
	for range rounds {
		a, b, c := random(r, oldFunctions...), random(r, oldFunctions...), random(r, oldFunctions...)
		newA, newB := a.Renamed(common), b.Renamed(common)
		for _, law := range []struct {
			reason    string
			one, same *noise.Mask
		}{
			{"union with itself adds nothing", united(a, a), a},
			{"union with nothing adds nothing", united(a, nil, &noise.Mask{}), a},
			{"union commutes", united(a, b), united(b, a)},
			{"union associates", united(united(a, b), c), united(a, united(b, c))},
			{"what is taken away twice was gone", a.Without(b).Without(b), a.Without(b)},
			{"taking away one after the other is taking away both", a.Without(b).Without(c), a.Without(united(b, c))},
			{"taking away spreads over union", united(a, b).Without(c), united(a.Without(c), b.Without(c))},
			{"nothing is left without itself", a.Without(a), nil},
			{"renaming spreads over union", united(a, b).Renamed(common), united(newA, newB)},
			{"renaming spreads over taking away", a.Without(b).Renamed(common), newA.Without(newB)},
			{"the same names change nothing", a.Renamed(nil), a},
		} {
			if spell(law.one) != spell(law.same) {
				t.Fatalf("%s: %q and %q, from %q, %q, %q",
					law.reason, spell(law.one), spell(law.same), spell(a), spell(b), spell(c))
			}
		}
	}
}

// TestKnownByDefinition compares what a Known returns after random histories with the definitions, which are
// spelled with masks here.
func TestKnownByDefinition(t *testing.T) {
	r := rand.New(rand.NewSource(2))
	for range rounds {
		expected, further, doubts := random(r, newFunctions...), random(r, newFunctions...), random(r, newFunctions...)
		var old, new [3]noise.Mask
		var steps []func(noise.Known) noise.Known
		for range r.Intn(12) {
			scope := noise.Scope(r.Intn(len(scopes)))
			side, m, all := spectra.Old, random(r, oldFunctions...), &old[scope]
			if r.Intn(2) == 0 {
				side, m, all = spectra.New, random(r, newFunctions...), &new[scope]
			}
			all.Union(m)
			steps = append(steps, func(k noise.Known) noise.Known { return k.With(scope, side, m) })
		}
		steps = append(steps, func(k noise.Known) noise.Known { return k.Doubt(doubts) })
		r.Shuffle(len(steps), func(i, j int) { steps[i], steps[j] = steps[j], steps[i] })
		k := noise.For(common, expected)
		for _, step := range steps {
			k = step(k)
		}
		allOld := united(&old[0], &old[1], &old[2]).Renamed(common)
		renamed := func(scope noise.Scope) *noise.Mask { return old[scope].Renamed(common) }
		for _, definition := range []struct {
			name      string
			got, want *noise.Mask
		}{
			{
				"hidden", k.Hidden(further),
				united(renamed(noise.Sequence), &new[noise.Sequence], further, expected),
			},
			{
				"elsewhere", k.Elsewhere(),
				united(renamed(noise.Calibration), renamed(noise.Suspects),
					&new[noise.Calibration], &new[noise.Suspects]),
			},
			{"brought", k.Introduced(), new[noise.Sequence].Without(allOld).Without(doubts)},
			{"shown in suspects", k.Shown(noise.Suspects), united(renamed(noise.Suspects), &new[noise.Suspects])},
			{"of old in the sequence", k.Of(noise.Sequence, spectra.Old), &old[noise.Sequence]},
			{"of new in the sample", k.Of(noise.Calibration, spectra.New), &new[noise.Calibration]},
		} {
			if spell(definition.got) != spell(definition.want) {
				t.Fatalf("%s: %q, want %q", definition.name, spell(definition.got), spell(definition.want))
			}
		}
		if got, want := k.Size(noise.Sequence), old[noise.Sequence].Size()+new[noise.Sequence].Size(); got != want {
			t.Fatalf("size %d, want %d", got, want)
		}
		checkIntroduced(t, k, allOld, doubts)
	}
}

// checkIntroduced checks that every introduced site is hidden, that new showed it, and that it has nothing in
// common with any site of old or with a doubt.
func checkIntroduced(t *testing.T, k noise.Known, old, doubts *noise.Mask) {
	t.Helper()
	hidden, shown := k.Hidden(), k.Of(noise.Sequence, spectra.New)
	for _, s := range k.Introduced().Sites() {
		if !hidden.Has(s.Site) || !shown.Has(s.Site) || touches(s.Site, old) || touches(s.Site, doubts) {
			t.Fatalf("%v is brought: old %q, doubts %q, hidden %q", s, spell(old), spell(doubts), spell(hidden))
		}
	}
}

// touches reports whether a site of m holds a site or is held by it.
func touches(s noise.Site, m *noise.Mask) bool {
	return slices.ContainsFunc(m.Sites(), func(other noise.Masked) bool {
		if other.Function != s.Function || other.State != s.State {
			return false
		}
		holds := func(top, path spectra.Path) bool {
			return top == "" || path == top || s.State != noise.Calls && path.Below(top)
		}
		return holds(other.Path, s.Path) || holds(s.Path, other.Path)
	})
}
