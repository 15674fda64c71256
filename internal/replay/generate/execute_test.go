package generate

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"go/ast"
	"go/constant"
	"go/parser"
	"go/token"
	"go/types"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// fixture returns the input of a run on the fixture, without Execute.
func fixture(t testing.TB) Input {
	t.Helper()
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, "p.go", fixtureSource, 0)
	if err != nil {
		t.Fatal(err)
	}
	p, err := new(types.Config).Check("m/p", fset, []*ast.File{file}, nil)
	if err != nil {
		t.Fatal(err)
	}
	in := Input{Seed: 1}
	for _, name := range p.Scope().Names() {
		switch obj := p.Scope().Lookup(name).(type) {
		case *types.Func:
			addFunction(t, &in, obj)
		case *types.TypeName:
			named := obj.Type().(*types.Named)
			in.Types = append(in.Types, api.Type{Name: "m/p." + name, Package: "m/p", Expr: name, Type: named})
			addMethods(&in, named)
		}
	}
	values := []constant.Value{constant.MakeInt64(42), constant.MakeString("[key=]"), constant.MakeString("name")}
	for _, c := range values {
		in.Constants = append(in.Constants, Constant{Package: "m/p", Value: c})
	}
	return in
}

func addFunction(t testing.TB, in *Input, fn *types.Func) {
	name, signature := "m/p."+fn.Name(), fn.Signature()
	if signature.TypeParams().Len() > 0 {
		instance, err := types.Instantiate(nil, signature, []types.Type{types.Typ[types.Int], types.Typ[types.String]},
			true)
		if err != nil {
			t.Fatal(err)
		}
		name, signature = name+"[int,string]", instance.(*types.Signature)
	}
	in.Operations = append(in.Operations, operationOf(name, signature))
}

func addMethods(in *Input, named *types.Named) {
	add := func(m *types.Func, recv types.Type) {
		name := "m/p." + named.Obj().Name() + "." + m.Name()
		if _, ok := recv.(*types.Pointer); ok {
			name = "m/p.(*" + named.Obj().Name() + ")." + m.Name()
		}
		op := operationOf(name, m.Signature())
		op.Params, op.Receiver = append([]types.Type{recv}, op.Params...), true
		in.Operations = append(in.Operations, op)
	}
	for m := range named.Methods() {
		add(m, m.Signature().Recv().Type())
	}
	if iface, ok := named.Underlying().(*types.Interface); ok {
		for m := range iface.Methods() {
			add(m, named)
		}
	}
}

func operationOf(name string, signature *types.Signature) *api.Operation {
	op := &api.Operation{Name: name, Package: "m/p", Variadic: signature.Variadic()}
	for v := range signature.Params().Variables() {
		op.Params = append(op.Params, v.Type())
	}
	for v := range signature.Results().Variables() {
		op.Results = append(op.Results, v.Type())
	}
	return op
}

// A player executes sequences.
type player struct {
	t       testing.TB
	in      *Input
	state   bool // outcomes have a digest of the exit state
	world   *world
	table   map[string]reflect.Value
	types   map[string]reflect.Type
	played  []sequence.Sequence
	observe func(sequence.Sequence, Outcome)
}

func newPlayer(t testing.TB, in *Input) *player {
	p := &player{t: t, in: in, state: true, world: &world{hit: map[uint32]bool{}}, table: map[string]reflect.Value{}}
	for name, f := range p.world.functions() {
		p.table[name] = reflect.ValueOf(f)
	}
	p.types = map[string]reflect.Type{
		"any": reflect.TypeFor[any](), "error": reflect.TypeFor[error](),
		"m/p.Stack": reflect.TypeFor[Stack](), "m/p.Job": reflect.TypeFor[Job](),
		"m/p.Wrapper": reflect.TypeFor[Wrapper](),
		"m/p.Plain":   reflect.TypeFor[Plain](), "m/p.Config": reflect.TypeFor[Config](),
		"m/p.Option": reflect.TypeFor[Option](),
		"m/p.Node":   reflect.TypeFor[Node](), "m/p.Level": reflect.TypeFor[Level](),
		"zspectra/driver.Sample": reflect.TypeFor[sample](), "zspectra/driver.Nested": reflect.TypeFor[nested](),
	}
	for _, zero := range []any{0, int64(0), uint8(0), 0.0, "", false} {
		p.types[reflect.TypeOf(zero).String()] = reflect.TypeOf(zero)
	}
	in.Execute = p.execute
	return p
}

type nested struct {
	A int
	B string
	C *string
}

