package noise_test

import (
	"fmt"

	"github.com/spectradiff/spectradiff/internal/diff/noise"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// The function search is called find in the new version. Both versions return keys in any order; only the new
// one has a counter that differs from run to run.
func ExampleKnown() {
	common := map[spectra.Symbol]spectra.Symbol{"shop.find": "shop.search"}
	var old, new noise.Mask
	old.Add(noise.Site{Function: "shop.search", State: noise.Exit, Path: "ret0[*]"}, "differs between two runs")
	new.Add(noise.Site{Function: "shop.find", State: noise.Exit, Path: "ret0[*]"}, "differs between two runs")
	new.Add(noise.Site{Function: "shop.find", State: noise.Entry, Path: "recv.count"}, "differs between two runs")

	known := noise.For(common, nil).
		With(noise.Calibration, spectra.Old, &old).
		With(noise.Sequence, spectra.New, &new)
	for _, site := range known.Hidden().Sites() {
		fmt.Println("hidden:", site.Function, site.State, site.Path)
	}
	for _, site := range known.Introduced().Sites() {
		fmt.Println("brought:", site.Function, site.State, site.Path)
	}
	// Output:
	// hidden: shop.find entry recv.count
	// hidden: shop.find exit ret0[*]
	// brought: shop.find entry recv.count
}
