package driver

import (
	"fmt"
	"reflect"
	"slices"

	"github.com/spectradiff/spectradiff/internal/spectra/rt"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// stubSteps is what a call of a stub costs: it looks into all that it is handed.
const stubSteps = 20

// returned decodes what a stub returns.
func (p *run) returned(t reflect.Type) ([]reflect.Value, error) {
	n := p.r.Count()
	results := make([]reflect.Value, t.NumOut())
	for i := range results {
		results[i] = reflect.Zero(t.Out(i))
	}
	for i := range n {
		var v reflect.Value
		var err error
		if i < len(results) {
			v, err = p.value(t.Out(i))
			results[i] = v
		} else {
			p.skip()
		}
		if err != nil {
			return nil, err
		}
	}
	return results, nil
}

// varying decodes a stub whose calls return one list of results after the other.
func (p *run) varying(t reflect.Type) (reflect.Value, error) {
	var rounds [][]reflect.Value
	for range p.r.Items() {
		if kind := p.r.Byte(); kind != wire.ArgStub {
			return reflect.Value{}, fmt.Errorf("value of kind %q in a function", kind)
		}
		results, err := p.returned(t)
		if err != nil {
			return reflect.Value{}, err
		}
		rounds = append(rounds, results)
	}
	if len(rounds) == 0 {
		return reflect.Value{}, fmt.Errorf("a function without results for %s", t)
	}
	return p.stub(t, rounds...), nil
}

// iterates reports whether a type is that of iterators: functions that take only a function, which returns a truth
// value.
func iterates(t reflect.Type) bool {
	if t.Kind() != reflect.Func || t.NumIn() != 1 || t.NumOut() != 0 {
		return false
	}
	yield := t.In(0)
	return yield.Kind() == reflect.Func && !yield.IsVariadic() && (yield.NumIn() == 1 || yield.NumIn() == 2) &&
		yield.NumOut() == 1 && yield.Out(0).Kind() == reflect.Bool
}

// iterator decodes an iterator that records its calls, and yields the same each time.
func (p *run) iterator(t reflect.Type) (reflect.Value, error) {
	yield := t.In(0)
	var values []reflect.Value
	for range p.r.Items() {
		v, err := p.value(yield.In(len(values) % yield.NumIn()))
		if err != nil {
			return v, err
		}
		values = append(values, v)
	}
	return reflect.MakeFunc(t, func(args []reflect.Value) []reflect.Value {
		p.noted(args)
		for n, rest := yield.NumIn(), values; len(rest) >= n; rest = rest[n:] {
			if !args[0].Call(rest[:n])[0].Bool() {
				break
			}
		}
		return nil
	}), nil
}

// callback returns which parameter of a function type is the first function, if that can be called with single values;
// otherwise -1.
func callback(t reflect.Type) int {
	for i := range t.NumIn() {
		if in := t.In(i); in.Kind() == reflect.Func {
			if in.IsVariadic() {
				break
			}
			return i
		}
	}
	return -1
}

// caller decodes a function that records its calls and calls the first function that it is handed, unless that is nil,
// with the same values each time. It returns what that returned, as far as the types agree, and zero values.
func (p *run) caller(t reflect.Type) (reflect.Value, error) {
	at := callback(t)
	handed := t.In(at)
	with, err := p.arguments(handed)
	if err != nil {
		return reflect.Value{}, err
	}
	return reflect.MakeFunc(t, func(args []reflect.Value) []reflect.Value {
		p.noted(args)
		var came []reflect.Value
		if !args[at].IsNil() {
			came = args[at].Call(with)
		}
		results := make([]reflect.Value, t.NumOut())
		for i := range results {
			results[i] = reflect.Zero(t.Out(i))
			fits := func(v reflect.Value) bool { return v.Type() == t.Out(i) }
			if n := slices.IndexFunc(came, fits); n >= 0 {
				results[i] = came[n]
				came = slices.Delete(came, n, n+1)
			}
		}
		return results
	}), nil
}

// noted records a call, without what showing it runs.
func (p *run) noted(args []reflect.Value) {
	on := rt.On
	rt.On = false
	p.note(showList(args))
	rt.On = on
	rt.Spend(stubSteps)
}

// stub makes a function that records its calls and returns the given values: those of the last round again and again.
func (p *run) stub(t reflect.Type, rounds ...[]reflect.Value) reflect.Value {
	return reflect.MakeFunc(t, func(args []reflect.Value) []reflect.Value {
		p.noted(args)
		results := rounds[0]
		if len(rounds) > 1 {
			rounds = rounds[1:]
		}
		return results
	})
}
