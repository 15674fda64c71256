package generate

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay/sequence"
)

// TestDistances checks that branch distances lead to a text step by step, and that it is not found without them.
func TestDistances(t *testing.T) {
	find := func(known bool) (found bool) {
		in := fixture(t)
		in.Limits = Limits{Candidates: 3000}
		p := newPlayer(t, &in)
		p.observe = func(q sequence.Sequence, _ Outcome) {
			for _, st := range q.Statements {
				found = found || strings.HasSuffix(st.Op, ".Parse") && weight(st.Args[0].Text) == wantedWeight
			}
		}
		for _, op := range in.Operations {
			op.Reaches = strings.HasSuffix(op.Name, ".Parse")
		}
		in.Operands = func(_ context.Context, batch []sequence.Sequence) ([]Compared, error) {
			lists := make([]Compared, len(batch))
			for i, q := range batch {
				for _, st := range q.Statements {
					if known && strings.HasSuffix(st.Op, ".Parse") {
						away := math.Abs(float64(weight(st.Args[0].Text) - wantedWeight))
						lists[i].Distances = append(lists[i].Distances, Distance{Goal: 1, Value: away / 1e9})
					}
				}
			}
			return lists, nil
		}
		in.Execute = p.execute
		if _, err := Run(t.Context(), in); err != nil {
			t.Fatal(err)
		}
		return found
	}
	if !find(true) {
		t.Error("not found with distances")
	}
	if find(false) {
		t.Error("found without distances: that shows nothing")
	}
}

const wantedWeight = 54_321

// weight is a number that no part of the text shows.
func weight(text string) (n int) {
	for i := range len(text) {
		n += int(text[i]) * (i + 1)
	}
	return n
}
