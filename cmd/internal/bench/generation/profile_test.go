package generation

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/instrument"
	"github.com/spectradiff/spectradiff/internal/spectra/moduletest"
	"github.com/spectradiff/spectradiff/internal/spectra/static"
)

// measured has a comment behind each first statement of a block that says whether the test runs it.
const measured = `package m

func F(n int) (s string) {
	if n > 0 { // ran
		s = "a" // ran
	} else if n == 0 { s = "zero" } else if n < -5 { // never
		s = "b" // never
	}
	for i := range n { // ran
		switch { // ran
		case i == 0: s += "0" // ran
		case i == 7:
			s += "7" // never
		default:
			func() { // ran
				s += "x" // ran
				if i > 90 { return } // ran, never
			}()
		}
	}
	return s // ran
}

func Never() { println() }

type T struct{}

func (T) Exported() int { return inner() }
func (T) own() int { return 1 }
func inner() int { return 2 }
`

// TestProfileIsMapped: what the go command's coverage says was run is what our blocks say.
func TestProfileIsMapped(t *testing.T) {
	dir := t.TempDir()
	moduletest.Write(t, dir, map[string]string{
		"go.mod": "module example.com/m\n\ngo 1.24\n", "m.go": measured,
		"m_test.go": "package m\n\nimport \"testing\"\n\nfunc TestF(t *testing.T) { F(3); T{}.Exported() }\n",
	})
	moduletest.Run(t, dir, nil, "go", "test", "-coverprofile=profile", ".")
	text, err := os.ReadFile(filepath.Join(dir, "profile"))
	if err != nil {
		t.Fatal(err)
	}
	got := profile{}
	for range 2 { // merging it with itself changes nothing
		if err := got.read(string(text)); err != nil {
			t.Fatal(err)
		}
	}
	loaded := moduletest.Load(t, dir, "./...")
	written := static.New(loaded, nil).Written()
	pkg, err := instrument.Instrument(loaded[0], instrument.Options{
		Dir: dir, Runtime: spectra.RuntimePath, Written: written,
	})
	if err != nil {
		t.Fatal(err)
	}
	s := &scope{packages: instrument.Packages{pkg}}
	if err := s.restrict(dir); err != nil {
		t.Fatal(err)
	}
	ran := got.blocks(s)
	lines := strings.Split(measured, "\n")
	s.packages.Blocks(func(id uint32, _ string, _ int, b spectra.Block) {
		line := lines[b.Line-1]
		first := !strings.Contains(line[:b.Column-1], "{") // of those that begin in the line
		_, says, commented := strings.Cut(line, "// ")
		if !commented || b.Statements == 0 {
			return
		}
		if want := strings.HasPrefix(says, "ran") && first; ran[id] != want {
			t.Errorf("line %d column %d: ran %v, want %v: %s", b.Line, b.Column, ran[id], want, line)
		}
	})
	if all, some := s.statements(nil), s.statements(ran); all != 18 || some != 11 {
		t.Errorf("%d of %d statements ran, want 11 of 18 (without own)", some, all)
	}
}

func TestRead(t *testing.T) {
	for text, reason := range map[string]string{
		"mode: set\nm/a.go 1.2,3.4 1 1\n": "a line without a file",
		"m/a.go:1.2,3.4 one 1\n":          "no number",
	} {
		if err := (profile{}).read(text); err == nil {
			t.Errorf("%s: no error", reason)
		}
	}
	p := profile{}
	if err := p.read("mode: set\nm/a.go:1.10,9.2 3 0\nm/a.go:3.4,5.6 1 1\nm/a.go:1.10,9.2 3 1\n"); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		at   place
		want bool
	}{{place{1, 9}, false}, {place{1, 10}, true}, {place{4, 1}, true}, {place{9, 2}, false}} {
		if got := p.ranAt("m/a.go", c.at); got != c.want {
			t.Errorf("%v: ran %v, want %v", c.at, got, c.want)
		}
	}
	if len(p["m/a.go"]) != 2 || p.ranAt("m/b.go", place{4, 1}) {
		t.Errorf("got %v", p)
	}
}
