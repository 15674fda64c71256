package summary

import (
	"testing"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/diff/judge"
)

// TestExposures: what was confirmed counts as it was seen then, what was not judged as others of its kind, and what was
// refuted does not count.
func TestExposures(t *testing.T) {
	suspect := func(index int, root string) judge.Suspect {
		return judge.Suspect{
			Index:    index,
			Roots:    []judge.SuspectedRoot{{Function: root}},
			Exposure: diff.Exposure{Hit: true},
		}
	}
	confirmed := &diff.Comparison{Deviations: []*diff.Deviation{{}}, Exposure: diff.Exposure{Output: true}}
	j := &judge.Judged{
		Played: &judge.Played{Suspects: []judge.Suspect{
			suspect(0, "m.F"), suspect(1, "m.F"), suspect(2, "m.G"), suspect(3, "m.G"),
		}},
		Verdicts: map[int]*judge.Verdict{
			0: {Suspect: suspect(0, "m.F"), Comparison: confirmed},
			2: {Suspect: suspect(2, "m.G"), Comparison: &diff.Comparison{}},
		},
	}
	got := exposures(j)
	if len(got) != 2 || !got[0].Output || !got[1].Hit {
		t.Errorf("got %+v, want the confirmed one and one of its kind", got)
	}
}
