package bisect_test

import (
	"context"
	"fmt"
	"iter"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/diff/bisect"
)

// A line has a text for each thing, with a character for each version: its value, or ? where it can't be told.
type line struct {
	things  []string
	same    []int // versions that behave as the one before
	tell    [][]int
	weights [][]float64
	most    int // how many questions may be asked before the context ends; 0: any number

	asking func(version int)                       // is told of each question; nil: nobody is
	ahead  func(version int, likely iter.Seq[int]) // see bisect.Input
}

func (l line) versions() int { return len(l.things[0]) }

func answer(value byte) bisect.Answer {
	if value == '?' {
		return bisect.Answer{Untestable: "it does not build"}
	}
	return bisect.Answer{Value: string(value)}
}

func (l line) input() bisect.Input {
	in := bisect.Input{Versions: l.versions(), Same: make([]bool, l.versions())}
	for _, v := range l.same {
		in.Same[v] = true
	}
	for i, text := range l.things {
		t := bisect.Thing{Old: answer(text[0]), New: answer(text[len(text)-1])}
		if l.tell != nil {
			t.Tell = l.tell[i]
		}
		if l.weights != nil {
			t.Weights = l.weights[i]
		}
		in.Things = append(in.Things, t)
	}
	return in
}

// find searches a line, and checks everything that always holds.
func (l line) find(t testing.TB) bisect.Result {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	in, asked := l.input(), 0
	in.Ahead = l.ahead
	in.Ask = func(_ context.Context, version int, things []int) (answers []bisect.Answer, err error) {
		if l.asking != nil {
			l.asking(version)
		}
		for _, thing := range things {
			answers = append(answers, answer(l.things[thing][version]))
		}
		if asked++; asked == l.most {
			cancel()
		}
		return answers, nil
	}
	in.Report = func(done, expected int) {
		if done != asked || expected < done {
			t.Errorf("%d versions were asked, it reports %d of %d", asked, done, expected)
		}
	}
	r, err := bisect.Find(ctx, in)
	if err != nil {
		t.Fatalf("%v: %v", l, err)
	}
	l.checkQuestions(t, r)
	for i := range l.things {
		l.checkFlips(t, i, r)
	}
	if t.Failed() {
		t.Fatalf("%+v\n%+v", l, r)
	}
	return r
}

// first returns the first of the versions that behave as v.
func (l line) first(v int) int {
	for slices.Contains(l.same, v) {
		v--
	}
	return v
}

func (l line) checkQuestions(t testing.TB, r bisect.Result) {
	t.Helper()
	untestable := map[int]string{}
	for i, v := range r.Asked {
		if slices.Contains(r.Asked[:i], v) {
			t.Errorf("version %d is asked twice", v)
		}
		if v == 0 || v != l.first(v) || v == l.first(l.versions()-1) {
			t.Errorf("version %d is asked, and was known", v)
		}
		if slices.ContainsFunc(l.things, func(text string) bool { return text[v] == '?' }) {
			untestable[v] = "it does not build"
		}
	}
	if !reflect.DeepEqual(r.Untestable, untestable) {
		t.Errorf("untestable %v, want %v", r.Untestable, untestable)
	}
	if l.most > 0 {
		return
	}
	for _, step := range slices.Concat(l.tell...) {
		if slices.Contains(l.same, step) {
			continue
		}
		for _, v := range []int{l.first(step - 1), l.first(step)} {
			if v > 0 && v != l.first(l.versions()-1) && !slices.Contains(r.Asked, v) {
				t.Errorf("the search did not end, and did not ask %d", v)
			}
		}
	}
}

// checkFlips checks the flips of a thing against the line: their values, that they lead from old to new, that what lies
// between is as it should be, and that those which Tell demands are there.
func (l line) checkFlips(t testing.TB, thing int, r bisect.Result) {
	t.Helper()
	text, at := l.things[thing], 0
	for _, f := range r.Flips[thing] {
		if f.From < at || f.To <= f.From || f.From > 0 && f.To < l.versions()-1 && text[f.To] == text[f.From] ||
			f.Before != text[f.From:f.From+1] || f.After != text[f.To:f.To+1] || text[at] != text[f.From] {
			t.Errorf("thing %d: wrong flip %+v", thing, f)
		}
		for _, v := range f.Between {
			if v <= f.From || v >= f.To {
				t.Errorf("thing %d: version %d is not between", thing, v)
			}
			if slices.Contains(r.Asked, l.first(v)) && text[v] != '?' {
				t.Errorf("thing %d: version %d was told", thing, v)
			}
		}
		left := l.left(f, r)
		if len(f.Between) != f.To-f.From-1 || f.Open && (left == 0 || l.most == 0) {
			t.Errorf("thing %d: %+v, and %d were not asked", thing, f, left)
		}
		at = f.To
	}
	if text[at] != text[len(text)-1] {
		t.Errorf("thing %d: its flips end with %c", thing, text[at])
	}
	if l.tell == nil || l.most > 0 {
		return
	}
	for _, v := range l.tell[thing] {
		told := text[v-1] != '?' && text[v] != '?' && text[v-1] != text[v]
		exact := func(f bisect.Flip) bool { return f.From == v-1 && f.To == v }
		if told && !slices.ContainsFunc(r.Flips[thing], exact) {
			t.Errorf("thing %d: no flip at %d", thing, v)
		}
	}
}

// left returns how many versions between were not asked.
func (l line) left(f bisect.Flip, r bisect.Result) (n int) {
	for _, v := range f.Between {
		if !slices.Contains(r.Asked, l.first(v)) {
			n++
		}
	}
	return n
}

// spell writes the flips of a thing as "3-4 A→B"; with a mark behind those that are open (o) or given up (g), so that
// versions between were not asked.
func (l line) spell(thing int, r bisect.Result) string {
	var texts []string
	for _, f := range r.Flips[thing] {
		text := fmt.Sprintf("%d-%d %s→%s", f.From, f.To, f.Before, f.After)
		switch {
		case f.Open:
			text += " o"
		case l.left(f, r) > 0:
			text += " g"
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, ", ")
}
