package source

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"hash"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/spectradiff/spectradiff/internal/spectra"
)

const goMod = "go.mod"

// modules records the requirements that differ.
func (c *comparison) modules() {
	var required spectra.Pair[map[string]requirement]
	for _, s := range []*side{c.Old, c.New} {
		all, err := s.requirements()
		if err != nil {
			c.changes.Problems = append(c.changes.Problems, Problem{s.name, goMod, err.Error()})
		}
		*required.Of(s.name) = all
	}
	old, new := required.Old, required.New
	for _, path := range keysOfEither(old, new) {
		before, after := old[path], new[path]
		if before.version == after.version {
			continue
		}
		c.changes.Modules = append(c.changes.Modules, ModuleChange{
			Path: path, Old: before.version, New: after.version, Packages: differingPackages(path, before, after),
		})
		c.changes.Declarations = append(c.changes.Declarations, Change{
			Symbol: spectra.Symbol(path), Kind: Required, What: what(before.version != "", after.version != ""),
			Package: c.New.module.Path, File: goMod, Old: before.span, New: after.span,
		})
	}
}

// requirement is the version of a module that is built, and its place in go.mod.
type requirement struct {
	version string
	span    spectra.Lines
	folders map[string]string // of a folder that replaces the module: slash-separated path below → hash of its files
}

// differingPackages returns the packages of a module that differ where a folder replaces it in both versions, else nil.
func differingPackages(path string, before, after requirement) []string {
	if before.folders == nil || after.folders == nil || before.folders[goMod] != after.folders[goMod] {
		return nil
	}
	list := []string{}
	for _, folder := range keysOfEither(before.folders, after.folders) {
		if before.folders[folder] != after.folders[folder] {
			list = append(list, PackagePath(path, folder+"/"))
		}
	}
	return list
}

// requirements returns what go.mod requires, by module path, with replacements applied. The go and toolchain
// lines count as requirements.
func (s *side) requirements() (map[string]requirement, error) {
	all := map[string]requirement{}
	if _, ok := s.files[goMod]; !ok {
		return all, nil
	}
	text, err := s.content(goMod)
	if err != nil {
		return all, err
	}
	mod, err := modfile.Parse(goMod, text, nil)
	if err != nil {
		return all, err
	}
	at := func(line *modfile.Line) spectra.Lines {
		return spectra.Lines{File: goMod, Line: line.Start.Line, EndLine: line.End.Line}
	}
	if mod.Go != nil {
		all["go"] = requirement{version: mod.Go.Version, span: at(mod.Go.Syntax)}
	}
	if mod.Toolchain != nil {
		all["toolchain"] = requirement{version: mod.Toolchain.Name, span: at(mod.Toolchain.Syntax)}
	}
	for _, r := range mod.Require {
		all[r.Mod.Path] = requirement{version: r.Mod.Version, span: at(r.Syntax)}
	}
	for _, r := range mod.Replace {
		required, ok := all[r.Old.Path]
		if !ok || r.Old.Version != "" && r.Old.Version != required.version {
			continue
		}
		of := requirement{version: "=> " + strings.TrimSpace(r.New.Path+" "+r.New.Version), span: at(r.Syntax)}
		if r.New.Version == "" {
			if of.folders = s.folders(r.New.Path); of.folders != nil {
				of.version += " " + hashOf(of.folders)
			}
		}
		all[r.Old.Path] = of
	}
	return all, nil
}

// folders returns a hash of each folder of one that replaces a module, so that a change in it is a change of the
// module, and of its go.mod, which concerns all of them. A file that is not Go may be embedded above the folder where
// it lies. Tests are no part of the module for those who use it. It returns nil for a folder outside of the tree or one
// that isn't there.
func (s *side) folders(name string) map[string]string {
	dir := filepath.FromSlash(name)
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(s.module.Dir, dir)
	}
	dir = filepath.Clean(dir)
	if rel, err := filepath.Rel(s.module.Tree, dir); err != nil || rel == ".." || strings.HasPrefix(rel, "../") {
		return nil
	}
	files, err := moduleFiles(dir)
	if err != nil {
		return nil
	}
	below := map[string]hash.Hash{}
	for _, file := range slices.Sorted(maps.Keys(files)) {
		if !files[file].IsRegular() || strings.HasSuffix(file, "_test.go") {
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
