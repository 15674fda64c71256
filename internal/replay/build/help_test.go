package build

import (
	"bytes"
	"encoding/json"
	"flag"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/load"
	"github.com/spectradiff/spectradiff/internal/replay/load/loadtest"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

var update = flag.Bool("update", false, "write the golden files anew")

// The stand-in runtime prints the registrations; these tests need no more.
const (
	standInRuntime = `package zspectra

type Operation struct {
	Name string
	Func any
	Pointee bool
}

type Type struct {
	Name string
	Zero any
}

var Operations []Operation
var Types []Type

func RegisterOperations(ops []Operation) { Operations = append(Operations, ops...) }
func RegisterTypes(types []Type)         { Types = append(Types, types...) }
`
	standInDriver = `package driver

import (
	"bufio"
	"fmt"
	"os"
	"sort"
	"zspectra"
)

func Main() {
	var lines []string
	for _, op := range zspectra.Operations {
		lines = append(lines, fmt.Sprintf("operation %s %T", op.Name, op.Func))
	}
	for _, t := range zspectra.Types {
		lines = append(lines, fmt.Sprintf("type %s %T", t.Name, t.Zero))
	}
	sort.Strings(lines)
	w := bufio.NewWriter(os.Stdout)
	defer w.Flush()
	for _, line := range lines {
		fmt.Fprintln(w, line)
	}
}
`
)

// renamed is the name that instrumenting gives to main packages.
const renamed = "main_renamed"

// extract writes those files of an archive that are below prefix to a fresh folder.
func extract(t testing.TB, archive *txtar.Archive, prefix string) string {
	t.Helper()
	dir := t.TempDir()
	for _, f := range archive.Files {
		name, ok := strings.CutPrefix(f.Name, prefix)
		if !ok {
			continue
		}
		write(t, filepath.Join(dir, filepath.FromSlash(name)), f.Data)
	}
	return dir
}

func write(t testing.TB, name string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(name, data, 0o666); err != nil {
		t.Fatal(err)
	}
}

// typeCheck type-checks a version without the network. Builds of the result don't use it either.
func typeCheck(t testing.TB, dir string) *load.Version {
	t.Helper()
	return loadIn(t, dir, append(os.Environ(), "GOPROXY=off"))
}

func loadIn(t testing.TB, dir string, env []string) *load.Version {
	t.Helper()
	cfg := loadtest.Config(dir)
	cfg.Env, cfg.Wanted = env, api.Wanted()
	loaded, err := load.TypeCheck(t.Context(), cfg)
	if err != nil {
		t.Fatal(err)
	}
	return loaded
}

// driverOf writes the driver of one side's version, whose main packages are renamed.
func driverOf(t testing.TB, side spectra.Side, version *load.Version, surface *api.Surface, packages []string) *Source {
	t.Helper()
	names := map[string]string{}
	for _, p := range version.Packages {
		if p.Name == "main" {
			names[p.PkgPath] = renamed
		}
	}
	h, err := Write(Config{
		Target: version, Operations: *surface.Operations.Of(side), Types: *surface.Types.Of(side),
		Packages: packages, Names: names,
	})
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// run builds the driver with the stand-in runtime and returns its output.
func run(t testing.TB, version *load.Version, h *Source) string {
	t.Helper()
	scratch := t.TempDir()
	replace := map[string]string{}
	add := func(name string, data []byte) {
		file := filepath.Join(scratch, "overlay", strings.ReplaceAll(name, string(filepath.Separator), "_"))
		write(t, file, data)
		replace[name] = file
	}
	for name, data := range h.Files {
		add(name, data)
	}
	for _, p := range version.Packages {
		if p.Name == "main" {
			for _, name := range p.GoFiles {
				add(name, rename(t, name))
			}
		}
	}
	root := filepath.Join(strings.TrimSpace(command(t, version, "env", "GOROOT")), "src", "zspectra")
	add(filepath.Join(root, "zspectra.go"), []byte(standInRuntime))
	add(filepath.Join(root, "driver", "driver.go"), []byte(standInDriver))
	text, err := json.Marshal(map[string]any{"Replace": replace})
	if err != nil {
		t.Fatal(err)
	}
	overlay := filepath.Join(scratch, "overlay.json")
	write(t, overlay, text)
	binary := filepath.Join(scratch, "driver")
	command(t, version, "build", "-overlay", overlay, "-o", binary, h.Package)
	out, err := exec.CommandContext(t.Context(), binary).CombinedOutput()
	if err != nil {
		t.Fatalf("driver: %v\n%s", err, out)
	}
	return string(out)
}

// rename changes the package clause of a main package's file.
func rename(t testing.TB, name string) []byte {
	t.Helper()
	src, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	set := token.NewFileSet()
	f, err := parser.ParseFile(set, name, src, parser.PackageClauseOnly)
	if err != nil {
		t.Fatal(err)
	}
	at := set.Position(f.Name.Pos()).Offset
	return bytes.Join([][]byte{src[:at], []byte(renamed), src[at+len("main"):]}, nil)
}

func command(t testing.TB, version *load.Version, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "go", args...)
	cmd.Dir, cmd.Env = version.Dir, version.Env
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go %s: %v\n%s", strings.Join(args, " "), err, stderr.String())
	}
	return string(out)
}

// paths lists a version's packages.
func paths(version *load.Version) []string {
	var out []string
	for _, p := range version.Packages {
		out = append(out, p.PkgPath)
	}
	return out
}

// self returns the surface of a version and itself.
func self(version *load.Version) *api.Surface {
	return api.Common(version, version, paths(version),
		loadtest.ModulePaths{OldModule: version.Module, NewModule: version.Module}, nil)
}

// rebased returns import paths of one module path as another one has them.
func rebased(paths []string, from, to string) []string {
	var out []string
	for _, path := range paths {
		out = append(out, symbol.Rebase(path, from, to))
	}
	return out
}
