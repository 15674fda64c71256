package sandbox

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"

	"golang.org/x/sys/unix"
)

// copies is the folder below the scratch folder where the copies lie that a driver sees at other paths.
const copies = "copies"

// makeCopies copies folders into the scratch folder, which is in memory, and shows the copies at the folders' paths.
func makeCopies(where *place) error {
	for i, folder := range where.copied {
		target := filepath.Join(staging+inside, copies, strconv.Itoa(i))
		if err := os.MkdirAll(target, 0o755); err != nil {
			return err
		}
		if err := copyTree(folder, target); err != nil {
			return fmt.Errorf("copy %s: %w", folder, err)
		}
		if where.givenAway {
			if err := giveAway(target); err != nil {
				return err
			}
		}
		err := bind(target, folder, unix.MOUNT_ATTR_NOSUID|unix.MOUNT_ATTR_NODEV|unix.MOUNT_ATTR_NOEXEC)
		if err != nil {
			return err
		}
	}
	return nil
}

// copyTree copies what is in a folder, with times. It follows no links.
func copyTree(from, to string) error {
	source := os.DirFS(from)
	if err := os.CopyFS(to, source); err != nil {
		return err
	}
	return fs.WalkDir(source, ".", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.Type()&fs.ModeSymlink != 0 {
			return err
		}
		info, err := entry.Info()
		if err != nil {
			return err
		}
		return os.Chtimes(filepath.Join(to, path), info.ModTime(), info.ModTime())
	})
}
