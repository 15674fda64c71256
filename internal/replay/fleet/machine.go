package fleet

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"slices"
	"strings"
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

// Kernel returns the release of the kernel of this machine and how it was built, as uname has them; "": it is not
// known.
var Kernel = sync.OnceValue(func() string {
	var list []string
	for _, name := range []string{"osrelease", "version"} {
		text, err := os.ReadFile("/proc/sys/kernel/" + name)
		if err != nil {
			return ""
		}
		list = append(list, strings.TrimSpace(string(text)))
	}
	return strings.Join(list, " ")
})

// Model returns what the processor of this machine is called, by its maker and its numbers; "": it is not known.
var Model = sync.OnceValue(func() string {
	text, err := os.ReadFile("/proc/cpuinfo")
	if err != nil {
		return ""
	}
	return modelIn(string(text))
})

// modelNames are the lines of /proc/cpuinfo that say what a processor is: those of x86, then those of ARM.
var modelNames = []string{
	"vendor_id", "model name", "cpu family", "model", "stepping",
	"CPU implementer", "CPU architecture", "CPU variant", "CPU part", "CPU revision",
}

// modelIn returns the model of the processors that a text in the form of /proc/cpuinfo lists, each once: a machine may
// have several.
func modelIn(text string) string {
	var models []string
	for block := range strings.SplitSeq(text, "\n\n") {
		of := map[string]string{}
		for line := range strings.Lines(block) {
			name, value, _ := strings.Cut(line, ":")
			of[strings.TrimSpace(name)] = strings.TrimSpace(value)
		}
		var model []string
		for _, name := range modelNames {
			if of[name] != "" {
				model = append(model, of[name])
			}
		}
		if one := strings.Join(model, " "); one != "" && !slices.Contains(models, one) {
			models = append(models, one)
		}
	}
	return strings.Join(models, ", ")
}
