package fleet

import (
	"errors"
	"io/fs"
	"path/filepath"
	"syscall"
)

// leastShare is what a worker may keep at least, in bytes, and what it may where the size of the disk is not known.
const leastShare = 256 << 20

// full reports whether an error says that there is no room on a disk.
func full(err error) bool { return errors.Is(err, syscall.ENOSPC) || errors.Is(err, syscall.EDQUOT) }

// size returns how many bytes the files of a folder have, as far as they can be seen.
func size(dir string) (n int64) {
	_ = filepath.WalkDir(dir, func(_ string, entry fs.DirEntry, err error) error {
		if err != nil || !entry.Type().IsRegular() {
			return nil
		}
		if info, err := entry.Info(); err == nil {
			n += info.Size()
		}
		return nil
	})
	return n
}
