package footprint

import (
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
	"github.com/spectradiff/spectradiff/internal/spectra/source"
)

// A Content is the files of a version.
type Content struct {
	root   string
	code   []string // Go files, relative to root, with slashes, sorted; those that belong to all packages are not in it
	shared []string // likewise all others
	sums   map[string][sha256.Size]byte
	beside string // a hash of what is shared, "" = it was not read yet
}

// ContentOf lists the files below the root of a version. None is read yet.
func ContentOf(root string) (*Content, error) {
	c := &Content{root: root, sums: map[string][sha256.Size]byte{}}
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil || d.IsDir():
		case shared(name):
			c.shared = append(c.shared, name)
		default:
			c.code = append(c.code, name)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list files: %w", err)
	}
	return c, nil
}

// Key returns a text that stands for all that decides what the tests of a package run: the Go files in folders, which
// are relative to the root, with slashes, what is shared, and the settings.
func (c *Content) Key(folders []string, settings ...string) (key string, err error) {
	if c.beside == "" {
		if c.beside, err = c.hash(c.shared); err != nil {
			return "", err
		}
	}
	needed := map[string]bool{}
	for _, folder := range folders {
		needed[folder] = true
	}
	code, err := c.hash(slices.DeleteFunc(slices.Clone(c.code), func(name string) bool {
		return !needed[path.Dir(name)]
	}))
	if err != nil {
		return "", err
	}
	sum := sha256.Sum256(fmt.Appendf(nil, "%q %s %s", settings, c.beside, code))
	return hex.EncodeToString(sum[:16]), nil
}

// shared reports whether a file may decide what the tests of any package run: tests read files that are not Go wherever
// they lie, and Go files in folders of these names are vendored code, or what tests are given.
func shared(name string) bool {
	if path.Ext(name) != ".go" {
		return true
	}
	for part := range strings.SplitSeq(path.Dir(name), "/") {
		if part == "testdata" || part == "vendor" {
			return true
		}
	}
	return false
}

// hash returns a hash of files, by names and content.
func (c *Content) hash(names []string) (string, error) {
	h := sha256.New()
	for _, name := range names {
		sum, err := c.sum(name)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(h, "%q %x\n", name, sum)
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}

// sum returns a hash of the mode and the content of a file, and of the file that a link leads to: who reads the link
// reads that.
func (c *Content) sum(name string) (sum [sha256.Size]byte, err error) {
	if sum, known := c.sums[name]; known {
		return sum, nil
	}
	h, file := sha256.New(), filepath.FromSlash(name)
	err = cache.WriteContent(h, filepath.Join(c.root, file))
	if _, no := os.Readlink(filepath.Join(c.root, file)); err == nil && no == nil {
		if led := source.Linked(c.root, file); led != "" {
			err = cache.WriteContent(h, filepath.Join(c.root, led))
		}
	}
	if err != nil {
		return sum, fmt.Errorf("hash files: %w", err)
	}
	h.Sum(sum[:0])
	c.sums[name] = sum
	return sum, nil
}
