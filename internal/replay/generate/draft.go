package generate

import (
	"github.com/spectradiff/spectradiff/internal/replay/generate/value"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
)

// A draft is a sequence under construction. It may share statements and values with components, so it replaces them but
// never changes them.
type draft struct {
	statements []sequence.Statement
	ops        []*Operation // the operation of each statement; nil for Set
	values     []available  // results for later statements, in the order of the statements
	risky      bool         // nil is the argument for a parameter that may need a value
	included   []inclusion
}

// An available value is a result that later statements may use.
type available struct {
	statement, result int
	t                 *Type
}

func (a available) ref() sequence.Value {
	return sequence.Value{Kind: sequence.Ref, Statement: a.statement, Result: a.result}
}

// An inclusion is a component inside a draft, and the index of its first statement there.
type inclusion struct {
	component *component
	offset    int
}

// append adds a statement and makes its results available, except errors: only running the statement shows whether an
// error is nil.
func (d *draft) append(st sequence.Statement, op *Operation) {
	index := len(d.statements)
	d.statements = append(d.statements, st)
	d.ops = append(d.ops, op)
	if op == nil {
		return
	}
	for i, t := range op.Results {
		if !t.Fails {
			d.values = append(d.values, available{index, i, t})
		}
	}
}

// candidate ends the construction. Statements from added on are new.
func (d *draft) candidate(added int) *candidate {
	return &candidate{draft: *d, added: added}
}

// include adds a whole component and returns its offset. If share is set, it uses a copy that the draft already has.
func (d *draft) include(c *component, share bool) int {
	if share {
		for _, in := range d.included {
			if in.component == c {
				return in.offset
			}
		}
	}
	offset := len(d.statements)
	d.copy(&c.draft, 0, len(c.statements), offset)
	d.included = append(d.included, inclusion{c, offset})
	return offset
}

// copy adds the statements [from, to) of another draft and shifts their references.
func (d *draft) copy(source *draft, from, to, shift int) {
	d.risky = d.risky || source.risky
	d.ops = append(d.ops, source.ops[from:to]...)
	for _, st := range source.statements[from:to] {
		d.statements = append(d.statements, st.Shifted(0, shift))
	}
	for _, v := range source.values {
		if from <= v.statement && v.statement < to {
			v.statement += shift
			d.values = append(d.values, v)
		}
	}
}

// prefix starts a new draft with the first statements of a component.
func (c *component) prefix(n int) *draft {
	d := &draft{}
	d.copy(&c.draft, 0, n, 0)
	return d
}

// resume adds the component's statements from start on. It shifts references to the statement moved and all later ones,
// because statements were inserted before.
func (d *draft) resume(c *component, start, moved int) {
	shift := len(d.statements) - start
	d.ops = append(d.ops, c.ops[start:]...)
	for _, st := range c.statements[start:] {
		d.statements = append(d.statements, st.Shifted(moved, shift))
	}
	for _, v := range c.values {
		if v.statement >= start {
			v.statement += shift
			d.values = append(d.values, v)
		}
	}
	d.risky = d.risky || c.risky
}

// fitting draws one of the available values that fit a type.
func (g *generator) fitting(d *draft, t *Type) (available, bool) {
	return value.PickFrom(g.random, d.values, func(v available) bool { return g.model.Assignable(v.t, t) })
}
