// Package replay plays sequences on a build and returns their spectra.
//
// In: a driver binary with its points, the parts of a state that are compared, sequences. Out: for each
// sequence a Played: its spectrum, its coverage, and facts about its results for the generator.
// Whatever the target does to its process is data: a crash, an exit, an endless loop or a deadlock ends
// that sequence, and the next ones are played in a fresh process. A sequence that can't be played is
// marked, never dropped.
//
// The same sequences in the same order with the same seed lead to the same spectra, as far as the target
// lets them. Clocks are read only for limits, and a sequence that a clock ended is never compared.
//
// A Player starts one process after the other:
//
//	spectradiff ─┬─ go build (twice, before anything is played)
//	             └─ spectradiff, as the sandbox's supervisor
//	                  └─ driver, one for a batch of sequences: the target's packages, instrumented
//
// It exchanges frames with a driver over two pipes. The driver writes the events of the running sequence
// into shared memory, so they are not lost however the driver ends. Most recordings are never decoded: a
// digest of all events, called the trace, shows that two versions recorded the same.
package replay
