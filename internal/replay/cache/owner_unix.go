//go:build unix

package cache

import (
	"fmt"
	"hash"
	"io/fs"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// ownGroup reports whether a file belongs to the group of this process.
func ownGroup(info fs.FileInfo) bool {
	stat, ok := info.Sys().(*syscall.Stat_t)
	return ok && int(stat.Gid) == os.Getegid()
}

func checkOwner(what string, info fs.FileInfo) error {
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok || int(stat.Uid) == os.Geteuid() || stat.Uid == 0 {
		return nil
	}
	return fmt.Errorf("%s belongs to user %d, and this is run by user %d", what, stat.Uid, os.Geteuid())
}

// writeStat writes what the kernel says of a file.
func writeStat(all hash.Hash, name string) error {
	var stat unix.Stat_t
	if err := unix.Lstat(name, &stat); err != nil {
		return err
	}
	if stat.Mode&unix.S_IFMT == unix.S_IFDIR {
		stat = unix.Stat_t{Mode: stat.Mode} // size and times follow from the entries of the folder
	}
	fmt.Fprintln(all, stat.Mode, stat.Ino, stat.Size, stat.Mtim, stat.Ctim)
	return nil
}
