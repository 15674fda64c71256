package rt

// This file names functions by their code.

import (
	"runtime"
	"strings"
)

type symbol struct {
	name string
	hash uint64
}

var symbols = map[uintptr]symbol{}

// symbolOf names the function that starts at pc. Literals go by the function that declares them:
// their numbers change with every literal before them.
func symbolOf(pc uintptr) symbol {
	if s, ok := symbols[pc]; ok {
		return s
	}
	name := "?"
	if f := runtime.FuncForPC(pc); f != nil {
		name = f.Name()
	}
	if i := strings.Index(name, ".func"); i > 0 && i+5 < len(name) && name[i+5] >= '0' && name[i+5] <= '9' {
		name = name[:i+5]
	}
	s := symbol{name, textHash(name)}
	symbols[pc] = s
	return s
}
