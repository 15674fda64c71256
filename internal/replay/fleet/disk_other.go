//go:build !linux

package fleet

// diskShare returns how many bytes a worker may keep in a folder. The size of the disk is not known here.
func diskShare(string) int64 { return 4 * leastShare }
