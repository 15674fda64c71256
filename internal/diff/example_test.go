package diff_test

import (
	"fmt"
	"strings"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/diff/difftest"
	"github.com/spectradiff/spectradiff/internal/diff/noise"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// The new version adds up the tax in another way. The total is rounded and stays the same, but the sum before
// rounding differs. Spectra usually come from a recording; here they are made from text.
func ExampleCompare() {
	old := difftest.Spectrum(`
shop.Total(prices=[149,148]) -> ret0=300
  shop.sum(prices=[149,148]) -> ret0=297
  shop.round(n=297) -> ret0=300`)
	new := difftest.Spectrum(`
shop.Total(prices=[149,148]) -> ret0=300
  shop.sum(prices=[149,148]) -> ret0=303
  shop.round(n=303) -> ret0=300`)

	comparison := diff.Compare(old, new, diff.Options{})
	for _, d := range comparison.Deviations {
		fmt.Printf("%s of %s: %s is %s, was %s\n", d.Kind, d.Function.Short(), d.Path, d.New, d.Old)
	}
	for _, line := range comparison.Lines(nil, 0) {
		fmt.Println(strings.TrimRight(strings.Repeat("  ", line.Depth)+line.Text+" "+string(line.Mark), " "))
	}
	fmt.Println("an output shows it:", comparison.Exposure.Output)
	// Output:
	// container of sum: ret0 is 303, was 297
	// follower of round: n is 303, was 297
	// Total
	//   sum container
	//   round follower
	// an output shows it: false
}

// What differs between two runs of one version says nothing about the other version, so it is left out.
func ExampleUnstable() {
	first := difftest.Spectrum("shop.Order(item=1) -> ret0=[1,1001]")
	second := difftest.Spectrum("shop.Order(item=1) -> ret0=[1,1002]")
	mask := diff.Unstable(first, second, spectra.Old, nil)
	for _, site := range mask.Sites() {
		fmt.Println(site.Function.Short(), site.State, site.Path, site.Reason)
	}

	new := difftest.Spectrum("shop.Order(item=1) -> ret0=[1,1003]")
	known := noise.For(nil, nil).With(noise.Sequence, spectra.Old, mask)
	fmt.Println("deviations with it:", len(diff.Compare(first, new, diff.Options{}).Deviations))
	fmt.Println("without:", len(diff.Compare(first, new, diff.Options{Mask: known.Hidden()}).Deviations))
	// Output:
	// Order exit ret0[*] differs between two runs of the old version
	// deviations with it: 1
	// without: 0
}
