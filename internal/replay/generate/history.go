package generate

import (
	"slices"

	"github.com/spectradiff/spectradiff/internal/replay/carve"
	"github.com/spectradiff/spectradiff/internal/replay/generate/value"
)

// A history records the calls of one operation.
type history struct {
	record
	literals value.Operation // for literals among its arguments
	ran      int
	turns    int           // granted because it had no call yet
	values   int           // sequences kept only for a new value or state
	ends     int           // ways to end a sequence
	seeds    []*carve.Call // calls of it in tests
}

// histories are the histories of all operations that were asked for.
type histories map[*Operation]*history

// of returns the history of an operation.
func (all histories) of(op *Operation) *history {
	h := all[op]
	if h == nil {
		h = &history{}
		pkg := ""
		if op.Of != nil {
			pkg, h.Supplier = op.Of.Package, op.Of.Supplier
			h.Reaches, h.Prepares, h.Near = op.Of.Reaches, op.Of.Prepares, op.Of.Near
		}
		h.literals = value.NewOperation(pkg, len(op.Params))
		all[op] = h
	}
	return h
}

// price notes what calls of each operation cost.
func (all histories) price(ops []*Operation) {
	var known []int64
	for _, op := range ops {
		if op.Of.Steps > 0 {
			known = append(known, op.Of.Steps)
		}
	}
	if len(known) == 0 {
		return
	}
	slices.Sort(known)
	usual := known[len(known)/2]
	for _, op := range ops {
		all.of(op).Cost = float64(op.Of.Steps) / float64(usual)
	}
}

// forLiterals returns the description of an operation for making literals, nil for a nil operation.
func (g *generator) forLiterals(op *Operation) *value.Operation {
	if op == nil {
		return nil
	}
	return &g.histories.of(op).literals
}
