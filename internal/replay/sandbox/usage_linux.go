package sandbox

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"time"
)

// clockTick is the unit of processor time in /proc. It is the same on all architectures that Go supports.
const clockTick = 10 * time.Millisecond

// Usage returns the use of the driver so far. It returns false if that is unknown or the driver has ended.
func (p *Process) Usage() (Usage, bool) {
	select {
	case <-p.done:
		return Usage{}, false
	default:
	}
	threads, err := filepath.Glob(fmt.Sprintf("/proc/%d/task/*/stat", p.pid))
	if err != nil || len(threads) == 0 {
		return Usage{}, false
	}
	var u Usage
	for _, name := range threads {
		if state, _, ok := readStat(name); ok && (state == 'R' || state == 'D') {
			u.Busy = true
		}
	}
	_, cpu, ok := readStat(fmt.Sprintf("/proc/%d/stat", p.pid))
	u.CPU = cpu
	return u, ok
}

// readStat reads the state and the processor time of a process or thread. The program's name, in
// parentheses, may contain anything.
func readStat(name string) (state byte, cpu time.Duration, ok bool) {
	text, err := os.ReadFile(name)
	end := bytes.LastIndexByte(text, ')')
	if err != nil || end < 0 {
		return 0, 0, false
	}
	fields := bytes.Fields(text[end+1:])
	if len(fields) < 13 {
		return 0, 0, false
	}
	user, userErr := strconv.ParseInt(string(fields[11]), 10, 64)
	system, systemErr := strconv.ParseInt(string(fields[12]), 10, 64)
	return fields[0][0], time.Duration(user+system) * clockTick, userErr == nil && systemErr == nil
}
