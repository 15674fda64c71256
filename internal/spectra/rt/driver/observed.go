package driver

import (
	"reflect"

	"github.com/spectradiff/spectradiff/internal/spectra/rt/names"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/state"
)

// observed prints a value that is compared by observers alone. It reports whether v is one.
func (p *printer) observed(v reflect.Value) bool {
	if v.Kind() == reflect.Struct || !v.CanInterface() || !state.Observable(v.Type()) {
		return false
	}
	p.text(withoutPackage(names.Type(v.Type())) + "{")
	for i, o := range state.Observe(v) {
		if i > 0 {
			p.text(" ")
		}
		p.text(o.Name + ":")
		if o.Panic != "" {
			p.text(o.Panic)
			continue
		}
		p.value(o.Value)
	}
	p.text("}")
	return true
}
