package sandbox

import "debug/elf"

const sleeperMachine = elf.EM_AARCH64

// sleeperCode calls prctl(PR_SET_DUMPABLE, 0), then ppoll(0, 0, 0, 0) again and again.
var sleeperCode = []uint32{
	0xd2800080, // mov x0, #4
	0xd2800001, // mov x1, #0
	0xd28014e8, // mov x8, #167
	0xd4000001, // svc #0
	0xd2800000, // again: mov x0, #0
	0xd2800001, // mov x1, #0
	0xd2800002, // mov x2, #0
	0xd2800003, // mov x3, #0
	0xd2800928, // mov x8, #73
	0xd4000001, // svc #0
	0x17fffffa, // b again
}
