package bisect_test

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/diff/bisect"
)

func TestFind(t *testing.T) {
	for _, c := range []struct {
		reason string
		line   line
		flips  []string
		asked  []int
	}{
		{
			reason: "one step leaves no question",
			line:   line{things: []string{"AB"}},
			flips:  []string{"0-1 A→B"},
		},
		{
			reason: "one thing without weights is halved; of two middles the lower is taken",
			line:   line{things: []string{"AAAAAABB"}},
			flips:  []string{"5-6 A→B"},
			asked:  []int{3, 5, 6},
		},
		{
			reason: "equal ends, and nothing demanded: nothing is asked",
			line:   line{things: []string{"AABBAA"}},
			flips:  []string{""},
		},
		{
			reason: "a likely step is asked on both sides, and the flip is there",
			line: line{things: []string{"AAAAAAAAAAAAABBB"}, weights: [][]float64{
				{0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 99, 1, 1}}},
			flips: []string{"12-13 A→B"},
			asked: []int{12, 13},
		},
		{
			reason: "a wrong weight costs questions, and changes no answer",
			line: line{things: []string{"AABBBBBBBBBBBBBB"}, weights: [][]float64{
				{0, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 99, 1, 1}}},
			flips: []string{"1-2 A→B"},
			asked: []int{12, 6, 3, 1, 2},
		},
		{
			reason: "both things are asked at each version, so the second needs no question of its own",
			line:   line{things: []string{"AAABBBBB", "XXXXYYYY"}},
			flips:  []string{"2-3 A→B", "3-4 X→Y"},
			asked:  []int{3, 5, 4, 1, 2},
		},
		{
			reason: "a third value on the way splits the search",
			line:   line{things: []string{"AACCCCBB"}},
			flips:  []string{"1-2 A→C, 5-6 C→B"},
			asked:  []int{3, 5, 6, 1, 2},
		},
		{
			reason: "a question for one thing shows that another came and went back, which is then searched",
			line:   line{things: []string{"AAAABBBB", "XXXYXXXX"}},
			flips:  []string{"3-4 A→B", "2-3 X→Y, 3-4 Y→X"},
			asked:  []int{3, 5, 4, 1, 2},
		},
		{
			reason: "Tell asks both sides of its steps, likely ones first, and finds what comes and goes back",
			line:   line{things: []string{"AAABBBBAAACC"}, tell: [][]int{{3, 7, 10}}},
			flips:  []string{"2-3 A→B, 6-7 B→A, 9-10 A→C"},
			asked:  []int{6, 3, 9, 10, 2, 7},
		},
		{
			reason: "Tell before anything else: here it leaves no other question",
			line:   line{things: []string{"AAAAAAAAAAABBBBBBBBB"}, tell: [][]int{{11}}},
			flips:  []string{"10-11 A→B"},
			asked:  []int{10, 11},
		},
		{
			reason: "what lies outside of Tell is searched nevertheless",
			line:   line{things: []string{"AAAAABBBBBBB"}, tell: [][]int{{8}}},
			flips:  []string{"4-5 A→B"},
			asked:  []int{7, 8, 3, 5, 4},
		},
		{
			reason: "versions that behave alike count as one: the last of them and the first of the next",
			line:   line{things: []string{"AAAAABBBBB"}, same: []int{2, 3, 4, 6, 7}},
			flips:  []string{"4-5 A→B"},
			asked:  []int{5, 1},
		},
		{
			reason: "the last versions behave alike, so the first of them is known",
			line:   line{things: []string{"AABBBB"}, same: []int{3, 4, 5}},
			flips:  []string{"1-2 A→B"},
			asked:  []int{1},
		},
		{
			reason: "a step of Tell between versions that behave alike is none",
			line:   line{things: []string{"AAAAAA"}, same: []int{3}, tell: [][]int{{3}}},
			flips:  []string{""},
		},
		{
			reason: "all versions behave alike",
			line:   line{things: []string{"AAA"}, same: []int{1, 2}},
			flips:  []string{""},
		},
		{
			reason: "what can't be told makes a range",
			line:   line{things: []string{"AAA??BBB"}},
			flips:  []string{"2-5 A→B"},
			asked:  []int{3, 5, 2, 4},
		},
		{
			reason: "a flip beside what can't be told is exact",
			line:   line{things: []string{"AAA??AAABBBBBBBB"}},
			flips:  []string{"7-8 A→B"},
			asked:  []int{7, 11, 9, 8},
		},
		{
			reason: "one thing can't be told, the other one can",
			line:   line{things: []string{"AAA???BB", "XXXXYYYY"}},
			flips:  []string{"2-6 A→B", "3-4 X→Y"},
			asked:  []int{3, 5, 4, 1, 2, 6},
		},
		{
			reason: "one side of a step of Tell can't be told: the other side of the segment still tells",
			line:   line{things: []string{"AAA?BBBAAAA"}, tell: [][]int{{3, 7}}},
			flips:  []string{"2-4 A→B, 6-7 B→A"},
			asked:  []int{6, 3, 7, 2, 5, 4},
		},
		{
			reason: "both sides of a segment of Tell can't be told: its middle is asked",
			line:   line{things: []string{"AAA?BBBBB?AAA"}, tell: [][]int{{3, 10}}},
			flips:  []string{"2-4 A→B, 8-10 B→A"},
			asked:  []int{3, 9, 6, 2, 10, 5, 7, 4, 8},
		},
		{
			reason: "the search ends, and the flip is open",
			line:   line{things: []string{"AAAAAABBBBBBBBBBB"}, most: 2},
			flips:  []string{"4-8 A→B o"},
			asked:  []int{8, 4},
		},
		{
			reason: "the search ends with the last answer that was needed",
			line:   line{things: []string{"AAAB"}, most: 2},
			flips:  []string{"2-3 A→B"},
			asked:  []int{1, 2},
		},
		{
			reason: "the search ends before Tell is done",
			line:   line{things: []string{"AAAABBAAAAA"}, tell: [][]int{{4, 6}}, most: 1},
			flips:  []string{"0-5 A→B o, 5-10 B→A o"},
			asked:  []int{5},
		},
		{
			reason: "a long range that can't be told is given up when its edges are known",
			line:   line{things: []string{strings.Repeat("A", 30) + strings.Repeat("?", 40) + strings.Repeat("B", 30)}},
			flips:  []string{"29-70 A→B g"},
			asked:  []int{49, 61, 27, 79, 38, 71, 32, 67, 29, 69, 30, 70, 55, 44, 52, 41, 58},
		},
		{
			reason: "nothing can be told at all",
			line:   line{things: []string{"A" + strings.Repeat("?", 40) + "B"}, tell: [][]int{{10, 30}}},
			flips:  []string{"0-41 A→B g"},
			asked:  []int{29, 10, 9, 30, 19, 24, 14, 12, 16, 21, 26, 11, 13, 15},
		},
	} {
		t.Run(c.reason, func(t *testing.T) {
			r := c.line.find(t)
			var flips []string
			for thing := range r.Flips {
				flips = append(flips, c.line.spell(thing, r))
			}
			if !slices.Equal(flips, c.flips) {
				t.Errorf("flips %q, want %q", flips, c.flips)
			}
			if !slices.Equal(r.Asked, c.asked) {
				t.Errorf("asked %v, want %v", r.Asked, c.asked)
			}
		})
	}
}

