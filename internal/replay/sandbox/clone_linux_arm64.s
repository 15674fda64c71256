#include "textflag.h"

// func clone(flags uintptr) (pid, errno uintptr)
TEXT ·clone(SB), NOSPLIT|NOFRAME, $0-24
	MOVD flags+0(FP), R0
	MOVD ZR, R1
	MOVD ZR, R2
	MOVD ZR, R3
	MOVD ZR, R4
	MOVD $220, R8
	SVC
	CMN  $4095, R0
	BCS  failed
	MOVD R0, pid+8(FP)
	MOVD ZR, errno+16(FP)
	RET

failed:
	MOVD ZR, pid+8(FP)
	NEG  R0, R0
	MOVD R0, errno+16(FP)
	RET
