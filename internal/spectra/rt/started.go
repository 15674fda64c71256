//go:build zspectra_runtime

package rt

import "github.com/spectradiff/spectradiff/internal/spectra/rt/wire"

// started records that a goroutine took a ticket for another one that it starts, now or later. It may run on the
// system stack, so it is passed the goroutine and can't ask for it.
func started(goroutine, born, ticket uint64) {
	r := &recorder
	if !On || bool(r.busy) {
		return
	}
	r.busy = true
	if len(r.buf) > r.high {
		r.overflow()
	}
	if !r.full {
		if goroutine != r.last {
			r.turn(goroutine, 0, r.ticket(born))
		}
		r.buf = wire.AppendUint(append(r.buf, wire.EventGo), r.ticket(ticket))
	}
	r.busy = false
}
