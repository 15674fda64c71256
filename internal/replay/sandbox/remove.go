package sandbox

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// Remove removes a folder of confined programs, also if they took away the permissions of folders in it.
func Remove(folder string) error {
	err := os.RemoveAll(folder)
	if !errors.Is(err, fs.ErrPermission) {
		return err
	}
	_ = filepath.WalkDir(folder, func(name string, d fs.DirEntry, err error) error {
		if d != nil && d.IsDir() {
			_ = os.Chmod(name, 0o700)
		}
		return nil
	})
	return os.RemoveAll(folder)
}
