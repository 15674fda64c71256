package root_test

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/diff/difftest"
	"github.com/spectradiff/spectradiff/internal/diff/root"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// commonFunctions are those that both versions of mirrorCases have.
var commonFunctions = map[spectra.Symbol]spectra.Symbol{
	"m.F0": "m.F0", "m.F1": "m.F1", "m.F2": "m.F2", "m.F3": "m.F3", "m.F4": "m.F4",
}

// mirrorCases compares two random runs both ways. Each version has a function of its own.
func mirrorCases(seed int64) (forth, back *diff.Case) {
	var oldText, newText strings.Builder
	tree(rand.New(rand.NewSource(seed)), nil, &oldText, 0)
	tree(rand.New(rand.NewSource(seed)), rand.New(rand.NewSource(seed+1)), &newText, 0)
	old := difftest.Spectrum(strings.ReplaceAll(oldText.String(), "m.F5(", "m.Old("))
	new := difftest.Spectrum(strings.ReplaceAll(newText.String(), "m.F5(", "m.New("))
	options := diff.Options{Common: commonFunctions}
	return &diff.Case{Number: int(seed), Comparison: diff.Compare(old, new, options)},
		&diff.Case{Number: int(seed), Comparison: diff.Compare(new, old, options)}
}

// mirrorChanges are the changes that the trees of mirrorCases would come from.
func mirrorChanges(back bool) root.Changes {
	at := lines(50, 60)
	added := root.Function{Symbol: "m.New", Change: spectra.ChangeAdded, New: at, Hunks: []spectra.Hunk{{New: at}}}
	removed := root.Function{Symbol: "m.Old", Change: spectra.ChangeRemoved, Old: at, Hunks: []spectra.Hunk{{Old: at}}}
	if back {
		added.Symbol, removed.Symbol = removed.Symbol, added.Symbol
	}
	return functions(modified("m.F1", 20), modified("m.F4", 30), added, removed)
}

// named lists the roots by what stays the same when the versions are exchanged. Where a function of one
// version stands in the place of a function of the other, either of them is the root; they have one name
// here. The number of deviations of a root is left out: of two calls in one place, each in one version only,
// old's comes first, whichever version is called old.
func named(roots []*diff.Finding) []string {
	var list []string
	for _, r := range roots {
		name := fmt.Sprint(r.Cause.Symbol, " ", r.Cause.Change, " ", r.Effect.Tier)
		if r.Cause.Change == spectra.ChangeAdded || r.Cause.Change == spectra.ChangeRemoved {
			name = "added or removed"
		}
		list = append(list, name)
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// TestMirroredRoots: with the versions exchanged, the same functions are the roots; what was added was
// removed.
func TestMirroredRoots(t *testing.T) {
	found := 0
	for seed := range int64(1500) {
		forth, back := mirrorCases(seed)
		got := named(root.Find([]*diff.Case{back}, mirrorChanges(true)))
		want := named(root.Find([]*diff.Case{forth}, mirrorChanges(false)))
		if !slices.Equal(got, want) {
			t.Fatalf("seed %d: exchanged, the roots are\n%s\nnot\n%s",
				seed, strings.Join(got, "\n"), strings.Join(want, "\n"))
		}
		found += len(want)
	}
	if found < 1000 {
		t.Errorf("%d roots in 1500 pairs: the test shows little", found)
	}
}
