package proof

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/source"
)

// both returns an input of two files, m.go, that differ in hunks, in a function that lies in some lines of both.
func both(t *testing.T, old, new string, at spectra.Pair[source.Lines], hunks ...source.Hunk) *NarrowInput {
	t.Helper()
	in := &NarrowInput{Dirs: spectra.MakePair(func(spectra.Side) string { return t.TempDir() })}
	for _, f := range []struct{ dir, text string }{{in.Dirs.Old, old}, {in.Dirs.New, new}} {
		if err := os.WriteFile(filepath.Join(f.dir, "m.go"), []byte(f.text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	lines := func(l source.Lines) spectra.Lines {
		return spectra.Lines{File: "m.go", Line: l.Start, EndLine: l.Start + l.Count - 1}
	}
	in.Changes = &source.Changes{
		Files: []source.FileChange{{Path: "m.go", Hunks: hunks}},
		Declarations: []source.Change{{
			Symbol: "m.F", Kind: source.Function, What: spectra.ChangeModified, Old: lines(at.Old), New: lines(at.New),
		}},
	}
	return in
}

// TestSilent: a line of a comment is no place, one of a text that looks like a comment is.
func TestSilent(t *testing.T) {
	text := func(line string) string {
		return "package m\n\nfunc F() string {\n\t/* a\n\tb " + line + " */\n\treturn `x\n// " + line + "\n`\n}\n"
	}
	of := spectra.Pair[source.Lines]{Old: source.Lines{Start: 3, Count: 7}, New: source.Lines{Start: 3, Count: 7}}
	at := func(line int) source.Hunk {
		return source.Hunk{Old: source.Lines{Start: line, Count: 1}, New: source.Lines{Start: line, Count: 1}}
	}
	in := both(t, text("old"), text("new"), of, at(5), at(7))
	f := in.function("m.F")
	if len(f.places) != 1 || f.places[0].position("m.go").Line != 7 {
		t.Errorf("got %v, want the line of the text", f.places)
	}
}

// TestTaken: places are taken back by the lines that old has there, what lies behind them stays where it is, and lines
// of comments are no place.
func TestTaken(t *testing.T) {
	old := "package m\n\nfunc F() {\n\ta1()\n\tb()\n\n\tc1()\n}\n"
	new := "package m\n\nfunc F() {\n\ta2()\n\ta3()\n\tb()\n\n\tc2()\n\t// new\n\n\td()\n}\n"
	of := spectra.Pair[source.Lines]{Old: source.Lines{Start: 3, Count: 6}, New: source.Lines{Start: 3, Count: 10}}
	in := both(t, old, new, of,
		source.Hunk{Old: source.Lines{Start: 4, Count: 1}, New: source.Lines{Start: 4, Count: 2}},
		source.Hunk{Old: source.Lines{Start: 7, Count: 1}, New: source.Lines{Start: 8, Count: 1}},
		source.Hunk{Old: source.Lines{Start: 8}, New: source.Lines{Start: 9, Count: 1}},
		source.Hunk{Old: source.Lines{Start: 8}, New: source.Lines{Start: 10, Count: 2}},
	)
	f := in.function("m.F")
	if len(f.places) != 3 {
		t.Fatalf("%d places, want 3", len(f.places))
	}
	var got []string
	for _, p := range in.taken(f, func(n int) bool { return n != 1 }, 1) {
		got = append(got, fmt.Sprintf("%s %d+%d %q", p.Function, p.Start, p.Count, p.Text))
	}
	want := `m.F 4+2 "\ta1()\n\n"; m.F 10+2 "\n\n"`
	if text := strings.Join(got, "; "); text != want {
		t.Errorf("got  %s\nwant %s", text, want)
	}
	if list := in.taken(f, func(int) bool { return true }, 3); list != nil {
		t.Errorf("%d patches of a place that there is not", len(list))
	}
	if at, want := f.places[2].position("m.go"), (diff.Position{
		Side: spectra.New, File: "m.go", Line: 10, EndLine: 11,
	}); at != want {
		t.Errorf("the last place is %+v, want %+v", at, want)
	}
}

// TestFunction: a function that changed beyond its body has no places.
func TestFunction(t *testing.T) {
	of := spectra.Pair[source.Lines]{Old: source.Lines{Start: 3, Count: 3}, New: source.Lines{Start: 3, Count: 3}}
	for _, c := range []struct {
		reason string
		hunks  []source.Hunk
		places int
	}{
		{"two lines", []source.Hunk{
			{Old: source.Lines{Start: 3, Count: 1}, New: source.Lines{Start: 3, Count: 1}},
			{Old: source.Lines{Start: 5, Count: 1}, New: source.Lines{Start: 5, Count: 1}},
		}, 2},
		{"a line before it too", []source.Hunk{
			{Old: source.Lines{Start: 2, Count: 2}, New: source.Lines{Start: 2, Count: 2}},
			{Old: source.Lines{Start: 5, Count: 1}, New: source.Lines{Start: 5, Count: 1}},
		}, 0},
		{"elsewhere", []source.Hunk{{Old: source.Lines{Start: 7, Count: 1}, New: source.Lines{Start: 7, Count: 1}}}, 0},
	} {
		text := "package m\n\nfunc F() {\n\ta()\n}\n\nvar v = 1\n"
		in := both(t, text, text, of, c.hunks...)
		if f := in.function("m.F"); len(f.places) != c.places {
			t.Errorf("%s: %d places, want %d", c.reason, len(f.places), c.places)
		}
		if f := in.function("m.G"); len(f.places) != 0 {
			t.Errorf("%s: %d places of a function that did not change", c.reason, len(f.places))
		}
	}
}

// TestPlaces: of many places neighbours count as one, and none is lost.
func TestPlaces(t *testing.T) {
	for n := range 12 {
		list := places(make([]source.Hunk, n))
		sum := 0
		for _, p := range list {
			sum += len(p)
			if len(p) == 0 {
				t.Errorf("of %d hunks: an empty place", n)
			}
		}
		if sum != n || len(list) != min(n, mostPlaces) {
			t.Errorf("of %d hunks: %d in %d places", n, sum, len(list))
		}
	}
}
