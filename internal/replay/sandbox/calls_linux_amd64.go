package sandbox

import "golang.org/x/sys/unix"

// forbiddenHere and attributesHere are system calls that only some architectures have.
var (
	forbiddenHere = []uint32{
		unix.SYS_SEMOP, unix.SYS_SEMTIMEDOP, unix.SYS_MEMFD_SECRET, unix.SYS_KEXEC_FILE_LOAD,
		unix.SYS_IOPL, unix.SYS_IOPERM,
	}
	attributesHere = []uint32{
		unix.SYS_CHMOD, unix.SYS_CHOWN, unix.SYS_LCHOWN, unix.SYS_UTIME, unix.SYS_UTIMES, unix.SYS_FUTIMESAT,
		unix.SYS_INOTIFY_INIT,
	}
)
