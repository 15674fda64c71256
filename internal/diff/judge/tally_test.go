package judge

import (
	"slices"
	"testing"
)

func TestTally(t *testing.T) {
	one, other := Tally{Executions: 1, Invalid: 2}, Tally{Executions: 3, Truncated: 4}
	one.Hits.Old, other.Hits.Old = map[uint32]bool{1: true}, map[uint32]bool{2: true}
	var sum Tally
	sum.Add(one)
	sum.Add(other)
	if sum.Executions != 4 || sum.Invalid != 2 || sum.Truncated != 4 || len(sum.Hits.Old) != 2 ||
		len(one.Hits.Old) != 1 {
		t.Errorf("got %+v", sum)
	}
	want := []string{"2 sequences do not fit the new version and were not compared"}
	if got := sum.Warnings(); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
