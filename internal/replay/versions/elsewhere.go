package versions

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/replay/repository"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// Elsewhere returns a warning that names the other modules of the repository whose code differs; none if there are
// none, or if they can't be read.
func (v *Versions) Elsewhere() []string {
	if v.Old.Build.Tree == v.New.Build.Tree {
		return nil
	}
	modules := spectra.MakePair(func(s spectra.Side) map[string]string {
		found, err := codeOfModules(v.Of(s).Build.Tree)
		if err != nil {
			return nil
		}
		return found
	})
	var differing []string
	for folder, code := range modules.New {
		own := filepath.Join(v.New.Build.Tree, folder) == v.New.Build.Dir
		if modules.Old != nil && modules.Old[folder] != code && !own {
			differing = append(differing, folder)
		}
	}
	if len(differing) == 0 {
		return nil
	}
	slices.Sort(differing)
	const text = "the change touches other modules of the repository, each compared with -C: %s"
	return []string{fmt.Sprintf(text, strings.Join(differing, ", "))}
}

// codeOfModules returns a hash of the Go files of each module in a tree, by the module's folder; tests don't count.
func codeOfModules(tree string) (map[string]string, error) {
	files := map[string][]string{} // module → files with their hashes, in order
	within := map[string]string{}  // folder → module
	err := filepath.WalkDir(tree, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(tree, name)
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if base := entry.Name(); rel != "." && (strings.HasPrefix(base, ".") || strings.HasPrefix(base, "_") ||
				base == "vendor" || base == "testdata") {
				return fs.SkipDir
			}
			within[rel] = within[filepath.Dir(rel)]
			if _, err := os.Lstat(filepath.Join(name, "go.mod")); err == nil {
				within[rel], files[rel] = rel, nil
			}
			return nil
		}
		module, known := within[filepath.Dir(rel)]
		if _, listed := files[module]; !known || !listed || !entry.Type().IsRegular() ||
			!strings.HasSuffix(rel, ".go") || strings.HasSuffix(rel, "_test.go") {
			return nil
		}
		text, err := repository.ReadFile(tree, rel)
		files[module] = append(files[module], fmt.Sprintf("%s %x", rel, sha256.Sum256(text)))
		return err
	})
	hashes := map[string]string{}
	for _, module := range slices.Sorted(maps.Keys(files)) {
		hashes[module] = fmt.Sprintf("%x", sha256.Sum256([]byte(strings.Join(files[module], "\n"))))
	}
	return hashes, err
}
