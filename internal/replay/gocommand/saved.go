package gocommand

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"
)

// findSaved reads what the user has saved with go env -w, as far as builds have it: the file may hold credentials too,
// so no confined command sees it but those that fetch.
func (m *machine) findSaved() error {
	m.saved = map[string]string{}
	if name := m.variables["GOENV"]; name != "" && name != "off" {
		text, err := os.ReadFile(name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("read the settings of the go command: %w", err)
		}
		m.saved = savedIn(string(text))
	}
	if os.Getenv("GOFLAGS") == "" { // they may be from the file of the toolchain, GOROOT/go.env
		m.saved["GOFLAGS"] = m.variables["GOFLAGS"]
	}
	return nil
}

// savedIn returns what a file of settings has for builds. The go command reads it in the same way.
func savedIn(text string) map[string]string {
	saved := map[string]string{}
	for line := range strings.Lines(text) {
		name, value, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
		own := strings.HasPrefix(name, "GO") || strings.HasPrefix(name, "CGO_") ||
			slices.Contains([]string{"CC", "CXX", "FC", "AR", "PKG_CONFIG"}, name)
		if ok && own && name != "GOENV" && matches(building, name) {
			saved[name] = value
		}
	}
	return saved
}

// withSaved adds saved settings to an environment where it has none, or an empty one, which is the same.
func (m *machine) withSaved(env []string) []string {
	env = slices.Clone(env)
	for _, name := range slices.Sorted(maps.Keys(m.saved)) {
		if valueOf(env, name) == "" {
			env = append(env, name+"="+m.saved[name])
		}
	}
	return env
}

// setting returns a variable of the environment.
func (m *machine) setting(name string) string { return valueOf(m.env, name) }

// decided returns the value of a setting, wherever it is from.
func (m *machine) decided(name string) string {
	return cmp.Or(m.variables[name], m.setting(name), m.saved[name])
}

// valueOf returns a variable of an environment.
func valueOf(env []string, name string) string {
	found := ""
	for _, entry := range env {
		if value, ok := strings.CutPrefix(entry, name+"="); ok {
			found = value
		}
	}
	return found
}
