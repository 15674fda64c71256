package contract

import (
	"go/types"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// A builder collects the statements of a sequence.
type builder struct {
	planner    *planner
	statements []sequence.Statement
	described  []sequence.Statement // for Check.Described
}

// add appends the statements that make a value, and returns the value.
func (b *builder) add(v value) sequence.Value {
	shift := len(b.statements)
	for _, st := range v.statements {
		b.statements = append(b.statements, st.Shifted(0, shift))
	}
	holder := sequence.Statement{Args: []sequence.Value{v.value}}
	return holder.Shifted(0, shift).Args[0]
}

// fits reports whether a value of one type, or a pointer to it, can be the argument for a parameter of another type.
func (p *planner) fits(from, to types.Type) bool {
	if types.AssignableTo(from, to) {
		return true
	}
	pointer, ok := types.Unalias(to).(*types.Pointer)
	if ok && types.Identical(pointer.Elem(), from) {
		return p.nameable[symbol.Type(from)]
	}
	pointer, ok = types.Unalias(from).(*types.Pointer)
	if !ok || !types.Identical(pointer.Elem(), to) {
		return false
	}
	_, ok = to.Underlying().(*types.Struct)
	return ok
}

// as returns a value as the argument for a parameter that it fits. For a pointer it adds a variable.
func (b *builder) as(v sequence.Value, from, to types.Type) sequence.Value {
	if !isPointer(to) || isPointer(from) {
		return v
	}
	return b.variable(to, v)
}

// variable appends a variable that holds a value, and returns a pointer to it.
func (b *builder) variable(pointer types.Type, v sequence.Value) sequence.Value {
	b.statements = append(b.statements, sequence.Statement{
		Kind: sequence.Let, Op: symbol.Type(pointer),
		Args: []sequence.Value{{Kind: sequence.Address, Elems: []sequence.Value{v}}},
	})
	return sequence.Value{Kind: sequence.Ref, Statement: len(b.statements) - 1}
}

// describe appends a call that describes a value as text, if its subject has such a method.
func (b *builder) describe(s *subject, v sequence.Value, of types.Type) {
	op := s.method("String")
	if op == nil || len(op.Params) != 1 || !b.planner.fits(of, op.Params[0]) {
		return
	}
	if isPointer(op.Params[0]) && !isPointer(of) {
		return
	}
	b.described = append(b.described, sequence.Statement{Kind: sequence.Call, Op: op.Name, Args: []sequence.Value{v}})
}

// call appends a call and returns its index.
func (b *builder) call(op *api.Operation, args ...sequence.Value) int {
	b.statements = append(b.statements, sequence.Statement{Kind: sequence.Call, Op: op.Name, Args: args})
	return len(b.statements) - 1
}

// check returns a check of the statements.
func (b *builder) check(of Contract, op *api.Operation, made int, broken func(run) (string, bool)) Check {
	return Check{of, op, sequence.Sequence{Statements: b.statements}, made, b.described, broken}
}
