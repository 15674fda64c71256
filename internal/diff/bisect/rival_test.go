package bisect_test

import (
	"math"
	"math/rand"
	"slices"
	"testing"

	"github.com/spectradiff/spectradiff/internal/diff/bisect"
)

// gitBisect counts the questions of git bisect for one thing, with the answer skip where it can't be told. On a line
// git takes the version that halves the rest; if that is skipped, it draws one of all others, rather a good one, from
// its own random numbers (skip_away in git's bisect.c). Of versions that halve alike git takes one by its name, so the
// counts of a real git are a few more or less.
func gitBisect(text string) (asked int) {
	good, bad := 0, len(text)-1
	skipped := map[int]bool{}
	for {
		var rest []int // the best ones first, the bad one itself last
		for v := good + 1; v <= bad; v++ {
			rest = append(rest, v)
		}
		halves := func(v int) int { return min(v-good, bad-v) }
		slices.SortStableFunc(rest, func(x, y int) int { return halves(y) - halves(x) })
		next := rest[0]
		if skipped[next] {
			rest = slices.DeleteFunc(rest, func(v int) bool { return skipped[v] })
			next = rest[skipAway(len(rest))]
		}
		if next == bad {
			return asked
		}
		asked++
		switch text[next] {
		case '?':
			skipped[next] = true
		case text[0]:
			good = next
		default:
			bad = next
		}
	}
}

// skipAway returns which of so many versions git tries. The last is the bad one, so it takes the one before.
func skipAway(count int) int {
	const modulo = 32768
	drawn := int((uint32(count)*1103515245 + 12345) / 65536 % modulo)
	root := func(n int) int { return int(math.Sqrt(float64(n))) }
	return max(min(count*drawn/modulo*root(drawn)/root(modulo), count-2), 0)
}

func median(counts []int) int {
	slices.Sort(counts)
	return counts[len(counts)/2]
}

// TestWithoutWeights checks that one thing without weights takes as many questions as halving, wherever its flip is.
func TestWithoutWeights(t *testing.T) {
	for _, versions := range []int{2, 3, 4, 5, 8, 9, 10, 17, 33, 100, 200} {
		for flip := 1; flip < versions; flip++ {
			l := line{things: []string{monotone(versions, flip)}}
			if n := len(l.find(t).Asked); n > bisect.Halving(versions-1) {
				t.Fatalf("%d questions for a flip at %d of %d versions", n, flip, versions)
			}
		}
	}
}

// likely returns weights of which a few are large, as those of commits that touch one function.
func likely(r *rand.Rand, versions int) []float64 {
	weights := make([]float64, versions)
	for v := range weights {
		weights[v] = 1
		if r.Intn(40) == 0 {
			weights[v] = 200
		}
	}
	return weights
}

// draw draws a step as likely as weights say.
func draw(r *rand.Rand, weights []float64) int {
	total := 0.0
	for _, w := range weights[1:] {
		total += w
	}
	at := r.Float64() * total
	for v, w := range weights[1:] {
		if at -= w; at < 0 {
			return v + 1
		}
	}
	return len(weights) - 1
}

// TestWeights compares the numbers of questions with and without weights: with those that are right, with those that
// say nothing, and with those that are as wrong as they can be.
func TestWeights(t *testing.T) {
	const versions = 400
	var right, none, wrong []int
	for seed := range int64(100) {
		r := rand.New(rand.NewSource(seed))
		weights := likely(r, versions)
		flip := draw(r, weights)
		l := line{things: []string{monotone(versions, flip)}, weights: [][]float64{weights}}
		right = append(right, len(l.find(t).Asked))
		l.weights = nil
		none = append(none, len(l.find(t).Asked))
		l.weights = [][]float64{make([]float64, versions)}
		for v := range versions {
			l.weights[0][v] = math.Ldexp(1, v) // halving what is likely asks the last ones, one after the other
		}
		l.things[0] = monotone(versions, 1+r.Intn(20))
		wrong = append(wrong, len(l.find(t).Asked))
	}
	t.Logf("right %d, none %d, wrong %d of %d", median(right), median(none), slices.Max(wrong), versions)
	if median(right)+3 > median(none) {
		t.Errorf("in the median %d questions with right weights, %d without", median(right), median(none))
	}
	if most := bisect.Halving(versions-1) + 4; slices.Max(wrong) > most {
		t.Errorf("%d questions with wrong weights, more than %d", slices.Max(wrong), most)
	}
}

// TestTogether compares several things that are searched together with single searches, and with git bisect, one thing
// after the other.
func TestTogether(t *testing.T) {
	const versions = 300
	var together, single, git []int
	for seed := range int64(100) {
		r := rand.New(rand.NewSource(seed))
		l := line{weights: [][]float64{}}
		alone, rival := 0, 0
		shared := likely(r, versions)
		for range 5 {
			one := line{things: []string{monotone(versions, draw(r, shared))}, weights: [][]float64{shared}}
			l.things, l.weights = append(l.things, one.things[0]), append(l.weights, shared)
			alone += len(one.find(t).Asked)
			rival += gitBisect(one.things[0])
		}
		n := len(l.find(t).Asked)
		if n > alone {
			t.Errorf("seed %d: %d questions together, %d one thing after the other", seed, n, alone)
		}
		together, single, git = append(together, n), append(single, alone), append(git, rival)
	}
	t.Logf("together %d, single %d, git %d", median(together), median(single), median(git))
	if 3*median(together) > 2*median(single) || 2*median(together) > median(git) {
		t.Errorf("in the median %d questions together, %d one thing after the other, %d of git",
			median(together), median(single), median(git))
	}
}

// TestUntestable checks that versions side by side that can't tell cost one question more than with git bisect skip at
// most, and far fewer where they are many, and that the range they leave has no version at its ends that could tell.
func TestUntestable(t *testing.T) {
	const versions = 300
	for _, c := range []struct {
		reason     string
		wide, part int // part: what git asks is so many times more, in the median
	}{
		{"one alone costs nothing", 1, 1},
		{"a few cost a few", 5, 1},
		{"git asks all of them where the flip is among them", 60, 3},
		{"however many there are", 120, 5},
	} {
		t.Run(c.reason, func(t *testing.T) {
			var ours, git []int
			for seed := range int64(100) {
				r := rand.New(rand.NewSource(seed))
				low := 1 + r.Intn(versions-c.wide-2)
				flip := low + r.Intn(c.wide+1)
				text := blank(monotone(versions, flip), low, low+c.wide)
				found := line{things: []string{text}}.find(t)
				ours, git = append(ours, len(found.Asked)), append(git, gitBisect(text))
				if f := found.Flips[0][0]; f.From != low-1 || f.To != low+c.wide {
					t.Fatalf("seed %d: %v can't tell from %d to %d", seed, f, low, low+c.wide-1)
				}
			}
			t.Logf("median %d, git %d; most %d, git %d", median(ours), median(git), slices.Max(ours), slices.Max(git))
			if c.part*(median(ours)-1) > median(git) {
				t.Errorf("in the median %d questions, git %d", median(ours), median(git))
			}
		})
	}
}

// BenchmarkFind searches forty things on a line of two thousand versions: what choosing costs beside building.
func BenchmarkFind(b *testing.B) {
	const versions = 2000
	r := rand.New(rand.NewSource(1))
	var l line
	for range 40 {
		weights := likely(r, versions)
		l.things, l.weights = append(l.things, monotone(versions, draw(r, weights))), append(l.weights, weights)
	}
	for b.Loop() {
		b.ReportMetric(float64(len(l.find(b).Asked)), "questions")
	}
}
