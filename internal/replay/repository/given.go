package repository

import (
	"fmt"
	"io"
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
