package rt

import (
	"fmt"
	"math"
	"reflect"
	"runtime"
	"strings"
	"unsafe"

	"github.com/spectradiff/spectradiff/internal/spectra/rt/names"
)

// A match is two values that must correspond. Placed values lie in memory that can be pointed to.
type match struct {
	old, new reflect.Value
	placed   bool
}

type visited struct {
	old, new uintptr
	typ      reflect.Type
}

// pairing is a relation under construction.
type pairing struct {
	forth, back map[uintptr]uintptr
	done        map[visited]bool
	todo        []match
	maps        []match // their keys have no order: what is left to match by trying
	steps       *int
}

const tooManySteps = 200_000

// isomorphic compares the variables that the pointers point to; known is false where trying all
// ways of matching keys would take too long.
func isomorphic(old, new []reflect.Value) (same, known bool) {
	steps := 0
	p := &pairing{map[uintptr]uintptr{}, map[uintptr]uintptr{}, map[visited]bool{}, nil, nil, &steps}
	for i := range old {
		p.todo = append(p.todo, match{old[i].Elem(), new[i].Elem(), true})
	}
	same = p.solve()
	return same, steps < tooManySteps
}

func (p *pairing) solve() bool {
	for len(p.todo) > 0 {
		last := p.todo[len(p.todo)-1]
		p.todo = p.todo[:len(p.todo)-1]
		if !p.compare(last) {
			return false
		}
	}
	if len(p.maps) == 0 {
		return true
	}
	return p.try(p.maps[0])
}

// try matches the first entry of old with each of new's and goes on with the rest.
func (p *pairing) try(m match) bool {
	old, new := entriesOf(m.old), entriesOf(m.new)
	return p.tryEntries(old, new, p.maps[1:])
}

type entry struct{ key, elem reflect.Value }

func (p *pairing) tryEntries(old, new []entry, rest []match) bool {
	if len(old) == 0 {
		p.maps = rest
		return p.solve()
	}
	for i := range new {
		if *p.steps++; *p.steps >= tooManySteps {
			return false
		}
		q := p.copied()
		q.maps = nil
		q.todo = []match{{old[0].key, new[i].key, false}, {old[0].elem, new[i].elem, false}}
		if !q.drain() {
			continue
		}
		others := append(append([]entry{}, new[:i]...), new[i+1:]...)
		if q.tryEntries(old[1:], others, append(append([]match{}, q.maps...), rest...)) {
			return true
		}
	}
	return false
}

// drain compares what can be compared without trying.
func (p *pairing) drain() bool {
	for len(p.todo) > 0 {
		last := p.todo[len(p.todo)-1]
		p.todo = p.todo[:len(p.todo)-1]
		if !p.compare(last) {
			return false
		}
	}
	return true
}

func (p *pairing) copied() *pairing {
	q := &pairing{map[uintptr]uintptr{}, map[uintptr]uintptr{}, map[visited]bool{}, nil, nil, p.steps}
	for k, v := range p.forth {
		q.forth[k], q.back[v] = v, k
	}
	for k := range p.done {
		q.done[k] = true
	}
	return q
}

// bind notes that two locations correspond.
func (p *pairing) bind(old, new uintptr) bool {
	n, haveOld := p.forth[old]
	o, haveNew := p.back[new]
	if haveOld || haveNew {
		return haveOld && haveNew && n == new && o == old
	}
	p.forth[old], p.back[new] = new, old
	return true
}

// leaf reports whether a value is a location of its own: it has no compared parts that are.
func leaf(t reflect.Type) bool {
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); f.Name != "_" && f.Type.Size() > 0 && !names.Opaque(names.Type(t)) {
				return false
			}
		}
	case reflect.Array:
		return t.Len() == 0
	}
	return true
}

// compare compares two values as far as they go without a look at their parts, which it adds to
// what is left to do.
func (p *pairing) compare(m match) bool {
	old, new := m.old, m.new
	if old.Type() != new.Type() {
		return false
	}
	t := old.Type()
	if m.placed && t.Size() > 0 {
		v := visited{old.Addr().Pointer(), new.Addr().Pointer(), t}
		if p.done[v] {
			return true
		}
		p.done[v] = true
		if leaf(t) && !p.bind(v.old, v.new) {
			return false
		}
	}
	if names.Opaque(names.Type(t)) {
		return true
	}
	switch t.Kind() {
	case reflect.Struct:
		for i := range t.NumField() {
			if t.Field(i).Name != "_" {
				p.todo = append(p.todo, match{old.Field(i), new.Field(i), m.placed})
			}
		}
		return true
	case reflect.Array:
		return p.elements(old, new, m.placed)
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Chan, reflect.Interface, reflect.Func:
		if old.IsNil() || new.IsNil() {
			return old.IsNil() && new.IsNil()
		}
		return p.reference(old, new)
	}
	return content(old) == content(new)
}

