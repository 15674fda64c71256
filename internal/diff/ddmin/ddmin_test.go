package ddmin_test

import (
	"errors"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/spectradiff/spectradiff/internal/diff/ddmin"
)

// among reports whether all of some numbers are in a list.
func among(some, list []int) bool {
	return !slices.ContainsFunc(some, func(n int) bool { return !slices.Contains(list, n) })
}

func upTo(n int) (list []int) {
	for i := range n {
		list = append(list, i)
	}
	return list
}

// TestFindsWhatIsNeeded: where some changes show it whatever else is there, these are found. Nothing is tried twice.
func TestFindsWhatIsNeeded(t *testing.T) {
	draw := rand.New(rand.NewPCG(1, 1))
	for range 500 {
		all := upTo(1 + draw.IntN(30))
		needed := slices.Clone(all)
		draw.Shuffle(len(needed), func(i, j int) { needed[i], needed[j] = needed[j], needed[i] })
		needed = needed[:1+draw.IntN(min(4, len(all)))]
		slices.Sort(needed)
		tried := map[string]bool{}
		found, err := ddmin.Minimise(all, func(some []int) (ddmin.Outcome, error) {
			key := string(bytesOf(some))
			if tried[key] {
				t.Errorf("%v was tried twice", some)
			}
			if tried[key] = true; among(needed, some) {
				return ddmin.Shown, nil
			}
			return ddmin.NotShown, nil
		})
		if err != nil || !slices.Equal(found, needed) {
			t.Fatalf("of %d: got %v, %v, want %v", len(all), found, err, needed)
		}
		if n := len(all); len(needed) == 1 && len(tried) > 2*9 {
			t.Errorf("%d trials for one of %d", len(tried), n)
		}
	}
}

func bytesOf(list []int) (text []byte) {
	for _, n := range list {
		text = append(text, byte(n))
	}
	return text
}

// TestFewest: by complements alone, single changes take fewer trials than the parts of a long list would.
func TestFewest(t *testing.T) {
	draw := rand.New(rand.NewPCG(3, 3))
	for range 500 {
		all := upTo(1 + draw.IntN(30))
		needed := []int{draw.IntN(len(all))}
		if more := draw.IntN(len(all)); more != needed[0] {
			needed = append(needed, more)
			slices.Sort(needed)
		}
		tried := map[string]bool{}
		found, err := ddmin.Fewest(all, func(some []int) (bool, error) {
			key := string(bytesOf(some))
			if tried[key] {
				t.Errorf("%v was tried twice", some)
			}
			tried[key] = true
			return among(needed, some), nil
		})
		if err != nil || !slices.Equal(found, needed) {
			t.Fatalf("of %d: got %v, %v, want %v", len(all), found, err, needed)
		}
		if n := len(all); len(needed) == 1 && len(tried) > 2*5 {
			t.Errorf("%d trials for one of %d", len(tried), n)
		}
	}
	failure := errors.New("no more")
	left, err := ddmin.Fewest(upTo(4), func([]int) (bool, error) { return true, failure })
	if !errors.Is(err, failure) || !slices.Equal(left, upTo(4)) {
		t.Errorf("got %v, %v, want all of them and %v", left, err, failure)
	}
}

// TestNoneCanBeLeftOut: whatever trials answer, what is left shows it, and without any single one of it nothing does.
func TestNoneCanBeLeftOut(t *testing.T) {
	draw := rand.New(rand.NewPCG(2, 2))
	for range 500 {
		all := upTo(1 + draw.IntN(12))
		seed := draw.Uint64()
		answer := func(some []int) ddmin.Outcome {
			if len(some) == len(all) {
				return ddmin.Shown
			}
			if len(some) == 0 {
				return ddmin.NotShown
			}
			mask := seed
			for _, n := range some {
				mask = (mask ^ uint64(n+1)) * 0x9E3779B97F4A7C15
			}
			return ddmin.Outcome(mask >> 33 % 3)
		}
		found, err := ddmin.Minimise(all, func(some []int) (ddmin.Outcome, error) { return answer(some), nil })
		if err != nil || answer(found) != ddmin.Shown {
			t.Fatalf("got %v, which shows nothing, and %v", found, err)
		}
		for i := range found {
			if less := slices.Delete(slices.Clone(found), i, i+1); answer(less) == ddmin.Shown {
				t.Errorf("of %v already %v show it", found, less)
			}
		}
	}
}

// TestUnresolved: changes that need each other are found together.
func TestUnresolved(t *testing.T) {
	found, err := ddmin.Minimise(upTo(8), func(some []int) (ddmin.Outcome, error) {
		switch cause, needs := slices.Contains(some, 5), slices.Contains(some, 1); {
		case cause && !needs:
			return ddmin.Unresolved, nil // does not compile
		case cause:
			return ddmin.Shown, nil
		}
		return ddmin.NotShown, nil
	})
	if want := []int{1, 5}; err != nil || !slices.Equal(found, want) {
		t.Errorf("got %v, %v, want %v", found, err, want)
	}
}

// TestFailure: what is left when a trial fails shows it.
func TestFailure(t *testing.T) {
	failure := errors.New("no more")
	trials := 0
	found, err := ddmin.Minimise(upTo(16), func(some []int) (ddmin.Outcome, error) {
		if trials++; trials > 3 {
			return 0, failure
		}
		if slices.Contains(some, 0) {
			return ddmin.Shown, nil
		}
		return ddmin.NotShown, nil
	})
	if want := upTo(2); !errors.Is(err, failure) || !slices.Equal(found, want) {
		t.Errorf("got %v, %v, want %v", found, err, want)
	}
}
