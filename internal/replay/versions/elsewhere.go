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

	"github.com/spectradiff/spectradiff/internal/replay/module"
	"github.com/spectradiff/spectradiff/internal/replay/repository"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// Touched are the modules of a repository that a change touches.
type Touched struct {
	Folders  []string        // of those that both versions have and whose code differs, that at the root first
	Within   map[string]bool // of them those that the module at the root requires and takes from their folders
	Uses     bool            // the last one is that at the root, which only uses some of the others
	Warnings []string        // about those that only one version has
}

// Touched returns the modules that the change touches, and the module at the root where it requires one of them.
// There are none where the user named one, by a folder or by packages.
func (c *Choice) Touched() (found Touched, err error) {
	if len(c.patterns) > 0 || c.repo.Sub != "." {
		return found, nil
	}
	trees := spectra.MakePair(func(s spectra.Side) string { return (*c.trees.Of(s)).Dir })
	code, err := codeOfModules(trees)
	if err != nil {
		return found, fmt.Errorf("find the modules that the change touches: %w", err)
	}
	found.Within = module.Within(trees.New)
	all := map[string]string{}
	maps.Copy(all, code.Old)
	maps.Copy(all, code.New)
	for _, folder := range slices.Sorted(maps.Keys(all)) {
		old, before := code.Old[folder]
		switch now, after := code.New[folder]; {
		case before && after && old == now:
		case before && after, folder == ".": // one is made for the version without a go.mod
			found.Folders = append(found.Folders, folder)
		case after && module.PathAbove(trees.New, folder) == module.PathAbove(trees.Old, "."): // it moved there
		case after:
			found.Warnings = append(found.Warnings, "module "+folder+" is new, and not compared")
		case module.PathAbove(trees.Old, folder) == module.PathAbove(trees.New, "."):
		default:
			found.Warnings = append(found.Warnings, "module "+folder+" is gone, and not compared")
		}
	}
	used := slices.ContainsFunc(found.Folders, func(folder string) bool { return found.Within[folder] })
	if used && !slices.Contains(found.Folders, ".") {
		found.Folders, found.Uses = append(found.Folders, "."), true // the last one, because nothing changed in it
	}
	return found, nil
}

// nested reports whether there are modules below the root.
func nested(files map[string][]string) bool {
	_, root := files["."]
	return len(files) > 1 || len(files) == 1 && !root
}

// Elsewhere returns a warning that names the other modules of the repository whose code differs, or says that they
// can't be read; none if there are none, or if they are compared too.
func (v *Versions) Elsewhere() []string {
	if v.chosen || v.Old.Build.Tree == v.New.Build.Tree {
		return nil
	}
	trees := spectra.MakePair(func(s spectra.Side) string { return v.Of(s).Build.Tree })
	code, err := codeOfModules(trees)
	if err != nil {
		const text = "whether the change touches other modules of the repository can't be told: %v"
		return []string{fmt.Sprintf(text, err)}
	}
	var differing []string
	for _, folder := range slices.Sorted(maps.Keys(code.New)) {
		own := filepath.Join(v.New.Build.Tree, folder) == v.New.Build.Dir
		if code.Old[folder] != code.New[folder] && !own {
			differing = append(differing, folder)
		}
	}
	if len(differing) == 0 {
		return nil
	}
	const text = "the change touches other modules of the repository, each compared with -C: %s"
	return []string{fmt.Sprintf(text, strings.Join(differing, ", "))}
}

// codeOfModules returns a hash of the code of each module of two trees, by the module's folder; nothing where neither
// has a module below its root.
func codeOfModules(trees spectra.Pair[string]) (code spectra.Pair[map[string]string], err error) {
	var files spectra.Pair[map[string][]string]
	for _, s := range spectra.Sides() {
		if *files.Of(s), err = filesOfModules(*trees.Of(s)); err != nil {
			return code, err
		}
	}
	if !nested(files.Old) && !nested(files.New) {
		return code, nil
	}
	for _, s := range spectra.Sides() {
		if *code.Of(s), err = codeOf(*trees.Of(s), *files.Of(s)); err != nil {
			return code, err
		}
	}
	return code, nil
}

// filesOfModules returns the Go files of each module in a tree, by the module's folder; tests don't count.
func filesOfModules(tree string) (map[string][]string, error) {
	files := map[string][]string{}
	within := map[string]string{} // folder → module
	err := filepath.WalkDir(tree, func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(tree, name)
		if err != nil {
			return err
		}
		if entry.IsDir() {
			if rel != "." && module.Ignored(entry.Name()) {
				return fs.SkipDir
			}
			within[rel] = within[filepath.Dir(rel)]
			if _, err := os.Lstat(filepath.Join(name, "go.mod")); err == nil {
				within[rel], files[rel] = rel, nil
			}
			return nil
		}
		module := within[filepath.Dir(rel)]
		if _, listed := files[module]; listed && entry.Type().IsRegular() &&
			strings.HasSuffix(rel, ".go") && !strings.HasSuffix(rel, "_test.go") {
			files[module] = append(files[module], rel)
		}
		return nil
	})
	return files, err
}

// codeOf returns a hash of the files of each module.
func codeOf(tree string, files map[string][]string) (map[string]string, error) {
	hashes := map[string]string{}
	for module, names := range files {
		of := sha256.New()
		for _, name := range names {
			sum, err := repository.HashFile(tree, name)
			if err != nil {
				return nil, err
			}
			fmt.Fprintf(of, "%s %x\n", name, sum)
		}
		hashes[module] = fmt.Sprintf("%x", of.Sum(nil))
	}
	return hashes, nil
}
