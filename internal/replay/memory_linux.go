package replay

import (
	"os"

	"golang.org/x/sys/unix"
)

// fixedMemory makes memory of a fixed size for the driver and the tool to share. The size is sealed: if the target
// shrank it, the driver would crash at its next event.
func fixedMemory(size int64) (*os.File, error) {
	f, err := memory("events")
	if err != nil {
		return nil, err
	}
	if err = f.Truncate(size); err == nil {
		_, err = unix.FcntlInt(f.Fd(), unix.F_ADD_SEALS, unix.F_SEAL_SHRINK|unix.F_SEAL_GROW)
	}
	if err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// appendedMemory makes memory that is opened for appending. Standard output is so when several processes write to it as
// a file.
func appendedMemory(name string) (*os.File, error) {
	f, err := memory(name)
	if err != nil {
		return nil, err
	}
	if _, err := unix.FcntlInt(f.Fd(), unix.F_SETFL, unix.O_APPEND); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

func memory(name string) (*os.File, error) {
	fd, err := unix.MemfdCreate(name, unix.MFD_CLOEXEC|unix.MFD_ALLOW_SEALING)
	if err != nil {
		return nil, err
	}
	return os.NewFile(uintptr(fd), name), nil
}
