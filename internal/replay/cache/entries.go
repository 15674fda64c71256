package cache

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// An Entry is a file or folder that is used and removed as a whole.
type Entry struct {
	Kind  Kind
	Name  string
	Size  int64
	Used  time.Time // last use, to within an hour
	InUse bool      // a running process holds it; only Contents sets it
}

func (e Entry) key() key { return key{e.Kind, e.Name} }

// Contents are the contents of a cache.
type Contents struct {
	Folder  string
	Limit   int64         // 0: none
	Age     time.Duration // 0: none
	Entries []Entry       // by kind, in the order of Kinds, then by name
}

// Contents lists the entries.
func (c *Cache) Contents() (Contents, error) {
	entries, err := c.entries()
	if err != nil {
		return Contents{}, err
	}
	for i, e := range entries {
		stamp, err := os.Open(c.stamp(e.key()))
		if err != nil {
			continue // no process ever held an entry of this kind
		}
		entries[i].InUse = inUse(lock(stamp, exclusive))
		stamp.Close()
	}
	return Contents{c.folder, c.limit, c.age, entries}, nil
}

// Total returns the size of all entries.
func Total(entries []Entry) int64 {
	total := int64(0)
	for _, e := range entries {
		total += e.Size
	}
	return total
}

// entries lists the entries as their stamps describe them. The time of use of an entry without a stamp is the last
// change of its folder.
func (c *Cache) entries() ([]Entry, error) {
	var all []Entry
	for _, kind := range Kinds() {
		names, err := folderNames(filepath.Join(c.folder, string(kind)))
		if err != nil {
			return nil, fmt.Errorf("list the cache: %w", err)
		}
		for _, name := range names {
			if strings.HasPrefix(name, temporary) {
				continue
			}
			e := Entry{Kind: kind, Name: name}
			info, err := os.Stat(c.stamp(e.key()))
			if err != nil {
				info, err = os.Lstat(c.path(e.key()))
			}
			if err != nil {
				continue // another process has just removed it
			}
			e.Used = info.ModTime()
			if size, known, _ := readSize(c.stamp(e.key())); known {
				e.Size = size
			} else if e.Size, err = sizeOf(c.path(e.key())); err != nil {
				continue
			}
			all = append(all, e)
		}
	}
	return all, nil
}

// folderNames returns the sorted names in a folder. A folder that does not exist has none.
func folderNames(folder string) ([]string, error) {
	entries, err := os.ReadDir(folder)
	if errors.Is(err, os.ErrNotExist) {
		return nil, nil
	}
	var names []string
	for _, entry := range entries {
		names = append(names, entry.Name())
	}
	slices.Sort(names)
	return names, err
}
