package repository

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sort"

	"github.com/spectradiff/spectradiff/internal/replay/repository/ignore"
)

// walk collects the files of a working tree.
type walk struct {
	ctx      context.Context
	root     string
	index    indexed
	modeless bool // the index alone says what is executable
	files    []file
	warnings []string
}

// worktreeFiles lists the working tree as git would commit it, sorted by path: tracked files, and untracked ones that
// are not ignored. The status of go-git is not used: it hashes every file and applies all ignore files at once.
func (r *Repository) worktreeFiles(ctx context.Context) ([]file, []string, error) {
	x, err := r.readIndex(ctx)
	if err != nil {
		return nil, nil, err
	}
	w := walk{ctx: ctx, root: r.Root, index: x, modeless: r.modeless()}
	if err := w.folder("", r.sharedIgnores(), false); err != nil {
		return nil, nil, err
	}
	converted, err := r.converter(x).convert(ctx, w.files)
	if err != nil {
		return nil, nil, err
	}
	w.warnings = slices.Concat(w.warnings, x.warnings, converted)
	onDisk := map[string]bool{}
	for _, f := range w.files {
		onDisk[f.path] = true
	}
	for name, f := range x.sparse {
		if !onDisk[name] && !inVersionControl(name) {
			w.files = append(w.files, f)
		}
	}
	sort.Slice(w.files, func(i, j int) bool { return w.files[i].path < w.files[j].path })
	for name := range x.submodules {
		w.warnings = append(w.warnings, submoduleWarning(name))
	}
	sort.Strings(w.warnings)
	return w.files, w.warnings, nil
}

// sharedIgnores returns the ignore files that apply to the whole working tree; later ones take precedence.
func (r *Repository) sharedIgnores() []ignore.File {
	var files []ignore.File
	for _, name := range []string{r.userFile("excludesfile", "ignore"), filepath.Join(r.common, "info", "exclude")} {
		if file, ok := ignore.Read(name, ""); ok {
			files = append(files, file)
		}
	}
	return files
}

// folder walks a folder; rel ends with a slash unless it is the root. With hidden, the folder is ignored and only
// tracked files count.
func (w *walk) folder(rel string, ignores []ignore.File, hidden bool) error {
	if err := w.ctx.Err(); err != nil {
		return err
	}
	entries, err := os.ReadDir(filepath.Join(w.root, filepath.FromSlash(rel)))
	if err != nil {
		return fmt.Errorf("list the working tree: %w", err)
	}
	if own, ok := ignore.Read(filepath.Join(w.root, filepath.FromSlash(rel), ".gitignore"), rel); ok {
		ignores = append(ignores[:len(ignores):len(ignores)], own)
	}
	for _, e := range entries {
		path := rel + e.Name()
		if isVersionControl(e.Name()) {
			if w.index.tracked[path] || w.index.folders[path] {
				w.warnings = append(w.warnings, versionControlWarning(path))
			}
			continue
		}
		if e.IsDir() {
			err = w.subfolder(path, ignores, hidden)
		} else {
			err = w.file(path, e, ignores, hidden)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func (w *walk) subfolder(path string, ignores []ignore.File, hidden bool) error {
	if w.index.submodules[path] {
		return nil
	}
	hidden = hidden || ignore.Ignored(ignores, path, true)
	if hidden && !w.index.folders[path] {
		return nil
	}
	if !w.index.folders[path] {
		if git, err := findGitFolder(filepath.Join(w.root, filepath.FromSlash(path))); err == nil && git != "" {
			w.warnings = append(w.warnings, fmt.Sprintf("%s is another git repository and is left out", path))
			return nil
		}
	}
	return w.folder(path+"/", ignores, hidden)
}

func (w *walk) file(path string, e os.DirEntry, ignores []ignore.File, hidden bool) error {
	if !w.index.tracked[path] && (hidden || ignore.Ignored(ignores, path, false)) {
		return nil
	}
	f := file{path: path, disk: filepath.Join(w.root, filepath.FromSlash(path))}
	switch kind := e.Type(); {
	case kind&os.ModeSymlink != 0:
		f.mode = modeSymlink
	case kind.IsRegular():
		info, err := e.Info()
		if errors.Is(err, os.ErrNotExist) {
			return nil // deleted since the folder was listed
		}
		if err != nil {
			return fmt.Errorf("list the working tree: %w", err)
		}
		f.mode = modeFile
		executable := info.Mode()&0o111 != 0
		if entry := w.index.entries[path]; w.modeless {
			executable = entry != nil && uint32(entry.Mode) == modeExecutable
		}
		if executable {
			f.mode = modeExecutable
		}
	default:
		w.warnings = append(w.warnings, fmt.Sprintf("%s is neither file nor symlink and is left out", path))
		return nil
	}
	w.files = append(w.files, f)
	return nil
}

func submoduleWarning(path string) string {
	return fmt.Sprintf("%s is a submodule; its files are left out", path)
}
