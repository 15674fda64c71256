package replay

import (
	"os"

	"golang.org/x/sys/unix"
)

// fixedMemory makes memory of the given size. It keeps that size: if the target made it smaller, the driver would
// crash at its next event.
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

// appendedMemory makes memory that is opened for appending, as standard output is when it is a file that
// several processes write to.
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
