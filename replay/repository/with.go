package repository

// This file copies a tree of the cache.

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// With returns the folder of a copy of the tree that has one more file; name is slash-separated. The copy is
// a tree of the cache like any other: it is complete or absent, and found again for the same name and text.
// The tree itself is not changed.
func (t *Tree) With(name string, text []byte) (dir string, err error) {
	key := sha256.Sum256(fmt.Appendf(nil, "%q %s", name, text))
	s := store{cache: t.cache, objects: &objects{}}
	copied := t.kept + "-" + hex.EncodeToString(key[:6])
	if got, ok := s.find(copied); ok {
		return got.dir, nil
	}
	files := []file{{path: name, mode: modeFile, text: text}}
	err = filepath.WalkDir(t.Dir, func(disk string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		f, err := diskFile(t.Dir, disk, d)
		files = append(files, f)
		return err
	})
	if err != nil {
		return "", err
	}
	got, err := s.write(context.Background(), copied, files, nil)
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
