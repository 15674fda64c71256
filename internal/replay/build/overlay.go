package build

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spectradiff/spectradiff/internal/spectra"
)

// overlay adds the recorder to the overlay of a request, and the extended runtime if wanted. It notes in the binary
// whether the runtime was extended.
func overlay(r Request, goroot string, extend bool, built *Binary) (map[string][]byte, error) {
	files := map[string][]byte{}
	maps.Copy(files, r.Overlay)
	source, err := spectra.RuntimeSource()
	if err != nil {
		return nil, err
	}
	for name, content := range source {
		files[filepath.Join(goroot, "src", filepath.FromSlash(name))] = content
	}
	if r.Samples != "" {
		name := filepath.Join(goroot, "src", spectra.RuntimePath, "driver", "zspectra_samples.go")
		files[name] = []byte(head + r.Samples)
	}
	if !extend {
		return files, nil
	}
	patched, err := patchRuntime(goroot)
	if err != nil {
		built.Warnings = append(built.Warnings, unextended(built.GoVersion, err))
		return files, nil
	}
	built.Patched = true
	maps.Copy(files, patched)
	return files, nil
}

// writeOverlay writes the contents of an overlay to files beside the binary, named by content. It returns the name of
// the file that lists them. They are removed together with the binary.
func writeOverlay(dir string, files map[string][]byte) (string, error) {
	store := filepath.Join(dir, "overlay")
	if err := os.MkdirAll(store, 0o777); err != nil {
		return "", fmt.Errorf("cache: %w", err)
	}
	replace := map[string]string{}
	for _, name := range slices.Sorted(maps.Keys(files)) {
		path := filepath.Join(store, laidName(name, files[name]))
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

// laidName returns the name in the overlay's folder for a file of the version.
func laidName(name string, content []byte) string {
	sum := sha256.Sum256(content)
	return hex.EncodeToString(sum[:12]) + "-" + filepath.Base(name)
}

// writeOnce writes a file whose name or folder depends on its content. A reader always finds it complete, even if equal
// versions are built at the same time.
func writeOnce(path string, content []byte) error {
	if found, err := os.ReadFile(path); err == nil && bytes.Equal(found, content) {
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
		at := writtenAt(content)
		err = os.Chtimes(part.Name(), at, at)
	}
	if err == nil {
		err = os.Rename(part.Name(), path)
	}
	if err != nil {
		return fmt.Errorf("overlay: %w", err)
	}
	return nil
}

// writtenAt returns a modification time for a file. It lies long ago: before Go 1.25 the go command ignores overlays of
// standard packages with files younger than two seconds. It also differs for different contents: the go command takes
// files of one name, size and time for the same.
func writtenAt(content []byte) time.Time {
	const years = 20 * 365 * 24 * time.Hour
	sum := sha256.Sum256(content)
	after := time.Duration(binary.LittleEndian.Uint64(sum[:]) % uint64(years))
	return time.Date(2000, time.January, 1, 0, 0, 0, 0, time.UTC).Add(after)
}
