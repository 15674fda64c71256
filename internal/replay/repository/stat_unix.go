//go:build unix

package repository

import (
	"github.com/go-git/go-git/v5/plumbing/format/index"
	"golang.org/x/sys/unix"
)

// unchanged reports whether the kernel says of a file what it said when git wrote the entry of the index.
func unchanged(disk string, e *index.Entry) bool {
	var stat unix.Stat_t
	if err := unix.Lstat(disk, &stat); err != nil {
		return false
	}
	same := func(of unix.Timespec, sec int64, nsec int) bool { return int64(of.Sec) == sec && int(of.Nsec) == nsec }
	return uint32(stat.Size) == e.Size && uint32(stat.Ino) == e.Inode &&
		same(stat.Mtim, e.ModifiedAt.Unix(), e.ModifiedAt.Nanosecond()) &&
		same(stat.Ctim, e.CreatedAt.Unix(), e.CreatedAt.Nanosecond())
}
