package gotest

import (
	"go/types"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
)

// part writes the expression that reads a field, or the type assertion on an interface.
func (b *body) part(st *sequence.Statement, op *api.Operation) (statement, []types.Type, error) {
	name := op.Symbol.Name()
	if op.Asserts {
		spelled, err := b.spell(op.Results[0])
		if err != nil {
			return statement{}, nil, err
		}
		name = "(" + spelled + ")"
	}
	text, err := b.method(op, &st.Args[0], name)
	return statement{text: text, isValue: true, asserts: op.Asserts}, op.Results, err
}
