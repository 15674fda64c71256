package repository

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/replay/cache"
)

// An Addition is a file, a link or a folder that a copy of a tree has in addition, or in place of another one.
type Addition struct {
	Name   string // slash-separated
	Text   string // content of a file, target of a link; for a folder an identification of its content
	Link   bool
	Folder string // absolute: its files and links are copied; "" = a file or a link
}

// CopyTo copies the files of the tree into a folder that is made, for programs that change them.
func (t *Tree) CopyTo(ctx context.Context, folder string) error {
	files, err := folderFiles(t.Dir, func(file) error { return ctx.Err() })
	if err == nil {
		_, err = store{cache: t.cache, objects: &objects{}}.writeFiles(ctx, folder, files)
	}
	if err != nil {
		return fmt.Errorf("copy the files of %s: %w", t.Commit.Revision, err)
	}
	return nil
}

// files lists the added files.
func (a Addition) files(ctx context.Context) ([]file, error) {
	switch {
	case a.Link:
		return []file{{path: a.Name, mode: modeSymlink, text: []byte(a.Text)}}, nil
	case a.Folder == "":
		return []file{{path: a.Name, mode: modeFile, text: []byte(a.Text)}}, nil
	}
	files, err := folderFiles(a.Folder, func(file) error { return ctx.Err() })
	for i := range files {
		files[i].path = path.Join(a.Name, files[i].path)
	}
	return files, err
}

// replaces reports whether the addition takes the place of a file: it has the same name, lies below that name, or the
// file lies in an added folder.
func (a Addition) replaces(name string) bool {
	return name == a.Name || strings.HasPrefix(a.Name, name+"/") ||
		a.Folder != "" && strings.HasPrefix(name, a.Name+"/")
}

// With returns a copy of the tree with additions. The copy is a tree of the cache like any other: complete or absent,
// and found again for the same additions. The tree itself is not changed.
func (t *Tree) With(ctx context.Context, additions ...Addition) (*Tree, error) {
	key := sha256.New()
	for _, a := range additions {
		fmt.Fprintf(key, "%q %q %t", a.Name, a.Text, a.Link)
		if a.Folder != "" {
			fmt.Fprint(key, " folder")
		}
		fmt.Fprintln(key)
	}
	copied := *t
	copied.kept = t.kept + "-" + hex.EncodeToString(key.Sum(nil)[:6])
	s := store{cache: t.cache, objects: &objects{}}
	if got, ok := s.find(copied.kept); ok {
		copied.Dir = got.dir
		return &copied, nil
	}
	files, err := t.changed(ctx, additions)
	if err != nil {
		return nil, err
	}
	got, err := s.write(ctx, copied.kept, files, nil)
	copied.Dir = got.dir
	return &copied, err
}

// changed lists the files of a copy with additions. Of several additions of one name the last one counts.
func (t *Tree) changed(ctx context.Context, additions []Addition) ([]file, error) {
	files, err := folderFiles(t.Dir, func(file) error { return ctx.Err() })
	if err != nil {
		return nil, err
	}
	for _, a := range additions {
		added, err := a.files(ctx)
		if err != nil {
			return nil, fmt.Errorf("copy %s: %w", a.Folder, err)
		}
		files = append(slices.DeleteFunc(files, func(f file) bool { return a.replaces(f.path) }), added...)
	}
	return files, nil
}

// Limits of Copy.
const (
	maxCopiedBytes = 1 << 30
	maxCopiedFiles = 100_000
)

// Copy copies the current content of a folder that is no version to a tree in the cache. folder is absolute and no
// link. The tree's name depends on its content. Links are copied as links. Only files and links are copied.
func Copy(ctx context.Context, folder string, trees *cache.Cache) (*Tree, error) {
	s := store{cache: trees, objects: &objects{}}
	got, err := s.copy(ctx, "folder", func() ([]file, []string, error) {
		var size int64
		count := 0
		files, err := folderFiles(folder, func(f file) error {
			if info, err := os.Lstat(f.disk); err == nil {
				size += info.Size()
			}
			if count++; size > maxCopiedBytes || count > maxCopiedFiles {
				return fmt.Errorf("it holds more than %d files, or more than %d MB: name a smaller folder",
					maxCopiedFiles, maxCopiedBytes>>20)
			}
			return ctx.Err()
		})
		return files, nil, err
	})
	if err != nil {
		return nil, fmt.Errorf("copy %s: %w", folder, err)
	}
	return &Tree{Dir: got.dir, Name: filepath.Base(folder), cache: trees, kept: got.name}, nil
}

// folderFiles lists the files and links below a folder, sorted by path. It passes each to check and stops at the first
// error.
func folderFiles(root string, check func(file) error) ([]file, error) {
	var files []file
	err := filepath.WalkDir(root, func(disk string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case disk != root && isVersionControl(d.Name()):
			if d.IsDir() {
				return filepath.SkipDir
			}
			return nil
		case !d.Type().IsRegular() && d.Type()&fs.ModeSymlink == 0:
			return nil
		}
		f, err := diskFile(root, disk, d)
		files = append(files, f)
		if err == nil {
			err = check(f)
		}
		return err
	})
	return files, err
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
