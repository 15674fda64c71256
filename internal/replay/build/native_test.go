package build

import (
	"cmp"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay/load/loadtest"
)

// TestNatives: packages that are not Go alone have a file that differs where C code does, whatever folder it lies in.
func TestNatives(t *testing.T) {
	const module = "-- go.mod --\nmodule example.com/m\n\ngo 1.24\n-- m.go --\npackage m\n" +
		"-- asm/a.go --\npackage asm\n-- asm/a.s --\n-- src/a.c --\nint one = 1;\n-- src/notes --\nnone\n"
	var first string
	for _, c := range []struct {
		reason, from, to string
		same             bool
	}{
		{"the first", "", "", true},
		{"other C code", "one = 1", "one = 2", false},
		{"another name", "src/a.c", "src/b.c", false},
		{"what is not code", "none", "some", true},
	} {
		version := loadtest.TypeCheckText(t, strings.Replace(module, c.from, c.to, 1), nil)
		names := map[string]string{"example.com/m/asm": "n"}
		out, err := Write(Config{Target: version, Tree: version.Dir, Names: names})
		if err != nil {
			t.Fatal(err)
		}
		var added []string
		for name := range out.Files {
			if filepath.Base(name) == "zspectra_native.go" {
				added = append(added, name)
			}
		}
		want := filepath.Join(version.Dir, "asm", "zspectra_native.go")
		if !slices.Equal(added, []string{want}) {
			t.Fatalf("%s: files %q, want %s", c.reason, added, want)
		}
		got := string(out.Files[want])
		first = cmp.Or(first, got)
		if !strings.Contains(got, "\npackage n\n") || (got == first) != c.same {
			t.Errorf("%s: the file is\n%s\nthat of the first\n%s", c.reason, got, first)
		}
	}
}
