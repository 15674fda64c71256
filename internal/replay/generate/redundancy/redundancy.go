// Package redundancy finds redundant sequences: all their calls were made before with equivalent receivers and
// arguments. The definitions are from Xie's thesis (chapter 3, Rostra: method-entry states, definitions 4 to 6),
// adapted to Go.
//
// Input: one of five representations of a call's receiver and arguments, the operations, and a function that plays
// sequences. Output: for each sequence whether it is redundant. The representations:
//
//   - WholeSeq (section 3.2.1): the calls that produced the receiver and the arguments, starting with those that made
//     each, with their own arguments. A call counts as changing everything passed to it. Its results may share memory
//     with its arguments; then the calls on one belong to the history of the other. Assignments to fields are calls.
//     Numbers, texts and values made of these only have no history after the call that returned them.
//   - ModifyingSeq (section 3.2.1): of these calls only those that changed something reachable from their arguments,
//     according to the states before and after. Calls of function values, and calls with functions or channels, always
//     count.
//   - WholeState (section 3.2.2): everything reachable from the receiver and the arguments, linearised together.
//   - MonitorEquals (section 3.2.2): WholeState without the unexported fields that the type's own Equal can't read.
//     These fields are found in the code of Equal instead of by observation, so every element of a list that it reads
//     counts. Types without an Equal are taken whole.
//   - PairwiseEquals (section 3.2.2): for a value whose type has an Equal, the first value that Equal, when played,
//     reported as equal; for other values the whole state. Shared memory between arguments is lost.
//
// WholeSeq and ModifyingSeq find a redundant sequence without playing it. No representation covers package variables,
// files, or variables captured by functions. So the generator keeps a sequence with something new even if it is
// redundant. The same questions in the same order have the same answers. Nothing is drawn.
package redundancy

import (
	"context"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/generate/novelty"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
)

// A Representation represents the receiver and the arguments of a call.
type Representation string

// The representations, from the one that distinguishes most to the one that distinguishes least.
const (
	WholeSeq       Representation = "whole-seq"
	ModifyingSeq   Representation = "modifying-seq"
	WholeState     Representation = "whole-state"
	MonitorEquals  Representation = "monitor-equals"
	PairwiseEquals Representation = "pairwise-equals"
)

// Names returns the names of the representations in that order.
func Names() []string {
	return []string{
		string(WholeSeq), string(ModifyingSeq), string(WholeState), string(MonitorEquals), string(PairwiseEquals),
	}
}

// Plays reports whether sequences must be played with the entry states of their calls.
func (r Representation) Plays() bool { return r != "" && r != WholeSeq }

// Input is the input of New.
type Input struct {
	Representation Representation
	Operations     []*api.Operation
	// Look plays sequences without counting them and returns the entry states of their calls, for MonitorEquals without
	// the fields that do not count. For MonitorEquals it may be nil if every field counts.
	Look func(ctx context.Context, batch []sequence.Sequence) ([]novelty.Outcome, error)
}

// A Judge decides which sequences are redundant. It remembers all calls.
type Judge struct {
	in       Input
	known    signatures
	seen     map[key]bool // keys of calls with their arguments
	modifies map[key]bool // entry → whether the call changes something
	classes  *classes
}

// New returns a Judge without calls.
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

// isCall reports whether a statement runs or changes something.
func isCall(q sequence.Sequence, i int) bool { return q.Statements[i].Kind != sequence.Let }

// Same reports for each played sequence of a batch whether it is redundant, and remembers its calls.
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
		ran++ // the statement that ended the process
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

// represented returns the key of a call with its arguments.
func (j *Judge) represented(h *history, i int, step *novelty.Step) key {
	switch j.in.Representation {
	case WholeSeq, ModifyingSeq:
		return h.entry(i)
	case PairwiseEquals:
		return h.handed(i, key{}, j.classes.of(&h.q.Statements[i], step.Entry.Arguments))
	}
	return h.handed(i, step.Entry.State, step.Entry.Arguments)
}
