package root_test

import (
	"fmt"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/diff/difftest"
	"github.com/spectradiff/spectradiff/internal/diff/root"
	"github.com/spectradiff/spectradiff/internal/report/summary"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// The total differs because a discount does, and the discount differs because its code changed. Both deviate,
// and the changed function is the root of both.
func ExampleFind() {
	old := difftest.Spectrum(`
shop.Total(price=200) -> ret0=180
  shop.discount(price=200) -> ret0=20`)
	new := difftest.Spectrum(`
shop.Total(price=200) -> ret0=160
  shop.discount(price=200) -> ret0=40`)
	lines := spectra.Lines{File: "discount.go", Line: 12, EndLine: 12}
	changes := root.Changes{Functions: []root.Function{
		{Symbol: "shop.discount", Change: spectra.ChangeModified, Hunks: []spectra.Hunk{{Old: lines, New: lines}}},
		{Symbol: "shop.banner", Change: spectra.ChangeModified},
	}}

	comparison := diff.Compare(old, new, diff.Options{})
	for _, found := range root.Find([]*diff.Case{{Number: 1, Comparison: comparison}}, changes) {
		at := found.Cause.Position
		fmt.Printf(
			"%s, %s in the %s version at %s:%d\n",
			found.Cause.Symbol,
			found.Cause.Change,
			at.Side,
			at.File,
			at.Line,
		)
		fmt.Println(summary.Sentence(found))
		fmt.Println("explains", len(found.Deviations), "of", len(comparison.Deviations), "deviations")
	}
	// Output:
	// shop.discount, modified in the new version at discount.go:12
	// Total returns 160 where it returned 180; discount returns 40 where it returned 20 for the same entry state
	// explains 2 of 2 deviations
}
