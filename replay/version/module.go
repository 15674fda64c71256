package version

// This file finds the module in a tree, and makes one where a version has no go.mod.

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"golang.org/x/mod/modfile"
)

// FindModule finds the module that holds the folder sub of a tree: the nearest go.mod at or above
// it. Without one, a go.mod is made in a copy of the tree, next to it in the cache. Its path is
// hint if that is not empty (the other version's path), else what the sources and the repository
// say.
func FindModule(tree *Tree, sub, hint string) (Module, error) {
	rel := path.Clean(filepath.ToSlash(sub))
	if path.IsAbs(rel) || rel == ".." || strings.HasPrefix(rel, "../") {
		return Module{}, fmt.Errorf("find module: %s is outside of the repository", sub)
	}
	for at := rel; ; at = path.Dir(at) {
		name := filepath.Join(tree.Dir, filepath.FromSlash(at), "go.mod")
		if _, err := os.Stat(name); err == nil {
			return moduleAt(tree, at)
		}
		if at == "." {
			break
		}
	}
	return makeModule(tree, hint)
}

func moduleAt(tree *Tree, rel string) (Module, error) {
	dir := filepath.Join(tree.Dir, filepath.FromSlash(rel))
	path, err := readModulePath(filepath.Join(dir, "go.mod"))
	if err != nil {
		return Module{}, fmt.Errorf("find module of %s: %w", tree.Commit.Revision, err)
	}
	m := Module{Dir: dir, Path: path, Rel: rel, Tree: tree.Dir, Vendor: hasVendor(dir)}
	m.Workspace, err = findWorkspace(tree.Dir, dir)
	if err != nil {
		m.Warnings = append(m.Warnings, err.Error())
	}
	return m, nil
}

// readModulePath returns the path that a go.mod declares.
func readModulePath(name string) (string, error) {
	data, err := os.ReadFile(name)
	if err != nil {
		return "", err
	}
	path := modfile.ModulePath(data)
	if path == "" {
		return "", fmt.Errorf("%s has no module line", filepath.Base(name))
	}
	return path, nil
}

// hasVendor reports whether the go command takes dependencies from dir/vendor. Vendor folders from
// before modules have no modules.txt.
func hasVendor(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "vendor", "modules.txt"))
	return err == nil
}

// findWorkspace returns the nearest go.work at or above dir, within root, if it uses dir.
func findWorkspace(root, dir string) (string, error) {
	for at := dir; ; at = filepath.Dir(at) {
		name := filepath.Join(at, "go.work")
		data, err := os.ReadFile(name)
		if err == nil {
			work, err := modfile.ParseWork(name, data, nil)
			if err != nil {
				return "", fmt.Errorf("go.work is ignored: %v", errors.Unwrap(err))
			}
			for _, use := range work.Use {
				if relativeTo(at, filepath.FromSlash(use.Path)) == dir {
					return name, nil
				}
			}
			return "", nil
		}
		if at == root || filepath.Dir(at) == at {
			return "", nil
		}
	}
}

// makeModule copies a tree without go.mod and adds one at its root.
func makeModule(tree *Tree, hint string) (Module, error) {
	sources, err := readSources(tree.Dir)
	if err != nil {
		return Module{}, fmt.Errorf("make a go.mod for %s: %w", tree.Commit.Revision, err)
	}
	if len(sources.files) == 0 {
		return Module{}, fmt.Errorf("find module of %s: it has no go.mod and no Go files; name the module's folder with -C", tree.Commit.Revision)
	}
	path, because := sources.guess(tree, hint)
	text := fmt.Sprintf("module %s\n\ngo %s\n", modfile.AutoQuote(path), sources.language())
	key := sha256.Sum256([]byte(text))
	dir, err := copyWith(tree, hex.EncodeToString(key[:6]), file{path: "go.mod", mode: modeFile, text: []byte(text)})
	if err != nil {
		return Module{}, fmt.Errorf("make a go.mod for %s: %w", tree.Commit.Revision, err)
	}
	warning := fmt.Sprintf("%s has no go.mod; one was made in our copy: module %s (%s)", tree.Commit.Revision, path, because)
	return Module{
		Dir: dir, Path: path, Rel: ".", Made: true, Tree: dir, Vendor: hasVendor(dir), Warnings: []string{warning},
	}, nil
}

// copyWith makes a copy of a tree with one more file, or finds it. The copy is a tree of the cache
// like any other: whole or absent, and the original stays as it is.
func copyWith(tree *Tree, suffix string, extra file) (string, error) {
	holder := filepath.Dir(tree.Dir)
	s := store{cache: tree.cache, objects: &objects{}}
	name := filepath.Base(holder) + "-" + suffix
	if got, ok := s.find(name); ok {
		return got.dir, nil
	}
	files := []file{extra}
	err := filepath.WalkDir(tree.Dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		f, err := diskFile(tree.Dir, name, d)
		files = append(files, f)
		return err
	})
	if err != nil {
		return "", err
	}
	got, err := s.write(context.Background(), name, files, nil)
	return got.dir, err
}

// diskFile describes a file of a tree.
func diskFile(root, name string, d fs.DirEntry) (file, error) {
	rel, err := filepath.Rel(root, name)
	if err != nil {
		return file{}, err
	}
	f := file{path: filepath.ToSlash(rel), disk: name, mode: modeFile}
	info, err := d.Info()
	switch {
	case err != nil:
		return file{}, err
	case info.Mode()&os.ModeSymlink != 0:
		f.mode = modeSymlink
	case info.Mode()&0o111 != 0:
		f.mode = modeExecutable
	}
	return f, nil
}
