package gotest

import (
	"errors"
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
)

// A body is the calls of a test.
type body struct {
	*file
	variables  []*variable
	results    [][]*variable // by statement
	refers     []*variable   // what the statement that is being written refers to
	given      int           // arguments of the statement that is being written
	calls      *variable     // what notes the calls of stubs; nil: nothing does
	statements []statement
}

// callsOf is how probes and checks name the list of calls of stubs.
const callsOf = "calls"

// A variable holds a result or an argument of a call.
type variable struct {
	id   string // how probes and checks name it: statement and result, "3.0"; statement and argument, "3 0"
	name string
	typ  types.Type
	used bool
}

// A statement is written when it is known which of its variables are used.
type statement struct {
	before  []string // statements for values that have no expression
	refers  []*variable
	results []*variable
	typ     string // of a variable that is declared with its type; "" = by what is assigned
	text    string
	isValue bool // no call: left out if nothing uses it
	asserts bool // gives a truth value, too, which nothing looks at
}

// body writes the statements of a sequence. Calls of stubs are noted if the test looks at them.
func (f *file) body(q sequence.Sequence) (*body, error) {
	b := &body{file: f}
	if f.looksAt(callsOf) {
		b.calls = &variable{id: callsOf, name: f.fresh("calls"), typ: types.NewSlice(types.Typ[types.String])}
		b.variables = append(b.variables, b.calls)
	}
	for i := range q.Statements {
		st := &q.Statements[i]
		f.hoisted, b.refers, b.given = nil, nil, 0
		s, results, err := b.statement(st)
		if err != nil {
			return nil, fmt.Errorf("statement %d: %w", i, err)
		}
		for n, t := range results {
			v := &variable{id: fmt.Sprintf("%d.%d", i, n), name: f.fresh(nameFor(t)), typ: t}
			s.results = append(s.results, v)
			b.variables = append(b.variables, v)
		}
		s.before, s.refers = f.hoisted, b.refers
		b.results = append(b.results, s.results)
		b.statements = append(b.statements, s)
	}
	return b, nil
}

// result returns the variable that a value refers to, nil if there is none.
func (b *body) result(v *sequence.Value) *variable {
	if v.Statement >= len(b.results) || v.Result >= len(b.results[v.Statement]) {
		return nil
	}
	return b.results[v.Statement][v.Result]
}

func (b *body) use(v *variable) { b.refers = append(b.refers, v) }

// text returns the statements, for a test that looks at some of the variables in the end. What nothing uses has no
// name, and a value that nothing uses is left out.
func (b *body) text(observed ...*variable) string {
	for _, v := range b.variables {
		v.used = slices.Contains(observed, v)
	}
	var list []string
	for _, s := range slices.Backward(b.statements) {
		if s.isValue && !slices.ContainsFunc(s.results, func(v *variable) bool { return v.used }) {
			continue
		}
		for _, v := range s.refers {
			v.used = true
		}
		list = append(list, strings.Join(s.before, "")+s.written())
	}
	if b.calls != nil {
		list = append(list, "var "+b.calls.name+" []string\n")
	}
	slices.Reverse(list)
	return strings.Join(list, "")
}

func (s *statement) written() string {
	var names []string
	used := false
	for _, v := range s.results {
		name := "_"
		if v.used {
			name, used = v.name, true
		}
		names = append(names, name)
	}
	if s.asserts {
		names = append(names, "_")
	}
	switch {
	case !used:
		return s.text + "\n"
	case s.typ != "":
		return "var " + names[0] + " " + s.typ + " = " + s.text + "\n"
	}
	return strings.Join(names, ", ") + " := " + s.text + "\n"
}

// statement writes one statement, and returns the types of its results.
func (b *body) statement(st *sequence.Statement) (statement, []types.Type, error) {
	switch st.Kind {
	case sequence.Call:
		return b.call(st)
	case sequence.CallValue:
		return b.callValue(st)
	case sequence.Set:
		s, err := b.set(st)
		return s, nil, err
	case sequence.Let:
		return b.let(st)
	}
	return statement{}, nil, errors.New("a statement of unknown kind")
}

