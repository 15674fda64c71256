package pipeline

// This file leaves what --keep asks for of the builds: instrumented sources and drivers.

import (
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/spectradiff/spectradiff/spectra"
)

// keepSources leaves the instrumented sources of a version.
func keepSources(env *environment, s spectra.Side, dir string, overlay map[string][]byte) error {
	if env.Keep == "" {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(overlay)) {
		rel, err := filepath.Rel(dir, name)
		if err != nil {
			rel = filepath.Base(name)
		}
		path := filepath.Join(env.Keep, string(s), rel)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return fmt.Errorf("keep sources: %w", err)
		}
		if err := os.WriteFile(path, overlay[name], 0o666); err != nil {
			return fmt.Errorf("keep sources: %w", err)
		}
	}
	return nil
}

// keepBuild leaves the driver of a version.
func keepBuild(env *environment, s spectra.Side, binary string) error {
	if env.Keep == "" {
		return nil
	}
	from, err := os.Open(binary)
	if err != nil {
		return fmt.Errorf("keep builds: %w", err)
	}
	defer from.Close()
	to, err := os.OpenFile(filepath.Join(env.Keep, string(s), "driver"), os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o755)
	if err != nil {
		return fmt.Errorf("keep builds: %w", err)
	}
	_, err = io.Copy(to, from)
	if closed := to.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return fmt.Errorf("keep builds: %w", err)
	}
	return nil
}
