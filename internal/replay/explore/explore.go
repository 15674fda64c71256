// Package explore enumerates all sequences of calls on the values of a type, up to a depth, over distinct states.
//
// Input: operations, a depth, and a function that plays sequences. Output: the sequences that showed something new, and
// the numbers of states and calls for each type. It is the exploration of concrete states in Xie's thesis (section
// 4.2). It goes breadth first: each operation, with each choice of arguments, extends each state that no other call
// left before. If a type has a predicate of its own, such as Validate, the literals that it accepts are start states
// too, after Korat. Two values are in the same state if everything that they reach is equal. A call that panics leaves
// no state. States of the last round are not extended.
//
// The same operations give the same sequences in the same order. Nothing is drawn, and no clock is read.
package explore

import (
	"context"
	"fmt"
	"go/types"
	"slices"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/generate"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
)

// Input is the input of Run.
type Input struct {
	Operations []*api.Operation
	Types      []api.Type          // types that a sequence may name
	Unset      map[string][]string // as in generate.Input
	// Depth is the number of calls after the one that makes a value. It is also the number of numbers and texts to try
	// for a parameter.
	Depth int
	Most  int // maximum number of sequences; 0: 200,000

	// Execute plays sequences and returns one outcome for each, in their order.
	Execute func(ctx context.Context, batch []sequence.Sequence) ([]generate.Outcome, error)
	// Endless is as in generate.Input.
	Endless func(driven string) bool
	// Changed is as in generate.Input.
	Changed func(counter uint32) bool
	// Progress is called with the number of played sequences. It may be nil.
	Progress func(played int)
}

// mostSequences is the default of Input.Most.
const mostSequences = 200_000

// Explored is the result of Run.
type Explored struct {
	Kept  []generate.Kept
	Types []Count
	Stats generate.Stats // without Reached
}

// A Count counts the exploration of one type.
type Count struct {
	Type   string // canonical
	Depth  int    // maximum number of calls after the one that makes a value
	States int    // distinct states, including start states
	Calls  int    // calls that extended a state
	// Literals is the number of literals passed to the type's own predicate, and Valid the number that it accepted.
	// Both are 0 without a predicate, or if no field can be set.
	Literals, Valid int
	// Ended reports whether every call was made on every state up to Input.Depth.
	Ended bool
}

// Run explores the types whose values have operations that can reach changed code, or all types if no operation is
// known to. Types with fewest operations come first. If Execute fails or ctx ends, it returns the results so far.
func Run(ctx context.Context, in Input) (Explored, error) {
	if in.Most == 0 {
		in.Most = mostSequences
	}
	x := newExplorer(in)
	all := subjects(in.Operations)
	for _, s := range all {
		if err := x.accept(ctx, s); err != nil {
			return x.out, fmt.Errorf("literals of %s: %w", s.name, err)
		}
	}
	for _, s := range all {
		if !s.wanted {
			continue
		}
		count, err := x.explore(ctx, s)
		if count.Calls > 0 {
			x.out.Types = append(x.out.Types, count)
		}
		if err != nil {
			return x.out, fmt.Errorf("explore %s: %w", s.name, err)
		}
	}
	return x.out, nil
}

// A subject is a type with its operations.
type subject struct {
	name       string // canonical
	operations []*api.Operation
	wanted     bool // it is explored; else its values are only made
}

// An extension is a sequence that ends with a call on a state.
type extension struct {
	state
	operation *api.Operation // nil: the sequence makes the value
}

// A state is a value with the statements that made it.
type state struct {
	statements []sequence.Statement
	value      sequence.Value
	typ        types.Type
	of         int // index of the extension that left it
}

// explore extends the states of a subject round by round.
func (x *explorer) explore(ctx context.Context, s subject) (Count, error) {
	of := x.accepted[s.name]
	count := Count{Type: s.name, Literals: of.asked, Valid: of.valid}
	frontier, all, err := x.begin(ctx, s)
	count.States, count.Ended = len(frontier), all
	for depth := 1; err == nil && depth <= x.in.Depth && len(frontier) > 0; depth++ {
		count.Depth = depth
		var next []state
		for list := range slices.Chunk(frontier, statesOfBatch) {
			extensions, all := x.extensions(s, list)
			count.Ended = count.Ended && all
			var found []state
			if found, err = x.play(ctx, s, extensions); err != nil {
				return count, err
			}
			count.Calls += len(extensions)
			next = append(next, found...)
		}
		count.States += len(next)
		frontier = next
	}
	return count, err
}

// statesOfBatch is the number of states that are extended at once.
const statesOfBatch = 16

// most returns how many sequences may still be played.
func (x *explorer) most() int { return max(0, x.in.Most-x.out.Stats.Sequences) }

// extensions returns each call on each state, with each choice of arguments, and whether these are all: there are no
// more than may be played.
func (x *explorer) extensions(s subject, states []state) (list []extension, all bool) {
	most := x.most()
	for _, from := range states {
		for _, op := range s.operations {
			if x.endless(op) || !types.Identical(op.Params[0], from.typ) {
				continue
			}
			for args := range x.choices.arguments(op.Params[1:], from) {
				if len(list) == most {
					return list, false
				}
				list = append(list, x.extended(from, op, args))
			}
		}
	}
	return list, true
}

func (x *explorer) endless(op *api.Operation) bool {
	return x.in.Endless != nil && x.in.Endless(op.Name)
}

// extended returns a state with one more call.
func (x *explorer) extended(from state, op *api.Operation, args []made) extension {
	e := extension{state: from, operation: op}
	call := sequence.Statement{Kind: sequence.Call, Op: op.Name, Args: []sequence.Value{from.value}}
	e.statements = slices.Clone(from.statements)
	for _, arg := range args {
		e.statements, call.Args = arg.appended(e.statements, call.Args)
	}
	e.statements = append(e.statements, call)
	return e
}
