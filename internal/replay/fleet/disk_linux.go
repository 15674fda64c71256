package fleet

import "golang.org/x/sys/unix"

// diskShare returns how many bytes a worker may keep in a folder: a tenth of its file system, which is memory often.
func diskShare(dir string) int64 {
	var of unix.Statfs_t
	if unix.Statfs(dir, &of) != nil {
		return leastShare
	}
	return max(int64(of.Blocks)*int64(of.Bsize)/10, leastShare)
}
