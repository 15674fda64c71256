package repository

// This file keeps trees in the cache folder:
//
//	<cache>/trees/<name>/tree/…         the files
//	<cache>/trees/<name>/manifest.json  the stamp of all files, and warnings
//
// A folder is written under another name and renamed when it is complete. This run then holds it in the
// cache.

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"sort"
	"syscall"

	"github.com/spectradiff/spectradiff/replay/cache"
)

type store struct {
	cache   *cache.Cache
	objects *objects
}

// stored is a tree in the cache.
type stored struct {
	name     string
	dir      string
	warnings []string
}

type manifest struct {
	Stamp    string   `json:"stamp"`
	Warnings []string `json:"warnings,omitempty"`
}

// find returns the complete tree of that name, and holds it in the cache. It does not find a tree whose files
// were changed after they were written.
func (s store) find(name string) (stored, bool) {
	dir := s.cache.Hold(cache.Trees, name)
	data, err := os.ReadFile(filepath.Join(dir, "manifest.json"))
	if err != nil {
		return stored{}, false
	}
	var m manifest
	if json.Unmarshal(data, &m) != nil {
		return stored{}, false
	}
	tree := filepath.Join(dir, "tree")
	if stamp, err := treeStamp(tree); err != nil || stamp != m.Stamp {
		return stored{}, false
	}
	return stored{name, tree, m.Warnings}, true
}

// treeStamp returns a hash of the paths, modes, sizes and times of all files. It reads no file, and an edit
// changes it.
func treeStamp(tree string) (string, error) {
	all := sha256.New()
	err := filepath.WalkDir(tree, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		rel, err := filepath.Rel(tree, path)
		fmt.Fprintf(all, "%q %o %d %d\n", rel, info.Mode(), info.Size(), info.ModTime().UnixNano())
		return err
	})
	return hex.EncodeToString(all.Sum(nil)), err
}

// write puts files into the cache under name.
func (s store) write(ctx context.Context, name string, files []file, warnings []string) (stored, error) {
	temp, done, err := s.cache.Temporary(cache.Trees)
	if err != nil {
		return stored{}, err
	}
	defer done()
	tree := filepath.Join(temp, "tree")
	noted, err := s.writeFiles(ctx, tree, files)
	if err != nil {
		return stored{}, err
	}
	stamp, err := treeStamp(tree)
	if err != nil {
		return stored{}, err
	}
	m := manifest{Stamp: stamp, Warnings: append(append([]string(nil), warnings...), noted...)}
	sort.Strings(m.Warnings)
	data, err := json.Marshal(m)
	if err != nil {
		return stored{}, err
	}
	if err := os.WriteFile(filepath.Join(temp, "manifest.json"), data, 0o644); err != nil {
		return stored{}, err
	}
	if err := ctx.Err(); err != nil {
		return stored{}, err
	}
	return s.publish(temp, name)
}

// publish renames a complete folder to its final name. If another run has made the tree meanwhile, that one
// is returned; a broken tree of that name is removed first.
func (s store) publish(temp, name string) (stored, error) {
	final := s.cache.Hold(cache.Trees, name)
	for range maxAttempts {
		err := os.Rename(temp, final)
		if err != nil && !errors.Is(err, syscall.ENOTEMPTY) && !errors.Is(err, syscall.EEXIST) {
			return stored{}, err
		}
		if got, ok := s.find(name); ok {
			return got, nil
		}
		aside := temp + "-broken"
		if err := os.Rename(final, aside); err != nil && !errors.Is(err, os.ErrNotExist) {
			return stored{}, err
		}
		if err := os.RemoveAll(aside); err != nil {
			return stored{}, err
		}
	}
	return stored{}, fmt.Errorf("%s is changed by something else; remove it", final)
}
