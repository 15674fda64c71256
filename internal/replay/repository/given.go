package repository

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
)

// maxGiven is the maximum size of a file that ReadFile reads.
const maxGiven = 8 << 20

// ReadFile returns the content of a file below a folder of a version or of a working tree. It reads regular files only,
// and follows no link out of the folder: a device never ends, a named pipe waits, and other files of the user are
// private. name is relative to the folder.
func ReadFile(folder, name string) ([]byte, error) {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	full := filepath.Join(folder, name)
	info, err := root.Stat(name)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("%s is no regular file: replace it by one", full)
	case info.Size() > maxGiven:
		return nil, fmt.Errorf("%s has %d bytes, more than the %d that are read", full, info.Size(), int64(maxGiven))
	}
	file, err := root.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	return io.ReadAll(io.LimitReader(file, maxGiven))
}

// FindFile looks for a file that a repository may have, such as ".spectradiff/opaque", below dir and the folders above,
// up to the repository's root. It returns the folder, and what the file is called as seen from where the tool runs; ""
// = there is none.
func FindFile(dir, file string) (folder, shown string, err error) {
	if dir == "" {
		dir = "."
	}
	full, err := filepath.Abs(dir)
	if err != nil {
		return "", "", fmt.Errorf("find %s: %w", file, err)
	}
	for at := full; ; at = filepath.Dir(at) {
		name := filepath.Join(at, filepath.FromSlash(file))
		if _, err := os.Lstat(name); err == nil {
			if rel, err := filepath.Rel(full, name); err == nil {
				name = rel
			}
			return at, filepath.Join(dir, name), nil
		} else if !errors.Is(err, fs.ErrNotExist) {
			return "", "", fmt.Errorf("find %s: %w", file, err)
		}
		if _, err := os.Stat(filepath.Join(at, ".git")); err == nil || at == filepath.Dir(at) {
			return "", "", nil
		}
	}
}
