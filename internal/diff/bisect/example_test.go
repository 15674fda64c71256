package bisect_test

import (
	"context"
	"fmt"

	"github.com/spectradiff/spectradiff/internal/diff/bisect"
)

// A price that changed for good, and a discount that came, went, and came again. Versions 6 and 7 don't build. Only the
// steps to 3, 5 and 10 touch the discount. Six versions are asked for it; with what these show of the price, three more
// are enough.
func ExampleFind() {
	price := []string{"10", "10", "10", "10", "10", "10", "", "", "12", "12", "12", "12", "12"}
	discount := []string{"0%", "0%", "0%", "5%", "5%", "0%", "", "", "0%", "0%", "5%", "5%", "5%"}
	things := [][]string{price, discount}

	result, err := bisect.Find(context.Background(), bisect.Input{
		Versions: len(price),
		Things: []bisect.Thing{
			{Old: bisect.Answer{Value: "10"}, New: bisect.Answer{Value: "12"}},
			{Old: bisect.Answer{Value: "0%"}, New: bisect.Answer{Value: "5%"}, Tell: []int{3, 5, 10}},
		},
		Ask: func(_ context.Context, version int, list []int) (answers []bisect.Answer, err error) {
			for _, i := range list {
				a := bisect.Answer{Value: things[i][version]}
				if a.Value == "" {
					a.Untestable = "it does not build"
				}
				answers = append(answers, a)
			}
			return answers, nil
		},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println("asked:", result.Asked)
	for i, name := range []string{"price", "discount"} {
		for _, f := range result.Flips[i] {
			fmt.Printf("%s: %s → %s after %d, by %d; between %v\n", name, f.Before, f.After, f.From, f.To, f.Between)
		}
	}
	// Output:
	// asked: [5 9 10 2 3 4 7 6 8]
	// price: 10 → 12 after 5, by 8; between [6 7]
	// discount: 0% → 5% after 2, by 3; between []
	// discount: 5% → 0% after 4, by 5; between []
	// discount: 0% → 5% after 9, by 10; between []
}
