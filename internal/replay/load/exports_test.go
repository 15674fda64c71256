package load_test

import (
	"context"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/spectradiff/spectradiff/internal/replay/gocommand"
	"github.com/spectradiff/spectradiff/internal/replay/load"
	"github.com/spectradiff/spectradiff/internal/replay/load/loadtest"
)

// TestExportsThatFail: where dependencies don't compile with the flags, they are compiled without.
func TestExportsThatFail(t *testing.T) {
	const files = "-- go.mod --\nmodule example.com/m\n\ngo 1.24\n-- m.go --\npackage m\n\n" +
		"import \"strings\"\n\nvar B strings.Builder\n"
	for _, c := range []struct {
		reason string
		flags  []string
	}{
		{"flags that work", []string{"-tags=other"}},
		{"an overlay that is not there", []string{"-overlay", "/nowhere.json"}},
		{"a compiler that does not know its flags", []string{"-gcflags=all=-nonsense"}},
	} {
		cfg := loadtest.Config(loadtest.Extract(t, txtar.Parse([]byte(files)), ""))
		asked := 0
		cfg.Exports = func(context.Context, string, []string, gocommand.Folders) load.Exports {
			asked++
			return load.Exports{Flags: c.flags}
		}
		loaded, err := load.TypeCheck(t.Context(), cfg)
		if err != nil {
			t.Errorf("%s: %v", c.reason, err)
			continue
		}
		if p := loaded.Package("example.com/m"); p == nil || p.Imports["strings"].ExportFile == "" || asked != 1 {
			t.Errorf("%s: %v, asked %d times; want the package, strings from export data", c.reason, p, asked)
		}
	}
}

// TestListed: what List found is used to type-check a part of it, with the same result as without.
func TestListed(t *testing.T) {
	const files = "-- go.mod --\nmodule example.com/m\n\ngo 1.24\n-- m.go --\npackage m\n\n" +
		"import (\n\t\"net\"\n\n\t\"example.com/m/sub\"\n)\n\nvar A net.IP = sub.B\n" +
		"-- sub/sub.go --\npackage sub\n\nimport \"net\"\n\nvar B net.IP\n" +
		"-- other/other.go --\npackage other\n\nimport \"os\"\n\nvar F *os.File\n" +
		"-- broken/broken.go --\npackage broken\n\nimport \"example.com/m/none\"\n"
	for _, patterns := range [][]string{
		{"example.com/m"}, {"example.com/m/sub"}, {"example.com/m", "example.com/m/broken", "example.com/m/other"},
		nil, {"./sub"}, {"example.com/m/..."},
	} {
		cfg := loadtest.Config(loadtest.Extract(t, txtar.Parse([]byte(files)), ""))
		find := func(folder string, listed *load.Version) string {
			own := cfg
			own.ModFolder, own.Patterns, own.Listed = folder, patterns, listed
			v, err := load.TypeCheck(t.Context(), own)
			if err != nil {
				t.Fatalf("%q: %v", patterns, err)
			}
			found := fmt.Sprintln(v.Broken, v.Warnings, v.Exported, v.GoVersion, v.Folders, v.Dependencies)
			for _, p := range v.Packages {
				found += fmt.Sprintln(p.ID, p.GoFiles, p.CompiledGoFiles, slices.Sorted(maps.Keys(p.Imports)), p.Types)
			}
			for _, name := range kept(t, own.ModFolder) {
				text, err := os.ReadFile(name)
				if err != nil {
					t.Fatal(err)
				}
				if strings.Contains(string(text), "ExportFile") { // else it is what List kept
					found += string(text)
				}
			}
			return strings.ReplaceAll(found, own.ModFolder, "FOLDER")
		}
		listing := cfg
		listing.ModFolder = t.TempDir()
		listed, err := load.List(t.Context(), listing)
		if err != nil {
			t.Fatal(err)
		}
		if one, other := find(t.TempDir(), nil), find(listing.ModFolder, listed); one != other {
			t.Errorf("%q: found\n%s\nafter List\n%s", patterns, one, other)
		}
	}
}
