// Package zoracle writes down which functions are being executed when package variables are used.
package zoracle

import (
	"os"
	"runtime"
	"strings"
	"sync"
)

type used struct {
	stack [40]uintptr
	names string
}

var (
	mutex sync.Mutex
	seen  = map[used]bool{}
	pairs = map[[2]string]bool{}
	file  *os.File
)

// Use is called before the variables with those names, which are separated by blanks, are used.
func Use(names string) {
	var pcs [400]uintptr
	depth := runtime.Callers(2, pcs[:])
	key := used{names: names}
	copy(key.stack[:], pcs[:depth])
	mutex.Lock()
	defer mutex.Unlock()
	if seen[key] {
		return
	}
	seen[key] = true
	if file == nil {
		var err error
		if file, err = os.OpenFile(os.Getenv("ZORACLE"), os.O_APPEND|os.O_CREATE|os.O_WRONLY, 0o666); err != nil {
			panic(err)
		}
	}
	frames := runtime.CallersFrames(pcs[:depth])
	for {
		frame, more := frames.Next()
		if frame.Function == "runtime.gopanic" || frame.Function == "runtime.Goexit" {
			return // who panicked has ended as far as states go
		}
		if strings.HasSuffix(frame.File, "_test.go") {
			return // tests import the module: no code that a recorded process has
		}
		if pair := [2]string{frame.Function, names}; !pairs[pair] {
			pairs[pair] = true
			file.WriteString(frame.Function + "\t" + names + "\n")
		}
		if !more {
			return
		}
	}
}
