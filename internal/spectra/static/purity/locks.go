package purity

import (
	"strings"

	"golang.org/x/tools/go/ssa"
)

// selfness is whether a parameter is the observer's receiver. Observers may lock their receiver: a lock in the receiver
// itself can be taken away for the time of the call (state.Locks), because nothing else runs meanwhile, and the lock is
// as before afterwards. Any other lock may be held by a goroutine that waits for the caller.
type selfness uint8

const (
	isReceiver selfness = 1 + iota // in all calls so far
	isOther
)

// passes notes whether a call passes the receiver on as the first argument.
func (f *flow) passes(operands []ssa.Value, to *ssa.Function) {
	if len(to.Params) == 0 {
		return
	}
	is := isOther
	if len(operands) > 0 && f.receiver(operands[0]) {
		is = isReceiver
	}
	if param := to.Params[0]; f.self[param] < is {
		f.self[param] = is
		f.changed = true
	}
}

func (f *flow) receiver(v ssa.Value) bool {
	param, ok := v.(*ssa.Parameter)
	return ok && f.self[param] == isReceiver
}

// lock reports whether a call only locks or unlocks a mutex that lies in the receiver.
func (f *flow) lock(name string, operands []ssa.Value) bool {
	if !strings.HasPrefix(name, "(*sync.Mutex).") && !strings.HasPrefix(name, "(*sync.RWMutex).") ||
		len(operands) == 0 {
		return false
	}
	switch name[strings.LastIndexByte(name, '.')+1:] {
	case "Lock", "Unlock", "RLock", "RUnlock":
	default:
		return false
	}
	at := operands[0]
	for {
		field, ok := at.(*ssa.FieldAddr)
		if !ok {
			break
		}
		at = field.X
	}
	return at != operands[0] && f.receiver(at)
}