type sample struct {
	Name string
	N    int
	F    float64
	On   bool
	B    []byte
	L    []int
	S    []string
	M    map[string]any
	P    *int
	Q    *bool
	Any  any
	T    nested
	U    *nested
}

func (p *player) execute(_ context.Context, batch []sequence.Sequence) ([]Outcome, error) {
	outcomes := make([]Outcome, len(batch))
	for i, s := range batch {
		if err := sequence.Check(s, p.signature); err != nil {
			return nil, fmt.Errorf("%w\n%s", err, s)
		}
		before := len(p.world.hit)
		outcomes[i] = p.play(s)
		if len(p.world.hit) > before {
			for id := range closedBracket + 1 {
				if p.world.hit[id] {
					outcomes[i].Coverage = append(outcomes[i].Coverage, id)
				}
			}
		}
		p.played = append(p.played, s)
		if p.observe != nil {
			p.observe(s, outcomes[i])
		}
	}
	return outcomes, nil
}

func (p *player) signature(name string) (params, results int, ok bool) {
	f, ok := p.table[name]
	if !ok {
		return 0, 0, false
	}
	return f.Type().NumIn(), f.Type().NumOut(), true
}

func (p *player) play(s sequence.Sequence) (o Outcome) {
	var results [][]reflect.Value
	defer func() {
		switch r := recover().(type) {
		case nil:
		case exited:
			o.End = wire.EndExited
		default:
			o.Panicked = true
			o.Steps = append(o.Steps, Step{Panic: fmt.Sprintf("%T: %v", r, r)})
		}
	}()
	for i := range s.Statements {
		args, out := p.statement(&s.Statements[i], results)
		results = append(results, out)
		step := Step{}
		for _, v := range out {
			step.Results = append(step.Results, resultOf(v))
		}
		if p.state && len(args) > 0 && args[0].Kind() == reflect.Pointer {
			step.State = digestOf(args[0])
		}
		o.Steps = append(o.Steps, step)
	}
	return o
}

func (p *player) statement(st *sequence.Statement, results [][]reflect.Value) (args, out []reflect.Value) {
	switch st.Kind {
	case sequence.Let:
		return nil, []reflect.Value{p.value(&st.Args[0], p.typeOf(st.Op), results)}
	case sequence.Set:
		to := p.value(&st.Args[0], nil, results)
		field := to.Elem().FieldByName(st.Op)
		field.Set(p.value(&st.Args[1], field.Type(), results))
		return []reflect.Value{to}, nil
	case sequence.CallValue:
		f := p.value(&st.Args[0], nil, results)
		return p.call(f, st.Args[1:], results)
	default:
		return p.call(p.table[st.Op], st.Args, results)
	}
}

func (p *player) call(f reflect.Value, list []sequence.Value, results [][]reflect.Value) (args, out []reflect.Value) {
	for i := range list {
		args = append(args, p.value(&list[i], f.Type().In(i), results))
	}
	if f.Type().IsVariadic() {
		return args, f.CallSlice(args)
	}
	return args, f.Call(args)
}

// value makes a value of type t. If t is nil, it makes a value of any type.
func (p *player) value(v *sequence.Value, t reflect.Type, results [][]reflect.Value) reflect.Value {
	switch v.Kind {
	case sequence.Ref:
		found := results[v.Statement][v.Result]
		for t != nil && found.Kind() == reflect.Interface && !found.Type().AssignableTo(t) {
			found = found.Elem()
		}
		if t != nil && found.Kind() == reflect.Pointer && found.Type().Elem() == t {
			found = found.Elem()
		}
		if t == nil {
			return found
		}
		into := reflect.New(t).Elem()
		into.Set(found)
		return into
	case sequence.Typed:
		into := reflect.New(t).Elem()
		into.Set(p.value(&v.Elems[0], p.typeOf(v.Type), results))
		return into
	}
	into := reflect.New(t).Elem()
	switch v.Kind {
	case sequence.Address:
		pointer := reflect.New(t.Elem())
		pointer.Elem().Set(p.value(&v.Elems[0], t.Elem(), results))
		into.Set(pointer)
	case sequence.Struct:
		for i := range v.Fields {
			field := into.FieldByName(v.Fields[i].Name)
			field.Set(p.value(&v.Fields[i].Value, field.Type(), results))
		}
	case sequence.List:
		for i := range v.Elems {
			into.Set(reflect.Append(into, p.value(&v.Elems[i], t.Elem(), results)))
		}
	case sequence.Map:
		into.Set(reflect.MakeMap(t))
		for i := 0; i < len(v.Elems); i += 2 {
			into.SetMapIndex(p.value(&v.Elems[i], t.Key(), results), p.value(&v.Elems[i+1], t.Elem(), results))
		}
	case sequence.Stub:
		into.Set(reflect.MakeFunc(t, func([]reflect.Value) []reflect.Value { return p.returns(v, t, results) }))
	case sequence.Varying:
		rounds := v.Elems
		into.Set(reflect.MakeFunc(t, func([]reflect.Value) []reflect.Value {
			round := &rounds[0]
			rounds = rounds[min(1, len(rounds)-1):]
			return p.returns(round, t, results)
		}))
	default:
		scalarInto(p.t, v, into)
	}
	return into
}

