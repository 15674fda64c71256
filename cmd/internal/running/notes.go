package running

// This file decodes notes, and makes calls of them.

import (
	"go/types"

	"github.com/spectradiff/spectradiff/replay/api"
	"github.com/spectradiff/spectradiff/replay/carve"
	"github.com/spectradiff/spectradiff/replay/sequence"
	"github.com/spectradiff/spectradiff/spectra"
	"github.com/spectradiff/spectradiff/spectra/rt/wire"
)

// A note is a call that was noted.
type note struct {
	function  spectra.Symbol
	arguments []argument
	results   []string // tokens
}

// An argument is its tokens, and the call that made it.
type argument struct {
	call   int // index of the note, -1: none
	place  int
	tokens string
}

// maxSlots is how many arguments or results a note has at most.
const maxSlots = 100

// decode reads notes, up to the first one that is none.
func decode(symbols []spectra.Symbol, b []byte) (list []note) {
	r := wire.NewReader(b)
	for r.Len() > 0 {
		switch kind, number := r.Byte(), r.Number(); {
		case kind == wire.NoteCall && number >= 1 && number <= len(symbols):
			n := note{function: symbols[number-1]}
			for range r.ItemsUpTo(maxSlots) {
				call, place := r.Number()-1, r.Number()
				if call >= len(list) {
					return list
				}
				n.arguments = append(n.arguments, argument{call, place, r.Text()})
			}
			if r.Err() != nil {
				return list
			}
			list = append(list, n)
		case kind == wire.NoteResults && number >= 1 && number <= len(list):
			var results []string
			for range r.ItemsUpTo(maxSlots) {
				results = append(results, r.Text())
			}
			if r.Err() != nil {
				return list
			}
			list[number-1].results = results
		default:
			return list
		}
	}
	return list
}

// maxDepth is how many calls lead to an argument.
const maxDepth = 12

// A reader makes calls of notes.
type reader struct {
	*converter
	notes      []note
	operations map[spectra.Symbol][]*api.Operation
	first      map[string]argument // which call returned a value first, by tokens
	room       spectra.Budget      // of values to decode
}

// calls returns the calls that were noted, as far as they can be written down.
func (in *Input) calls(o order, b []byte) (list []carve.Call) {
	r := &reader{
		converter: in.converter(), notes: decode(o.symbols(), b), first: map[string]argument{},
		operations: map[spectra.Symbol][]*api.Operation{}, room: maxNodes,
	}
	for _, op := range in.Operations {
		if !op.Variable && !op.Supplier {
			r.operations[op.Symbol] = append(r.operations[op.Symbol], op)
		}
	}
	for i := range r.notes {
		for _, op := range r.operations[r.notes[i].function] {
			if c, told := r.call(i, op, 0); told {
				list = append(list, c)
			}
		}
		for place, tokens := range r.notes[i].results {
			if _, ok := r.first[tokens]; !ok && tokens != "" {
				r.first[tokens] = argument{call: i, place: place}
			}
		}
	}
	return list
}

// call returns a noted call as one of an operation. It reports whether anything is known of its arguments.
func (r *reader) call(i int, op *api.Operation, depth int) (carve.Call, bool) {
	c := carve.Call{
		Op: op.Name, Args: make([]*sequence.Value, len(op.Params)), From: make([]*carve.Made, len(op.Params)),
	}
	if len(op.Params) != len(r.notes[i].arguments) {
		return c, false
	}
	told := false
	for k, t := range op.Params {
		a := r.notes[i].arguments[k]
		if v, ok := r.decoded(a.tokens, t); ok {
			c.Args[k] = &v
			told = told || !empty(&v)
			continue
		}
		if c.From[k] = r.made(i, a, t, depth); c.From[k] != nil {
			told = true
		}
	}
	return c, told
}

// decoded returns an argument as a value of a type.
func (r *reader) decoded(tokens string, t types.Type) (sequence.Value, bool) {
	if tokens == "" {
		return sequence.Value{}, false
	}
	slots, err := spectra.DecodeSlots([]byte(tokens), &r.room, func(int) string { return "" })
	if err != nil || len(slots) != 1 {
		return sequence.Value{}, false
	}
	return r.value(slots[0].Value, t)
}

// made returns the call that made an argument of a type: the one that returned the very object or changed it last, or
// else the first one that returned an equal value; or a supplier of a reader. It returns nil if there is none.
func (r *reader) made(i int, a argument, t types.Type, depth int) *carve.Made {
	if m := r.supplied(a.tokens, t, &r.room); m != nil {
		return m
	}
	if a.call < 0 {
		equal, ok := r.first[a.tokens]
		if !ok || equal.call >= i {
			return nil
		}
		a = equal
	}
	if depth == maxDepth {
		return nil
	}
	for _, op := range r.operations[r.notes[a.call].function] {
		from, result := op.Results, a.place
		if a.place == wire.OriginArgument {
			from, result = op.Params[:min(1, len(op.Params))], 0
		}
		if result >= len(from) || !fits(from[result], t) {
			continue
		}
		c, told := r.call(a.call, op, depth+1)
		switch {
		case !told && len(op.Params) > 0:
		case a.place == wire.OriginArgument:
			return &carve.Made{Call: c, Result: carve.Changed}
		default:
			return &carve.Made{Call: c, Result: result}
		}
	}
	return nil
}

// fits reports whether a value of one type can be an argument of another: as it is, or as what it points to.
func fits(from, to types.Type) bool {
	p, ok := from.Underlying().(*types.Pointer)
	return types.AssignableTo(from, to) || ok && types.Identical(p.Elem(), to)
}

// empty reports whether a value tells nothing.
func empty(v *sequence.Value) bool {
	return v.Kind == sequence.Nil || v.Kind == sequence.List && len(v.Elems) == 0
}
