package hybrid_test

import (
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/spectradiff/spectradiff/internal/diff/hybrid"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// TestPatched: lines stand where others stood, an import that is not used then has no name, and a function that does
// not compile with its patches has none.
func TestPatched(t *testing.T) {
	const before = "package m\n\nfunc F(n int) int {\n\tn++\n\treturn n\n}\n\nfunc G() int { return 1 }\n"
	const after = "package m\n\nimport \"math/bits\"\n\nfunc F(n int) int {\n\tn = bits.Len(uint(n))\n" +
		"\treturn n\n}\n\nfunc G() int {\n\treturn 2\n}\n"
	archive := txtar.Parse([]byte("-- old/go.mod --\nmodule m\n-- new/go.mod --\nmodule m\n" +
		"-- old/old.go --\n" + before + "-- new/new.go --\n" + after + "-- functions --\nm.F m.G\n"))
	cfg := config(t, archive, spectra.New)
	const name = "/module/new.go"
	f := hybrid.Patch{Function: "m.F", File: name, Start: 6, Count: 1, Text: "\tn++\n"}
	for _, c := range []struct {
		reason string
		list   []hybrid.Patch
		text   string
		left   []spectra.Symbol
	}{
		{"an import is not used", []hybrid.Patch{f}, strings.NewReplacer(
			"n = bits.Len(uint(n))", "n++", `import "`, `import _ "`).Replace(after), nil},
		{"a patch does not compile", []hybrid.Patch{
			{Function: "m.G", File: name, Start: 11, Count: 1, Text: "\treturn x\n"},
		}, "", []spectra.Symbol{"m.G"}},
		{"of two patches one does not compile", []hybrid.Patch{
			f, {Function: "m.G", File: name, Start: 11, Text: "\tvar x int\n"},
		}, strings.NewReplacer("n = bits.Len(uint(n))", "n++", `import "`, `import _ "`).Replace(after),
			[]spectra.Symbol{"m.G"}},
		{"lines are added", []hybrid.Patch{
			{Function: "m.G", File: name, Start: 11, Text: "\t_ = 0\n"},
		}, strings.Replace(after, "\treturn 2", "\t_ = 0\n\treturn 2", 1), nil},
	} {
		of, sources, left, err := hybrid.Patched(cfg, c.list)
		if err != nil {
			t.Fatalf("%s: %v", c.reason, err)
		}
		if got := string(sources[name]); got != c.text || !slices.Equal(left, c.left) {
			t.Errorf("%s: %s\nwithout %v, want\n%s\nwithout %v", c.reason, got, left, c.text, c.left)
		}
		if h, err := hybrid.Make(of); err != nil || len(h.Units) != 2 {
			t.Errorf("%s: %v units, error %v", c.reason, h, err)
		}
	}
	if _, _, _, err := hybrid.Patched(cfg, []hybrid.Patch{{File: "/module/gone.go"}}); err == nil {
		t.Error("no error for a file that is not there")
	}
}
