#include "textflag.h"

// func clone(flags uintptr) (pid, errno uintptr)
TEXT ·clone(SB), NOSPLIT|NOFRAME, $0-24
	MOVQ flags+0(FP), DI
	XORL SI, SI
	XORL DX, DX
	XORL R10, R10
	XORL R8, R8
	MOVL $56, AX
	POPQ R12 // the return address, which the system call leaves alone
	SYSCALL
	PUSHQ R12
	CMPQ AX, $-4095
	JCC  failed
	MOVQ AX, pid+8(FP)
	MOVQ $0, errno+16(FP)
	RET

failed:
	MOVQ $0, pid+8(FP)
	NEGQ AX
	MOVQ AX, errno+16(FP)
	RET
