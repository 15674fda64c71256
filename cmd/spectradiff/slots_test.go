package main

import (
	"math"
	"testing"
)

// TestSlots: a worker does no more at the same time than processors and memory are for, and something at least.
func TestSlots(t *testing.T) {
	for _, c := range []struct {
		reason     string
		processors int
		gigabytes  uint64
		playsOnly  bool
		want       int
	}{
		{"enough of all", 8, 64, false, 8},
		{"little memory", 8, 7, false, 3},
		{"plays take less", 8, 7, true, 7},
		{"very little", 8, 1, false, 1},
	} {
		if got := slots(c.processors, c.gigabytes<<30, c.playsOnly); got != c.want {
			t.Errorf("%s: %d, want %d", c.reason, got, c.want)
		}
	}
	if got := slots(8, math.MaxUint64, false); got != 8 {
		t.Errorf("without a known limit: %d", got)
	}
}
