// Package redundancy decides which sequences only repeat what others did: sequences all of whose calls were made
// before on equivalent receivers and arguments. The definitions are those of Xie's thesis (chapter 3, Rostra:
// method-entry states, definitions 4 to 6), made for Go.
//
// In: one of five representations of what a call is handed, the operations, and something that plays sequences. Out:
// for each sequence whether it is redundant. What the representations are:
//
//   - WholeSeq (section 3.2.1): the calls that made the receiver and the arguments what they are, from those that made
//     each on, with their arguments. What a call was handed counts as changed by it, and what it returned may share
//     memory with what it was handed: the calls on one belong to the history of the other. Assignments to fields are
//     calls. Numbers, texts and what is made of these only have no history behind the call that returned them.
//   - ModifyingSeq (likewise): of these calls only those that changed something that their arguments reach, as states
//     before and after them tell. Those of function values, and with functions or channels, count as such.
//   - WholeState (section 3.2.2): everything that the receiver and the arguments reach, linearised together.
//   - MonitorEquals (likewise): the same without the fields that are not exported and that the type's own Equal cannot
//     read. Fields are told from the code of Equal and not by watching it, so of a list that it reads every element
//     counts. Types without an Equal are taken whole.
//   - PairwiseEquals (likewise): of a value whose type has an Equal for two of its kind, the first value that was found
//     equal by playing it; of others the whole state. How arguments share memory is lost.
//
// What always holds: by the first two, a sequence is known to be redundant without playing it. No representation has
// package variables, files, or what functions captured: so what brings something new is the generator's to keep,
// redundant or not. The same questions in the same order have the same answers. Nothing is drawn here.
package redundancy

import (
	"context"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/generate/novelty"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
)

// A Representation is what stands for a receiver and arguments.
type Representation string

// The representations, from the one that tells the most apart to the one that tells the least.
const (
	WholeSeq       Representation = "whole-seq"
	ModifyingSeq   Representation = "modifying-seq"
	WholeState     Representation = "whole-state"
	MonitorEquals  Representation = "monitor-equals"
	PairwiseEquals Representation = "pairwise-equals"
)

// Names returns the representations in that order.
func Names() []string {
	return []string{
		string(WholeSeq), string(ModifyingSeq), string(WholeState), string(MonitorEquals), string(PairwiseEquals),
	}
}

// Plays reports whether what calls are handed must be looked at while sequences are played.
func (r Representation) Plays() bool { return r != "" && r != WholeSeq }

// Input is what a Judge needs.
type Input struct {
	Representation Representation
	Operations     []*api.Operation
	// Look plays sequences aside and tells what their calls were handed: for MonitorEquals without the fields that
	// count for nothing. There it may be nil, if every field counts.
	Look func(ctx context.Context, batch []sequence.Sequence) ([]novelty.Outcome, error)
}

// A Judge remembers the calls that were made.
type Judge struct {
	in       Input
	known    signatures
	seen     map[key]bool // calls with what they were handed
	modifies map[key]bool // by history: whether a call changes something
	classes  *classes
}

// New returns a Judge that has seen nothing.
func New(in Input) *Judge {
	j := &Judge{in: in, known: signaturesOf(in.Operations), seen: map[key]bool{}, modifies: map[key]bool{}}
	if in.Representation == PairwiseEquals {
		j.classes = newClasses(in.Operations)
	}
	return j
}

// Known reports whether a sequence is known to be redundant without playing it.
func (j *Judge) Known(q sequence.Sequence) bool {
	if j.in.Representation != WholeSeq && j.in.Representation != ModifyingSeq {
		return false
	}
	h := newHistory(j.known, q)
	calls := 0
	for i := range q.Statements {
		call := h.entry(i)
		if isCall(q, i) {
			if calls++; !j.seen[call] {
				return false
			}
		}
		h.apply(i, call, j.in.Representation == WholeSeq || j.modifies[call])
	}
	return calls > 0
}

// isCall reports whether a statement makes something run or changes something.
func isCall(q sequence.Sequence, i int) bool { return q.Statements[i].Kind != sequence.Let }

// Same reports for each sequence of a batch that was played whether it is redundant, and remembers its calls.
func (j *Judge) Same(
	ctx context.Context, batch []sequence.Sequence, outcomes []novelty.Outcome,
) ([]bool, error) {
	looked := outcomes
	var err error
	switch {
	case j.in.Representation == MonitorEquals && j.in.Look != nil:
		looked, err = j.in.Look(ctx, batch)
	case j.in.Representation == PairwiseEquals:
		err = j.classes.sort(ctx, j.in.Look, batch, outcomes)
	}
	if err != nil {
		return nil, err
	}
	same := make([]bool, len(batch))
	for i := range batch {
		if i < len(looked) && judged(&outcomes[i]) && judged(&looked[i]) {
			same[i] = j.repeats(batch[i], &looked[i])
		}
	}
	return same, nil
}

// judged reports whether a sequence was played.
func judged(o *novelty.Outcome) bool { return !o.Missing && !o.Rejected }

// repeats reports whether all calls of a sequence were made before, and remembers them.
func (j *Judge) repeats(q sequence.Sequence, o *novelty.Outcome) bool {
	h := newHistory(j.known, q)
	ran := len(o.Steps)
	if o.Killed() {
		ran++ // what ended the process
	}
	calls, all := 0, true
	for i := range min(ran, len(q.Statements)) {
		call, modifies := h.entry(i), true
		made := call
		if i < len(o.Steps) {
			modifies = h.modifies(i, &o.Steps[i])
			made = j.represented(h, i, &o.Steps[i])
		}
		if j.in.Representation == ModifyingSeq {
			j.modifies[call] = modifies
		}
		if isCall(q, i) {
			calls++
			all = all && j.seen[made]
			j.seen[made] = true
		}
		h.apply(i, call, modifies || j.in.Representation != ModifyingSeq)
	}
	return calls > 0 && all
}

// represented returns the key of a call with what it was handed.
func (j *Judge) represented(h *history, i int, step *novelty.Step) key {
	switch j.in.Representation {
	case WholeSeq, ModifyingSeq:
		return h.entry(i)
	case PairwiseEquals:
		return h.handed(i, key{}, j.classes.of(&h.q.Statements[i], step.Entry.Arguments))
	}
	return h.handed(i, step.Entry.State, step.Entry.Arguments)
}
