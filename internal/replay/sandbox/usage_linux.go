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

// statFields returns the fields behind the name in a stat file of a process or thread, nil if it is gone. The line is
// "pid (name) state parent …", and the name may contain anything.
func statFields(file string) [][]byte {
	text, err := os.ReadFile(file)
	end := bytes.LastIndexByte(text, ')')
	if err != nil || end < 0 {
		return nil
	}
	return bytes.Fields(text[end+1:])
}

// readStat reads the state and the processor time of a process or thread.
func readStat(name string) (state byte, cpu time.Duration, ok bool) {
	fields := statFields(name)
	if len(fields) < 13 {
		return 0, 0, false
	}
	user, userErr := strconv.ParseInt(string(fields[11]), 10, 64)
	system, systemErr := strconv.ParseInt(string(fields[12]), 10, 64)
	return fields[0][0], time.Duration(user+system) * clockTick, userErr == nil && systemErr == nil
}
