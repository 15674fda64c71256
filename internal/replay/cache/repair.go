package cache

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// SealModuleFiles seals the held module files after a run that ended well. Go commands of several runs complete these
// files in place, so a file without a seal may be incomplete and is removed before the next use.
func (c *Cache) SealModuleFiles() {
	c.mu.Lock()
	defer c.mu.Unlock()
	for k := range c.held {
		for _, folder := range c.completed(k) {
			if _, ok := sealed(folder); ok {
				continue
			}
			if err := Seal(folder); err != nil {
				c.log("cache: %v", err)
			}
		}
	}
}

// completed lists the folders of an entry that the go command completes in place.
func (c *Cache) completed(k key) []string {
	if k.kind != ModuleFiles {
		return nil
	}
	var folders []string
	entries, _ := os.ReadDir(c.path(k)) // none if it was never made
	for _, entry := range entries {
		if entry.IsDir() {
			folders = append(folders, filepath.Join(c.path(k), entry.Name()))
		}
	}
	return folders
}

// sound reports whether an entry is usable. Trees and drivers are renamed when complete and their users check the seal,
// so only module files are checked here.
func (c *Cache) sound(k key) bool {
	info, err := os.Lstat(c.path(k))
	if errors.Is(err, fs.ErrNotExist) {
		return true
	}
	if err != nil || !info.IsDir() {
		return false
	}
	for _, folder := range c.completed(k) {
		if _, ok := sealed(folder); !ok {
			return false
		}
	}
	return true
}

// repair removes an unsound entry, unless another process holds it and so is making it. For that it gives up the lock
// on the stamp. It returns a new lock, or nil if it can't get one.
func (c *Cache) repair(k key, stamp *os.File) *os.File {
	stamp.Close()
	if mine, err := lockFile(c.stamp(k), exclusive); err == nil {
		if !c.sound(k) {
			c.log("cache: %s is damaged or not complete, and is made again", c.path(k))
			if err := os.RemoveAll(c.path(k)); err != nil {
				c.log("cache: %v", err)
			}
		}
		mine.Close()
	}
	stamp, err := lockFile(c.stamp(k), shared)
	if err != nil {
		c.log("cache: %s is used without a lock: %v", c.path(k), err)
		return nil
	}
	return stamp
}
