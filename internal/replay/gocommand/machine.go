package gocommand

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/replay/sandbox"
)

// A machine holds the settings of the go command on this machine, and the files that it needs.
type machine struct {
	variables          map[string]string // of the go command
	env                []string          // of the tool, reduced to the passed variables
	saved              map[string]string // what builds have from files of settings
	readable, writable []string
	hidden             error // the go command would start a program that it can't see
}

// asked are the variables with the settings of the go command.
var asked = []string{
	"GOROOT", "GOCACHE", "GOMODCACHE", "GOPATH", "GOENV", "GOFLAGS", "GOCACHEPROG", "GOAUTH", "GOPROXY",
	"CC", "CXX", "AR", "PKG_CONFIG", "CGO_CFLAGS", "CGO_CPPFLAGS", "CGO_CXXFLAGS", "CGO_FFLAGS", "CGO_LDFLAGS",
	"CGO_ENABLED", "GOVERSION", "GOOS", "GOARCH", "GO386", "GOAMD64", "GOARM", "GOARM64", "GORISCV64", "GOEXPERIMENT",
	"GOFIPS140",
}

// askMachine asks the go command for its settings. No version is known yet and the folder is empty, so no file of
// others takes part. A version manager's wrapper answers just as well.
func askMachine(ctx context.Context, temp string) (*machine, error) {
	empty, err := os.MkdirTemp(temp, "empty-")
	if err != nil {
		return nil, fmt.Errorf("ask the go command: %w", err)
	}
	defer os.RemoveAll(empty)
	m := &machine{env: Environment(os.Environ()), variables: map[string]string{}}
	env := append(slices.Clone(m.env), "GOTOOLCHAIN=local", "GOWORK=off", "GOCACHEPROG=", "PWD="+empty,
		"TMPDIR="+empty, "GOTMPDIR="+empty, // it tries the C compiler there, and leaves its folder if it is killed
		"GOFLAGS="+os.Getenv("GOFLAGS")) // where the user has none, those that are saved count
	out, errs, err := Command{Dir: empty, Env: env}.runPlain(ctx, append([]string{"env", "-json"}, asked...))
	if err != nil {
		return nil, fmt.Errorf("ask the go command: %w: %s", err, strings.TrimSpace(errs))
	}
	if err := json.Unmarshal([]byte(out), &m.variables); err != nil {
		return nil, fmt.Errorf("ask the go command: %w", err)
	}
	if program := m.setting("GOCACHEPROG"); program != "" { // it was empty so that it was not started
		m.variables["GOCACHEPROG"] = program
	}
	if err := m.findSaved(); err != nil {
		return nil, err
	}
	if err := m.findCaches(); err != nil {
		return nil, err
	}
	m.readable = append(m.readable, m.variables["GOROOT"])
	m.findCompilers()
	m.findStarted()
	m.readable = slices.DeleteFunc(m.readable, func(path string) bool { return !allowed(path) })
	return m, nil
}

// findCaches makes the folders that go commands write to.
func (m *machine) findCaches() error {
	path, _, _ := strings.Cut(m.variables["GOPATH"], string(filepath.ListSeparator))
	for _, cache := range []struct{ name, folder string }{
		{"GOCACHE", m.variables["GOCACHE"]},
		{"GOMODCACHE", m.variables["GOMODCACHE"]},
		{"GOPATH", filepath.Join(path, "pkg", "sumdb")}, // the known part of the checksum database
	} {
		if !allowed(cache.folder) {
			return fmt.Errorf("%s makes %q a folder that confined builds write: set it to another one, "+
				"which does not hold your home folder", cache.name, cache.folder)
		}
		if err := os.MkdirAll(cache.folder, 0o777); err != nil {
			return fmt.Errorf("folder of %s: %w", cache.name, err)
		}
		m.writable = append(m.writable, cache.folder)
	}
	return nil
}

// allowed reports whether go commands may see a path: one that does not contain the user's home folder.
func allowed(path string) bool {
	path = filepath.Clean(path)
	if !filepath.IsAbs(path) || path == "/" {
		return false
	}
	home, err := os.UserHomeDir()
	if err != nil {
		return true
	}
	for _, home := range []string{home, resolved(home)} {
		if home != "/" && within(home, path) || home != "/" && within(home, resolved(path)) {
			return false
		}
	}
	return true
}

// within reports whether a path is a folder or lies in it.
func within(path, folder string) bool {
	return path == folder || strings.HasPrefix(path, folder+string(filepath.Separator))
}

// resolved returns a path without symbolic links, or unchanged if it can't be resolved.
func resolved(path string) string {
	if full, err := filepath.EvalSymlinks(path); err == nil {
		return full
	}
	return path
}

// command returns the path of the go command itself, not of a wrapper on PATH.
func (m *machine) command() string { return filepath.Join(m.variables["GOROOT"], "bin", "go") }

// path returns PATH with the go command first.
func (m *machine) path() string {
	return filepath.Dir(m.command()) + string(filepath.ListSeparator) + m.setting("PATH")
}

// visible reports whether every command can see a path.
func (m *machine) visible(path string) bool {
	return slices.ContainsFunc(slices.Concat(sandbox.SystemFolders(), m.readable, m.writable),
		func(folder string) bool { return within(path, folder) || within(path, resolved(folder)) })
}

// findCompilers adds compilers outside the system's folders, with the files beside them, and the headers and libraries
// that the user's settings name.
func (m *machine) findCompilers() {
	for _, name := range []string{"CC", "CXX", "AR", "PKG_CONFIG"} {
		words := splitFlags(m.variables[name])
		if len(words) == 0 {
			continue
		}
		program, err := exec.LookPath(words[0])
		if err != nil || m.visible(resolved(program)) {
			continue
		}
		folder := filepath.Dir(resolved(program))
		m.readable = append(m.readable, program, folder)
		if filepath.Base(folder) == "bin" { // files beside it belong to it, or to the user
			for _, part := range []string{"lib", "lib32", "lib64", "libexec", "include", "sysroot", "*-linux-*"} {
				parts, _ := filepath.Glob(filepath.Join(filepath.Dir(folder), part))
				m.readable = append(m.readable, parts...)
			}
		}
	}
	for _, name := range []string{
		"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH", "LD_LIBRARY_PATH",
		"PKG_CONFIG_PATH", "PKG_CONFIG_LIBDIR",
	} {
		m.readable = append(m.readable, filepath.SplitList(m.setting(name))...)
	}
	for _, name := range asked {
		if !strings.HasSuffix(name, "FLAGS") || !strings.HasPrefix(name, "CGO_") {
			continue
		}
		for _, flag := range splitFlags(m.variables[name]) {
			if at := strings.IndexByte(flag, '/'); at >= 0 {
				m.readable = append(m.readable, flag[at:])
			}
		}
	}
}

// findStarted looks for programs of the user that the go command starts. A program that it can't see would fail with an
// unclear error.
func (m *machine) findStarted() {
	started := map[string]string{"GOCACHEPROG": m.variables["GOCACHEPROG"]}
	for _, flag := range splitFlags(m.variables["GOFLAGS"]) {
		if name, value := cutFlag(flag); name == "toolexec" {
			started["-toolexec in GOFLAGS"] = value
		}
	}
	for _, name := range slices.Sorted(maps.Keys(started)) {
		words := splitFlags(started[name])
		if len(words) == 0 {
			continue
		}
		program, err := exec.LookPath(words[0])
		if err == nil && !m.visible(resolved(program)) {
			m.hidden = fmt.Errorf("%s names %s, which confined builds do not see: "+
				"put it into /usr/local/bin, or unset it", name, program)
		}
	}
}
