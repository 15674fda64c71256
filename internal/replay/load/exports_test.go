package load_test

import (
	"context"
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
