package judge_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// TestGlances: where recording is dear, what is not recorded is played all the same, and a few of those that seem to
// deviate alike are recorded. The sequences from 400 on print another text in new, those from 450 on also end.
func TestGlances(t *testing.T) {
	const all, printing, ending = 500, 400, 450
	for _, whole := range []bool{false, true} {
		s, f := subject(t, all, func(p play) string {
			text := "m.F(a=1) -> ret0=1"
			if p.side == spectra.New && p.index >= printing {
				text = strings.Replace(text, "ret0=1", "ret0=2", 1) + "\nstdout other"
			}
			if p.side == spectra.New && p.index >= ending {
				text += "\nend exited"
			}
			if p.mode == wire.ModeOutcomes {
				text = text[strings.Index(text, "\n")+1:]
				if !strings.HasPrefix(text, "stdout") {
					text = ""
				}
			}
			return text
		})
		f.nodes, s.Whole = 1_000_000, whole
		judged := judgeAll(t, s, 2)
		recorded := map[int]bool{}
		for _, i := range f.recorded() {
			recorded[i] = true
		}
		printed, ended := 0, 0
		for i := range recorded {
			switch {
			case i >= ending:
				ended++
			case i >= printing:
				printed++
			}
		}
		got := fmt.Sprint(
			printed,
			ended,
			len(judged.Glanced.Indexes) > 0,
			judged.Glanced.Different,
			len(judged.Findings),
		)
		want := fmt.Sprint(6, 6, true, all-printing-12, 1)
		if whole {
			want = fmt.Sprint(ending-printing, all-ending, false, 0, 1)
		}
		if got != want {
			t.Errorf("whole %v: recorded of those that print, of those that end, glances, different, roots: "+
				"got %s, want %s", whole, got, want)
		}
	}
}
