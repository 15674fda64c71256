package bisect_test

import (
	"math"
	"math/rand"
	"reflect"
	"slices"
	"strings"
	"testing"
)

// monotone returns a thing with one flip, in the step to a version.
func monotone(versions, flip int) string {
	return strings.Repeat("A", flip) + strings.Repeat("B", versions-flip)
}

// blank makes some versions of a thing untestable, but not its ends.
func blank(text string, low, high int) string {
	low, high = max(low, 1), min(high, len(text)-1)
	if low >= high {
		return text
	}
	return text[:low] + strings.Repeat("?", high-low) + text[high:]
}

// randomLine returns a line with several things, some of which come and go back. It has versions that do not build,
// versions that behave alike, and steps of Tell.
func randomLine(r *rand.Rand) line {
	versions := 2 + r.Intn(100)
	l := line{tell: make([][]int, 1+r.Intn(5)), weights: make([][]float64, 0)}
	broken, wide := r.Intn(versions), r.Intn(2)*r.Intn(20)
	for i := range l.tell {
		text, value := make([]byte, versions), byte('A')
		for v := range text {
			if v > 0 && r.Intn(versions) < 2 {
				value = 'A' + byte(r.Intn(4))
			}
			text[v] = value
		}
		thing := blank(string(text), broken, broken+wide)
		if own := r.Intn(versions); r.Intn(3) == 0 {
			thing = blank(thing, own, own+r.Intn(10))
		}
		l.things = append(l.things, thing)
		weights := make([]float64, versions)
		for v := range weights {
			weights[v] = math.Pow(r.Float64(), 4)
			if v > 0 && r.Intn(20) == 0 {
				l.tell[i] = append(l.tell[i], v)
			}
		}
		if l.weights = append(l.weights, weights); r.Intn(3) == 0 {
			l.weights[i] = nil
		}
	}
	for v := 1; v < versions; v++ {
		alike := func(text string) bool { return text[v] == text[v-1] }
		if r.Intn(4) == 0 && !slices.ContainsFunc(l.things, func(text string) bool { return !alike(text) }) {
			l.same = append(l.same, v)
		}
	}
	return l
}

func TestRandomLines(t *testing.T) {
	flips, ranges, back := 0, 0, 0
	for seed := range int64(600) {
		l := randomLine(rand.New(rand.NewSource(seed)))
		r := l.find(t)
		if again := l.find(t); !reflect.DeepEqual(r, again) {
			t.Fatalf("seed %d: %+v, then %+v", seed, r, again)
		}
		for _, list := range r.Flips {
			flips += len(list)
			back += max(len(list)-1, 0)
			for _, f := range list {
				ranges += min(len(f.Between), 1)
			}
		}
	}
	if flips < 1000 || ranges < 100 || back < 500 {
		t.Errorf("%d flips, %d ranges, %d that are not alone: the test shows little", flips, ranges, back)
	}
}

// TestAnyEnd ends searches after each question. What they know by then holds, and grows.
func TestAnyEnd(t *testing.T) {
	open := 0
	for seed := range int64(40) {
		l := randomLine(rand.New(rand.NewSource(seed)))
		whole := l.find(t).Asked
		for l.most = range whole {
			if l.most == 0 {
				continue
			}
			r := l.find(t)
			if !slices.Equal(r.Asked, whole[:l.most]) {
				t.Fatalf("seed %d: %v are asked, and %v if the search ends", seed, whole, r.Asked)
			}
			for _, list := range r.Flips {
				for _, f := range list {
					if f.Open {
						open++
					}
				}
			}
		}
	}
	if open < 500 {
		t.Errorf("only %d open flips: the test shows little", open)
	}
}

