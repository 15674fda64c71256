package gocommand

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// deciding are the settings that decide what is built of given files, but for where things are on this machine.
var deciding = []string{
	"GOVERSION", "GOTOOLCHAIN", "GOOS", "GOARCH", "GO386", "GOAMD64", "GOARM", "GOARM64", "GORISCV64", "GOEXPERIMENT",
	"GOFIPS140", "GOFLAGS", "GODEBUG", "GOWORK", "GO111MODULE",
	"CGO_ENABLED", "CC", "CXX", "FC", "AR", "LD", "PKG_CONFIG",
	"CGO_CFLAGS", "CGO_CPPFLAGS", "CGO_CXXFLAGS", "CGO_FFLAGS", "CGO_LDFLAGS",
	"CPATH", "C_INCLUDE_PATH", "CPLUS_INCLUDE_PATH", "LIBRARY_PATH", "PKG_CONFIG_PATH", "PKG_CONFIG_LIBDIR",
	"PKG_CONFIG_SYSROOT_DIR",
}

// Settings returns a text that stands for the settings that decide what is built of given files: where it is the same,
// on this machine or another one with the same compilers, so is what is built.
func (r *Runner) Settings() (string, error) {
	m, err := r.ask()
	if err != nil {
		return "", err
	}
	var out strings.Builder
	for _, name := range deciding {
		fmt.Fprintf(&out, "%s=%q\n", name, m.decided(name))
	}
	return out.String(), nil
}

// decides reports whether a variable of the environment can change what is built of given files, or which files are.
func decides(name string) bool {
	switch name {
	case "PATH":
		return true
	case "GOENV", "GOTMPDIR", "GOTELEMETRY":
		return false
	}
	return matches(building, name) && (slices.Contains(deciding, name) || strings.HasPrefix(name, "GO") ||
		strings.HasPrefix(name, "CGO_") || strings.HasPrefix(name, "PKG_CONFIG"))
}

// Deciding returns a text that stands for all on this machine, beside the files of a version and its toolchain, that
// decides what is built in an environment from Environment. What is kept of builds, or of what go list said, is kept
// under a name that holds it.
func (r *Runner) Deciding(env []string) string {
	var out strings.Builder
	for _, entry := range env {
		if name, _, _ := strings.Cut(entry, "="); decides(name) {
			fmt.Fprintf(&out, "%q\n", entry)
		}
	}
	return out.String() + r.Compilers()
}

// Compilers returns a text that stands for the programs that cgo starts, by their sizes and times; "" without cgo.
func (r *Runner) Compilers() string {
	m, err := r.ask()
	if err != nil || r.WithoutC() || m.variables["CGO_ENABLED"] != "1" {
		return ""
	}
	var out strings.Builder
	for _, name := range []string{"CC", "CXX", "FC", "AR", "LD", "PKG_CONFIG"} {
		words := splitFlags(m.decided(name))
		if len(words) == 0 {
			continue
		}
		if program, err := exec.LookPath(words[0]); err == nil {
			out.WriteString(name + " " + identity(program))
		}
	}
	return out.String()
}

// identity returns a text that is another one once a program was installed anew.
func identity(program string) string {
	if full, err := filepath.Abs(program); err == nil {
		program = resolved(full)
	}
	info, err := os.Stat(program)
	if err != nil {
		return fmt.Sprintf("%q\n", program)
	}
	return fmt.Sprintf("%q %d %s\n", program, info.Size(), info.ModTime().UTC().Format("2006-01-02T15:04:05.000000000"))
}
