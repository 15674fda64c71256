// Package replay runs call sequences in driver processes and records their value spectra.
//
// Input: a driver binary with its table of points and blocks, the parts of a state to compare, and sequences. Output:
// one Played for each sequence. It holds the spectrum, the coverage, and facts about the results for the generator.
//
//   - A Player plays sequences on one build.
//   - Players make the players of both versions.
//   - Workers divide the work of a run. Each worker has a sandbox of its own.
//   - A Memory returns what the old version played before, instead of playing it again.
//   - The stage clock measures the time and memory of each stage: Workers.Measure, Workers.Stage, Workers.Stages.
//
// The target may crash, exit, loop forever or deadlock. That ends the running sequence and is data, never an error. The
// next sequences run in a fresh process. So does one whose time bubble met what another sequence left in package
// variables. A sequence that can't be played is marked, never dropped.
//
// The same sequences in the same order with the same seed have the same spectra, as far as the target allows it.
// Results never depend on which worker is faster. Clocks only enforce limits, and a sequence that a clock ended is
// never compared.
//
// A Player starts one process after the other:
//
//	spectradiff ─┬─ go build (twice, before anything is played)
//	             └─ spectradiff, as the sandbox's supervisor
//	                  └─ driver, one for a batch of sequences: the target's packages, instrumented
//
// It exchanges frames with a driver over two pipes. The driver writes the events of the running sequence into shared
// memory, so they survive the driver. Most recordings are never decoded: a digest of all events, called the trace,
// shows that both versions recorded the same.
package replay
