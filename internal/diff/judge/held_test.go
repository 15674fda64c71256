package judge_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestHeld checks that of large recordings as many are held as may be, in the order in which they are judged, and
// that what is lost is told where no other sequence shows the same.
func TestHeld(t *testing.T) {
	for _, c := range []struct {
		reason  string
		held    int
		differs func(index int) string // the function that deviates
		want    string
		lost    int
	}{
		{
			"all", 1000, func(int) string { return "F" },
			"root m.F in 3\n0 confirmed: container of m.F\n1 confirmed: container of m.F\n" +
				"2 confirmed: container of m.F", 0,
		},
		{
			"another one of what is held", 24, func(int) string { return "F" },
			"root m.F in 3\n0 confirmed: container of m.F\n1 confirmed: container of m.F\n2 not judged", 0,
		},
		{
			"one that is alone in what it shows", 24, func(i int) string { return []string{"F", "F", "G"}[i] },
			"root m.F in 2\nroot m.G in 1\n0 confirmed: container of m.F\n1 not judged\n" +
				"2 confirmed: container of m.G", 0,
		},
		{
			"what does not fit is lost if no other shows it", 12,
			func(i int) string { return []string{"F", "F", "G"}[i] },
			"root m.F in 2\n0 confirmed: container of m.F\n1 not judged\n2 not judged", 1,
		},
		{
			"a single one that is too large", 5, func(int) string { return "F" },
			"0 not judged\n1 not judged\n2 not judged", 3,
		},
	} {
		for _, jobs := range []int{1, 4} {
			s, _ := subject(t, 3, func(p play) string {
				return fmt.Sprintf("m.%s(a=[1,2,%d]) -> ret0=%s", c.differs(p.index), p.index, of(p, "2", "3"))
			})
			s.Hold(c.held)
			j := judgeAll(t, s, jobs)
			if got := render(j); got != c.want || j.Uncompared.Lost != c.lost || j.Uncompared.Changed != c.lost {
				t.Errorf("%s, %d jobs: got\n%s\nlost %+v, want\n%s\nlost %d",
					c.reason, jobs, got, j.Uncompared, c.want, c.lost)
			}
			told := slices.ContainsFunc(j.Uncompared.Warnings(), func(text string) bool {
				return strings.Contains(text, "ended at a time or size limit")
			})
			if told != (c.lost > 0) {
				t.Errorf("%s: %q", c.reason, j.Uncompared.Warnings())
			}
		}
	}
}
