// Package explore makes every sequence of calls on the values of a type, up to a depth, over states that differ.
//
// In: operations, a depth, and something that plays sequences. Out: of the sequences those that showed something new,
// and how many states and calls there were of each type. It is the exploration of concrete states of Xie's thesis
// (section 4.2): breadth first, each state that no other call left before is extended by each operation with each
// choice of arguments. A type with a predicate of its own, such as Validate, begins with the literals that it accepts
// as well, after Korat. Two values are in the same state if all that they reach is equal. A call that panics leaves no
// state, and states that the last round leaves are not extended.
//
// The same operations give the same sequences in the same order: nothing is drawn, and there is no clock here.
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

// Input says what is explored.
type Input struct {
	Operations []*api.Operation
	Types      []api.Type          // types that a sequence may name
	Unset      map[string][]string // as in generate.Input
	// Depth is how many calls follow the one that makes a value, and how many numbers and texts are tried for a
	// parameter.
	Depth int
	Most  int // sequences in all, at most; 0: 200,000

	// Execute plays sequences and returns one outcome for each, in their order.
	Execute func(ctx context.Context, batch []sequence.Sequence) ([]generate.Outcome, error)
	// Endless is as in generate.Input.
	Endless func(driven string) bool
	// Changed is as in generate.Input.
	Changed func(counter uint32) bool
	// Progress is told how many sequences were played. Nil means that nobody wants to know.
	Progress func(played int)
}

// mostSequences is the default of Input.Most.
const mostSequences = 200_000

// Explored is what came of it.
type Explored struct {
	Kept  []generate.Kept
	Types []Count
	Stats generate.Stats // without Reached
}

// A Count says how far the values of a type were explored.
type Count struct {
	Type   string // canonical
	Depth  int    // calls after the one that makes a value, at most
	States int    // that differ, those at the beginning among them
	Calls  int    // that extended a state
	// Literals is how many literals of the type its own predicate was asked about, and Valid how many of these it
	// accepted. Both are 0 if there is none, or nobody can set a field.
	Literals, Valid int
	// Ended says that every call of every state was made up to Input.Depth.
	Ended bool
}

// Run explores the types whose values have operations that can reach changed code; where that is known of none, all
// types. Those with the fewest operations come first. If Execute fails or ctx ends, it returns what there is so far.
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

// A subject is a type whose values are explored.
type subject struct {
	name       string // canonical
	operations []*api.Operation
	wanted     bool // it is explored; else values of it are only made
}

// An extension is a sequence that ends with a call on a state.
type extension struct {
	state
	operation *api.Operation // nil: it makes the value
}

// A state is a value with the statements that made it.
type state struct {
	statements []sequence.Statement
	value      sequence.Value
	typ        types.Type
	of         int // the extension that left it
}

// explore extends the states of a subject round by round.
func (x *explorer) explore(ctx context.Context, s subject) (Count, error) {
	of := x.accepted[s.name]
	count := Count{Type: s.name, Literals: of.asked, Valid: of.valid, Ended: true}
	frontier, err := x.begin(ctx, s)
	count.States = len(frontier)
	for depth := 1; err == nil && depth <= x.in.Depth && len(frontier) > 0; depth++ {
		count.Depth = depth
		var next []state
		for list := range slices.Chunk(frontier, statesOfBatch) {
			extensions := x.extensions(s, list)
			if left := max(0, x.in.Most-x.out.Stats.Sequences); len(extensions) > left {
				extensions, count.Ended = extensions[:left], false
			}
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

// statesOfBatch is how many states are extended before what came of it is looked at.
const statesOfBatch = 16

// extensions returns each call on each state, with each choice of arguments.
func (x *explorer) extensions(s subject, states []state) []extension {
	var list []extension
	for _, from := range states {
		for _, op := range s.operations {
			if x.endless(op) || !types.Identical(op.Params[0], from.typ) {
				continue
			}
			for _, args := range x.choices.arguments(op.Params[1:], from) {
				list = append(list, x.extended(from, op, args))
			}
		}
	}
	return list
}

func (x *explorer) endless(op *api.Operation) bool {
	return x.in.Endless != nil && x.in.Endless(op.Name)
}

// extended returns a state with one more call on it.
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
