package instrument_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/txtar"

	"github.com/spectradiff/spectradiff/internal/replay/build"
	"github.com/spectradiff/spectradiff/internal/replay/cache"
	"github.com/spectradiff/spectradiff/internal/replay/gocommand"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/instrument"
	"github.com/spectradiff/spectradiff/internal/spectra/moduletest"
	"github.com/spectradiff/spectradiff/internal/spectra/static"
	"github.com/spectradiff/spectradiff/internal/spectra/static/variables"
)

// suites are released modules, with the tests that can't print the same and the reason.
var suites = []struct{ module, except, reason string }{
	{module: "github.com/BurntSushi/toml@v1.6.0"},
	{module: "github.com/spf13/cobra@v1.10.2", except: "TestFailGen",
		reason: "it wants a file that can not be written, and panics when run as root"},
	{module: "github.com/spf13/pflag@v1.0.10"},
	{module: "github.com/gorilla/mux@v1.8.1"},
	{module: "github.com/google/btree@v1.1.3"},
	{module: "github.com/Masterminds/semver/v3@v3.3.1"},
	{module: "github.com/mitchellh/mapstructure@v1.5.0"},
	{module: "github.com/google/shlex@v0.0.0-20191202100458-e7afc7fbc510"},
	{module: "github.com/andybalholm/cascadia@v1.3.3"},
	{module: "github.com/tidwall/pretty@v1.2.1"},
	{module: "gopkg.in/yaml.v3@v3.0.1"},
	{module: "github.com/sirupsen/logrus@v1.9.3", except: "TestCanFireMultipleHooks|TestCallerReportingOverhead",
		reason: "goroutines that it does not wait for print, or not; compares durations"},
	{module: "github.com/stretchr/testify@v1.12.1", except: "TestObjectsAreEqualValues",
		reason: "tests named by the time of day"},
}

// counting matches tests that count allocations. Every probe changes their number.
const counting = "Alloc|Malloc"

func TestSuitesPrintTheSame(t *testing.T) {
	if os.Getenv("SPECTRADIFF_LONG") == "" {
		t.Skip("SPECTRADIFF_LONG=1 runs the suites of released modules, fetched through the module proxy")
	}
	only := regexp.MustCompile(os.Getenv("SPECTRADIFF_ONLY"))
	for _, s := range suites {
		if only.MatchString(s.module) {
			t.Run(s.module, func(t *testing.T) { compareSuites(t, moduletest.Checkout(t, s.module), s.except, true) })
		}
	}
}

// TestSuiteFixture runs the comparison on a module that needs no network.
func TestSuiteFixture(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/suite.txtar")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for _, f := range archive.Files {
		name := filepath.Join(dir, filepath.FromSlash(f.Name))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if n := compareSuites(t, dir, "", false); n < 10 {
		t.Errorf("only %d tests were compared", n)
	}
}

// compareSuites runs the suites below dir twice plain and once recording. Tests that print something else
// in the second plain run are not compared; their number is logged.
func compareSuites(t *testing.T, dir, except string, patched bool) int {
	t.Helper()
	paths, flags := recording(t, dir, patched)
	skip := counting
	if except != "" {
		skip += "|" + except
	}
	args := []string{"test", "-json", "-vet=off", "-short", "-count=1", "-timeout=10m", "-skip=" + skip}
	plain := results(t, dir, append(slices.Clone(args), paths...))
	again := results(t, dir, append(slices.Clone(args), paths...))
	full := results(t, dir, slices.Concat(args, flags, paths))
	unstable, compared := 0, 0
	for _, name := range sorted(plain) {
		switch want := plain[name]; {
		case again[name] != want:
			unstable++
		case full[name] != want:
			t.Errorf("%s\nplain:\n%s\nrecording:\n%s", name, want, full[name])
		default:
			compared++
		}
	}
	for _, name := range sorted(full) {
		if plain[name] == "" && again[name] == "" {
			t.Errorf("%s runs only with probes:\n%s", name, full[name])
		}
	}
	t.Logf("%d tests print the same, %d differ between plain runs", compared, unstable)
	return compared
}

func sorted(m map[string]string) []string {
	var names []string
	for name := range m {
		names = append(names, name)
	}
	slices.Sort(names)
	return names
}

// results returns for every test whether it passed, and what it printed. Text that differs from run to
// run is removed: durations, addresses, numbers of goroutines, scratch folders.
func results(t *testing.T, dir string, args []string) map[string]string {
	t.Helper()
	out := command(t, dir, args...)
	found := map[string]string{}
	decoder := json.NewDecoder(bytes.NewReader(out))
	for decoder.More() {
		var e struct{ Action, Package, Test, Output, ImportPath string }
		if err := decoder.Decode(&e); err != nil {
			t.Fatalf("go %v: %v\n%s", args, err, out)
		}
		if e.Action == "build-output" {
			found["build "+e.ImportPath] += e.Output
		}
		if e.Test == "" {
			continue // of a package: durations, and what tests print outside of a test
		}
		name := e.Package + " " + varying.ReplaceAllString(e.Test, "…")
		switch e.Action {
		case "output":
			found[name] += varying.ReplaceAllString(e.Output, "…")
		case "pass", "fail", "skip":
			found[name] += e.Action
		}
	}
	return found
}

