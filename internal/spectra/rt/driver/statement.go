package driver

import (
	"errors"
	"fmt"
	"reflect"
	"unsafe"

	"github.com/spectradiff/spectradiff/internal/spectra/rt"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/names"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// operation is a callable of the table.
type operation struct {
	f       reflect.Value
	pointee bool
	assigns bool // f is a pointer to the package variable that is set
}

// register looks the operations and types up once.
func (d *driver) register() {
	d.ops = map[string]operation{}
	for _, op := range rt.Operations {
		f := reflect.ValueOf(op.Func)
		assigns := f.Kind() == reflect.Pointer
		d.ops[op.Name] = operation{f, op.Pointee, assigns}
	}
	d.types.start()
}

// A call is a statement ready to run.
type call struct {
	run  func() []reflect.Value
	args []reflect.Value // what it may change
}

// prepare decodes a statement.
func (p *run) prepare() (call, error) {
	switch kind := p.r.Byte(); kind {
	case wire.StatementCall:
		name := p.r.Text()
		op, ok := p.d.ops[name]
		if !ok {
			return call{}, fmt.Errorf("no operation %s", name)
		}
		if op.assigns {
			return p.prepareAssign(op.f.Elem())
		}
		if op.pointee {
			return p.prepareOther(op.f)
		}
		args, err := p.arguments(op.f.Type())
		return caller(op.f, args), err
	case wire.StatementValue:
		return p.prepareValue()
	case wire.StatementSet:
		return p.prepareSet()
	case wire.StatementLet:
		t, err := p.d.types.find(p.r.Text())
		if err != nil {
			return call{}, err
		}
		v, err := p.value(t)
		return call{run: func() []reflect.Value { return []reflect.Value{v} }}, err
	default:
		return call{}, fmt.Errorf("statement kind %q", kind)
	}
}

// prepareOther decodes the call of a method whose receiver is a pointer in one version only.
func (p *run) prepareOther(f reflect.Value) (call, error) {
	n, t := p.r.Count(), f.Type()
	if n != t.NumIn() {
		return call{}, fmt.Errorf("%d arguments for %s", n, t)
	}
	given := reflect.PointerTo(t.In(0))
	if t.In(0).Kind() == reflect.Pointer {
		given = t.In(0).Elem()
	}
	args := make([]reflect.Value, n)
	for i := range args {
		in := t.In(i)
		if i == 0 {
			in = given
		}
		v, err := p.value(in)
		if err != nil {
			return call{}, err
		}
		args[i] = v
	}
	switch recv := args[0]; {
	case t.In(0).Kind() == reflect.Pointer:
		args[0] = reflect.New(given)
		args[0].Elem().Set(recv)
	case recv.IsNil():
		return call{run: dereference}, nil
	default:
		args[0] = recv.Elem()
	}
	return caller(f, args), nil
}

// dereference panics as Go does where a nil pointer is dereferenced.
func dereference() []reflect.Value { return []reflect.Value{reflect.ValueOf(*(*byte)(nil))} }

// caller returns a call of f. The last argument of a variadic function is its slice.
func caller(f reflect.Value, args []reflect.Value) call {
	if f.Type().IsVariadic() {
		return call{func() []reflect.Value { return f.CallSlice(args) }, args}
	}
	return call{func() []reflect.Value { return f.Call(args) }, args}
}

// prepareValue decodes the call of a function value.
func (p *run) prepareValue() (call, error) {
	n := p.r.Count()
	if n == 0 || p.r.Byte() != wire.ArgRef {
		return call{}, fmt.Errorf("call of a value that is no reference")
	}
	f, err := p.reference()
	if err != nil {
		return call{}, err
	}
	if f.Kind() == reflect.Interface {
		f = f.Elem()
	}
	if f.Kind() != reflect.Func {
		return call{}, fmt.Errorf("call of a value that is no function")
	}
	if n-1 != f.Type().NumIn() {
		return call{}, fmt.Errorf("%d arguments for %s", n-1, f.Type())
	}
	args, err := p.list(f.Type())
	if f.IsNil() {
		return call{run: func() []reflect.Value { panic("call of a nil function") }}, err
	}
	return caller(f, args), err
}

// prepareSet decodes an assignment to a field.
func (p *run) prepareSet() (call, error) {
	name := p.r.Text()
	if p.r.Byte() != wire.ArgRef {
		return call{}, fmt.Errorf("field of a value that is no reference")
	}
	target, err := p.reference()
	if err != nil {
		return call{}, err
	}
	for target.Kind() == reflect.Interface || target.Kind() == reflect.Pointer {
		if target.IsNil() {
			p.skip()
			return call{run: func() []reflect.Value { panic("field of a nil pointer") }}, nil
		}
		target = target.Elem()
	}
	if target.Kind() != reflect.Struct {
		return call{}, fmt.Errorf("field %s of a value that is no struct", name)
	}
	f := field(target, name)
	if !f.IsValid() || !f.CanSet() {
		return call{}, fmt.Errorf("no settable field %s in %s", name, target.Type())
	}
	v, err := p.value(f.Type())
	return call{func() []reflect.Value { f.Set(v); return nil }, []reflect.Value{target}}, err
}

// skip reads over a value that has no place to go.
func (p *run) skip() { _, _ = p.value(reflect.TypeFor[any]()) }

// arguments decodes a counted list of arguments.
func (p *run) arguments(t reflect.Type) ([]reflect.Value, error) {
	if n := p.r.Count(); n != t.NumIn() {
		return nil, fmt.Errorf("%d arguments for %s", n, t)
	}
	return p.list(t)
}

func (p *run) list(t reflect.Type) ([]reflect.Value, error) {
	args := make([]reflect.Value, t.NumIn())
	for i := range args {
		v, err := p.value(t.In(i))
		if err != nil {
			return nil, err
		}
		args[i] = v
	}
	return args, nil
}

// reference decodes a reference to an earlier result.
func (p *run) reference() (reflect.Value, error) {
	statement, index := p.r.Uint(), p.r.Uint()
	if statement >= uint64(len(p.results)) || index >= uint64(len(p.results[statement])) {
		return reflect.Value{}, fmt.Errorf("no result %d of statement %d", index, statement)
	}
	v := p.results[statement][index]
	if p.tries && isHugeText(v) {
		return reflect.Value{}, errHuge
	}
	return v, nil
}

// value decodes an argument for a slot of type t.
func (p *run) value(t reflect.Type) (reflect.Value, error) {
	kind := p.r.Byte()
	switch kind {
	case wire.ArgRef:
		v, err := p.reference()
		if err != nil {
			return v, err
		}
		return fit(v, t)
	case wire.ArgNil, wire.ArgZero:
		return reflect.Zero(t), nil
	case wire.ArgTyped:
		named, err := p.d.types.find(p.r.Text())
		if err != nil {
			return reflect.Value{}, err
		}
		v, err := p.value(named)
		if err != nil {
			return v, err
		}
		return fit(v, t)
	case wire.ArgBool, wire.ArgInt, wire.ArgUint, wire.ArgFloat, wire.ArgComplex, wire.ArgString:
		return p.basic(kind, t)
	}
	return p.composite(kind, t)
}

// basic decodes a basic value.
func (p *run) basic(kind byte, t reflect.Type) (reflect.Value, error) {
	var v reflect.Value
	switch kind {
	case wire.ArgBool:
		v = reflect.ValueOf(p.r.Bool())
	case wire.ArgInt:
		v = reflect.ValueOf(int(p.r.Int()))
	case wire.ArgUint:
		v = reflect.ValueOf(uint(p.r.Uint()))
	case wire.ArgFloat:
		v = reflect.ValueOf(p.r.Float())
	case wire.ArgComplex:
		re := p.r.Float()
		v = reflect.ValueOf(complex(re, p.r.Float()))
	default:
		v = reflect.ValueOf(p.r.Text())
	}
	if t.Kind() != reflect.Interface && v.CanConvert(t) && sameFamily(v.Kind(), t.Kind()) {
		return v.Convert(t), nil
	}
	return fit(v, t)
}

// sameFamily excludes the conversions that change what a value is, as integer to string.
func sameFamily(from, to reflect.Kind) bool {
	if to == reflect.Slice {
		return from == reflect.String // []byte and []rune
	}
	return (from == reflect.String) == (to == reflect.String)
}

// composite decodes a value that contains others.
func (p *run) composite(kind byte, t reflect.Type) (reflect.Value, error) {
	switch {
	case kind == wire.ArgAddress && t.Kind() == reflect.Pointer:
		v, err := p.value(t.Elem())
		if err != nil {
			return v, err
		}
		pointer := reflect.New(t.Elem())
		pointer.Elem().Set(v)
		return pointer.Convert(t), nil
	case kind == wire.ArgStruct && t.Kind() == reflect.Struct:
		return p.structure(t)
	case kind == wire.ArgList && (t.Kind() == reflect.Slice || t.Kind() == reflect.Array):
		return p.elements(t)
	case kind == wire.ArgMap && t.Kind() == reflect.Map:
		return p.mapping(t)
	case kind == wire.ArgStub && t.Kind() == reflect.Func:
		results, err := p.returned(t)
		return p.stub(t, results), err
	case kind == wire.ArgVarying && t.Kind() == reflect.Func:
		return p.varying(t)
	case kind == wire.ArgChan && t.Kind() == reflect.Chan:
		both := reflect.ChanOf(reflect.BothDir, t.Elem())
		return reflect.MakeChan(both, int(p.r.Uint())).Convert(t), nil
	case kind == wire.ArgClosed && t.Kind() == reflect.Chan:
		return p.closed(t)
	case kind == wire.ArgYields && iterates(t):
		return p.iterator(t)
	case kind == wire.ArgCalls && callback(t) >= 0:
		return p.caller(t)
	}
	return reflect.Value{}, fmt.Errorf("value of kind %q for %s", kind, t)
}

// closed decodes a channel that holds values and is closed.
func (p *run) closed(t reflect.Type) (reflect.Value, error) {
	values, err := p.elements(reflect.SliceOf(t.Elem()))
	if err != nil {
		return values, err
	}
	c := reflect.MakeChan(reflect.ChanOf(reflect.BothDir, t.Elem()), values.Len())
	for i := range values.Len() {
		c.Send(values.Index(i))
	}
	c.Close()
	return c.Convert(t), nil
}

func (p *run) structure(t reflect.Type) (reflect.Value, error) {
	v := reflect.New(t).Elem()
	for range p.r.Items() {
		name := p.r.Text()
		f := open(field(v, name))
		if !f.IsValid() || !f.CanSet() {
			return v, fmt.Errorf("no settable field %s in %s", name, t)
		}
		x, err := p.value(f.Type())
		if err != nil {
			return v, err
		}
		f.Set(x)
	}
	return v, nil
}

// open makes a field settable that is not exported: what is called from inside its package takes any value.
func open(f reflect.Value) reflect.Value {
	if f.IsValid() && !f.CanSet() && f.CanAddr() {
		return reflect.NewAt(f.Type(), unsafe.Pointer(f.UnsafeAddr())).Elem()
	}
	return f
}

// field finds the field that both versions know by that name, also a promoted one.
func field(v reflect.Value, name string) reflect.Value {
	t := v.Type()
	typeName := names.Type(t)
	for i := range t.NumField() {
		if own := t.Field(i).Name; own != name && names.Field(typeName, own) == name {
			return v.Field(i)
		}
	}
	return v.FieldByName(name)
}

func (p *run) elements(t reflect.Type) (reflect.Value, error) {
	n := p.r.Count()
	v := reflect.New(t).Elem()
	if t.Kind() == reflect.Slice {
		v.Set(reflect.MakeSlice(t, n, n))
	}
	for i := range n {
		x, err := p.value(t.Elem())
		if err != nil {
			return v, err
		}
		if i < v.Len() {
			v.Index(i).Set(x)
		}
	}
	return v, nil
}

func (p *run) mapping(t reflect.Type) (reflect.Value, error) {
	v := reflect.MakeMap(t)
	for range p.r.Items() {
		key, err := p.value(t.Key())
		if err != nil {
			return v, err
		}
		elem, err := p.value(t.Elem())
		if err != nil {
			return v, err
		}
		if key.Kind() == reflect.Interface && !key.IsNil() && !key.Elem().Comparable() {
			continue
		}
		v.SetMapIndex(key, elem)
	}
	return v, nil
}

// errHuge is that of a statement which would hand a huge text on. In a package variable it may make the next one larger
// and larger, and the process slow.
var errHuge = errors.New("huge text")

// errNil is that of a statement which panics, because it wants what a nil pointer points to.
var errNil = errors.New("nil pointer")

// fit makes v usable where a t is expected: of a pointer also what it points to.
func fit(v reflect.Value, t reflect.Type) (reflect.Value, error) {
	if v.Type().AssignableTo(t) {
		if v.Type() != t {
			v = v.Convert(t)
		}
		return v, nil
	}
	if v.Kind() == reflect.Interface {
		if v.IsNil() {
			return reflect.Zero(t), nil
		}
		return fit(v.Elem(), t)
	}
	if v.Kind() == t.Kind() && v.CanConvert(t) {
		return v.Convert(t), nil
	}
	if v.Kind() == reflect.Pointer && v.Type().Elem() == t {
		if v.IsNil() {
			return v, errNil
		}
		return v.Elem(), nil
	}
	return v, fmt.Errorf("%s where %s is expected", v.Type(), t)
}