func (p *player) returns(stub *sequence.Value, t reflect.Type, results [][]reflect.Value) (out []reflect.Value) {
	for i := range t.NumOut() {
		if i < len(stub.Elems) {
			out = append(out, p.value(&stub.Elems[i], t.Out(i), results))
		} else {
			out = append(out, reflect.Zero(t.Out(i)))
		}
	}
	return out
}

func scalarInto(t testing.TB, v *sequence.Value, into reflect.Value) {
	var err error
	switch v.Kind {
	case sequence.Nil, sequence.Zero:
	case sequence.Bool:
		into.SetBool(v.Text == "true")
	case sequence.Int:
		var n int64
		n, err = strconv.ParseInt(v.Text, 10, 64)
		into.SetInt(n)
	case sequence.Uint:
		var n uint64
		n, err = strconv.ParseUint(v.Text, 10, 64)
		into.SetUint(n)
	case sequence.Float:
		var f float64
		f, err = strconv.ParseFloat(v.Text, 64)
		into.SetFloat(f)
	case sequence.String:
		if into.Kind() == reflect.Slice {
			into.SetBytes([]byte(v.Text))
		} else {
			into.SetString(v.Text)
		}
	default:
		t.Fatalf("no way to make a value of kind %d", v.Kind)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// typeOf resolves a canonical name like the driver.
func (p *player) typeOf(name string) reflect.Type {
	if t, ok := p.types[name]; ok {
		return t
	}
	if name[0] == '*' {
		return reflect.PointerTo(p.typeOf(name[1:]))
	}
	if name[:2] == "[]" {
		return reflect.SliceOf(p.typeOf(name[2:]))
	}
	if name[:4] == "map[" {
		end := slices.Index([]byte(name), ']')
		return reflect.MapOf(p.typeOf(name[4:end]), p.typeOf(name[end+1:]))
	}
	panic("no type " + name)
}

func resultOf(v reflect.Value) Result {
	r := Result{Digest: digestOf(v)}
	switch v.Kind() {
	case reflect.Interface:
		r.Nil = v.IsNil()
		r.ErrorSet = !r.Nil && v.Type() == reflect.TypeFor[error]()
		if !r.Nil && v.Elem().Type() == reflect.TypeFor[Plain]() {
			r.Dynamic = "m/p.Plain"
		}
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Func:
		r.Nil = v.IsNil()
	}
	r.Huge = v.Kind() == reflect.Int && v.Int() > 1e6
	return r
}

// digestOf returns a digest of everything that v reaches, without addresses.
func digestOf(v reflect.Value) [2]uint64 {
	for v.Kind() == reflect.Pointer && !v.IsNil() {
		v = v.Elem()
	}
	sum := sha256.Sum256([]byte(v.Type().String() + " " + content(v, 0)))
	return [2]uint64{binary.LittleEndian.Uint64(sum[:]), binary.LittleEndian.Uint64(sum[8:])}
}

// content returns the text of a value without addresses, down to the depth that the fixture has.
func content(v reflect.Value, depth int) string {
	if depth > 50 {
		return "…"
	}
	var parts []string
	switch v.Kind() {
	case reflect.Func, reflect.Chan:
		return v.Kind().String()
	case reflect.Pointer, reflect.Interface:
		if v.IsNil() {
			return "nil"
		}
		return "&" + v.Elem().Type().String() + content(v.Elem(), depth+1)
	case reflect.Struct:
		for i := range v.NumField() {
			parts = append(parts, content(v.Field(i), depth+1))
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			parts = append(parts, content(v.Index(i), depth+1))
		}
	case reflect.Map:
		for iter := v.MapRange(); iter.Next(); {
			parts = append(parts, content(iter.Key(), depth+1)+":"+content(iter.Value(), depth+1))
		}
		slices.Sort(parts)
	default:
		return fmt.Sprintf("%#v", v)
	}
	return "{" + strings.Join(parts, " ") + "}"
}
