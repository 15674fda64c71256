// Package replay plays sequences on a build and returns their spectra.
//
// In: a driver binary with its points, what of a state is compared, sequences. Out: for each
// sequence what was played (its spectrum, its coverage, what the generator wants to know of its
// results). Whatever the target does to its process is data: a crash, an exit, an endless loop or a
// deadlock ends that sequence, and the next ones go on in a fresh process. What can't be played is
// marked, never dropped.
//
// The same sequences in the same order with the same seed give the same spectra, as far as the
// target lets them; the limits' clocks are the only ones, and what they end is never compared.
//
// A Player starts one process after the other:
//
//	spectradiff ─┬─ go build (twice, before anything is played)
//	             └─ spectradiff, as the sandbox's supervisor
//	                  └─ driver, one for a batch of sequences: the target's packages, instrumented
//
// It talks with a driver over two pipes and finds the events of the running sequence in memory that
// both share, so what was recorded is there however the driver ends. The frames on the pipes are listed
// in docs/design.md, part 5. Most recordings are never decoded: a trace, one digest of all events,
// shows that two versions recorded the same.
package replay
