package cache

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// CheckOwner returns an error if another user may have changed the content of a folder, as its owner, by permission to
// write, or as the owner of a link to it. The group of this process may write, because many systems give each user a
// group. With sticky, others may add files if they can't touch those of this user, as in folders for temporary files. A
// folder that does not exist is no error.
func CheckOwner(folder string, sticky bool) error {
	info, err := os.Lstat(folder)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil && info.Mode()&fs.ModeSymlink != 0 {
		if err := checkOwner("the link", info); err != nil {
			return err
		}
		info, err = os.Stat(folder)
	}
	if err != nil {
		return err
	}
	if !info.IsDir() {
		return errors.New("it is no folder")
	}
	if err := checkOwner("it", info); err != nil {
		return err
	}
	mode := info.Mode()
	if sticky && mode&fs.ModeSticky != 0 {
		return nil
	}
	if mode&0o002 != 0 || mode&0o020 != 0 && !ownGroup(info) {
		return fmt.Errorf("others can write there (mode %o)", mode.Perm())
	}
	return nil
}

// checkOwners checks the folder of the cache and its folders with entries.
func (c *Cache) checkOwners() error {
	folders := []string{c.folder, filepath.Join(c.folder, "use")}
	for _, kind := range Kinds() {
		folders = append(folders, filepath.Join(c.folder, string(kind)))
	}
	for _, folder := range folders {
		if err := CheckOwner(folder, false); err != nil {
			return fmt.Errorf("cache folder %s: %w; what others can change is not used: "+
				"name a folder of your own with %s, or give this one to yourself alone", folder, err, FolderVariable)
		}
	}
	return nil
}
