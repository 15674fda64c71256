package judge

import (
	"slices"
	"testing"
)

func TestSample(t *testing.T) {
	many := func(n int, of Sequence) []Sequence { return slices.Repeat([]Sequence{of}, n) }
	for _, c := range []struct {
		reason    string
		sequences []Sequence
		want      []int
	}{
		{"none", nil, nil},
		{"all of few", many(3, Sequence{Steps: 1}), []int{0, 1, 2}},
		{"not what a clock ended", []Sequence{{Steps: 1, Waited: true}, {Steps: 1}}, []int{1}},
		{"not what takes more than its share of steps", []Sequence{{Steps: 3_000}, {Steps: 1}}, []int{1}},
		{
			"one in eighty of many, at equal distances", many(800, Sequence{Steps: 1}),
			[]int{0, 61, 123, 184, 246, 307, 369, 430, 492, 553, 615, 676, 738},
		},
		{
			"as many of what was new, wherever it stands",
			append(many(100, Sequence{Steps: 1}), Sequence{Steps: 1, Novel: true}),
			[]int{0, 12, 25, 37, 50, 63, 75, 88, 100},
		},
	} {
		if got := sample(c.sequences); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", c.reason, got, c.want)
		}
	}
}

func TestTally(t *testing.T) {
	one, other := Tally{Executions: 1, Invalid: 2}, Tally{Executions: 3, Truncated: 4}
	one.Hits.Old, other.Hits.Old = map[uint32]bool{1: true}, map[uint32]bool{2: true}
	sum := one.plus(other)
	if sum.Executions != 4 || sum.Invalid != 2 || sum.Truncated != 4 || len(sum.Hits.Old) != 2 ||
		len(one.Hits.Old) != 1 {
		t.Errorf("got %+v", sum)
	}
	want := []string{
		"2 sequences do not fit the new version and were not compared",
		"4 states are larger than a walk may be; they were not compared",
	}
	if got := sum.Warnings(); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
