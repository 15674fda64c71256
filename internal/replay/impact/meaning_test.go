package impact

import (
	"maps"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay/load"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/instrument"
	"github.com/spectradiff/spectradiff/internal/spectra/match"
	"github.com/spectradiff/spectradiff/internal/spectra/moduletest"
	"github.com/spectradiff/spectradiff/internal/spectra/source"
	"github.com/spectradiff/spectradiff/internal/spectra/static"
)

// changeOf returns what differs between two versions of a module m, and what is recorded of both.
func changeOf(t *testing.T, old, new map[string]string) (*Change, spectra.Pair[instrument.Packages]) {
	t.Helper()
	c := &Change{}
	var modules spectra.Pair[source.Module]
	var versions spectra.Pair[match.Version]
	var recorded spectra.Pair[instrument.Packages]
	for _, s := range spectra.Sides() {
		dir := filepath.Join(t.TempDir(), string(s))
		moduletest.Write(t, dir, map[string]string{"go.mod": "module m\n\ngo 1.24\n"})
		moduletest.Write(t, dir, *(&spectra.Pair[map[string]string]{Old: old, New: new}).Of(s))
		loaded := moduletest.Load(t, dir, "./...")
		*modules.Of(s) = source.Module{Dir: dir, Path: "m", Tree: dir}
		*versions.Of(s) = match.Version{Module: "m", Dir: dir, Packages: loaded}
		*c.Versions.Of(s) = &load.Version{Dir: dir, Module: "m", Packages: loaded}
		for _, pkg := range loaded {
			of, err := instrument.Instrument(pkg, instrument.Options{Dir: dir, Runtime: "r"})
			if err != nil {
				t.Fatal(err)
			}
			*recorded.Of(s) = append(*recorded.Of(s), of)
		}
	}
	var err error
	if c.Source, err = source.Diff(modules); err != nil {
		t.Fatal(err)
	}
	if c.Match, err = match.Versions(versions.Old, versions.New, nil); err != nil {
		t.Fatal(err)
	}
	c.Program, c.Recorded = static.New(versions.Old.Packages, nil), recorded.Old
	c.Watched = Watched(c.Source, spectra.Old, recorded.Old)
	return c, recorded
}

// TestMeanings: lines that did not change concern what the names in them mean now.
func TestMeanings(t *testing.T) {
	base := map[string]string{
		"one/scale/s.go": "package scale\n\nfunc By(n int) int { return n }\n",
		"two/scale/s.go": "package scale\n\nfunc By(n int) int { return -n }\n",
		"x-one/s.go":     "package odd\n\nfunc By(n int) int { return n }\n",
		"x-two/s.go":     "package odd\n\nfunc By(n int) int { return -n }\n",
		"b.go":           "package m\n\nimport \"m/one/scale\"\n\nvar B = scale.By(1)\n",
		"c.go":           "package m\n\nimport \"m/two/scale\"\n\nvar C = scale.By(1)\n",
		"d.go":           "package m\n\nimport \"m/x-one\"\n\nvar D = odd.By(1)\n",
		"e.go":           "package m\n\nimport \"m/x-two\"\n\nvar E = odd.By(1)\n",
	}
	const body = "func F(n int) int {\n\tif n < 0 {\n\t\tif n < -9 {\n\t\t\treturn 8\n\t\t}\n\t\treturn 0\n\t}\n" +
		"\tif n > 5 {\n\t\treturn min(By(n), 9)\n\t}\n\treturn 1\n}\n"
	file := func(imports, body string) string { return "package m\n\n" + imports + "\n\n" + body }
	scale := strings.ReplaceAll(body, "By", "scale.By")
	odd := strings.ReplaceAll(body, "By", "odd.By")
	edit := strings.NewReplacer("return 8", "return 7")
	for _, c := range []struct {
		reason, old, new string
		whole            bool
	}{
		{
			"the line alone",
			file(`import "m/one/scale"`, scale), file(`import "m/one/scale"`, edit.Replace(scale)), false,
		},
		{
			"another name of one package", file(`import "m/one/scale"`, scale),
			file(`import s "m/one/scale"`, edit.Replace(strings.ReplaceAll(scale, "scale", "s"))), false,
		},
		{"an import", file(`import "m/one/scale"`, scale), file(`import "m/two/scale"`, edit.Replace(scale)), true},
		{"an import alone", file(`import "m/one/scale"`, scale), file(`import "m/two/scale"`, scale), true},
		{"an unlikely name", file(`import "m/x-one"`, odd), file(`import "m/x-two"`, odd), true},
		{
			"names of the file",
			file(`import . "m/one/scale"`, body), file(`import . "m/two/scale"`, edit.Replace(body)), true,
		},
		{
			"a predeclared name", file(`import "m/one/scale"`, scale),
			file(`import "m/one/scale"`, edit.Replace(scale)+"\nfunc min(a, b int) int { return a }\n"), true,
		},
	} {
		old, new := maps.Clone(base), maps.Clone(base)
		old["a.go"], new["a.go"] = c.old, c.new
		change, _ := changeOf(t, old, new)
		if change.Source.TestOnly() {
			t.Errorf("%s: taken for a change of text", c.reason)
		}
		found, unknown := change.Find()
		all := true
		for i, of := range owners(change.Recorded) {
			all = all && (of != "m.F" || found.Blocks[uint32(i)])
		}
		if unknown != "" || all != c.whole || found.Bodies == c.whole {
			t.Errorf("%s: all of F %v, only bodies %v; %s", c.reason, all, found.Bodies, unknown)
		}
	}
}

// TestValues: the value of a variable may have another meaning, too.
func TestValues(t *testing.T) {
	base := map[string]string{
		"x-one/s.go": "package odd\n\nfunc By(n int) int { return n }\n",
		"x-two/s.go": "package odd\n\nfunc By(n int) int { return -n }\n",
		"d.go":       "package m\n\nimport \"m/x-one\"\n\nvar D = odd.By(1)\n",
		"e.go":       "package m\n\nimport \"m/x-two\"\n\nvar E = odd.By(1)\n",
		"f.go":       "package m\n\nimport \"m/x-one\"\n\nvar v = odd.By(1)\n\nfunc F() int { return v }\n",
	}
	new := maps.Clone(base)
	new["f.go"] = strings.Replace(base["f.go"], "one", "two", 1)
	change, _ := changeOf(t, base, new)
	found, unknown := change.Find()
	at := slices.Index(owners(change.Recorded), "m.F")
	if unknown != "" || !found.Blocks[uint32(at)] {
		t.Errorf("blocks %v, %s", found.Blocks, unknown)
	}
}
