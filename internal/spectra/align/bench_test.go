package align

import (
	"fmt"
	"math/rand"
	"slices"
	"testing"
)

// BenchmarkAlign shows that the worst input (everything moved) costs little more than its length.
func BenchmarkAlign(b *testing.B) {
	for _, n := range []int{1_000, 10_000, 100_000} {
		random := rand.New(rand.NewSource(1))
		old := make([]byte, n)
		for i := range old {
			old[i] = byte(random.Intn(12))
		}
		moved := slices.Clone(old)
		random.Shuffle(n, func(i, j int) { moved[i], moved[j] = moved[j], moved[i] })
		oldList, newList := decode(old), decode(moved)
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			for range b.N {
				problem.Align(oldList, newList)
			}
		})
	}
}
