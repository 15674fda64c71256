package shard

import (
	"fmt"
	"testing"
)

// TestParse checks which texts are shards, and that they are written as they are read.
func TestParse(t *testing.T) {
	for _, c := range []struct {
		reason, text string
		want         Shard
	}{
		{"the first", "1/8", Shard{1, 8}},
		{"the last", "8/8", Shard{8, 8}},
		{"all in one", "1/1", Shard{1, 1}},
		{"as many as there may be", "256/256", Shard{256, 256}},
		{"too many", "1/257", Shard{}},
		{"counted from 0", "0/8", Shard{}},
		{"behind the last", "9/8", Shard{}},
		{"no number of shards", "3", Shard{}},
		{"no number", "a/b", Shard{}},
		{"a fraction of a fraction", "1/2/3", Shard{}},
		{"nothing", "", Shard{}},
	} {
		got, err := Parse(c.text)
		if got != c.want || (err == nil) != (c.want != Shard{}) {
			t.Errorf("%s: %q is %v, %v; want %v", c.reason, c.text, got, err, c.want)
		}
		if err == nil && got.String() != c.text {
			t.Errorf("%s: %q is written as %s", c.reason, c.text, got)
		}
	}
}

// TestNothingLost checks for many numbers of shards that all parts of a count are the count, that each name is one of
// exactly one shard, and that no two have a seed in common.
func TestNothingLost(t *testing.T) {
	for of := range 40 {
		for _, count := range []int{0, 1, of, of + 1, 1000} {
			sum := 0
			for _, s := range All(of) {
				sum += s.Share(count)
			}
			if of > 0 && sum != count {
				t.Errorf("%d in %d shards are %d", count, of, sum)
			}
		}
		seeds := map[uint64]bool{}
		for _, s := range All(of) {
			seeds[s.Seed(7)] = true
		}
		if len(seeds) != of {
			t.Errorf("%d shards have %d seeds", of, len(seeds))
		}
		for n := range 200 {
			name, has := fmt.Sprintf("example.com/m.Test%d", n), 0
			for _, s := range All(of) {
				if s.Has(name) {
					has++
				}
			}
			if of > 0 && has != 1 {
				t.Errorf("%s is one of %d shards of %d", name, has, of)
			}
		}
	}
}

// TestEven checks that no shard of eight has none or most of a hundred tests.
func TestEven(t *testing.T) {
	for _, s := range All(8) {
		has := 0
		for n := range 100 {
			if s.Has(fmt.Sprintf("example.com/m.Test%d", n)) {
				has++
			}
		}
		if has < 4 || has > 25 {
			t.Errorf("shard %s has %d of 100 tests", s, has)
		}
	}
}

// TestWhole checks that a run that is not divided, and the first shard, have what the run has.
func TestWhole(t *testing.T) {
	whole, only := Shard{}, Shard{1, 1}
	for _, s := range []Shard{whole, only} {
		if s.Seed(3) != 3 || s.Share(10) != 10 || !s.Has("x") || !s.First() {
			t.Errorf("%v: seed %d, share %d, %t, %t", s, s.Seed(3), s.Share(10), s.Has("x"), s.First())
		}
	}
	if (Shard{2, 3}).Seed(3) == 3 || (Shard{2, 3}).First() {
		t.Error("the second shard is like the first")
	}
}
