// Package spectra is the vocabulary of the program: what a symbol, a point, a state, a function
// execution and a value spectrum are. It decodes what the runtime in the target (package rt)
// wrote, and embeds that runtime's source so that it can be compiled into the target.
//
// In: event streams and slot bytes as rt writes them. Out: trees of executions and spectra
// (hit, count, trace) after Xie, "Improving Effectiveness of Automated Software Testing in the
// Absence of Specifications", chapter 7. Everything here is plain data: no package path depends
// on a machine, positions are module-relative, order is the order of the run. It never runs
// anything and never reads the target's source.
package spectra

import "github.com/spectradiff/spectradiff/spectra/rt/wire"

// A Symbol names a function as Go does: "example.com/m/pkg.F", "example.com/m/pkg.(*T).Method",
// "example.com/m/pkg.T.Value", "example.com/m/pkg.F.func1"; generic ones without type arguments.
type Symbol string

// SlotKind says what a slot of a state holds.
type SlotKind uint8

// The kinds of slots, in the order in which a point lists them.
const (
	Receiver SlotKind = iota
	Parameter
	Captured
	Result
)

// A SlotDecl declares one slot of a point.
type SlotDecl struct {
	Kind SlotKind
	Name string // as in the source; "arg0", "ret0" for blank and unnamed ones
	Type string // canonical type, packages by full path
}

// A Point is one instrumented function, method or function literal.
type Point struct {
	Symbol  Symbol
	Package string // import path
	Index   int    // in the package's point array, from 0
	File    string // module-relative, slash-separated
	Line    int    // of the declaration or literal
	EndLine int    // of its closing brace
	Body    string // hash of the body's source without comments and layout; equal bodies have equal hashes
	Slots   []SlotDecl
}

// A Block is one run of statements whose execution is counted.
type Block struct {
	File          string
	Line, EndLine int
	Statements    int
}

// A Var is a package-level variable.
type Var struct {
	Name     string // "example.com/m/pkg.x"
	Type     string // canonical type
	Constant bool   // never written after initialisation: compared once, not at every state
}

// A Digest is the 128-bit digest of a state.
type Digest [2]uint64

// A State is what was reachable at an entry or exit.
type State struct {
	Digest    Digest
	Truncated bool   // the walk ended at its budget: equal to nothing, different from nothing
	Slots     []Slot // nil unless values were asked for
}

// A Slot is one root of a state with its value.
type Slot struct {
	Name  string // "recv", a parameter's name, "ret0", "panic", "example.com/m/pkg.x"
	Value *Value
}

// How says how an execution ended.
type How uint8

// The ways out of a function. Open means the run ended while the function was still executing.
const (
	Returned How = iota
	Panicked
	Goexited
	Open
)

// An Execution is one function execution ⟨entry state, exit state⟩ in its call tree.
type Execution struct {
	Symbol Symbol
	Point  *Point
	Entry  State
	Exit   State
	How    How
	Site   int // line of the call in the caller's file, 0 = unknown
	// Children are the callees in time order. A goroutine's first executions hang under the execution
	// whose go statement started it.
	Children []*Execution
	Go       bool   // this execution is the first of a goroutine
	Left     []Left // goroutines it started, or had others start, that have not ended when the sequence has
}

// Left is a goroutine that has not ended when the sequence has.
type Left struct {
	Start   string // the first function it ran that is known
	Waiting bool   // else it can run
	Reason  string // what it waits for, in the words of the Go release
}

// A StepOutcome is what a driven statement of the sequence gave.
type StepOutcome struct {
	Ran     bool     // false: an earlier step ended the sequence
	Panic   string   // type and text of the panic that left the call, "" = none
	Results []Output // as a caller can see them: exported fields, error texts
	Calls   []*Execution
}

// An Output is one visible result.
type Output struct {
	Digest Digest
	Text   string // shortened for display
}

// End says how a sequence ended.
type End struct {
	Kind   wire.End
	Detail string // exit code, signal, fatal error's first line
}

// A Spectrum is all that was recorded of one sequence on one build: the value spectrum and the
// output spectrum.
type Spectrum struct {
	Steps     []StepOutcome
	Stray     []*Execution // of goroutines of which it is not known what started them
	Stdout    string
	Stderr    string
	Files     []FileOutput // files left in the scratch folder, by name
	StubCalls []Output     // calls of function arguments, in order
	End       End
	Burst     bool   // the time bubble failed, not the target: what was made in one bubble was used in another
	Left      []Left // goroutines that have not ended, of which it is not known what started them
	Leaked    int    // all that have not ended
	Truncated bool   // the event budget ended the recording
}

// A FileOutput is a file that the target wrote.
type FileOutput struct {
	Name   string
	Size   int64
	Digest Digest
}
