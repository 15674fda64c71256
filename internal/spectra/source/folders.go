package source

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// folders returns a hash of each folder of one that is in the place of a module, so that a change in it is a change of
// the module, and of its go.mod, which concerns all of them; base is the folder of the file that names it. A file that
// is not Go may be embedded above the folder where it lies. Tests are no part of the module for those who use it. It
// returns nil for a folder outside of the tree or one that isn't there.
func (s *side) folders(base, name string) map[string]string {
	dir := s.inTree(joined(base, name))
	if dir == "" {
		return nil
	}
	files, err := moduleFiles(dir)
	if err != nil {
		return nil
	}
	of := &side{module: Module{Dir: dir, Tree: dir}, files: files}
	of.readEmbeds()
	below := map[string]hash.Hash{}
	for _, file := range slices.Sorted(maps.Keys(files)) {
		if !files[file].IsRegular() || !of.builds(file) {
			continue // what a symlink leads to is no part of the module, or is read where it lies
		}
		text, err := readText(filepath.Join(dir, filepath.FromSlash(file)))
		if err != nil {
			return nil
		}
		line := fmt.Sprintf("%q %x\n", file, sha256.Sum256(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))))
		for _, folder := range concerns(file) {
			if below[folder] == nil {
				below[folder] = sha256.New()
			}
			below[folder].Write([]byte(line))
		}
	}
	found := map[string]string{}
	for folder, sum := range below {
		found[folder] = hex.EncodeToString(sum.Sum(nil)[:6])
	}
	return found
}

// builds reports whether those who use a module build a file of it, or it decides what they build.
func (s *side) builds(file string) bool {
	switch {
	case within(file, "vendor"), strings.HasSuffix(file, "_test.go"):
		return false
	case file == goMod, path.Ext(file) == ".go", Native(file):
		return true
	}
	return s.embedded(file)
}

// concerns returns the folders whose packages a file may be part of; of the module's go.mod its name.
func concerns(file string) (folders []string) {
	if file == goMod {
		return []string{goMod}
	}
	dir := path.Dir(file)
	folders = append(folders, dir)
	for path.Ext(file) != ".go" && dir != "." {
		dir = path.Dir(dir)
		folders = append(folders, dir)
	}
	return folders
}

// hashOf returns a hash of a folder, of those of the folders in it.
func hashOf(folders map[string]string) string {
	all := sha256.New()
	for _, folder := range slices.Sorted(maps.Keys(folders)) {
		fmt.Fprintln(all, folder, folders[folder])
	}
	return hex.EncodeToString(all.Sum(nil)[:6])
}

// joined returns the absolute folder that a file in a folder names.
func joined(base, name string) string {
	if dir := filepath.FromSlash(name); filepath.IsAbs(dir) {
		return filepath.Clean(dir)
	}
	return filepath.Join(base, filepath.FromSlash(name))
}

// inTree returns where a file or folder really lies; "" = it is not there, or outside of the version's files.
func (s *side) inTree(name string) string {
	_, name = really(s.module.Tree, name)
	return name
}

// really returns the path of a folder without links, and where a file or folder really lies in it; "" = it does not.
func really(tree, name string) (folder, at string) {
	name, err := filepath.EvalSymlinks(name)
	if err != nil {
		return "", ""
	}
	if tree, err = filepath.EvalSymlinks(tree); err != nil {
		return "", ""
	}
	if rel, err := filepath.Rel(tree, name); err != nil || !filepath.IsLocal(rel) {
		return "", ""
	}
	return tree, name
}

// Linked returns the regular file of a tree that a name in it leads to, relative to the tree; "" = none.
func Linked(tree, name string) string {
	folder, at := really(tree, filepath.Join(tree, name))
	if info, err := os.Lstat(at); at == "" || err != nil || !info.Mode().IsRegular() {
		return ""
	}
	rel, err := filepath.Rel(folder, at)
	if err != nil {
		return ""
	}
	return rel
}
