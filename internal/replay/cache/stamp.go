package cache

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"
)

// useInterval is the precision of times of use: a younger stamp is not written again.
const useInterval = time.Hour

// touch sets the time of use of an entry to now.
func touch(stamp *os.File) error {
	info, err := stamp.Stat()
	if err != nil {
		return err
	}
	now := time.Now()
	if since := now.Sub(info.ModTime()); since >= 0 && since < useInterval {
		return nil
	}
	return os.Chtimes(stamp.Name(), now, now)
}

// What follows the size in a stamp: whether the entry was whole when it was measured.
const (
	wholeEnd = "\n"
	partEnd  = "+"
)

// measure writes an entry's size into its stamp, without changing the stamp's time. The caller must hold the lock.
// Entries that will not change are measured once.
func (c *Cache) measure(k key, stamp *os.File) {
	if _, _, whole := readSize(stamp.Name()); whole {
		return
	}
	end := partEnd
	if c.whole(k) {
		end = wholeEnd
	}
	size, err := sizeOf(c.path(k))
	if err != nil {
		return // it was never made, or is changing; the next process measures it
	}
	info, err := stamp.Stat()
	if err == nil {
		_, err = stamp.WriteAt(fmt.Appendf(nil, "%020d%s", size, end), 0) // of one length: two writers may meet
	}
	if err == nil {
		err = os.Chtimes(stamp.Name(), info.ModTime(), info.ModTime())
	}
	if err != nil {
		c.log("cache: note the size of %s: %v", c.path(k), err)
	}
}

// whole reports whether an entry will not change any more: a tree gets its name when it is complete, and a driver,
// whose sources lie there before, its seal.
func (c *Cache) whole(k key) bool {
	switch k.kind {
	case Trees:
		return true
	case Drivers:
		parts, _ := os.ReadDir(c.path(k))
		return slices.ContainsFunc(parts, func(e fs.DirEntry) bool { return strings.HasSuffix(e.Name(), sealSuffix) })
	}
	return false
}

// readSize returns the size in a stamp, whether there is one, and whether it is that of a whole entry.
func readSize(stamp string) (size int64, known, whole bool) {
	text, err := os.ReadFile(stamp)
	if err != nil {
		return 0, false, false
	}
	digits, part := strings.CutSuffix(string(text), partEnd)
	size, err = strconv.ParseInt(strings.TrimSpace(digits), 10, 64)
	known = err == nil && size >= 0
	return size, known, known && !part
}

// sizeOf returns the bytes that a file or folder takes on disk, in blocks of 4 KB.
func sizeOf(path string) (int64, error) {
	const block = 4096
	total := int64(0)
	err := filepath.WalkDir(path, func(_ string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := d.Info()
		if err != nil {
			return err
		}
		if d.IsDir() {
			total += block
		} else {
			total += (info.Size() + block - 1) / block * block
		}
		return nil
	})
	return total, err
}
