package footprint

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spectradiff/spectradiff/internal/replay/cache"
)

// A Content is the files of a version.
type Content struct {
	root  string
	names []string // relative to root, with slashes, sorted
	sums  map[string][sha256.Size]byte
}

// ContentOf lists the files below the root of a version. None is read yet.
func ContentOf(root string) (*Content, error) {
	c := &Content{root: root, sums: map[string][sha256.Size]byte{}}
	err := fs.WalkDir(os.DirFS(root), ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			c.names = append(c.names, name)
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("list files: %w", err)
	}
	return c, nil
}

// Key returns a text that stands for all that decides what the tests of a package run: the content of folders, which
// are relative to the root, with slashes, and the settings.
func (c *Content) Key(folders []string, settings ...string) (string, error) {
	h := sha256.New()
	fmt.Fprintf(h, "%q\n", settings)
	for _, name := range c.names {
		if !counts(name, folders) {
			continue
		}
		sum, err := c.sum(name)
		if err != nil {
			return "", err
		}
		fmt.Fprintf(h, "%q %x\n", name, sum)
	}
	return hex.EncodeToString(h.Sum(nil)[:16]), nil
}

// counts reports whether a file may decide what tests run: Go files in the folders, other files anywhere below, and
// what belongs to all packages.
func counts(name string, folders []string) bool {
	dir, base := ".", name
	if i := strings.LastIndexByte(name, '/'); i >= 0 {
		dir, base = name[:i], name[i+1:]
	}
	if shared(dir, base) {
		return true
	}
	for _, folder := range folders {
		below := folder == "." || dir == folder || strings.HasPrefix(dir, folder+"/")
		if below && (dir == folder || !strings.HasSuffix(base, ".go")) {
			return true
		}
	}
	return false
}

// shared reports whether a file counts for the tests of all packages.
func shared(dir, base string) bool {
	switch base {
	case "go.mod", "go.sum", "go.work", "go.work.sum":
		return true
	}
	for part := range strings.SplitSeq(dir, "/") {
		if part == "testdata" || part == "vendor" {
			return true
		}
	}
	return false
}

// sum returns a hash of the mode and the content of a file.
func (c *Content) sum(name string) (sum [sha256.Size]byte, err error) {
	if sum, known := c.sums[name]; known {
		return sum, nil
	}
	h := sha256.New()
	if err := cache.WriteContent(h, filepath.Join(c.root, filepath.FromSlash(name))); err != nil {
		return sum, fmt.Errorf("hash files: %w", err)
	}
	h.Sum(sum[:0])
	c.sums[name] = sum
	return sum, nil
}