func (b *body) call(st *sequence.Statement) (statement, []types.Type, error) {
	op := b.Operations[st.Op]
	if op == nil {
		return statement{}, nil, fmt.Errorf("no operation %s", st.Op)
	}
	if len(st.Args) != len(op.Params) {
		return statement{}, nil, fmt.Errorf("%d arguments for %s", len(st.Args), st.Op)
	}
	switch {
	case op.Setting:
		return b.setting(st, op)
	case op.Variable && len(op.Params) > 0:
		return b.part(st, op)
	}
	function, err := b.function(op)
	if err != nil || op.Variable {
		return statement{text: function, isValue: true}, op.Results, err
	}
	args, params := st.Args, op.Params
	if op.Receiver {
		if function, err = b.method(op, &args[0], function); err != nil {
			return statement{}, nil, err
		}
		args, params = args[1:], params[1:]
	}
	list, err := b.arguments(args, params, op.Variadic)
	return statement{text: function + "(" + list + ")"}, op.Results, err
}

// method returns the method of a receiver.
func (b *body) method(op *api.Operation, receiver *sequence.Value, name string) (string, error) {
	text, err := b.typed(receiver, op.Params[0])
	if err != nil {
		return "", err
	}
	text = b.handed(receiver, op.Params[0], text)
	if strings.HasPrefix(text, "&") {
		text = "(" + text + ")"
	}
	text = strings.TrimPrefix(text, "*") // Go goes there by itself
	return text + "." + name, nil
}

// function returns the expression that is called: a method's name, a package's function, or its variable.
func (b *body) function(op *api.Operation) (string, error) {
	if op.Receiver {
		return op.Symbol.Name(), nil
	}
	if op.Package == "" {
		qualifier, function, _ := strings.Cut(op.Expr, ".")
		return b.imported(op.Import, qualifier) + "." + function, nil
	}
	name := op.Symbol.Name()
	if !b.Inside || op.Package != b.Package.Path() {
		if name == "" || !ast.IsExported(name) {
			return "", fmt.Errorf("%s can't be named in another package", name)
		}
	}
	declared := b.packageOf(op)
	if declared == nil {
		return "", fmt.Errorf("no package %s", op.Package)
	}
	if op.Variable {
		return b.qualified(declared, name), nil
	}
	return b.instance(op, declared, name)
}

// instance returns a function with its type arguments, if it has any.
func (b *body) instance(op *api.Operation, declared *types.Package, name string) (string, error) {
	var list []string
	for _, arg := range op.TypeArgs {
		text, err := b.spell(arg)
		if err != nil {
			return "", err
		}
		list = append(list, text)
	}
	if len(list) == 0 {
		return b.qualified(declared, name), nil
	}
	return b.qualified(declared, name) + "[" + strings.Join(list, ", ") + "]", nil
}

// packageOf returns the package that declares an operation.
func (b *body) packageOf(op *api.Operation) *types.Package {
	if op.Package == b.Package.Path() {
		return b.Package
	}
	return b.Known(op.Package)
}

// arguments returns a list of arguments. The last one of a variadic function is its slice.
func (b *body) arguments(args []sequence.Value, params []types.Type, variadic bool) (string, error) {
	var list []string
	for i := range args {
		if variadic && i == len(args)-1 {
			rest, err := b.rest(&args[i], params[i])
			if err != nil {
				return "", err
			}
			list = append(list, rest...)
			continue
		}
		text, err := b.value(&args[i], params[i])
		if err != nil {
			return "", err
		}
		list = append(list, b.handed(&args[i], params[i], text))
	}
	size := 0
	for _, text := range list {
		first, _, _ := strings.Cut(text, "\n")
		size += len(first) + 2
	}
	if size > wide && len(list) > 1 {
		return "\n" + strings.Join(list, ",\n") + ",\n", nil
	}
	return strings.Join(list, ", "), nil
}

// handed returns an argument that the call may change, by its name if the test looks at it.
func (b *body) handed(v *sequence.Value, t types.Type, text string) string {
	id := fmt.Sprintf("%d %d", len(b.statements), b.given)
	b.given++
	kind := v.Kind
	if kind == sequence.Typed {
		kind = v.Elems[0].Kind
		t, _ = b.typeOf(v.Type) // it was found when the value was written
	}
	switch kind {
	case sequence.Address, sequence.List, sequence.Map:
	default:
		return text
	}
	if !b.looksAt(id) {
		return text
	}
	own := &variable{id: id, name: b.fresh(nameFor(t)), typ: t}
	b.variables = append(b.variables, own)
	b.hoisted = append(b.hoisted, own.name+" := "+text+"\n")
	return own.name
}

