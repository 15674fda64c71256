package generate

import (
	"github.com/spectradiff/spectradiff/internal/replay/carve"
	"github.com/spectradiff/spectradiff/internal/replay/generate/value"
)

// A history is what is known of an operation's calls.
type history struct {
	record
	literals value.Operation // for literals among its arguments
	ran      int
	turns    int           // that it had because it was not called yet
	values   int           // kept only for a new value or state
	ends     int           // ways in which it ended a sequence
	seeds    []*carve.Call // calls of it that somebody wrote down
}

// histories are those of the operations that were looked at.
type histories map[*Operation]*history

// of returns what is known of an operation's calls.
func (all histories) of(op *Operation) *history {
	h := all[op]
	if h == nil {
		h = &history{}
		pkg := ""
		if op.Of != nil {
			pkg, h.Supplier, h.Reaches = op.Of.Package, op.Of.Supplier, op.Of.Reaches
		}
		h.literals = value.NewOperation(pkg, len(op.Params))
		all[op] = h
	}
	return h
}

// forLiterals returns what the literals among the operation's arguments depend on. It returns nil for a
// nil operation.
func (g *generator) forLiterals(op *Operation) *value.Operation {
	if op == nil {
		return nil
	}
	return &g.histories.of(op).literals
}
