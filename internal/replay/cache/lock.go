package cache

import (
	"errors"
	"os"
	"path/filepath"
)

// lockFile opens a file, creating it if need be, and locks it. If the file was removed or replaced while this process
// waited, the lock protects nothing, so the new file of that name is locked instead.
func lockFile(name string, how int) (*os.File, error) {
	for repaired := false; ; {
		f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o666)
		switch {
		case errors.Is(err, os.ErrNotExist):
			if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
				return nil, err
			}
			continue
		case err != nil && !repaired && damaged(name):
			if err := os.RemoveAll(name); err != nil {
				return nil, err
			}
			repaired = true
			continue
		case err != nil:
			return nil, err
		}
		if err := lock(f, how); err != nil {
			f.Close()
			return nil, err
		}
		mine, err := f.Stat()
		if err != nil {
			f.Close()
			return nil, err
		}
		if now, err := os.Stat(name); err == nil && os.SameFile(mine, now) {
			return f, nil
		}
		f.Close()
	}
}

// damaged reports whether the name belongs to something that this program never locks.
func damaged(name string) bool {
	info, err := os.Lstat(name)
	return err == nil && !info.Mode().IsRegular()
}
