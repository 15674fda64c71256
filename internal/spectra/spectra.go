// Package spectra is the data model of recordings: symbols, points, states, executions and value spectra.
//
// It decodes the events that the runtime in the target (package rt) writes. It also embeds the runtime's source, which
// is compiled into the target.
//
// In: event streams and encoded states from rt. Out: trees of executions, and value spectra of three kinds (hit, count,
// trace) after Xie, "Improving Effectiveness of Automated Software Testing in the Absence of Specifications", chapter
// 7.
//
// All results are plain data. No path depends on the machine, positions are relative to the module, and lists have the
// order of the run. The package never runs anything and never reads the target's source.
package spectra

import (
	"slices"

	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// A Symbol names a function as Go does: "example.com/m/pkg.F", "example.com/m/pkg.(*T).Method",
// "example.com/m/pkg.T.Value", "example.com/m/pkg.F.func1"; generic ones without type arguments.
type Symbol string

// SlotKind is what a slot of a state holds.
type SlotKind uint8

// The kinds of slots, in the order in which a point lists them.
const (
	Receiver SlotKind = iota
	Parameter
	Captured
	Result
)

// A ComparedSlot is a slot of a function's states that is compared.
type ComparedSlot struct {
	Index   int
	Pointee bool // the slot is a pointer, and what it points to is compared instead
}

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
	Shape   string // likewise, whatever basic types it names and texts say; "" if short, and in archives
	Place   string // of a literal: the variables, keys and calls that it is a value of; "" if none, and in archives
	Slots   []SlotDecl
}

// A Block is one run of statements whose execution is counted.
type Block struct {
	File          string
	Line, EndLine int // without the blocks inside, as far as these come last
	Column        int // in bytes, of the first statement
	Last          int // line where the last statement ends, with all that is inside
	Statements    int

	// After and Before are the lines where what stands before the block ends, and where what follows it begins. Inside
	// are the lines of the braces, colons and else-ifs that begin and end the outermost blocks in it.
	After, Before int
	Inside        []Span
}

// A Span leads from one line to another.
type Span struct{ First, Last int }

// Has reports whether a line of text lies behind the first and before the last line.
func (s Span) Has(line int) bool { return s.First < line && line < s.Last }

// HasGap reports whether the end of a line lies between the first and the last line.
func (s Span) HasGap(line int) bool { return s.First <= line && line < s.Last }

// Holds reports whether a line is one of the block, and not of a block in it. The lines that begin and end a block
// belong to the one around, also if they have statements of both.
func (b *Block) Holds(line int) bool {
	own := b.Line <= line && line <= b.Last || Span{b.After, b.Before}.Has(line)
	return own && !slices.ContainsFunc(b.Inside, func(s Span) bool { return s.Has(line) })
}

// HoldsGap reports whether what would stand between a line and the next could be of the block, and not of a block in
// it.
func (b *Block) HoldsGap(line int) bool {
	return Span{b.After, b.Before}.HasGap(line) &&
		!slices.ContainsFunc(b.Inside, func(s Span) bool { return s.HasGap(line) })
}

// Within reports whether the block lies in some lines.
func (b *Block) Within(l Lines) bool {
	return b.File == l.File && l.Line <= b.Line && b.EndLine <= l.EndLine
}

// A Var is a package-level variable.
type Var struct {
	Name     string // "example.com/m/pkg.x"
	Type     string // canonical type
	Constant bool   // never written after initialisation: compared once, not at every state
}

// A Digest is the 128-bit digest of a state.
type Digest [2]uint64

// A Slot is one root of a state with its value.
type Slot struct {
	Name  string // "recv", a parameter's name, "ret0", "panic", "example.com/m/pkg.x"
	Value *Value
}

// How is the way in which an execution ended.
type How uint8

// The ways out of a function. Open means that the run ended while the function was still executing.
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
	// Children are the callees in the order of time. The first executions of a goroutine are children of
	// the execution whose go statement started it.
	Children   []*Execution
	Go         bool        // this execution is the first of a goroutine
	Goroutines []Goroutine // goroutines started on its behalf that have not ended when the sequence ends
}

// A Goroutine is one that has not ended when the sequence ends.
type Goroutine struct {
	Start   string // the first function that it is known to have run
	Waiting bool   // false: it can run
	Reason  string // what it waits for, in the words of the Go release
}

// A StepOutcome is the result of one statement of the sequence.
type StepOutcome struct {
	Ran     bool     // false: an earlier statement ended the sequence
	Panic   string   // type and text of the panic that left the call; "": none
	Results []Output // as a caller sees them: exported fields, error texts
	Calls   []*Execution
}

// An Output is one visible result.
type Output struct {
	Digest Digest
	Text   string // shortened for display
}

// A StubCall is a call of a function that was an argument.
type StubCall struct {
	Output     // what it was called with
	Step   int // the driven statement that was running; -1 = none, or several
}

// End is how a sequence ended.
type End struct {
	Kind   wire.End
	Detail string // exit code, signal, or first line of a fatal error
}

// A Spectrum is all that was recorded of one sequence on one build: its executions (the value spectrum)
// and what a caller and the system see (the output spectrum).
type Spectrum struct {
	Steps      []StepOutcome
	Stray      []*Execution // of goroutines whose start was not seen
	Stdout     string
	Stderr     string
	Files      []FileOutput // files left in the scratch folder, by name
	StubCalls  []StubCall   // calls of function arguments, in order
	End        End
	Outside    bool        // it opened a socket, a pipe or a terminal
	Burst      bool        // the time bubble failed, not the target: something made in one bubble was used in another
	Salvaged   bool        // its process ended without an answer, so nobody counted the goroutines that have not ended
	Goroutines []Goroutine // goroutines that have not ended and whose start was not seen
	Leaked     int         // number of all goroutines that have not ended
	Truncated  bool        // recording ended at the limit on events
}

// A FileOutput is a file that the target wrote.
type FileOutput struct {
	Name   string
	Size   int64
	Digest Digest
}