func TestInvalid(t *testing.T) {
	a, b := answer('A'), answer('B')
	for _, c := range []struct {
		reason string
		in     bisect.Input
		want   string
	}{
		{"a line has an end", bisect.Input{}, "0 versions"},
		{
			"who behaves alike is said of all or of none",
			bisect.Input{Versions: 3, Same: []bool{true}},
			"3 versions, and for 1",
		},
		{
			"an end without a value gives no predicate",
			bisect.Input{Versions: 3, Things: []bisect.Thing{{Old: a, New: answer('?')}}},
			"thing 0: both ends",
		},
		{
			"a value can't change where nothing does",
			bisect.Input{
				Versions: 2, Same: []bool{false, true},
				Things: []bisect.Thing{{Old: a, New: a}, {Old: a, New: b}},
			},
			"thing 1: its ends differ",
		},
		{
			"weights are by version",
			bisect.Input{Versions: 3, Things: []bisect.Thing{{Old: a, New: b, Weights: []float64{1, 2}}}},
			"2 weights for 3 versions",
		},
		{
			"no step is less likely than impossible",
			bisect.Input{Versions: 3, Things: []bisect.Thing{{Old: a, New: b, Weights: []float64{0, 1, -1}}}},
			"version 2 has the weight -1",
		},
		{
			"a weight is a number",
			bisect.Input{Versions: 3, Things: []bisect.Thing{{Old: a, New: b, Weights: []float64{0, math.NaN(), 1}}}},
			"version 1 has the weight NaN",
		},
		{
			"parts of infinity are no numbers",
			bisect.Input{Versions: 3, Things: []bisect.Thing{{
				Old: a, New: b, Weights: []float64{0, math.MaxFloat64, math.MaxFloat64},
			}}},
			"infinite",
		},
		{
			"no step leads to the first version",
			bisect.Input{Versions: 3, Things: []bisect.Thing{{Old: a, New: b, Tell: []int{0}}}},
			"no step of 3 versions leads to version 0",
		},
	} {
		t.Run(c.reason, func(t *testing.T) {
			_, err := bisect.Find(t.Context(), c.in)
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
}

// TestFailedQuestion checks what comes back when a question has no answer: what was known before it, and the error
// unless it is there because the search was ended.
func TestFailedQuestion(t *testing.T) {
	broken := errors.New("the disk is full")
	for _, c := range []struct {
		reason string
		ask    func(ctx context.Context, cancel func()) ([]bisect.Answer, error)
		want   string
	}{
		{
			reason: "an error is handed on",
			ask:    func(context.Context, func()) ([]bisect.Answer, error) { return nil, broken },
			want:   "asking version 6: the disk is full",
		},
		{
			reason: "one answer for each thing",
			ask:    func(context.Context, func()) ([]bisect.Answer, error) { return make([]bisect.Answer, 2), nil },
			want:   "asking version 6: 2 answers for 1 things",
		},
		{
			reason: "the search is ended while it asks: that is no error",
			ask: func(ctx context.Context, cancel func()) ([]bisect.Answer, error) {
				cancel()
				return nil, ctx.Err()
			},
		},
	} {
		t.Run(c.reason, func(t *testing.T) {
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			l := line{things: []string{"AAAAABBBBB"}}
			in := l.input()
			in.Ask = func(ctx context.Context, version int, _ []int) ([]bisect.Answer, error) {
				if version == 4 {
					return []bisect.Answer{{Value: "A"}}, nil
				}
				return c.ask(ctx, cancel)
			}
			in.Things[0].New.Value = "B"
			r, err := bisect.Find(ctx, in)
			if text := l.spell(0, r); text != "4-9 A→B o" || !slices.Equal(r.Asked, []int{4}) {
				t.Errorf("flips %s, asked %v", text, r.Asked)
			}
			if c.want == "" && err != nil || c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)) {
				t.Errorf("error %v, want %q", err, c.want)
			}
		})
	}
}

// TestExpected checks what is expected before the first question, and that it comes true on lines without surprises.
func TestExpected(t *testing.T) {
	for _, c := range []struct {
		reason   string
		line     line
		expected []int // after each question
	}{
		{"halving", line{things: []string{monotone(17, 5)}}, []int{4, 4, 4, 4, 4}},
		{"nothing to ask", line{things: []string{"AAAA"}}, []int{0}},
		{"two things in the same place are asked together", line{things: []string{"AAAAB", "CCCCD"}}, []int{3, 2, 2}},
		{"what Tell demands counts", line{things: []string{"AAAAAAAAA"}, tell: [][]int{{2, 6}}}, []int{4, 4, 4, 4, 4}},
	} {
		t.Run(c.reason, func(t *testing.T) {
			in := c.line.input()
			in.Ask = func(_ context.Context, version int, things []int) (answers []bisect.Answer, err error) {
				for _, thing := range things {
					answers = append(answers, answer(c.line.things[thing][version]))
				}
				return answers, nil
			}
			var expected []int
			in.Report = func(_, n int) { expected = append(expected, n) }
			if _, err := bisect.Find(t.Context(), in); err != nil || !slices.Equal(expected, c.expected) {
				t.Errorf("expected %v, want %v; error %v", expected, c.expected, err)
			}
		})
	}
}

func TestHalving(t *testing.T) {
	for steps, want := range []int{0, 0, 1, 2, 2, 3, 3, 3, 3, 4} {
		if got := bisect.Halving(steps); got != want {
			t.Errorf("%d steps take %d questions, want %d", steps, got, want)
		}
	}
}
