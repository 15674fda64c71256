package selection

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
		{"not what takes more than its share", []Sequence{{Steps: sampledNodes + 1}, {Steps: 1}}, []int{1}},
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
		costs := map[int]int64{}
		for i, q := range c.sequences {
			costs[i] = q.Steps
		}
		if got := Sample(c.sequences, costs); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %v, want %v", c.reason, got, c.want)
		}
	}
}

// TestOrder checks that the order depends on the expected yield and not on the input order.
func TestOrder(t *testing.T) {
	sequences := []Sequence{
		0: {Class: 1, Steps: 9},
		1: {Class: 1, Steps: 5},
		2: {Class: 1, Steps: 7, Novel: true},
		3: {Class: 2, Steps: HeavySteps + 1, Novel: true},
		4: {Class: 2, Steps: 8},
		5: {Class: 3, Steps: HeavySteps + 1},
		6: {Class: 3, Steps: 1},
		7: {Class: 1, Steps: 1},
		8: {Class: 4, Novel: true, Hung: true},
	}
	got := Order(sequences, map[int]bool{6: true}, map[int]bool{7: true})
	want := []int{
		7,       // in first
		2, 4, 5, // the first of each class: new, not heavy, the only one left
		1, 3, // the second ones
		0,
		8, // sequences that do not end
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
}

// TestEnough checks that the end of recording depends on cost and yield.
func TestEnough(t *testing.T) {
	for _, c := range []struct {
		reason    string
		whole     bool
		nodes     int64
		sequences int
		news      bool
		want      bool
	}{
		{"it was cheap", false, recordedLeast - 1, 10 * enoughAlike, false, false},
		{"it told nothing new for long", false, recordedLeast, enoughAlike, false, true},
		{"it told something new not long ago", false, recordedLeast, enoughAlike, true, false},
		{"it cost too much, whatever it told", false, recordedMost, 1, true, true},
		{"everything is recorded", true, recordedMost, enoughAlike, false, false},
	} {
		l := Ledger{Whole: c.whole}
		l.Add(c.nodes, c.sequences, c.news)
		if got := l.Enough(); got != c.want {
			t.Errorf("%s: enough is %v", c.reason, got)
		}
	}
}

// TestWave checks that a wave holds no more than may be needed.
func TestWave(t *testing.T) {
	queue := make([]int, 50*ChunkSize+1)
	for _, c := range []struct {
		reason             string
		chunks             int
		nodes              int64 // of each
		parts, want, after int
	}{
		{"nothing is known of the costs", 0, 0, 4, 4, 46*ChunkSize + 1},
		{"the last part is smaller", 0, 0, 60, 51, 0},
		{"the rest may cost three of them", 1, recordedLeast / 4, 8, 3, 47*ChunkSize + 1},
		{"it goes on in small waves", 1, recordedLeast, 8, FirstWave, 48*ChunkSize + 1},
	} {
		var l Ledger
		for range c.chunks {
			l.Add(c.nodes, ChunkSize, false)
		}
		wave, rest := l.Wave(queue, c.parts)
		if len(wave) != c.want || len(rest) != c.after {
			t.Errorf("%s: got %d parts and %d left, want %d and %d", c.reason, len(wave), len(rest), c.want, c.after)
		}
	}
}

// TestChunks checks that a few sequences are divided for more than one processor, and many with few processes.
func TestChunks(t *testing.T) {
	for _, c := range []struct{ sequences, want int }{
		{0, 0}, {smallChunk, 1}, {smallChunk + 1, 2}, {ChunkSize, ChunkSize / smallChunk}, {ChunkSize + 1, 2},
	} {
		list := make([]int, c.sequences)
		for i := range list {
			list[i] = i
		}
		got := Chunks(list)
		if len(got) != c.want || !slices.Equal(slices.Concat(got...), list) {
			t.Errorf("%d sequences: %d chunks, want %d with all of them in order", c.sequences, len(got), c.want)
		}
	}
}
