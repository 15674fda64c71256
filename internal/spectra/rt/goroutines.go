package rt

import "github.com/spectradiff/spectradiff/internal/spectra/rt/wire"

// goroutine writes whose events follow, when that changed. It reports false where the goroutine is one whose time
// to run depends on the garbage collector alone: it is not recorded.
func (r *record) goroutine() bool {
	id := goid()
	switch id {
	case 0:
		return false
	case r.last:
		return true
	}
	r.turn(id, parentgoid(), r.ticket(birth()))
	return true
}

func (r *record) turn(id, parent, ticket uint64) {
	r.last = id
	r.buf = wire.AppendUint(append(r.buf, wire.EventGoroutine), id)
	r.buf = wire.AppendUint(wire.AppendUint(r.buf, parent), ticket)
}

// ticket numbers the tickets of this recording from 1; those of earlier ones are 0. A ticket is a number that the
// runtime hands out where a goroutine is started, or a timer set that will start one (replay/build/runtime).
func (r *record) ticket(t uint64) uint64 {
	if t <= r.before {
		return 0
	}
	return t - r.before
}

// Left records the goroutines that were started during the recording and have not ended, but for
// the one that runs the statements.
func Left() {
	r := &recorder
	if !On {
		return
	}
	for i := 0; ; i++ {
		id, ticket, alive, waiting, reason, start, ok := goroutineAt(i)
		if !ok {
			return
		}
		if !alive || id == r.driver || ticket == ^uint64(0) || r.ticket(ticket) == 0 || !r.room() {
			continue
		}
		r.buf = wire.AppendUint(append(r.buf, wire.EventLeft), id)
		how := byte(wire.LeftRunning)
		if waiting {
			how = wire.LeftWaiting
		}
		r.buf = append(wire.AppendUint(r.buf, r.ticket(ticket)), how)
		r.buf = wire.AppendString(wire.AppendString(r.buf, reason), start)
	}
}
