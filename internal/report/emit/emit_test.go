package emit

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/report/gotest"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

func TestNames(t *testing.T) {
	for _, c := range []struct{ symbol, test, file string }{
		{"example.com/m.F", "F", "f_unchanged_test.go"},
		{"example.com/m.(*Decimal).SetJSON", "DecimalSetJSON", "decimal_set_json_unchanged_test.go"},
		{"example.com/m.toMapE", "ToMapE", "to_map_e_unchanged_test.go"},
		{"example.com/m.init.0", "Init0", "init0_unchanged_test.go"},
	} {
		if got := capitalised(spectra.Symbol(c.symbol).Short()); got != c.test {
			t.Errorf("%s is %s in a name, want %s", c.symbol, got, c.test)
		}
		if got := fileName("Test" + c.test + "Unchanged"); got != c.file {
			t.Errorf("%s stands in %s, want %s", c.symbol, got, c.file)
		}
	}
}

func TestWrapped(t *testing.T) {
	if got := strings.Join(wrapped("a bc  def g", 4), "|"); got != "a bc|def|g" {
		t.Errorf("got %s", got)
	}
}

// shows returns a run that showed some values.
func shows(values ...gotest.Check) run { return run{shown: gotest.Shown{Checks: values, End: "done"}} }

// TestDifferent: what is asserted has one value in all runs of old and another in those of new; an error comes before a
// field, and what everyone sees before what only the package sees.
func TestDifferent(t *testing.T) {
	of := func(id string, kind gotest.Kind, want string, path ...gotest.Step) gotest.Check {
		return gotest.Check{Of: id, Path: path, Kind: kind, Want: want}
	}
	inner := gotest.Step{Field: "n", Package: "example.com/m"}
	old := []run{
		shows(of("0.0", gotest.KindNumber, "1", inner), of("0.0", gotest.KindNumber, "2", gotest.Step{Field: "N"}),
			of("0.1", gotest.KindError, "true"), of("0.2", gotest.KindString, "now"),
			of("0.3", gotest.KindString, "same")),
		shows(of("0.0", gotest.KindNumber, "1", inner), of("0.0", gotest.KindNumber, "2", gotest.Step{Field: "N"}),
			of("0.1", gotest.KindError, "true"), of("0.2", gotest.KindString, "then"),
			of("0.3", gotest.KindString, "same")),
	}
	new := []run{
		shows(of("0.0", gotest.KindNumber, "3", inner), of("0.0", gotest.KindNumber, "4", gotest.Step{Field: "N"}),
			of("0.1", gotest.KindError, "false"), of("0.2", gotest.KindString, "here"),
			of("0.3", gotest.KindString, "same")),
	}
	var got []string
	for _, c := range (&attempt{}).different(spectra.Pair[[]run]{Old: old, New: new}) {
		got = append(got, c.Of+" "+c.Want)
	}
	if want := "0.1 true|0.0 2|0.0 1"; strings.Join(got, "|") != want {
		t.Errorf("got %s, want %s", strings.Join(got, "|"), want)
	}
	varying := &attempt{root: root{varies: true}}
	new = append(new, shows(of("0.3", gotest.KindString, "other")))
	found := false
	for _, c := range varying.different(spectra.Pair[[]run]{Old: old, New: new}) {
		found = found || c.Of == "0.3"
	}
	if !found {
		t.Error("what differs in one run of new is not found where new varies")
	}
}

// TestSave: a file of the user stays, one of this package is replaced, and a file that can't be looked at is an error.
func TestSave(t *testing.T) {
	below := t.TempDir()
	f := testFile{folder: "p", name: "a_test.go", source: []byte("// " + signature)}
	users := filepath.Join(below, "p", "a_test.go")
	if err := os.Mkdir(filepath.Dir(users), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(users, []byte("package p"), 0o666); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		if path, err := f.save(below); err != nil || path != filepath.Join(below, "p", "a_2_test.go") {
			t.Errorf("saved as %s, %v", path, err)
		}
	}
	f.name = strings.Repeat("long", 100) + "_test.go"
	if path, err := f.save(below); err == nil {
		t.Errorf("saved as %s", path)
	}
}
