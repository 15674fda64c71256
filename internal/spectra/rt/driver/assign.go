package driver

import (
	"fmt"
	"reflect"
	"slices"
)

// An assigned is a package variable that a sequence set, and what was in it before.
type assigned struct{ variable, before reflect.Value }

// prepareAssign decodes an assignment to a package variable.
func (p *run) prepareAssign(variable reflect.Value) (call, error) {
	if n := p.r.Count(); n != 1 {
		return call{}, fmt.Errorf("%d values for a variable", n)
	}
	v, err := p.value(variable.Type())
	return call{run: func() []reflect.Value {
		before := reflect.New(variable.Type()).Elem()
		before.Set(variable)
		p.assigned = append(p.assigned, assigned{variable, before})
		variable.Set(v)
		return nil
	}}, err
}

// restore puts back what was in the variables before the sequence.
func (p *run) restore() {
	for _, a := range slices.Backward(p.assigned) {
		a.variable.Set(a.before)
	}
}
