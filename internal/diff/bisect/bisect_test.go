package bisect_test

import (
	"slices"
	"strings"
	"testing"
)

func TestFind(t *testing.T) {
	for _, c := range []struct {
		reason string
		line   line
		flips  []string
		asked  []int
		untold []int
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
			untold: []int{3, 4, 6},
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
			for _, list := range r.Flips {
				flips = append(flips, spell(list))
			}
			if !slices.Equal(flips, c.flips) {
				t.Errorf("flips %q, want %q", flips, c.flips)
			}
			if !slices.Equal(r.Asked, c.asked) {
				t.Errorf("asked %v, want %v", r.Asked, c.asked)
			}
			if !slices.Equal(r.Untold, c.untold) {
				t.Errorf("untold %v, want %v", r.Untold, c.untold)
			}
		})
	}
}
