package gocommand

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"
)

// deciding are the settings that decide what is built of given files. One that the go command is not asked for is
// taken from the environment.
var deciding = []string{
	"GOVERSION", "GOTOOLCHAIN", "GOOS", "GOARCH", "GO386", "GOAMD64", "GOARM", "GOARM64", "GORISCV64", "GOEXPERIMENT",
	"GOFIPS140", "GOFLAGS", "GODEBUG", "GOWORK", "GO111MODULE",
	"CGO_ENABLED", "CC", "CXX", "CGO_CFLAGS", "CGO_CPPFLAGS", "CGO_CXXFLAGS", "CGO_FFLAGS", "CGO_LDFLAGS",
}

// Settings returns a text that stands for all that decides what is built of given files: where it is the same, so is
// what is built.
func (r *Runner) Settings() (string, error) {
	m, err := r.ask()
	if err != nil {
		return "", err
	}
	var out strings.Builder
	for _, name := range deciding {
		value, known := m.variables[name]
		if !known {
			value = m.setting(name)
		}
		fmt.Fprintf(&out, "%s=%q\n", name, value)
	}
	saved, err := os.ReadFile(m.variables["GOENV"]) // what go env -w wrote
	if err != nil && m.variables["GOENV"] != "off" && !errors.Is(err, fs.ErrNotExist) {
		return "", fmt.Errorf("read the settings of the go command: %w", err)
	}
	return out.String() + string(saved), nil
}
