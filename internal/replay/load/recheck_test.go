package load_test

import (
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/spectradiff/spectradiff/internal/replay/load"
	"github.com/spectradiff/spectradiff/internal/replay/load/loadtest"
)

// TestRecheck checks that sources replace or add files, that the package stays unchanged, and that standard packages of
// only the other version can be imported.
func TestRecheck(t *testing.T) {
	version := func(text string) *load.Version {
		archive := txtar.Parse([]byte("-- go.mod --\nmodule example.com/m\n\ngo 1.24\n-- m.go --\n" + text))
		return loadtest.TypeCheck(t, loadtest.Extract(t, archive, ""), nil)
	}
	v := version("package m\n\nimport \"fmt\"\n\nfunc F() string { return fmt.Sprint(1) }\n")
	other := version("package m\n\nimport \"container/ring\"\n\nfunc F() int { return ring.New(3).Len() }\n")
	for _, c := range []struct{ reason, name, text, want string }{
		{"nothing else", "", "", ""},
		{"an added file", "n.go", "package m\n\nfunc G() string { return F() }\n", ""},
		{"another source of a file", "m.go", "package m\n\nfunc F() int { return 1 }\n", ""},
		{"what another version imports", "n.go", "package m\n\nimport \"container/ring\"\n\nvar R = ring.New(2)\n", ""},
		{"what nobody imports", "n.go", "package m\n\nimport \"container/list\"\n\nvar L = list.New()\n",
			"could not import container/list"},
		{"an error", "n.go", "package m\n\nfunc G() int { return F() }\n", "cannot use F()"},
	} {
		overlay := map[string][]byte{}
		if c.name != "" {
			overlay[filepath.Join(v.Dir, c.name)] = []byte(c.text)
		}
		p, errs, err := v.Recheck(v.Packages[0], overlay, other)
		if err != nil {
			t.Fatalf("%s: %v", c.reason, err)
		}
		got := ""
		for _, e := range errs {
			got += e.Msg + "\n"
		}
		if c.want == "" && got != "" || !strings.Contains(got, c.want) {
			t.Errorf("%s: errors %q, want %q", c.reason, got, c.want)
		}
		if c.name == "n.go" && len(p.Syntax) != 2 || c.want == "" && p.Types.Scope().Lookup("F") == nil {
			t.Errorf("%s: %d files, F is %v", c.reason, len(p.Syntax), p.Types.Scope().Lookup("F"))
		}
	}
	if len(v.Packages[0].Syntax) != 1 || v.Packages[0].Types.Scope().Lookup("G") != nil {
		t.Error("the version's own package changed")
	}
	broken := map[string][]byte{filepath.Join(v.Dir, "m.go"): []byte("pack")}
	if _, _, err := v.Recheck(v.Packages[0], broken, other); err == nil {
		t.Error("a source that does not parse is no error")
	}
}
