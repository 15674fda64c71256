package repository

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"syscall"

	"github.com/spectradiff/spectradiff/internal/replay/cache"
)

type store struct {
	cache   *cache.Cache
	objects *objects
}

// stored is a tree in the cache: the folder <cache>/trees/<name>/tree with the files, and
// <cache>/trees/<name>/tree.seal with the seal and the warnings about the files. The folder is written under another
// name and renamed when it is complete.
type stored struct {
	name     string
	dir      string
	warnings []string
}

// find returns the complete tree of that name and holds it in the cache. It does not return a tree whose files have
// changed since.
func (s store) find(name string) (stored, bool) {
	tree := filepath.Join(s.cache.Hold(cache.Trees, name), "tree")
	warnings, ok := s.cache.Sealed(tree)
	return stored{name, tree, warnings}, ok
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
	warnings = append(append([]string(nil), warnings...), noted...)
	sort.Strings(warnings)
	if err := cache.Seal(tree, warnings...); err != nil {
		return stored{}, err
	}
	if err := ctx.Err(); err != nil {
		return stored{}, err
	}
	return s.publish(temp, name)
}

// publish renames a complete folder to its final name. If another run made the tree meanwhile, it returns that one. It
// removes a broken tree of that name first.
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
