package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/go-git/go-git/v5"

	"github.com/spectradiff/spectradiff/cmd/internal/lab/known"
	"github.com/spectradiff/spectradiff/internal/report"
	reportjson "github.com/spectradiff/spectradiff/internal/report/json"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// swapped are pairs of versions for which the generator makes the same sequences: they have the same
// types, and the same code except for the deviation.
var swapped = map[string]string{
	"go.mod": "module example.com/m\n\ngo 1.24\n",
	"m.go": `package m

// Half gives half of n.
func Half(n int8) int8 { return half(n) }

func half(n int8) int8 { return (n + ODD) / 2 }

// Both says whether both hold.
func Both(one, other bool) bool { return one && other }

// A Box holds a number.
type Box struct{ n int8 }

// Fill puts a number in.
func (b *Box) Fill(n int8) { b.n = n * FACTOR }

// Check may panic.
func Check(strict bool) int8 {
	LIMIT
	return 1
}

EXTRA
`,
}

var swapWords = map[string][]string{ // old, new
	"ODD":    {"0", "1"},
	"FACTOR": {"1", "2"},
	"LIMIT":  {"", `if strict { panic("strict") }`},
	"EXTRA":  {"func before() {}", "func after(n int) int { return n }"},
}

func TestSwap(t *testing.T) {
	onlyInAll(t, "it compares twice; package diff exchanges sides without builds")
	folder := t.TempDir()
	repository, err := git.PlainInit(folder, false)
	if err != nil {
		t.Fatal(err)
	}
	for i, side := range []string{"old", "new"} {
		for name, text := range swapped {
			for word, replacements := range swapWords {
				text = strings.ReplaceAll(text, word, replacements[i])
			}
			if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		when := time.Date(2026, time.January, 1+i, 12, 0, 0, 0, time.UTC)
		if err := commitAndTag(repository, side, side, when); err != nil {
			t.Fatal(err)
		}
	}
	forth, back := compareBothWays(t, folder, "--sequences", "400", "--all")
	checkMirror(t, forth, back)
	if got, want := kindsOf(forth), kindsOf(back); !slices.Equal(got, want) {
		t.Errorf("deviations\n%s\nexchanged\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if n := checkValues(t, forth, back); n == 0 {
		t.Error("no deviation is shown by the same sequence both ways")
	}
	if len(forth.Roots) < 3 || len(forth.Structural) < 2 {
		t.Errorf("%d roots, %d structural changes: the test shows little", len(forth.Roots), len(forth.Structural))
	}
}

// TestPairsSwapped exchanges released versions. Their operations differ, and therefore the sequences. The
// known roots must be found in both directions.
func TestPairsSwapped(t *testing.T) {
	needLong(t)
	for _, p := range known.Pairs() {
		if !wanted(p.Module) {
			continue
		}
		t.Run(p.Module+"@"+p.New, func(t *testing.T) {
			forth, back := compareBothWays(t, releases(t, p.Module, p.Old, p.New))
			if got, want := structuralOf(back, true), structuralOf(forth, false); !slices.Equal(got, want) {
				t.Errorf("structural changes\n%s\nexchanged\n%s", strings.Join(want, "\n"), strings.Join(got, "\n"))
			}
			for _, name := range p.Roots {
				isKnown := func(r report.Root) bool { return strings.HasSuffix(r.Function, "."+name) }
				if slices.ContainsFunc(forth.Roots, isKnown) && !slices.ContainsFunc(back.Roots, isKnown) {
					t.Errorf("%s is a root of old and new, but not exchanged (%s)", name, p.Reason)
				}
			}
			if forth.Verdict != back.Verdict {
				t.Errorf("the verdict is %s, exchanged %s", forth.Verdict, back.Verdict)
			}
		})
	}
}

func compareBothWays(t *testing.T, folder string, flags ...string) (forth, back *report.Report) {
	t.Helper()
	var reports []*report.Report
	for _, revisions := range [][]string{{"old", "new"}, {"new", "old"}} {
		args := append([]string{"compare", "-C", folder, "--no-progress", "--format", "json"}, flags...)
		var out, errs bytes.Buffer
		if exit := run(append(args, revisions...), strings.NewReader(""), &out, &errs); exit > 1 {
			t.Fatalf("exit status %d: %s", exit, errs.String())
		}
		r, err := reportjson.Read(&out)
		if err != nil {
			t.Fatal(err)
		}
		reports = append(reports, r)
	}
	return reports[0], reports[1]
}

// checkMirror compares the parts of the reports that do not depend on the sequences.
func checkMirror(t *testing.T, forth, back *report.Report) {
	t.Helper()
	var got, want []string
	for _, r := range forth.Roots {
		got = append(got, fmt.Sprint(r.Function, " ", r.Change, " ", r.Reach))
	}
	for _, r := range back.Roots {
		want = append(want, fmt.Sprint(r.Function, " ", r.Change, " ", r.Reach))
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("roots\n%s\nexchanged\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if got, want := structuralOf(forth, false), structuralOf(back, true); !slices.Equal(got, want) {
		t.Errorf("structural changes\n%s\nexchanged\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if forth.Verdict != back.Verdict {
		t.Errorf("the verdict is %s, exchanged %s", forth.Verdict, back.Verdict)
	}
}

// structuralOf lists functions that were added or removed. If mirrored is set, added and removed are
// exchanged.
func structuralOf(r *report.Report, mirrored bool) []string {
	var list []string
	for _, s := range r.Structural {
		change := s.Change
		switch {
		case change != spectra.ChangeAdded && change != spectra.ChangeRemoved:
			continue
		case mirrored && change == spectra.ChangeAdded:
			change = spectra.ChangeRemoved
		case mirrored:
			change = spectra.ChangeAdded
		}
		list = append(list, fmt.Sprint(s.Function, " ", change))
	}
	slices.Sort(list)
	return list
}

func mirroredKind(k spectra.Kind) spectra.Kind {
	switch k {
	case "new-only":
		return "old-only"
	case "old-only":
		return "new-only"
	}
	return k
}

// kindsOf lists the deviations that begin where they are. Those that follow from others depend on the
// sequences.
func kindsOf(r *report.Report) []string {
	var list []string
	for _, d := range r.Deviations {
		if d.Kind == "container" || d.Kind == "panic" {
			list = append(list, fmt.Sprint(d.Function, " ", d.Kind, " ", d.Path))
		}
	}
	slices.Sort(list)
	return slices.Compact(list)
}

// checkValues compares the values of deviations that the same sequence shows, and returns their number.
func checkValues(t *testing.T, forth, back *report.Report) (n int) {
	t.Helper()
	type key struct {
		kind                     spectra.Kind
		function, path, sequence string
	}
	values := map[key][2]string{}
	for _, d := range forth.Deviations {
		values[key{d.Kind, d.Function, d.Path, d.Sequence}] = [2]string{d.Old, d.New}
	}
	for _, d := range back.Deviations {
		v, ok := values[key{mirroredKind(d.Kind), d.Function, d.Path, d.Sequence}]
		if !ok {
			continue
		}
		n++
		if v != [2]string{d.New, d.Old} {
			t.Errorf("%s %s in %s: %s → %s, exchanged %s → %s", d.Function, d.Path, d.Sequence, v[0], v[1], d.Old,
				d.New)
		}
	}
	return n
}
