// Package module finds the Go module in a version's tree, or makes one for a tree without go.mod.
//
// Input: a tree of package repository and a folder in it. Output: the module of the folder, with its path, its
// workspace, and whether the go command uses its vendor folder. Without a go.mod, one is made in a copy of the tree.
// Its path and language are guessed from the sources, the remote's address and the readme, and a warning names them
// with the reason.
//
// The same tree has the same module. The package never changes the tree, and never uses the go command or the network.
package module

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/mod/modfile"

	"github.com/spectradiff/spectradiff/internal/replay/repository"
)

// A Module is a Go module in a tree.
type Module struct {
	Dir       string // absolute, inside a tree
	Path      string // module path
	Rel       string // folder, relative to the repository's root, slash-separated; "." = root
	Made      bool   // the version has no go.mod; one was made in a copy of the tree
	Workspace string // absolute path of the go.work that uses the module; "" = none
	Vendor    bool   // the go command uses its vendor folder
	Tree      string // absolute root of the tree
	Warnings  []string

	Files *repository.Tree // the version's tree, or the copy of it with the made go.mod
}

// Find finds the module of the folder sub of a tree: that of the nearest go.mod at or above the folder. If there is
// none, it is the one whose path is hint, the path in the other version, because modules move. If there is none, Find
// makes a go.mod in a copy of the tree, next to it in the cache. Its module path is hint. If hint is empty, the path is
// guessed from the sources and the repository.
func Find(ctx context.Context, tree *repository.Tree, sub, hint string) (Module, error) {
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
	if rel := folderOf(tree.Dir, hint); rel != "" {
		return moduleAt(tree, rel)
	}
	return makeModule(ctx, tree, hint)
}

// folderOf returns the folder of the one module of a tree that has a path; "" = there is none, or several.
func folderOf(tree, path string) (found string) {
	folders, err := Folders(tree)
	if err != nil || path == "" {
		return ""
	}
	for _, folder := range folders {
		if own, err := readModulePath(tree, filepath.Join(folder, "go.mod")); err != nil || own != path {
			continue
		}
		if found != "" {
			return ""
		}
		found = filepath.ToSlash(folder)
	}
	return found
}

// Folders returns the folders of the modules in a tree, relative to it, with the system's separators, sorted.
func Folders(tree string) (folders []string, err error) {
	err = filepath.WalkDir(tree, func(name string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir() && name != tree && Ignored(entry.Name()):
			return fs.SkipDir
		case entry.IsDir() || entry.Name() != "go.mod":
			return nil
		}
		folder, err := filepath.Rel(tree, filepath.Dir(name))
		folders = append(folders, folder)
		return err
	})
	slices.Sort(folders)
	return folders, err
}

// Ignored reports whether a folder holds no modules of the repository itself, by its name.
func Ignored(folder string) bool {
	return strings.HasPrefix(folder, ".") || strings.HasPrefix(folder, "_") ||
		folder == "vendor" || folder == "testdata"
}

func moduleAt(tree *repository.Tree, rel string) (Module, error) {
	dir := filepath.Join(tree.Dir, filepath.FromSlash(rel))
	path, err := readModulePath(tree.Dir, filepath.Join(rel, "go.mod"))
	if err != nil {
		return Module{}, fmt.Errorf("find module of %s: %w", tree.Commit.Revision, err)
	}
	m := Module{Dir: dir, Path: path, Rel: rel, Tree: tree.Dir, Vendor: HasVendor(dir), Files: tree}
	m.Workspace, err = findWorkspace(tree.Dir, dir)
	if err != nil {
		m.Warnings = append(m.Warnings, err.Error())
	}
	return m, nil
}

// With returns the module in a copy of its tree with additions.
func (m Module) With(ctx context.Context, additions ...repository.Addition) (Module, error) {
	copied, err := m.Files.With(ctx, additions...)
	if err != nil {
		return m, fmt.Errorf("copy tree: %w", err)
	}
	if rel, ok := strings.CutPrefix(m.Workspace, m.Tree+string(filepath.Separator)); ok {
		m.Workspace = filepath.Join(copied.Dir, rel)
	}
	m.Files, m.Tree = copied, copied.Dir
	m.Dir = filepath.Join(copied.Dir, filepath.FromSlash(m.Rel))
	m.Vendor = HasVendor(m.Dir) // the additions may include the vendor folder
	return m, nil
}

// PathAbove returns the path of the nearest module at or above the folder sub of a working tree; "" = none.
func PathAbove(root, sub string) string {
	for dir := sub; ; dir = filepath.ToSlash(filepath.Dir(dir)) {
		path, err := readModulePath(root, filepath.Join(filepath.FromSlash(dir), "go.mod"))
		if err == nil {
			return path
		}
		if dir == "." {
			return ""
		}
	}
}