func (p *pairing) elements(old, new reflect.Value, placed bool) bool {
	if old.Len() != new.Len() {
		return false
	}
	for i := range old.Len() {
		p.todo = append(p.todo, match{old.Index(i), new.Index(i), placed})
	}
	return true
}

func (p *pairing) reference(old, new reflect.Value) bool {
	switch old.Kind() {
	case reflect.Pointer:
		p.todo = append(p.todo, match{old.Elem(), new.Elem(), true})
	case reflect.Slice:
		return p.elements(old, new, true)
	case reflect.Interface:
		p.todo = append(p.todo, match{old.Elem(), new.Elem(), false})
	case reflect.Func:
		return funcName(old) == funcName(new)
	case reflect.Chan:
		return p.channels(old, new)
	case reflect.Map:
		return p.entries(old, new)
	}
	return true
}

func (p *pairing) channels(old, new reflect.Value) bool {
	v := visited{old.Pointer(), new.Pointer(), old.Type()}
	if p.done[v] {
		return true
	}
	p.done[v] = true
	if !p.bind(v.old, v.new) || old.Len() != new.Len() || old.Cap() != new.Cap() {
		return false
	}
	if !Patched { // then nothing shows what is in a channel
		return true
	}
	for i := range buffers[v.old] {
		p.todo = append(p.todo, match{buffers[v.old][i], buffers[v.new][i], false})
	}
	return true
}

// buffers is what the channels of the heaps hold, by address.
var buffers = map[uintptr][]reflect.Value{}

func (p *pairing) entries(old, new reflect.Value) bool {
	v := visited{old.Pointer(), new.Pointer(), old.Type()}
	if p.done[v] {
		return true
	}
	p.done[v] = true
	if !p.bind(v.old, v.new) || old.Len() != new.Len() {
		return false
	}
	byKey := map[string]entry{}
	for _, e := range entriesOf(new) {
		byKey[keyText(e.key)] = e
	}
	if _, ambiguous := byKey[""]; ambiguous {
		p.maps = append(p.maps, match{old, new, false})
		return true
	}
	for _, e := range entriesOf(old) {
		other, ok := byKey[keyText(e.key)]
		if !ok {
			return false
		}
		p.todo = append(p.todo, match{e.elem, other.elem, false})
	}
	return true
}

func entriesOf(m reflect.Value) (list []entry) {
	for i := m.MapRange(); i.Next(); {
		list = append(list, entry{i.Key(), i.Value()})
	}
	return list
}

// keyText is a text that is the same for equal keys only; empty if there is none, because a key
// holds references or a NaN.
func keyText(v reflect.Value) string {
	switch v.Kind() {
	case reflect.Struct:
		text := v.Type().String() + "{"
		for i := range v.NumField() {
			part := keyText(v.Field(i))
			if part == "" {
				return ""
			}
			text += part + ","
		}
		return text + "}"
	case reflect.Array:
		text := v.Type().String() + "["
		for i := range v.Len() {
			part := keyText(v.Index(i))
			if part == "" {
				return ""
			}
			text += part + ","
		}
		return text + "]"
	case reflect.Interface:
		if v.IsNil() {
			return "nil"
		}
		return keyText(v.Elem())
	case reflect.Pointer, reflect.Chan, reflect.UnsafePointer, reflect.Uintptr:
		return ""
	case reflect.Float32, reflect.Float64:
		if v.Float() != v.Float() {
			return ""
		}
	}
	return v.Type().String() + ":" + content(v)
}

// content is the text of a value without parts.
func content(v reflect.Value) string {
	switch v.Kind() {
	case reflect.Bool:
		return fmt.Sprint(v.Bool())
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return fmt.Sprint(v.Int())
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		return fmt.Sprint(v.Uint())
	case reflect.Float32, reflect.Float64:
		return floatText(v.Float())
	case reflect.Complex64, reflect.Complex128:
		return floatText(real(v.Complex())) + "," + floatText(imag(v.Complex()))
	case reflect.String:
		return fmt.Sprintf("%q", v.String())
	case reflect.Uintptr, reflect.UnsafePointer:
		return "opaque"
	}
	panic("no content: " + v.Type().String())
}

func floatText(f float64) string {
	if f != f {
		return "NaN"
	}
	return fmt.Sprintf("%x", math.Float64bits(f))
}

// funcName is the declaration that a function or literal comes from.
func funcName(v reflect.Value) string {
	name, _, literal := strings.Cut(runtime.FuncForPC(v.Pointer()).Name(), ".func")
	return fmt.Sprint(name, literal)
}

// open returns a field that reflection keeps closed as one that can be read.
func open(v reflect.Value) reflect.Value {
	return reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Elem()
}
