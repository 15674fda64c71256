package repository

import (
	"crypto/sha256"
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
func ReadFile(folder, name string) (text []byte, err error) {
	err = readGiven(folder, name, func(file *os.File, size int64) (err error) {
		if size > maxGiven {
			const text = "%s has %d bytes, more than the %d that are read"
			return fmt.Errorf(text, filepath.Join(folder, name), size, int64(maxGiven))
		}
		text, err = io.ReadAll(io.LimitReader(file, maxGiven))
		return err
	})
	return text, err
}

// HashFile returns the SHA-256 of a file that ReadFile would read, whatever its size.
func HashFile(folder, name string) (sum []byte, err error) {
	err = readGiven(folder, name, func(file *os.File, _ int64) error {
		h := sha256.New()
		_, err := io.Copy(h, file)
		sum = h.Sum(nil)
		return err
	})
	return sum, err
}

// readGiven calls a function with a regular file inside of a folder and its size.
func readGiven(folder, name string, read func(file *os.File, size int64) error) error {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return err
	}
	defer root.Close()
	info, err := root.Stat(name)
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s is no regular file: replace it by one", filepath.Join(folder, name))
	}
	file, err := root.Open(name)
	if err != nil {
		return err
	}
	defer file.Close()
	return read(file, info.Size())
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