// readModulePath returns the path that a go.mod below a folder declares.
func readModulePath(folder, name string) (string, error) {
	data, err := repository.ReadFile(folder, name)
	if err != nil {
		return "", err
	}
	path := modfile.ModulePath(data)
	if path == "" {
		return "", fmt.Errorf("%s has no module line", filepath.Base(name))
	}
	return path, nil
}

// HasVendor reports whether the go command takes dependencies from dir/vendor. It ignores vendor folders without
// modules.txt, from before there were modules.
func HasVendor(dir string) bool {
	_, err := os.Stat(filepath.Join(dir, "vendor", "modules.txt"))
	return err == nil
}

// Within returns the folders of a tree from which the module at its root takes modules that it requires, or that these
// require: it replaces them by these folders, or its workspace uses them. Files that can't be read name none.
func Within(tree string) map[string]bool {
	root := Read(tree, ".")
	if root == nil {
		return nil
	}
	folders := map[string][]string{} // of modules, by their paths
	replaced := root.Replace
	if data, err := repository.ReadFile(tree, "go.work"); err == nil {
		if work, err := modfile.ParseWork("go.work", data, nil); err == nil {
			replaced = append(replaced, work.Replace...)
			for _, use := range work.Use {
				if mod := Read(tree, use.Path); mod != nil && mod.Module != nil {
					path := mod.Module.Mod.Path
					folders[path] = append(folders[path], filepath.Clean(filepath.FromSlash(use.Path)))
				}
			}
		}
	}
	for _, r := range replaced {
		if r.New.Version == "" {
			folders[r.Old.Path] = append(folders[r.Old.Path], filepath.Clean(filepath.FromSlash(r.New.Path)))
		}
	}
	within := map[string]bool{}
	for next := root.Require; len(next) > 0; next = next[1:] {
		for _, folder := range folders[next[0].Mod.Path] {
			if folder == "." || within[folder] {
				continue
			}
			within[folder] = true
			if mod := Read(tree, folder); mod != nil {
				next = append(next, mod.Require...)
			}
		}
	}
	return within
}

// Read returns the go.mod of a folder of a tree, nil if it can't be read.
func Read(tree, folder string) *modfile.File {
	name := filepath.Join(filepath.FromSlash(folder), "go.mod")
	data, err := repository.ReadFile(tree, name)
	if err != nil {
		return nil
	}
	file, err := modfile.Parse(name, data, nil)
	if err != nil {
		return nil
	}
	return file
}

// findWorkspace returns the nearest go.work at or above dir, within root, if it uses dir.
func findWorkspace(root, dir string) (string, error) {
	for at := dir; ; at = filepath.Dir(at) {
		name := filepath.Join(at, "go.work")
		rel, err := filepath.Rel(root, name)
		if err != nil {
			return "", fmt.Errorf("find the workspace: %w", err)
		}
		data, err := repository.ReadFile(root, rel)
		if err == nil {
			work, err := modfile.ParseWork(name, data, nil)
			if err != nil {
				return "", fmt.Errorf("go.work is ignored: %v", errors.Unwrap(err))
			}
			for _, use := range work.Use {
				used := filepath.FromSlash(use.Path)
				if !filepath.IsAbs(used) {
					used = filepath.Join(at, used)
				}
				if filepath.Clean(used) == dir {
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
func makeModule(ctx context.Context, tree *repository.Tree, hint string) (Module, error) {
	sources, err := readSources(tree.Dir)
	if err != nil {
		return Module{}, fmt.Errorf("make a go.mod for %s: %w", tree.Commit.Revision, err)
	}
	if len(sources.files) == 0 {
		return Module{}, fmt.Errorf("find module of %s: it has no go.mod and no Go files; "+
			"name the module's folder with -C", tree.Commit.Revision)
	}
	path, because := sources.guess(tree, hint)
	text := fmt.Sprintf("module %s\n\ngo %s\n", modfile.AutoQuote(path), sources.language())
	made, err := tree.With(ctx, repository.Addition{Name: "go.mod", Text: text})
	if err != nil {
		return Module{}, fmt.Errorf("make a go.mod for %s: %w", tree.Commit.Revision, err)
	}
	warning := fmt.Sprintf("%s has no go.mod; one was made in our copy: module %s (%s)",
		tree.Commit.Revision, path, because)
	return Module{
		Dir: made.Dir, Path: path, Rel: ".", Made: true, Tree: made.Dir, Vendor: HasVendor(made.Dir),
		Warnings: []string{warning}, Files: made,
	}, nil
}
