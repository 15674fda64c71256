package sandbox

import "golang.org/x/sys/unix"

// forbiddenHere and attributesHere are system calls that only some architectures have.
var (
	forbiddenHere = []uint32{
		unix.SYS_SEMOP, unix.SYS_SEMTIMEDOP, unix.SYS_MEMFD_SECRET, unix.SYS_KEXEC_FILE_LOAD,
	}
	attributesHere []uint32
)
