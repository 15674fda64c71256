package source

import (
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"
)

// apply makes new out of old with the hunks, taking only replaced lines from new.
func apply(old, new []string, hunks []Hunk) []string {
	var out []string
	at := 0
	for _, h := range hunks {
		out = append(out, old[at:h.Old.Start-1]...)
		out = append(out, new[h.New.Start-1:h.New.Start-1+h.New.Count]...)
		at = h.Old.Start - 1 + h.Old.Count
	}
	return append(out, old[at:]...)
}

func checkHunks(t *testing.T, old, new []string) []Hunk {
	t.Helper()
	hunks := lineHunks(old, new)
	if got := apply(old, new, hunks); !slices.Equal(got, new) {
		t.Fatalf("old %q\nnew %q\nhunks %v give %q", old, new, hunks, got)
	}
	for i, h := range hunks {
		if h.Old.Count == 0 && h.New.Count == 0 {
			t.Fatalf("hunk %d of %v is empty", i, hunks)
		}
		if i > 0 && h.Old.Start <= hunks[i-1].Old.Start+hunks[i-1].Old.Count {
			t.Fatalf("hunks %v touch", hunks)
		}
	}
	if slices.Equal(old, new) != (len(hunks) == 0) {
		t.Fatalf("old %q, new %q: hunks %v", old, new, hunks)
	}
	return hunks
}

func TestHunks(t *testing.T) {
	cases := []struct{ reason, old, new, want string }{
		{"nothing", "", "", "[]"},
		{"the same", "1 2 3", "1 2 3", "[]"},
		{"into an empty file", "", "1 2", "[{{1 0 0} {1 2 0}}]"},
		{"all away", "1 2", "", "[{{1 2 0} {1 0 0}}]"},
		{"one line", "1 2 3", "1 x 3", "[{{2 1 0} {2 1 0}}]"},
		{"an insertion", "1 2", "1 x y 2", "[{{2 0 0} {2 2 0}}]"},
		{"at the end", "1 2", "1 2 3", "[{{3 0 0} {3 1 0}}]"},
		{"two places", "1 2 3 4 5", "x 2 3 4", "[{{1 1 0} {1 1 0}} {{5 1 0} {5 0 0}}]"},
	}
	for _, c := range cases {
		got := fmt.Sprint(checkHunks(t, strings.Fields(c.old), strings.Fields(c.new)))
		if got != c.want {
			t.Errorf("%s: hunks %s, want %s", c.reason, got, c.want)
		}
	}
}

// TestHunksAreShort checks the number of changed lines against the longest common subsequence.
func TestHunksAreShort(t *testing.T) {
	random := rand.New(rand.NewSource(1))
	for range 3000 {
		old, new := randomLines(random, 12, 4), randomLines(random, 12, 4)
		changed := 0
		for _, h := range checkHunks(t, old, new) {
			changed += h.Old.Count + h.New.Count
		}
		if want := len(old) + len(new) - 2*commonLength(old, new); changed != want {
			t.Fatalf("old %q, new %q: %d lines change, %d would do", old, new, changed, want)
		}
	}
}

func randomLines(random *rand.Rand, most, kinds int) []string {
	lines := make([]string, random.Intn(most))
	for i := range lines {
		lines[i] = fmt.Sprint(random.Intn(kinds))
	}
	return lines
}

func commonLength(old, new []string) int {
	row := make([]int, len(new)+1)
	for _, line := range old {
		corner := 0
		for j, other := range new {
			above := row[j+1]
			row[j+1] = max(above, row[j])
			if line == other {
				row[j+1] = corner + 1
			}
			corner = above
		}
	}
	return row[len(new)]
}

// TestLargeHunks checks texts that differ in more than maxEdits lines.
func TestLargeHunks(t *testing.T) {
	random := rand.New(rand.NewSource(2))
	for _, kinds := range []int{2, 50, 1_000_000} {
		old, new := randomLines(random, 20_000, kinds), randomLines(random, 20_000, kinds)
		checkHunks(t, old, new)
		moved := append(slices.Clone(old[len(old)/2:]), old[:len(old)/2]...)
		checkHunks(t, old, moved)
		edited := slices.Clone(old)
		for range 3000 {
			edited[random.Intn(len(edited))] = "edited"
		}
		checkHunks(t, old, edited)
	}
}

func TestTextLines(t *testing.T) {
	cases := []struct {
		reason, text string
		want         []string
	}{
		{"empty", "", nil},
		{"CRLF is LF", "1\r\n2\r\n", []string{"1", "2"}},
		{"no newline at the end", "1\n2", []string{"1", "2"}},
		{"empty lines count", "\n\n", []string{"", ""}},
	}
	for _, c := range cases {
		if got := textLines([]byte(c.text)); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q", c.reason, got)
		}
	}
}

func FuzzHunks(f *testing.F) {
	f.Add("a\nb\nc", "a\nc\nd")
	f.Add("", "x")
	f.Add("a\na\nb\na", "a\nb\na\na")
	f.Fuzz(func(t *testing.T, old, new string) {
		checkHunks(t, textLines([]byte(old)), textLines([]byte(new)))
	})
}
