package instrument

import (
	"bytes"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

var update = flag.Bool("update", false, "rewrite the golden files")

const runtimePath = "zspectra"

type loaded = packages.Package

const loadMode = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
	packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo | packages.NeedTypesSizes | packages.NeedModule

// load type-checks packages below dir.
func load(t testing.TB, dir string, patterns ...string) []*packages.Package {
	t.Helper()
	pkgs, err := packages.Load(&packages.Config{Mode: loadMode, Dir: dir, Env: environment()}, patterns...)
	if err != nil {
		t.Fatal(err)
	}
	return pkgs
}

// environment is the one of every go command of these tests.
func environment(extra ...string) []string {
	env := append(os.Environ(), "GOFLAGS=-buildvcs=false", "GOWORK=off", "GOTOOLCHAIN=local")
	return append(env, extra...)
}

// instrumentAll instruments packages, which must work for all of them.
func instrumentAll(t testing.TB, dir string, pkgs []*packages.Package) []*Package {
	t.Helper()
	var list []*Package
	written := Writes(pkgs)
	for _, pkg := range pkgs {
		if len(pkg.CompiledGoFiles) == 0 && len(pkg.Errors) == 0 {
			continue // tests only
		}
		p, err := Instrument(pkg, Options{Dir: dir, Runtime: runtimePath, Written: written})
		if err != nil {
			t.Fatal(err)
		}
		list = append(list, p)
	}
	return list
}

// overlay writes the instrumented files and the stand-in runtime to a scratch folder and gives the
// name of the file for -overlay. Recording is on or off.
func overlay(t testing.TB, list []*Package, on bool, extra map[string][]byte) string {
	t.Helper()
	runtime, err := os.ReadFile("testdata/runtime/zspectra.go")
	if err != nil {
		t.Fatal(err)
	}
	if on {
		runtime = bytes.Replace(runtime, []byte("On = false"), []byte("On = true"), 1)
	}
	files := map[string][]byte{filepath.Join(goroot(t), "src", runtimePath, "zspectra.go"): runtime}
	for _, p := range list {
		for name, src := range p.Files {
			files[name] = src
		}
	}
	for name, src := range extra {
		files[name] = src
	}
	dir := t.TempDir()
	replace := map[string]string{}
	for i, name := range sortedKeys(files) {
		at := filepath.Join(dir, fmt.Sprintf("%d_%s", i, filepath.Base(name)))
		if err := os.WriteFile(at, files[name], 0o666); err != nil {
			t.Fatal(err)
		}
		replace[name] = at
	}
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	at := filepath.Join(dir, "overlay.json")
	if err := os.WriteFile(at, text, 0o666); err != nil {
		t.Fatal(err)
	}
	return at
}

func sortedKeys[V any](m map[string]V) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func goroot(t testing.TB) string {
	t.Helper()
	return strings.TrimSpace(run(t, ".", nil, "go", "env", "GOROOT"))
}

// run executes a command that must succeed and gives its standard output.
func run(t testing.TB, dir string, env []string, name string, args ...string) string {
	t.Helper()
	out, text, err := try(dir, env, name, args...)
	if err != nil {
		t.Fatalf("%s %s: %v\n%s%s", name, strings.Join(args, " "), err, out, text)
	}
	return out
}

// try executes a command and gives both outputs.
func try(dir string, env []string, name string, args ...string) (string, string, error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = environment(env...)
	var out, text bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &text
	err := cmd.Run()
	return out.String(), text.String(), err
}

func read(t testing.TB, name string) []byte {
	t.Helper()
	src, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return src
}
