package driver

import (
	"reflect"

	"github.com/spectradiff/spectradiff/internal/spectra/rt"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// An entry is what a driven call was handed.
type entry struct {
	a, b uint64      // as in step, but before the call
	each [][2]uint64 // of each argument by itself
}

// enter notes what a call is about to be handed.
func (p *run) enter(args []reflect.Value) {
	on := rt.On
	rt.On = false
	defer func() { rt.On = on }()
	e := entry{}
	e.a, e.b = reached(args)
	for _, v := range args {
		pointer := reflect.New(v.Type())
		pointer.Elem().Set(v)
		a, b, _ := rt.DigestOf(pointer)
		e.each = append(e.each, [2]uint64{a, b})
	}
	p.entries = append(p.entries, e)
}

func (e *entry) encode(w *wire.Writer) {
	w.Digest([2]uint64{e.a, e.b})
	w.Count(len(e.each))
	for _, digest := range e.each {
		w.Digest(digest)
	}
}