// rest returns the arguments that a slice stands for.
func (b *body) rest(v *sequence.Value, t types.Type) ([]string, error) {
	slice, ok := t.Underlying().(*types.Slice)
	switch {
	case v.Kind == sequence.Nil || v.Kind == sequence.Zero:
		return nil, nil
	case v.Kind == sequence.List && ok:
		var list []string
		for i := range v.Elems {
			text, err := b.value(&v.Elems[i], slice.Elem())
			if err != nil {
				return nil, err
			}
			list = append(list, text)
		}
		return list, nil
	}
	text, err := b.value(v, t)
	return []string{text + "..."}, err
}

func (b *body) callValue(st *sequence.Statement) (statement, []types.Type, error) {
	found := b.result(&st.Args[0])
	if found == nil || st.Args[0].Kind != sequence.Ref {
		return statement{}, nil, errors.New("a call of a value that is no reference")
	}
	function, signature, err := b.functionIn(found)
	if err != nil {
		return statement{}, nil, err
	}
	b.use(found)
	params, results := api.TypesOf(signature.Params()), api.TypesOf(signature.Results())
	if len(st.Args)-1 != len(params) {
		return statement{}, nil, fmt.Errorf("%d arguments for %s", len(st.Args)-1, found.typ)
	}
	list, err := b.arguments(st.Args[1:], params, signature.Variadic())
	return statement{text: function + "(" + list + ")"}, results, err
}

// functionIn returns the function that a variable holds. Where that is an interface, it is the one type of functions
// that implements it.
func (b *body) functionIn(v *variable) (string, *types.Signature, error) {
	if signature, ok := v.typ.Underlying().(*types.Signature); ok {
		return v.name, signature, nil
	}
	var found []types.Type
	if of, ok := v.typ.Underlying().(*types.Interface); ok && !of.Empty() {
		for _, name := range slices.Sorted(maps.Keys(b.Types)) {
			if _, ok := b.Types[name].Underlying().(*types.Signature); ok && types.Implements(b.Types[name], of) {
				found = append(found, b.Types[name])
			}
		}
	}
	if len(found) != 1 {
		return "", nil, fmt.Errorf("a call of a function in %s", v.typ)
	}
	spelled, err := b.spell(found[0])
	return v.name + ".(" + spelled + ")", found[0].Underlying().(*types.Signature), err
}

func (b *body) set(st *sequence.Statement) (statement, error) {
	found := b.result(&st.Args[0])
	if found == nil || st.Args[0].Kind != sequence.Ref {
		return statement{}, errors.New("a field of a value that is no reference")
	}
	p, ok := found.typ.Underlying().(*types.Pointer)
	if !ok {
		return statement{}, fmt.Errorf("a field of what %s holds", found.typ)
	}
	o, _, _ := types.LookupFieldOrMethod(p, true, b.Package, st.Op)
	field, ok := o.(*types.Var)
	if !ok {
		return statement{}, fmt.Errorf("%s has no field %s that a test can set", found.typ, st.Op)
	}
	b.use(found)
	text, err := b.value(&st.Args[1], field.Type())
	return statement{text: found.name + "." + st.Op + " = " + text}, err
}

func (b *body) let(st *sequence.Statement) (statement, []types.Type, error) {
	t, err := b.typeOf(st.Op)
	if err != nil {
		return statement{}, nil, err
	}
	own := []types.Type{t}
	if types.IsInterface(t) || st.Args[0].Kind == sequence.Nil || st.Args[0].Kind == sequence.Ref {
		text, err := b.value(&st.Args[0], t)
		if err != nil {
			return statement{}, nil, err
		}
		spelled, err := b.spell(t)
		return statement{text: text, typ: spelled, isValue: true}, own, err
	}
	text, err := b.typed(&st.Args[0], t)
	return statement{text: text, isValue: true}, own, err
}
