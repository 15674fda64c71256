package drivers

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/spectradiff/spectradiff/internal/replay/repository"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// OpaqueFile is where a project lists its opaque types, relative to the repository's root.
const OpaqueFile = ".spectradiff/opaque"

// An OpaqueEntry is one line of that file.
type OpaqueEntry struct {
	spectra.TypeRule
	At string // file and line
}

// OpaqueEntries reads the file of the repository that contains dir. If there is none, it returns no
// entries and no error.
func OpaqueEntries(dir string) ([]OpaqueEntry, error) {
	folder, name, err := repository.FindFile(dir, OpaqueFile)
	if err != nil || name == "" {
		return nil, err
	}
	text, err := repository.ReadFile(folder, filepath.FromSlash(OpaqueFile))
	if err != nil {
		return nil, fmt.Errorf("read the opaque types: %w", err)
	}
	var list []OpaqueEntry
	first := map[string]int{}
	for i, line := range strings.Split(string(text), "\n") {
		typ, reason, _ := strings.Cut(line, "#")
		typ, reason = strings.TrimSpace(typ), strings.TrimSpace(reason)
		if typ == "" {
			continue
		}
		at := fmt.Sprintf("%s:%d", name, i+1)
		switch dot := strings.LastIndexByte(typ, '.'); {
		case strings.ContainsAny(typ, " \t*[]") || dot < 1 || strings.Contains(typ[dot:], "/"):
			return nil, fmt.Errorf("%s: %q is no type: write an import path, a dot and a name, as in "+
				"example.com/m/cache.Entry, or end with the dot for all types of a package; # begins a comment",
				at, typ)
		case first[typ] > 0:
			return nil, fmt.Errorf("%s: %s stands in line %d already", at, typ, first[typ])
		}
		first[typ] = i + 1
		list = append(list, OpaqueEntry{spectra.TypeRule{Type: typ, What: reason}, at})
	}
	return list, nil
}
