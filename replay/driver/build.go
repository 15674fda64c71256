// Package driver writes the driver of a version and builds it: the program that holds the
// instrumented packages and calls them as it is told.
//
// In: a type-checked version, the common surface of both, the package clauses that instrumenting
// gave, overlay files, the environment of the go command.
//
// Out: from Write, overlay files: in each driven package a table of its operations and types, and a
// main package that imports them all and hands over to the executor (spectra/rt/driver). From
// Build, the path of an executable in the cache, which is reused when nothing it is made of has
// changed: the key is the content of the overlay, the folder, the toolchain and our own build ID.
//
// What always holds: the same input gives the same source, gofmt-ed. Nothing is added to a package
// but init functions and, where observers stand in for a type's representation, an unexported
// method of it. Write never touches the disk, Build never writes into the module's folder.
package driver

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sort"
	"strings"
	"time"

	"github.com/spectradiff/spectradiff/spectra"
)

// A Builder builds drivers.
type Builder struct {
	Cache string // folder for overlays and binaries
	Salt  string // our own build ID: what another build of the tool made is not reused
	Log   func(format string, args ...any)
}

// A Request says what to build.
type Request struct {
	Dir     string            // the module's folder
	Package string            // the driver's main package, as a path relative to Dir ("./zspectra_driver")
	Overlay map[string][]byte // absolute path → content
	Env     []string          // environment of the go command
	Plain   bool              // leave the runtime of the Go release alone
}

// A Binary is a built driver.
type Binary struct {
	Path      string
	GoVersion string // of the toolchain that built it
	GoRoot    string // its folder
	Patched   bool   // the runtime was extended: map order, select and rand repeat
	Warnings  []string
}

// Build builds the driver. Where the extended runtime does not build, the driver is built without.
func (m *Builder) Build(ctx context.Context, r Request) (*Binary, error) {
	t, err := m.findToolchain(ctx, r)
	if err != nil {
		return nil, err
	}
	b, err := m.build(ctx, r, t)
	if err == nil || !b.Patched || ctx.Err() != nil {
		return b, err
	}
	if b, again := m.build(ctx, r, t); again == nil {
		return b, nil // what failed was not the runtime
	}
	r.Plain = true
	plain, failed := m.build(ctx, r, t)
	if failed != nil {
		return nil, failed
	}
	m.Log("with the extended runtime: %v", err)
	plain.Warnings = append(plain.Warnings, unextended(t.version, err))
	return plain, nil
}

func unextended(version string, err error) string {
	return fmt.Sprintf("the runtime of %s could not be extended, so map order and random numbers differ from run to run: %s", version, firstLines(err.Error(), 3))
}

// build builds the driver one way.
func (m *Builder) build(ctx context.Context, r Request, t toolchain) (*Binary, error) {
	b := &Binary{GoVersion: t.version, GoRoot: t.root}
	files, err := m.overlay(r, t.root, b)
	if err != nil {
		return b, err
	}
	return b, m.compile(ctx, r, t, files, b)
}

// overlay adds the runtime to the overlay.
func (m *Builder) overlay(r Request, goroot string, b *Binary) (map[string][]byte, error) {
	files := make(map[string][]byte, len(r.Overlay)+32)
	for name, content := range r.Overlay {
		files[name] = content
	}
	source, err := spectra.RuntimeSource()
	if err != nil {
		return nil, err
	}
	for name, content := range source {
		files[filepath.Join(goroot, "src", filepath.FromSlash(name))] = content
	}
	if r.Plain {
		return files, nil
	}
	patched, err := patchRuntime(goroot)
	if err != nil {
		b.Warnings = append(b.Warnings, unextended(b.GoVersion, err))
		return files, nil
	}
	b.Patched = true
	for name, content := range patched {
		files[name] = content
	}
	return files, nil
}

