package cache

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
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

// measure writes an entry's size into its stamp, without changing the stamp's time. The caller must hold the lock.
// Entries that never change are measured once.
func (c *Cache) measure(k key, stamp *os.File) {
	if _, known := readSize(stamp.Name()); known && (k.kind == Trees || k.kind == Drivers) {
		return
	}
	size, err := sizeOf(c.path(k))
	if err != nil {
		return // it was never made, or is changing; the next process measures it
	}
	info, err := stamp.Stat()
	if err == nil {
		_, err = stamp.WriteAt(fmt.Appendf(nil, "%020d\n", size), 0) // of a fixed length, because two writers may meet
	}
	if err == nil {
		err = os.Chtimes(stamp.Name(), info.ModTime(), info.ModTime())
	}
	if err != nil {
		c.log("cache: note the size of %s: %v", c.path(k), err)
	}
}

// readSize returns the size in a stamp, and whether there is one.
func readSize(stamp string) (size int64, known bool) {
	text, err := os.ReadFile(stamp)
	if err != nil {
		return 0, false
	}
	size, err = strconv.ParseInt(strings.TrimSpace(string(text)), 10, 64)
	return size, err == nil && size >= 0
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
