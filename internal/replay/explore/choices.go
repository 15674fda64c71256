package explore

import (
	"go/types"
	"iter"
	"slices"
	"strconv"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/generate/value"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// A made is an argument with the statements that make it. Its references count from the first of these statements.
type made struct {
	before []sequence.Statement
	value  sequence.Value
}

func plain(v sequence.Value) made { return made{value: v} }

// appended appends the argument's statements to others, and the argument to a list.
func (m made) appended(
	statements []sequence.Statement, args []sequence.Value,
) ([]sequence.Statement, []sequence.Value) {
	holder := sequence.Statement{Args: []sequence.Value{m.value}}
	if m.before != nil {
		shift := len(statements)
		for _, st := range m.before {
			statements = append(statements, st.Shifted(0, shift))
		}
		holder = holder.Shifted(0, shift)
	}
	return statements, append(args, holder.Args[0])
}

// choices lists the values to try for each type.
type choices struct {
	operations []*api.Operation
	values     int // number of numbers and texts for a parameter
	known      map[string][]made
	valid      map[string][]made // type → literals that the type's own predicate accepts
}

// mostComposites is the maximum number of values of a type that is neither a number, nor a boolean, nor a text.
const mostComposites = 3

// arguments yields each combination of values for the parameters: there may be more than anybody has memory for. A
// parameter may also get the value that is extended, if it has the same type.
func (c *choices) arguments(params []types.Type, from state) iter.Seq[[]made] {
	var values [][]made
	for _, t := range params {
		of := c.of(t, 0)
		if types.Identical(t, from.typ) {
			of = append([]made{plain(from.value)}, of...)
		}
		if len(of) == 0 {
			return func(func([]made) bool) {}
		}
		values = append(values, of)
	}
	return func(yield func([]made) bool) { combined(nil, values, yield) }
}

// combined yields each combination that begins so, and reports whether to go on.
func combined(before []made, values [][]made, yield func([]made) bool) bool {
	if len(values) == 0 {
		return yield(before)
	}
	return !slices.ContainsFunc(values[0], func(v made) bool {
		return !combined(append(before[:len(before):len(before)], v), values[1:], yield)
	})
}

// maxDepth is the maximum depth of nested literals.
const maxDepth = 3

// of returns the values to try for a type; none if no value can be made.
func (c *choices) of(t types.Type, depth int) []made {
	key := symbol.Key(t) + " " + strconv.Itoa(depth)
	if known, ok := c.known[key]; ok {
		return known
	}
	c.known[key] = nil
	list := c.literals(t, depth)
	if _, scalar := t.Underlying().(*types.Basic); !scalar {
		list = slices.Concat(c.preferred(t), c.results(t, depth), list)
		list = list[:min(len(list), mostComposites)]
	}
	c.known[key] = list
	return list
}

// results returns values of a type that operations return. Each operation is called with the first value of each
// parameter.
func (c *choices) results(t types.Type, depth int) []made {
	var list []made
	for _, op := range c.operations {
		if op.Receiver || op.Variable || depth >= maxDepth || len(list) == mostComposites-1 {
			continue
		}
		for i, result := range op.Results {
			if !types.AssignableTo(result, t) || types.IsInterface(result) && !types.Identical(result, t) {
				continue
			}
			if before, ok := c.simply(op, depth+1); ok {
				list = append(list, made{before, sequence.Value{
					Kind: sequence.Ref, Statement: len(before) - 1, Result: i,
				}})
			}
			break
		}
	}
	return list
}

// simply returns a call of an operation with the first value of each parameter.
func (c *choices) simply(op *api.Operation, depth int) ([]sequence.Statement, bool) {
	var statements []sequence.Statement
	call := sequence.Statement{Kind: sequence.Call, Op: op.Name}
	for _, t := range op.Params {
		values := c.of(t, depth)
		if len(values) == 0 {
			return nil, false
		}
		statements, call.Args = values[0].appended(statements, call.Args)
	}
	return append(statements, call), true
}

// literals returns the literals to try for a type.
func (c *choices) literals(t types.Type, depth int) []made {
	under := t.Underlying()
	if basic, ok := under.(*types.Basic); ok {
		return c.scalars(t, basic)
	}
	if isBytes(under) {
		return c.scalars(t, types.Typ[types.String])
	}
	zero := plain(sequence.Value{Kind: sequence.Zero})
	if depth >= maxDepth {
		return []made{zero}
	}
	switch under := under.(type) {
	case *types.Pointer:
		return c.wrapped(c.of(under.Elem(), depth+1), func(v sequence.Value) sequence.Value {
			return sequence.Value{Kind: sequence.Address, Elems: []sequence.Value{v}}
		})
	case *types.Slice:
		one := c.wrapped(c.of(under.Elem(), depth+1), func(v sequence.Value) sequence.Value {
			return sequence.Value{Kind: sequence.List, Elems: []sequence.Value{v}}
		})
		return append([]made{plain(sequence.Value{Kind: sequence.Nil})}, one...)
	case *types.Map:
		return []made{plain(sequence.Value{Kind: sequence.Map})}
	case *types.Chan:
		return []made{plain(sequence.Value{Kind: sequence.Chan, Text: "1"})}
	case *types.Signature:
		return []made{plain(sequence.Value{Kind: sequence.Stub})}
	case *types.Interface:
		return c.fillers(t, under)
	case *types.Struct, *types.Array:
		return []made{zero}
	}
	return nil
}

func isBytes(under types.Type) bool {
	slice, ok := under.(*types.Slice)
	if !ok {
		return false
	}
	basic, ok := slice.Elem().Underlying().(*types.Basic)
	return ok && basic.Kind() == types.Uint8
}

// wrapped puts each value inside another one.
func (c *choices) wrapped(values []made, around func(sequence.Value) sequence.Value) []made {
	list := make([]made, len(values))
	for i, m := range values {
		list[i] = made{m.before, around(m.value)}
	}
	return list
}

// fillers returns values for a slot of interface type.
func (c *choices) fillers(t types.Type, under *types.Interface) []made {
	if !under.Empty() {
		if api.IsError(t) {
			return []made{plain(sequence.Value{Kind: sequence.Nil})}
		}
		return nil
	}
	typed := func(basic types.BasicKind) []made {
		return c.wrapped(c.scalars(types.Typ[basic], types.Typ[basic]), func(v sequence.Value) sequence.Value {
			return sequence.Value{Kind: sequence.Typed, Type: types.Typ[basic].Name(), Elems: []sequence.Value{v}}
		})
	}
	return append(typed(types.Int)[:1], typed(types.String)...)
}

// scalars returns the values to try for a basic type: first the constants declared for it.
func (c *choices) scalars(t types.Type, basic *types.Basic) []made {
	if basic.Info()&types.IsBoolean != 0 {
		return []made{
			plain(sequence.Value{Kind: sequence.Bool, Text: "false"}),
			plain(sequence.Value{Kind: sequence.Bool, Text: "true"}),
		}
	}
	var list []made
	add := func(v sequence.Value) {
		if len(list) < c.values && !slices.ContainsFunc(list, func(m made) bool { return m.value.Text == v.Text }) {
			list = append(list, plain(v))
		}
	}
	if _, ok := t.Underlying().(*types.Basic); ok {
		for _, constant := range value.TypeOf(t, symbol.Type(t)).Constants {
			add(constant)
		}
	}
	for i := range c.values {
		if v, ok := numbered(basic, i); ok {
			add(v)
		}
	}
	return list
}

// numbered returns the i-th value of a basic type other than bool.
func numbered(basic *types.Basic, i int) (sequence.Value, bool) {
	small := i / 2 // 0, 1, -1, 2, -2 …
	if small = -small; i%2 == 1 {
		small = (i + 1) / 2
	}
	number := strconv.Itoa(small)
	switch info := basic.Info(); {
	case info&types.IsUnsigned != 0:
		return sequence.Value{Kind: sequence.Uint, Text: strconv.Itoa(i)}, true
	case info&types.IsInteger != 0:
		return sequence.Value{Kind: sequence.Int, Text: number}, true
	case info&types.IsFloat != 0:
		return sequence.Value{Kind: sequence.Float, Text: number}, true
	case info&types.IsComplex != 0:
		return sequence.Value{Kind: sequence.Complex, Text: "(" + number + "+0i)"}, true
	case info&types.IsString != 0:
		return sequence.Value{Kind: sequence.String, Text: text(i)}, true
	}
	return sequence.Value{}, false
}

// text returns the i-th text: the empty one, one for each kind of character, then numbered ones.
func text(i int) string {
	const each = "a0 A-é\n"
	runes := []rune(each)
	switch {
	case i == 0:
		return ""
	case i <= len(runes):
		return string(runes[i-1])
	}
	return "a" + strconv.Itoa(i)
}
