package source

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/spectradiff/spectradiff/internal/spectra"
)

// modules records the requirements that differ.
func (c *comparison) modules() {
	var required spectra.Pair[map[string]requirement]
	for _, s := range []*side{c.Old, c.New} {
		all, err := s.requirements()
		if err != nil {
			c.changes.Problems = append(c.changes.Problems, Problem{s.name, "go.mod", err.Error()})
		}
		*required.Of(s.name) = all
	}
	old, new := required.Old, required.New
	for _, path := range keysOfEither(old, new) {
		before, after := old[path], new[path]
		if before.version == after.version {
			continue
		}
		c.changes.Modules = append(c.changes.Modules, ModuleChange{Path: path, Old: before.version, New: after.version})
		c.changes.Declarations = append(c.changes.Declarations, Change{
			Symbol: spectra.Symbol(path), Kind: Required, What: what(before.version != "", after.version != ""),
			Package: c.New.module.Path, File: "go.mod", Old: before.span, New: after.span,
		})
	}
}

// requirement is the version of a module that is built, and its place in go.mod.
type requirement struct {
	version string
	span    spectra.Lines
}

// requirements returns what go.mod requires, by module path, with replacements applied. The go and toolchain
// lines count as requirements.
func (s *side) requirements() (map[string]requirement, error) {
	all := map[string]requirement{}
	if _, ok := s.files["go.mod"]; !ok {
		return all, nil
	}
	text, err := s.content("go.mod")
	if err != nil {
		return all, err
	}
	mod, err := modfile.Parse("go.mod", text, nil)
	if err != nil {
		return all, err
	}
	at := func(line *modfile.Line) spectra.Lines {
		return spectra.Lines{File: "go.mod", Line: line.Start.Line, EndLine: line.End.Line}
	}
	if mod.Go != nil {
		all["go"] = requirement{mod.Go.Version, at(mod.Go.Syntax)}
	}
	if mod.Toolchain != nil {
		all["toolchain"] = requirement{mod.Toolchain.Name, at(mod.Toolchain.Syntax)}
	}
	for _, r := range mod.Require {
		all[r.Mod.Path] = requirement{r.Mod.Version, at(r.Syntax)}
	}
	for _, r := range mod.Replace {
		required, ok := all[r.Old.Path]
		if !ok || r.Old.Version != "" && r.Old.Version != required.version {
			continue
		}
		version := "=> " + strings.TrimSpace(r.New.Path+" "+r.New.Version)
		if r.New.Version == "" {
			version += s.folderVersion(r.New.Path)
		}
		all[r.Old.Path] = requirement{version, at(r.Syntax)}
	}
	return all, nil
}

// folderVersion returns a hash of a folder that replaces a module, so that a change in the folder is a change
// of the module. It returns "" for a folder outside of the tree or one that isn't there.
func (s *side) folderVersion(name string) string {
	dir := filepath.FromSlash(name)
	if !filepath.IsAbs(dir) {
		dir = filepath.Join(s.module.Dir, dir)
	}
	dir = filepath.Clean(dir)
	if rel, err := filepath.Rel(s.module.Tree, dir); err != nil || rel == ".." || strings.HasPrefix(rel, "../") {
		return ""
	}
	files, err := moduleFiles(dir)
	if err != nil {
		return ""
	}
	all := sha256.New()
	for _, file := range slices.Sorted(maps.Keys(files)) {
		if !files[file].IsRegular() {
			continue // a symlink: what it leads to is no part of the module, or is read where it lies
		}
		text, err := readText(filepath.Join(dir, filepath.FromSlash(file)))
		if err != nil {
			return ""
		}
		fmt.Fprintf(all, "%q %x\n", file, sha256.Sum256(bytes.ReplaceAll(text, []byte("\r\n"), []byte("\n"))))
	}
	return " " + hex.EncodeToString(all.Sum(nil)[:6])
}
