package sandbox

import (
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
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

// copyTree copies what is in a folder, with modes and times. It follows no links, and leaves out what is neither a
// file, a folder nor a link.
func copyTree(from, to string) error {
	source, err := os.OpenRoot(from)
	if err != nil {
		return err
	}
	defer source.Close()
	target, err := os.OpenRoot(to)
	if err != nil {
		return err
	}
	defer target.Close()
	var dirs []string
	err = fs.WalkDir(source.FS(), ".", func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case entry.IsDir():
			dirs = append(dirs, path)
			if path == "." {
				return nil
			}
			return target.Mkdir(path, 0o755)
		case entry.Type()&fs.ModeSymlink != 0:
			at, err := source.Readlink(path)
			if err != nil {
				return err
			}
			return target.Symlink(at, path)
		case entry.Type().IsRegular():
			return copyFile(source, target, path)
		}
		return nil
	})
	for _, dir := range slices.Backward(dirs) { // what is written in a folder changes its time
		if err == nil {
			err = sameTime(source, target, dir)
		}
	}
	return err
}

func copyFile(source, target *os.Root, path string) error {
	in, err := source.Open(path)
	if err != nil {
		return err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return err
	}
	out, err := target.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, info.Mode().Perm()|0o200)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if closed := out.Close(); err == nil {
		err = closed
	}
	if err == nil {
		err = sameTime(source, target, path)
	}
	return err
}

// sameTime gives a copy the time of what it is a copy of.
func sameTime(source, target *os.Root, path string) error {
	info, err := source.Stat(path)
	if err != nil {
		return err
	}
	return target.Chtimes(path, info.ModTime(), info.ModTime())
}