var varying = regexp.MustCompile(`\d+(\.\d+)?(s|ms|µs|ns)\b|0x[0-9a-f]+|\+0x[0-9a-f]+|goroutine \d+|/tmp/[^\s"':,)]*`)

// command runs the go command and returns its standard output. The command may fail, as it does if a test
// fails.
func command(t *testing.T, dir string, args ...string) []byte {
	t.Helper()
	cmd := exec.Command("go", args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "GOFLAGS=-buildvcs=false", "GOWORK=off", "GOMAXPROCS=1",
		"GODEBUG=asyncpreemptoff=1,gcshrinkstackoff=1")
	var text bytes.Buffer
	cmd.Stderr = &text
	out, err := cmd.Output()
	if err != nil && len(out) == 0 {
		t.Fatalf("go %v: %v\n%s", args, err, text.Bytes())
	}
	return out
}

// recording instruments the packages below dir. It returns the packages whose tests can be run, and the
// flags of a build that records from the first initialisation on. If patched is set, the Go release's
// runtime is patched as in drivers. If not, the standard library need not be built again.
func recording(t *testing.T, dir string, patched bool) (paths, flags []string) {
	t.Helper()
	pkgs, err := packages.Load(&packages.Config{
		Dir: dir, Env: append(os.Environ(), "GOFLAGS=-buildvcs=false", "GOWORK=off"),
		Mode: packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
			packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo | packages.NeedTypesSizes |
			packages.NeedModule,
	}, "./...")
	if err != nil {
		t.Fatal(err)
	}
	pkgs = slices.DeleteFunc(pkgs, func(p *packages.Package) bool {
		return p.IllTyped || len(p.Errors) > 0 || len(p.CompiledGoFiles) == 0 || p.Name == "main"
	})
	program := static.New(pkgs, nil)
	touches, err := variables.Variables(program)
	if err != nil {
		t.Fatal(err)
	}
	options := instrument.Options{
		Dir: dir, Runtime: spectra.RuntimePath, Written: program.Written(),
		Operands: func(spectra.Symbol) instrument.Interest { return instrument.Changed },
	}
	files := map[string][]byte{}
	var all []*instrument.Package
	for _, p := range pkgs {
		out, err := instrument.Instrument(p, options)
		if err != nil {
			t.Fatal(err)
		}
		for name, source := range out.Files {
			files[name] = source
		}
		all, paths = append(all, out), append(paths, p.PkgPath)
	}
	for i, p := range all {
		files[filepath.Join(filepath.Dir(pkgs[i].GoFiles[0]), "zspectra_start.go")] = starting(all, p.Name, touches)
	}
	if patched {
		return paths, []string{"-tags=zspectra_runtime", "-overlay=" + patchedOverlay(t, dir, files)}
	}
	source, err := spectra.RuntimeSource()
	if err != nil {
		t.Fatal(err)
	}
	root := strings.TrimSpace(string(command(t, dir, "env", "GOROOT")))
	for name, text := range source {
		files[filepath.Join(root, "src", filepath.FromSlash(name))] = text
	}
	return paths, []string{"-overlay=" + moduletest.Overlay(t, files)}
}

// patchedOverlay builds a driver and returns the overlay that the builder leaves beside it.
func patchedOverlay(t *testing.T, dir string, files map[string][]byte) string {
	t.Helper()
	main := filepath.Join(dir, "zspectra_main", "main.go")
	files[main] = []byte("package main\n\nimport _ \"zspectra\"\n\nfunc main() {}\n")
	store, err := cache.Open(cache.Settings{Folder: t.TempDir()}, nil)
	if err != nil {
		t.Fatal(err)
	}
	builder := &build.Builder{Cache: store, Go: gocommand.Unconfined(), Log: func(string, ...any) {}}
	built, err := builder.Build(t.Context(),
		build.Request{Dir: dir, Package: "./zspectra_main", Overlay: files, Env: append(os.Environ(), "GOWORK=off")})
	if err != nil {
		t.Fatal(err)
	}
	return filepath.Join(filepath.Dir(built.Path), "overlay.json")
}

// starting returns a file that starts recording while its package is initialised.
func starting(all []*instrument.Package, name string, touches map[spectra.Symbol][]string) []byte {
	var vars []string
	index := map[string]int{}
	for _, p := range all {
		for _, v := range p.Vars {
			if !v.Constant {
				index[v.Name] = len(vars)
				vars = append(vars, v.Name)
			}
		}
	}
	var s bytes.Buffer
	fmt.Fprintf(&s, "package %s\n\nimport \"zspectra\"\n\nfunc init() {\n\tzspectra.Awake()\n"+
		"\tzspectra.Configure(zspectra.Config{PerStep: 2, Vars: %#v, Points: []zspectra.PointConfig{\n", name, vars)
	for _, p := range all {
		for i, point := range p.Points {
			var touched []int
			for _, v := range touches[point.Symbol] {
				if at, ok := index[v]; ok {
					touched = append(touched, at)
				}
			}
			fmt.Fprintf(&s, "\t\t{Package: %q, Index: %d, Vars: %#v},\n", p.Path, i, touched)
		}
	}
	s.WriteString("\t}})\n\tzspectra.Loop(make([]byte, 2<<20), 1<<20)\n}\n")
	return s.Bytes()
}
