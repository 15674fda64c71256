package drivers

import (
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/spectradiff/spectradiff/internal/spectra"
)

// A Folder is where files are saved. If it is "", nothing is.
type Folder string

// Sources saves the instrumented sources of a version.
func (f Folder) Sources(s spectra.Side, dir string, overlay map[string][]byte) error {
	if f == "" {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(overlay)) {
		rel, err := filepath.Rel(dir, name)
		if err != nil {
			rel = filepath.Base(name)
		}
		path := filepath.Join(string(f), string(s), rel)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return fmt.Errorf("keep sources: %w", err)
		}
		if err := os.WriteFile(path, overlay[name], 0o666); err != nil {
			return fmt.Errorf("keep sources: %w", err)
		}
	}
	return nil
}

// Build saves the driver of a version.
func (f Folder) Build(s spectra.Side, binary string) error {
	if f == "" {
		return nil
	}
	from, err := os.Open(binary)
	if err != nil {
		return fmt.Errorf("keep builds: %w", err)
	}
	defer from.Close()
	to, err := os.OpenFile(filepath.Join(string(f), string(s), "driver"), os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o755)
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
