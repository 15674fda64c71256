// Package wire encodes and decodes all binary formats: the frames between the tool and the driver, events and states,
// sequences, the records of archives.
//
// In: numbers, texts and digests, or bytes from anywhere. Out: bytes, or the numbers, texts and digests that they
// encode. The package also defines the constants that both ends share: tokens, frame types, ways in which a sequence
// ends, recording modes, and the main seed.
//
// Numbers are little endian, or of variable length with seven bits a byte, low bits first. A Reader returns the values
// of a Writer in the same order of calls. It never panics, whatever the bytes are. It keeps its first error, which
// tells the byte, and then returns only zeros. Its results never take more memory than a fixed multiple of its bytes.
//
// The package is copied into the target as zspectra/wire. It imports little of the standard library, starts nothing,
// and has no state.
package wire

// An End is the way a sequence ended. Archives hold these numbers.
type End uint8

// The ways a sequence can end.
const (
	EndDone      End = 0 // every step ran, a step panicked, or a step ended its goroutine
	EndExited    End = 1 // the target ended its process
	EndCrashed   End = 2 // a fatal error, a panic in another goroutine, a signal
	EndStepLimit End = 3 // the limit on executed steps was reached
	EndTimeout   End = 4 // no answer within the time limit: never compared
	EndBlocked   End = 5 // the driven goroutine can never go on
)

// A Mode says how much is recorded of a sequence.
type Mode byte

// The modes. Outcomes and coverage belong to all of them.
const (
	ModeOutcomes Mode = 0 // nothing else
	ModeDigests  Mode = 1 // and a digest of every entry and exit state
	ModeValues   Mode = 2 // and the states' values, with the lines of the calls
	ModeOperands Mode = 3 // and what instrumented code compared; states are not recorded
	ModeEntries  Mode = 4 // and digests of what each driven call was handed; states are not recorded
)

// Records reports whether states are recorded.
func (m Mode) Records() bool { return m == ModeDigests || m == ModeValues }

// MainSeed is the seed of the target's runtime under which versions are compared: runs with it are as
// equal as can be. Under every other seed, what a program must not rely on lies and happens elsewhere.
const MainSeed = 1

// SeedVariable is the environment variable that brings the seed to the target's runtime.
const SeedVariable = "ZSPECTRA_SEED"

// ChildSeedVariable is SeedVariable for a driver that another one started, and not the tool.
const ChildSeedVariable = "ZSPECTRA_CHILD_SEED"

// ClockVariable brings the time at which the clocks of time bubbles start, in seconds since 1970; without it they start
// in the year 2000, as those of package testing/synctest do.
const ClockVariable = "ZSPECTRA_CLOCK"

// UnitsVariable is the environment variable that tells a driver which holds code of both versions which of it runs:
// for each unit of change, by its number, UnitBase or UnitOther.
const UnitsVariable = "ZSPECTRA_UNITS"

// The states of a unit: the code that runs is that of the version which the driver was made of, or of the other one.
const (
	UnitBase  = 'b'
	UnitOther = 'o'
)
