package faults

import "golang.org/x/sys/unix"

// mountSmall mounts a file system of one megabyte, which takes root.
func mountSmall(folder string) error {
	return unix.Mount("tmpfs", folder, "tmpfs", 0, "size=1m,mode=0700")
}

// unmount unmounts as often as it was mounted.
func (s *scene) unmount() {
	for unix.Unmount(s.small(), unix.MNT_DETACH) == nil {
	}
}
