package report_test

import (
	"fmt"
	"log"

	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// Roots are added in the order of their rank, each with the deviations that it explains. Finish decides
// the verdict.
func ExampleReport() {
	r := &report.Report{Replay: report.Replay{Sequences: 400}}
	r.Add(
		report.Root{
			Function: "example.com/shop.discount", Change: spectra.ChangeModified, Confidence: spectra.Likely,
			Summary: "discount returns 40 where it returned 20 for the same entry state",
		},
		report.Deviation{Kind: spectra.KindContainer, Function: "example.com/shop.discount", Path: "ret0", Old: "20",
			New: "40"},
		report.Deviation{
			Kind: spectra.KindContainer, Function: "example.com/shop.Total", Path: "ret0", Old: "180", New: "160",
			Reach: spectra.Visible,
		},
	)
	if err := r.Finish(report.FailVisible); err != nil {
		log.Fatal(err)
	}
	root := r.Roots[0]
	fmt.Println(root.Rank, root.Function, root.Reach, root.Deviations)
	fmt.Println(r.Deviation("d2").Old, "became", r.Deviation("d2").New)
	fmt.Println(r.Verdict, r.Exit)
	// Output:
	// 1 example.com/shop.discount visible [d1 d2]
	// 180 became 160
	// deviates 1
}
