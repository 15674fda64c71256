package summary

import (
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

var header = regexp.MustCompile(`^@@ -(\d+)(?:,(\d+))? \+(\d+)(?:,(\d+))? @@$`)

// apply applies hunks to the lines of old, which begin at the line first, and complains about what does not fit.
func apply(t *testing.T, old []string, first int, hunks string) (new []string) {
	t.Helper()
	at := 0
	var left [2]int // lines of the hunk that are still to come
	for line := range strings.Lines(hunks) {
		line = strings.TrimSuffix(line, "\n")
		if h := header.FindStringSubmatch(line); h != nil {
			begin := number(h[1], 0) - first
			left = [2]int{number(h[2], 1), number(h[4], 1)}
			if left[0] == 0 {
				begin++
			}
			new = append(new, old[at:begin]...)
			at = begin
			continue
		}
		if line[0] != '+' {
			if old[at] != line[1:] {
				t.Fatalf("hunks have %q where old has %q:\n%s", line[1:], old[at], hunks)
			}
			at, left[0] = at+1, left[0]-1
		}
		if line[0] != '-' {
			new, left[1] = append(new, line[1:]), left[1]-1
		}
		if left[0] < 0 || left[1] < 0 {
			t.Fatalf("more lines than the header says:\n%s", hunks)
		}
	}
	return append(new, old[at:]...)
}

func number(text string, absent int) int {
	if n, err := strconv.Atoi(text); err == nil {
		return n
	}
	return absent
}

// TestHunks: hunks lead from old to new, whatever changed, as long as all are shown.
func TestHunks(t *testing.T) {
	random := rand.New(rand.NewPCG(1, 2))
	for range 2000 {
		var old, new []string
		for i := range random.IntN(20) {
			line := fmt.Sprint("line ", i%7)
			if random.IntN(4) > 0 {
				old = append(old, line)
			}
			switch random.IntN(6) {
			case 0:
				new = append(new, line, "more")
			case 1:
			default:
				new = append(new, line)
			}
		}
		hunks := text(hunksOf(old, new, 11, 31))
		if got := apply(t, old, 11, hunks); !slices.Equal(got, new) {
			t.Fatalf("old %q, new %q, hunks lead to %q:\n%s", old, new, got, hunks)
		}
	}
}

// TestHunksOfPlace: of many changes those at the root's place are shown.
func TestHunksOfPlace(t *testing.T) {
	var old, new []string
	for i := range 300 {
		line := fmt.Sprint("line ", i)
		old, new = append(old, line), append(new, line)
		if i%10 == 0 {
			new[i] += " changed"
		}
	}
	for _, test := range []struct {
		at     diff.Position
		want   string
		reason string
	}{
		{diff.Position{Side: spectra.New, Line: 201}, "+line 200 changed", "the lines of new"},
		{diff.Position{Side: spectra.Old, Line: 1, EndLine: 1}, "+line 0 changed", "the lines of old"},
		{diff.Position{}, "+line 0 changed", "without a place, the first"},
	} {
		got := text(nearest(hunksOf(old, new, 1, 1), test.at))
		if first := strings.Split(got, "\n+")[1]; "+"+strings.SplitN(first, "\n", 2)[0] != test.want {
			t.Errorf("%s: %+v: got\n%s\nwant first %q", test.reason, test.at, got, test.want)
		}
		if n := strings.Count(got, "\n"); n > changeLines+changeLines/4 {
			t.Errorf("%s: %d lines", test.reason, n)
		}
	}
}
