package predicate

import (
	"context"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/spectradiff/spectradiff/internal/replay/repository"
	"github.com/spectradiff/spectradiff/internal/replay/sandbox"
)

// root returns the folder of copies.
func (c *Command) root() string { return filepath.Join(c.Temp, "copy") }

// copy makes a copy of a tree with other files in the place of some, and empties the folder of temporary files. It
// returns the folder in which the command runs; "" = the copy has none.
func (c *Command) copy(ctx context.Context, tree *repository.Tree, files []File) (folder string, err error) {
	if err := c.clear(); err != nil {
		return "", err
	}
	if err := tree.CopyTo(ctx, c.root()); err != nil {
		return "", err
	}
	root, err := os.OpenRoot(c.root()) // links of the version lead nowhere else
	if err != nil {
		return "", fmt.Errorf("copy a version: %w", err)
	}
	defer root.Close()
	for _, f := range files {
		if err := write(root, f); err != nil {
			return "", fmt.Errorf("write %s: %w", f.Name, err)
		}
	}
	if info, err := root.Stat(filepath.FromSlash(c.Sub)); err != nil || !info.IsDir() {
		return "", nil
	}
	return filepath.Join(c.root(), filepath.FromSlash(c.Sub)), nil
}

// clear removes what the run before left, but for what it built.
func (c *Command) clear() error {
	const cache = "cache"
	private := filepath.Join(c.Temp, "private")
	if err := os.MkdirAll(filepath.Join(private, cache), 0o700); err != nil {
		return fmt.Errorf("folder for a command: %w", err)
	}
	left, err := os.ReadDir(private)
	if err != nil {
		return fmt.Errorf("folder for a command: %w", err)
	}
	all := []string{c.root()}
	for _, entry := range left {
		if entry.Name() != cache {
			all = append(all, filepath.Join(private, entry.Name()))
		}
	}
	for _, name := range all {
		if err := sandbox.Remove(name); err != nil {
			return fmt.Errorf("remove what a command left: %w", err)
		}
	}
	return nil
}

// write writes a file in the place of another one.
func write(root *os.Root, f File) error {
	name := filepath.FromSlash(f.Name)
	for dir := filepath.Dir(name); dir != "."; dir = filepath.Dir(dir) { // what was a file may be a folder now
		info, err := root.Lstat(dir)
		if err != nil || info.IsDir() {
			continue
		}
		if f.Text == nil {
			return nil
		}
		if err := root.Remove(dir); err != nil {
			return err
		}
	}
	if err := root.RemoveAll(name); err != nil || f.Text == nil {
		return err
	}
	if err := root.MkdirAll(filepath.FromSlash(path.Dir(f.Name)), 0o755); err != nil {
		return err
	}
	if f.Mode&fs.ModeSymlink != 0 {
		return root.Symlink(string(f.Text), name)
	}
	return root.WriteFile(name, f.Text, f.Mode.Perm())
}
