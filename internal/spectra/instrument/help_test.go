package instrument

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/moduletest"
	"github.com/spectradiff/spectradiff/internal/spectra/static"
)

var update = flag.Bool("update", false, "rewrite the golden files")

const runtimePath = "zspectra"

// instrumentAll instruments packages. None of them may fail.
func instrumentAll(t testing.TB, dir string, pkgs []*packages.Package) []*Package {
	t.Helper()
	var list []*Package
	written := static.New(pkgs, nil).Written()
	for _, pkg := range pkgs {
		if len(pkg.CompiledGoFiles) == 0 && len(pkg.Errors) == 0 {
			continue // tests only
		}
		operands := func(spectra.Symbol) Interest { return Changed }
		switch {
		case pkg.PkgPath == "golden/branches":
			operands = func(of spectra.Symbol) Interest {
				return map[spectra.Symbol]Interest{"golden/branches.near": OnTheWay, "golden/branches.onto": OnTheWay,
					"golden/branches.target": Changed, "golden/branches.all": Changed}[of]
			}
		case strings.HasPrefix(pkg.PkgPath, "golden/") && pkg.PkgPath != "golden/operands":
			operands = nil
		}
		p, err := Instrument(pkg, Options{Dir: dir, Runtime: runtimePath, Written: written, Operands: operands})
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, p)
	}
	return list
}

// overlay writes the instrumented files and the stand-in runtime to a scratch folder. It returns the name
// of the file for the flag -overlay. Recording is on or off.
func overlay(t testing.TB, list []*Package, on bool, extra map[string][]byte) string {
	t.Helper()
	runtime, err := os.ReadFile("testdata/runtime/zspectra.go")
	if err != nil {
		t.Fatal(err)
	}
	if on {
		runtime = bytes.Replace(runtime, []byte("On = false"), []byte("On = true"), 1)
	}
	files := map[string][]byte{filepath.Join(moduletest.GOROOT(t), "src", runtimePath, "zspectra.go"): runtime}
	for _, p := range list {
		for name, src := range p.Files {
			files[name] = src
		}
	}
	for name, src := range extra {
		files[name] = src
	}
	return moduletest.Overlay(t, files)
}