// TestMonotone checks that the flip of a value that changes once is found whatever the weights are: exactly if it can
// be told, else within a range.
func TestMonotone(t *testing.T) {
	for seed := range int64(600) {
		r := rand.New(rand.NewSource(seed))
		versions := 2 + r.Intn(200)
		flip := 1 + r.Intn(versions-1)
		low := r.Intn(versions)
		whole := monotone(versions, flip)
		l := line{things: []string{blank(whole, low, low+r.Intn(30)*r.Intn(2))}}
		for alone := r.Intn(3) * r.Intn(10); alone > 0; alone-- {
			low = r.Intn(versions)
			l.things[0] = blank(l.things[0], low, low+1)
		}
		if r.Intn(3) > 0 {
			weights := make([]float64, versions)
			for v := range weights {
				weights[v] = math.Exp(100 * r.NormFloat64())
			}
			l.weights = [][]float64{weights}
		}
		result := l.find(t)
		found := result.Flips[0]
		if len(found) != 1 || found[0].From >= flip || found[0].To < flip {
			t.Fatalf("seed %d: the flip is at %d, found %v\n%v", seed, flip, found, l)
		}
		told := l.things[0][flip-1] != '?' && l.things[0][flip] != '?'
		if told && (found[0].From != flip-1 || found[0].To != flip) && l.left(found[0], result) == 0 {
			t.Fatalf("seed %d: the flip is at %d and can be told, found %v\n%v", seed, flip, found, l)
		}
	}
}

// TestTellCovers checks that values that come and go back any number of times are all found, each exactly, where Tell
// has their steps.
func TestTellCovers(t *testing.T) {
	for seed := range int64(300) {
		r := rand.New(rand.NewSource(seed))
		text, tell := []byte{'A'}, []int(nil)
		for v := 1; v < 80; v++ {
			value := text[v-1]
			if r.Intn(8) == 0 {
				value = 'A' + byte(r.Intn(3))
				tell = append(tell, v)
			}
			text = append(text, value)
		}
		l := line{things: []string{string(text)}, tell: [][]int{tell}}
		result := l.find(t)
		var found, want []int
		for _, f := range result.Flips[0] {
			found = append(found, f.To)
		}
		for v := 1; v < len(text); v++ {
			if text[v] != text[v-1] {
				want = append(want, v)
			}
		}
		if !slices.Equal(found, want) {
			t.Fatalf("seed %d: flips at %v, want %v\n%s", seed, found, want, text)
		}
		if most := 2 * len(tell); len(result.Asked) > most {
			t.Fatalf("seed %d: %d steps of Tell, and %d versions are asked", seed, len(tell), len(result.Asked))
		}
	}
}

// fuzzed decodes a line: how many versions and things, then a byte for each version of a thing, and one for each step.
func fuzzed(data []byte) (l line, ok bool) {
	if len(data) < 2 {
		return l, false
	}
	versions, things, data := 1+int(data[0])%64, 1+int(data[1])%4, data[2:]
	if len(data) < things*2*versions {
		return l, false
	}
	l.tell, l.weights = make([][]int, things), make([][]float64, things)
	for i := range things {
		text := make([]byte, versions)
		l.weights[i] = make([]float64, versions)
		for v := range text {
			text[v] = "AAABBC?D"[data[v]%8]
			if (v == 0 || v == versions-1) && text[v] == '?' {
				text[v] = 'A'
			}
			step := data[versions+v]
			l.weights[i][v] = math.Ldexp(1, int(step>>2))
			if step%4 == 0 && v > 0 {
				l.tell[i] = append(l.tell[i], v)
			}
		}
		l.things, data = append(l.things, string(text)), data[2*versions:]
	}
	for v := 1; v < versions; v++ {
		if !slices.ContainsFunc(l.things, func(text string) bool { return text[v] != text[v-1] }) && v%2 == 0 {
			l.same = append(l.same, v)
		}
	}
	l.most = len(data) // so some searches end early
	return l, true
}

func FuzzFind(f *testing.F) {
	for seed := range int64(20) {
		data := make([]byte, 2+rand.New(rand.NewSource(seed)).Intn(600))
		rand.New(rand.NewSource(seed)).Read(data)
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if l, ok := fuzzed(data); ok {
			l.find(t)
		}
	})
}
