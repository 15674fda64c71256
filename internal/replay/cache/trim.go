package cache

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"
)

const (
	trimInterval = time.Hour       // between two trims, unless the limit is exceeded
	trimTime     = 2 * time.Second // maximum time of one run; the next run continues
	sweepAge     = 24 * time.Hour  // age at which temporary names are removed
	clearAge     = time.Minute     // age at which Clear removes them: by then a writer has locked its folder
)

// trim removes entries that are too old, then the least recently used ones until the rest fits.
func (c *Cache) trim(now time.Time) error {
	gate := filepath.Join(c.folder, "use", "trimmed")
	due := isDue(gate, now)
	entries, err := c.entries()
	if err != nil || c.fits(Total(entries)) && !due {
		return err
	}
	// Another run may be trimming, and may have kept the entries that this one held until now.
	running, err := lockFile(gate, alone)
	if err != nil {
		return err
	}
	defer running.Close()
	if entries, err = c.entries(); err != nil {
		return err
	}
	failures := []error{c.removeExcess(entries, now)}
	if due {
		failures = append(failures, c.sweep(now.Add(-sweepAge)))
	}
	return errors.Join(append(failures, os.Chtimes(gate, now, now))...)
}

func (c *Cache) fits(total int64) bool { return c.limit == 0 || total <= c.limit }

// removeExcess removes entries within the time limit of a run.
func (c *Cache) removeExcess(entries []Entry, now time.Time) error {
	slices.SortStableFunc(entries, func(e, f Entry) int { return e.Used.Compare(f.Used) })
	total := Total(entries)
	var removed []Entry
	var failures []error
	end := time.Now().Add(trimTime)
	for _, e := range entries {
		old := c.age > 0 && now.Sub(e.Used) > c.age
		if !old && c.fits(total) || time.Now().After(end) {
			break
		}
		gone, err := c.remove(e)
		if gone {
			total -= e.Size
			removed = append(removed, e)
		}
		failures = append(failures, err)
	}
	if len(removed) > 0 {
		c.log("cache: removed %d entries, %s", len(removed), SizeText(Total(removed)))
	}
	return errors.Join(failures...)
}

// isDue reports whether the last trim is long ago. A time in the future counts as long ago.
func isDue(gate string, now time.Time) bool {
	info, err := os.Stat(gate)
	if err != nil {
		return true
	}
	since := now.Sub(info.ModTime())
	return since >= trimInterval || since < 0
}

// remove removes an entry, unless a process holds it.
func (c *Cache) remove(e Entry) (gone bool, err error) {
	stamp, err := lockFile(c.stamp(e.key()), exclusive)
	if inUse(err) {
		return false, nil
	}
	if err != nil {
		return false, err
	}
	defer stamp.Close()
	// A run that wants the entry waits until the stamp is closed. So only rename the entry here.
	trash, err := os.MkdirTemp(filepath.Join(c.folder, string(e.Kind)), temporary)
	if err != nil {
		return false, fmt.Errorf("remove %s: %w", c.path(e.key()), err)
	}
	err = os.Rename(c.path(e.key()), filepath.Join(trash, e.Name))
	if err != nil && !errors.Is(err, os.ErrNotExist) { // another process may have removed it
		return false, errors.Join(fmt.Errorf("remove %s: %w", c.path(e.key()), err), os.Remove(trash))
	}
	_ = os.Remove(stamp.Name())
	stamp.Close()
	return true, os.RemoveAll(trash)
}

// sweep removes leftovers of ended processes from before a moment: temporary names, and stamps of entries that no
// longer exist.
func (c *Cache) sweep(before time.Time) error {
	// Earlier releases kept the sources of all drivers in one folder.
	failures := []error{os.RemoveAll(filepath.Join(c.folder, "overlay"))}
	for _, kind := range Kinds() {
		folder := filepath.Join(c.folder, string(kind))
		left, err := fs.Glob(os.DirFS(folder), temporary+"*")
		failures = append(failures, err)
		for _, name := range left {
			name = filepath.Join(folder, name)
			failures = append(failures, removeLeft(name, name, before))
		}
		stamps, err := folderNames(filepath.Join(c.folder, "use", string(kind)))
		failures = append(failures, err)
		for _, name := range stamps {
			k := key{kind, name}
			failures = append(failures, c.sweepParts(k, before))
			if _, err := os.Lstat(c.path(k)); errors.Is(err, os.ErrNotExist) {
				failures = append(failures, removeLeft(c.stamp(k), c.stamp(k), before))
			}
		}
	}
	return errors.Join(failures...)
}

// sweepParts removes files that were being written inside of an entry.
func (c *Cache) sweepParts(k key, before time.Time) error {
	patterns := []string{partPrefix + "*"}
	if k.kind != Trees { // deeper files in a tree belong to the version
		patterns = append(patterns, "*/"+partPrefix+"*")
	}
	var failures []error
	for _, pattern := range patterns {
		left, err := fs.Glob(os.DirFS(c.path(k)), pattern)
		failures = append(failures, err)
		for _, name := range left {
			failures = append(failures, removeLeft(filepath.Join(c.path(k), name), c.stamp(k), before))
		}
	}
	return errors.Join(failures...)
}

// removeLeft removes a file or folder that is older than a moment and not locked.
func removeLeft(name, locked string, before time.Time) error {
	info, err := os.Lstat(name)
	if err != nil || info.ModTime().After(before) {
		return nil
	}
	f, err := os.Open(locked)
	if err != nil {
		return nil
	}
	defer f.Close()
	if lock(f, exclusive) != nil {
		return nil
	}
	return os.RemoveAll(name)
}

// Clear removes all entries that no process holds, and the leftovers of ended processes. It returns the removed entries
// and the held ones.
func (c *Cache) Clear() (gone, left []Entry, err error) {
	entries, err := c.entries()
	if err != nil {
		return nil, nil, err
	}
	var failures []error
	for _, e := range entries {
		removed, err := c.remove(e)
		failures = append(failures, err)
		switch {
		case removed:
			gone = append(gone, e)
		case err == nil:
			left = append(left, e)
		}
	}
	failures = append(failures, c.sweep(time.Now().Add(-clearAge)))
	return gone, left, errors.Join(failures...)
}
