// Package moduletest writes, loads, builds and runs small Go modules for tests.
//
// In: sources by file name, package patterns, commands. Out: type-checked packages, overlay files, the output of
// commands.
//
// An error ends the test. The package writes files only below folders that the caller names, and below temporary
// folders of the test. Only tests import it.
package moduletest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"
)

const loadMode = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports |
	packages.NeedSyntax | packages.NeedTypes | packages.NeedTypesInfo | packages.NeedTypesSizes | packages.NeedModule

// Write writes files below a folder.
func Write(t testing.TB, dir string, files map[string]string) {
	t.Helper()
	for _, name := range slices.Sorted(maps.Keys(files)) {
		at := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(at), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(at, []byte(files[name]), 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

// Read returns the contents of a file.
func Read(t testing.TB, name string) []byte {
	t.Helper()
	src, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return src
}

// Load type-checks packages below a folder.
func Load(t testing.TB, dir string, patterns ...string) []*packages.Package {
	t.Helper()
	pkgs, err := packages.Load(&packages.Config{Mode: loadMode, Dir: dir, Env: environment()}, patterns...)
	if err != nil {
		t.Fatal(err)
	}
	return pkgs
}

// environment returns the environment for every go command of these tests.
func environment(extra ...string) []string {
	env := append(os.Environ(), "GOFLAGS=-buildvcs=false", "GOWORK=off", "GOTOOLCHAIN=local")
	return append(env, extra...)
}

// GOROOT returns the root of the Go release.
func GOROOT(t testing.TB) string {
	t.Helper()
	return strings.TrimSpace(Run(t, ".", nil, "go", "env", "GOROOT"))
}

// Run executes a command that must succeed and returns its standard output.
func Run(t testing.TB, dir string, env []string, name string, args ...string) string {
	t.Helper()
	out, text, err := Try(dir, env, name, args...)
	if err != nil {
		t.Fatalf("%s %s: %v\n%s%s", name, strings.Join(args, " "), err, out, text)
	}
	return out
}

// Try executes a command and returns its standard output and standard error.
func Try(dir string, env []string, name string, args ...string) (out, text string, err error) {
	cmd := exec.Command(name, args...)
	cmd.Dir = dir
	cmd.Env = environment(env...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	err = cmd.Run()
	return stdout.String(), stderr.String(), err
}

// Overlay writes files, by absolute path, to a scratch folder and returns the name of the file for
// the flag -overlay.
func Overlay(t testing.TB, files map[string][]byte) string {
	t.Helper()
	dir := t.TempDir()
	replace := map[string]string{}
	for i, name := range slices.Sorted(maps.Keys(files)) {
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

// Checkout copies a released module out of the module cache, where overlays are refused.
func Checkout(t testing.TB, module string) string {
	t.Helper()
	scratch := t.TempDir()
	out := Run(t, scratch, []string{"GOFLAGS=-modcacherw"}, "go", "mod", "download", "-json", module)
	var got struct{ Dir string }
	if err := json.Unmarshal([]byte(out), &got); err != nil {
		t.Fatalf("download %s: %v", module, err)
	}
	dir := filepath.Join(scratch, "m")
	if err := os.CopyFS(dir, os.DirFS(got.Dir)); err != nil {
		t.Fatal(err)
	}
	err := filepath.WalkDir(dir, func(name string, entry os.DirEntry, err error) error {
		if err == nil {
			err = os.Chmod(name, 0o777)
		}
		return err
	})
	if err != nil {
		t.Fatal(fmt.Errorf("make %s writable: %w", dir, err))
	}
	Run(t, dir, nil, "go", "mod", "tidy", "-e") // a published go.sum often lacks what the tests need
	return dir
}
