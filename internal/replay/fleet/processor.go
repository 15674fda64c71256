package fleet

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"sync"

	"golang.org/x/sys/cpu"
)

// Programs choose by what the processor can which code they run. So that is a part of the kind: old and new of one
// sequence may be played by two workers, and a piece of a run by a third one.

// Processor returns a hash of what the processor of this machine can do beyond its architecture.
var Processor = sync.OnceValue(func() string {
	sum := sha256.New()
	for _, features := range []any{
		cpu.X86, cpu.ARM64, cpu.ARM, cpu.Loong64, cpu.MIPS64X, cpu.PPC64, cpu.S390X, cpu.RISCV64,
	} {
		fmt.Fprintf(sum, "%+v\n", features)
	}
	return hex.EncodeToString(sum.Sum(nil)[:8])
})