// compile runs go build, unless the cache has the binary.
func (m *Builder) compile(ctx context.Context, r Request, t toolchain, files map[string][]byte, b *Binary) error {
	dir := filepath.Join(m.Cache, "builds", m.key(r, files, b))
	b.Path = filepath.Join(dir, "driver")
	if _, err := os.Stat(b.Path); err == nil {
		return nil
	}
	overlay, err := m.write(dir, files)
	if err != nil {
		return err
	}
	part, err := os.MkdirTemp(dir, "part-")
	if err != nil {
		return fmt.Errorf("cache: %w", err)
	}
	defer os.RemoveAll(part)
	args := []string{"build", "-overlay", overlay, "-trimpath", "-buildvcs=false", "-buildmode=pie", "-o", filepath.Join(part, "driver")}
	if b.Patched {
		args = append(args, "-tags", "zspectra_runtime")
	}
	cmd := exec.CommandContext(ctx, t.command, append(args, r.Package)...)
	cmd.Dir, cmd.Env = r.Dir, t.env
	var output bytes.Buffer
	cmd.Stdout, cmd.Stderr = &output, &output
	m.Log("go %s", strings.Join(cmd.Args[1:], " "))
	if err := cmd.Run(); err != nil {
		return fmt.Errorf("go build of the driver: %w\n%s", err, firstLines(output.String(), 20))
	}
	if err := os.Chmod(filepath.Join(part, "driver"), 0o755); err != nil { // the sandbox runs it as another user
		return fmt.Errorf("cache: %w", err)
	}
	return os.Rename(filepath.Join(part, "driver"), b.Path)
}

func firstLines(s string, n int) string {
	lines := strings.SplitAfterN(strings.TrimSpace(s), "\n", n+1)
	if len(lines) > n {
		lines[n] = "…"
	}
	return strings.Join(lines, "")
}

// key is the identity of a binary.
func (m *Builder) key(r Request, files map[string][]byte, b *Binary) string {
	h := sha256.New()
	fmt.Fprintln(h, m.Salt, r.Dir, r.Package, b.GoVersion, b.Patched)
	for _, e := range r.Env {
		if strings.HasPrefix(e, "GO") && !strings.HasPrefix(e, "GOTMPDIR=") || strings.HasPrefix(e, "CGO") || strings.HasPrefix(e, "CC=") {
			fmt.Fprintln(h, e)
		}
	}
	for _, name := range sortedNames(files) {
		fmt.Fprintln(h, name, len(files[name]))
		h.Write(files[name])
	}
	return hex.EncodeToString(h.Sum(nil)[:12])
}

// write puts the overlay's contents into files named by content, and returns the overlay file.
// Files shared by versions are written once, so the go command's own cache finds them too.
func (m *Builder) write(dir string, files map[string][]byte) (string, error) {
	store := filepath.Join(m.Cache, "overlay")
	if err := os.MkdirAll(store, 0o777); err != nil {
		return "", fmt.Errorf("cache: %w", err)
	}
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", fmt.Errorf("cache: %w", err)
	}
	replace := map[string]string{}
	for _, name := range sortedNames(files) {
		sum := sha256.Sum256(files[name])
		path := filepath.Join(store, hex.EncodeToString(sum[:12])+"-"+filepath.Base(name))
		if err := writeOnce(path, files[name]); err != nil {
			return "", err
		}
		replace[name] = path
	}
	text, err := json.MarshalIndent(map[string]any{"Replace": replace}, "", "\t")
	if err != nil {
		return "", fmt.Errorf("overlay: %w", err)
	}
	name := filepath.Join(dir, "overlay.json")
	return name, writeOnce(name, text)
}

// writeOnce writes a file whose name, or folder, depends on its content. Who reads it finds it whole,
// also when both versions are the same and built at the same time.
func writeOnce(path string, content []byte) error {
	if info, err := os.Stat(path); err == nil && info.Size() == int64(len(content)) {
		return nil
	}
	part, err := os.CreateTemp(filepath.Dir(path), "part-")
	if err != nil {
		return fmt.Errorf("overlay: %w", err)
	}
	defer os.Remove(part.Name())
	_, err = part.Write(content)
	if closed := part.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = os.Chtimes(part.Name(), settled, settled)
	}
	if err == nil {
		err = os.Rename(part.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("overlay: %w", err)
	}
	return nil
}

// settled is when files were written as the go command sees it. Before Go 1.25 it looks for packages of the
// standard library past the overlay where their files are younger than two seconds.
var settled = time.Date(2000, time.January, 1, 0, 0, 0, 0, time.UTC)

func sortedNames(files map[string][]byte) []string {
	names := make([]string, 0, len(files))
	for name := range files {
		names = append(names, name)
	}
	sort.Strings(names)
	return names
}
