// Package carve extracts calls of a module's operations from its tests, examples and benchmarks, with the arguments
// that the source shows.
//
// Input: the test files of one package, and the operations that sequences may call. Output: calls. Each has the
// arguments that a sequence can express: texts, numbers, and lists and structs of these, whether they stand in the
// call, in a variable, in a constant or in the rows of a table. Calls that make other arguments are included. Unknown
// arguments are left open, and a call without any known argument is dropped. Every value fits the type of its
// parameter.
//
// Tests are only parsed, never type-checked or run: they may need modules that are not available. The same files lead
// to the same calls in the same order.
package carve

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/replay/testtypes"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// A Call is a call of an operation.
type Call struct {
	Op   string
	Args []*sequence.Value // one for each parameter, including the receiver; nil: unknown
	From []*Made           // likewise: the call that makes an argument without a value; nil: unknown
}

// A Made is a result of another call.
type Made struct {
	Call   Call
	Result int
}

// With returns the call with values replaced where other returns one, also in the calls that make arguments.
func (c *Call) With(other func(sequence.Value) (sequence.Value, bool)) *Call {
	varied := &Call{Op: c.Op, Args: slices.Clone(c.Args), From: slices.Clone(c.From)}
	for i, v := range varied.Args {
		if v == nil {
			continue
		}
		if v, ok := other(*v); ok {
			varied.Args[i] = &v
		}
	}
	for i, m := range varied.From {
		if m != nil {
			varied.From[i] = &Made{Call: *m.Call.With(other), Result: m.Result}
		}
	}
	return varied
}

// Whole returns the calls of a sequence whose arguments are all values.
func Whole(q sequence.Sequence) (list []Call) {
	for _, st := range q.Statements {
		if st.Kind != sequence.Call || st.HasRef() {
			continue
		}
		c := Call{Op: st.Op}
		for i := range st.Args {
			c.Args = append(c.Args, &st.Args[i])
		}
		list = append(list, c)
	}
	return list
}

// Limits of reading for one package.
const (
	maxCalls = 3000
	maxRows  = 300 // of one table
)

// Calls returns the calls in the test files of a folder, which belong to the package with that import path. Arguments
// may be values of the types that tests declare; nil: no such types.
func Calls(dir, path string, operations []*api.Operation, declared *testtypes.Set) []Call {
	c := &collector{
		path: path, declared: declared, byName: map[string]*api.Operation{}, methods: map[string][]*api.Operation{},
	}
	for _, op := range operations {
		switch {
		case op.Variable:
		case op.Receiver:
			name := op.Name[strings.LastIndexByte(op.Name, '.')+1:]
			c.methods[name] = append(c.methods[name], op)
		default:
			c.byName[op.Name] = op
		}
	}
	for _, file := range api.Tests(dir) {
		c.file(file)
	}
	return c.calls
}

// A collector collects the calls of one package's tests.
type collector struct {
	path    string
	byName  map[string]*api.Operation   // functions, by qualified name
	methods map[string][]*api.Operation // methods, by bare name
	calls   []Call

	declared *testtypes.Set
	seen     map[string]bool
}

// file collects the calls in one file.
func (c *collector) file(file *ast.File) {
	w := &walk{collector: c, imports: symbol.Imported(file), scope: newScope(file, c.declared)}
	ast.Walk(w, file)
}

// A walk visits the calls of a file.
type walk struct {
	*collector
	imports map[string]string
	scope   *scope
	tables  []table // tables of the surrounding loops, the innermost last
}

// Visit implements ast.Visitor.
func (w *walk) Visit(n ast.Node) ast.Visitor {
	switch n := n.(type) {
	case *ast.RangeStmt:
		if t, ok := w.scope.table(n); ok {
			inner := *w
			inner.tables = append(slices.Clone(w.tables), t)
			ast.Walk(&inner, n.Body)
			return nil
		}
	case *ast.CallExpr:
		for _, op := range w.operations(n) {
			w.call(n, op)
		}
	}
	return w
}

// operations returns the operations that a call may refer to.
func (w *walk) operations(n *ast.CallExpr) []*api.Operation {
	switch f := ast.Unparen(n.Fun).(type) {
	case *ast.Ident:
		return w.function(w.path + "." + f.Name)
	case *ast.SelectorExpr:
		if x, ok := f.X.(*ast.Ident); ok && w.imports[x.Name] != "" {
			return w.function(w.imports[x.Name] + "." + f.Sel.Name)
		}
		return w.methods[f.Sel.Name]
	}
	return nil
}

func (c *collector) function(name string) []*api.Operation {
	if op := c.byName[name]; op != nil {
		return []*api.Operation{op}
	}
	return nil
}

// call adds a call, once for each row of the innermost table around it.
func (w *walk) call(n *ast.CallExpr, op *api.Operation) {
	rows := []row{nil}
	if len(w.tables) > 0 {
		rows = w.tables[len(w.tables)-1].rows
	}
	for _, r := range rows {
		if call, ok := w.filled(n, op, r, 0); ok {
			w.add(call)
		}
	}
}

// maxNested is the maximum depth of nested calls that make arguments.
const maxNested = 3

// made returns the call that makes an argument of some type, nil if it is unknown. It also reports whether the maker is
// known to be of another type.
func (w *walk) made(e ast.Expr, t types.Type, r row, depth int) (made *Made, other bool) {
	call, result := w.scope.maker(e, r)
	if call == nil || depth == maxNested {
		return nil, false
	}
	for _, op := range w.operations(call) {
		if result >= len(op.Results) || !fits(op.Results[result], t) {
			other = true
			continue
		}
		inner, told := w.filled(call, op, r, depth+1)
		if told || len(op.Params) == 0 {
			return &Made{inner, result}, false
		}
	}
	return nil, other && len(w.operations(call)) == 1
}

// fits reports whether a value of one type can be an argument of another, directly or as the value that it points to.
func fits(from, to types.Type) bool {
	p, ok := from.Underlying().(*types.Pointer)
	return types.AssignableTo(from, to) || ok && types.Identical(p.Elem(), to)
}

func (c *collector) add(call Call) {
	key := call.String()
	if c.seen == nil {
		c.seen = map[string]bool{}
	}
	if !c.seen[key] && len(c.calls) < maxCalls {
		c.seen[key] = true
		c.calls = append(c.calls, call)
	}
}

// String returns a text that identifies the call.
func (c Call) String() string {
	text := c.Op
	for i, v := range c.Args {
		switch {
		case v != nil:
			text += fmt.Sprintf(" %+v", *v)
		case i < len(c.From) && c.From[i] != nil:
			text += fmt.Sprintf(" (%s).%d", c.From[i].Call, c.From[i].Result)
		default:
			text += " ?"
		}
	}
	return text
}
