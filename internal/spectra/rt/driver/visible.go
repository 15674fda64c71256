package driver

import (
	"fmt"
	"go/token"
	"reflect"
	"runtime/debug"
	"sort"
	"strconv"
	"strings"

	"github.com/spectradiff/spectradiff/internal/spectra/rt/digest"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/names"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// visible is a value as a caller sees it.
type visible struct {
	a, b uint64
	text string // shortened
}

const (
	more        = "..."
	shownText   = wire.ShownText - len(more) // bytes of a text that are kept for display
	visibleSize = 1 << 18                    // bytes of a text that are digested
)

func (v *visible) encode(e *wire.Writer) {
	e.Digest([2]uint64{v.a, v.b})
	e.Text(v.text)
}

// with returns a call that stands for two calls.
func (v *visible) with(other *visible) visible {
	h := digest.Hash{A: v.a, B: v.b}.Pair(other.a, other.b)
	return visible{h.A, h.B, "further calls"}
}

var (
	errorType    = reflect.TypeFor[error]()
	stringerType = reflect.TypeFor[fmt.Stringer]()
)

func show(v reflect.Value) visible {
	return printed(func(p *printer) { p.value(v) }).visible()
}

func showList(list []reflect.Value) visible {
	return printed(func(p *printer) {
		for i, v := range list {
			if i > 0 {
				p.text(", ")
			}
			p.value(v)
		}
	}).visible()
}

// panicText describes a panic value.
func panicText(x any) string {
	p := printed(func(p *printer) {
		v := reflect.ValueOf(&x).Elem()
		p.text(names.Type(v.Elem().Type()) + ": ")
		if s, ok := x.(string); ok {
			p.text(s)
		} else {
			p.value(v)
		}
	})
	return string(p.b[:min(len(p.b), shownText)])
}

type printer struct {
	b    []byte
	seen map[uintptr]int
}

// printed calls print. Where that comes to memory that is gone, such as that of a file that is mapped no more, it ends.
func printed(print func(p *printer)) (p *printer) {
	p = &printer{seen: map[uintptr]int{}}
	before := debug.SetPanicOnFault(true)
	defer func() {
		debug.SetPanicOnFault(before)
		x := recover()
		if _, fault := x.(interface{ Addr() uintptr }); fault {
			p.text("<memory that is gone>")
		} else if x != nil {
			panic(x)
		}
	}()
	print(p)
	return p
}

func (p *printer) visible() visible {
	a, b := digest.Of(p.b)
	text := p.b
	if len(text) > shownText {
		text = append(text[:shownText:shownText], more...)
	}
	return visible{a, b, string(text)}
}

func (p *printer) text(s string) {
	if len(p.b) < visibleSize {
		p.b = append(p.b, s...)
	}
}

// quoted prints a text as Go writes it, as far as that is displayed, and its length and the rest as it is.
func (p *printer) quoted(s string) {
	if len(s) <= shownText {
		p.text(strconv.Quote(s))
		return
	}
	p.text(strconv.Quote(s[:shownText]))
	p.text(strconv.Itoa(len(s)) + ":")
	p.text(s[shownText:])
}

func (p *printer) value(v reflect.Value) {
	if len(p.b) >= visibleSize {
		return
	}
	if p.spoken(v) || p.observed(v) {
		return
	}
	switch v.Kind() {
	case reflect.Bool:
		p.text(strconv.FormatBool(v.Bool()))
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		p.text(strconv.FormatInt(v.Int(), 10))
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		p.text(strconv.FormatUint(v.Uint(), 10))
	case reflect.Float32, reflect.Float64:
		p.text(strconv.FormatFloat(v.Float(), 'g', -1, v.Type().Bits()))
	case reflect.Complex64, reflect.Complex128:
		p.text(strconv.FormatComplex(v.Complex(), 'g', -1, v.Type().Bits()))
	case reflect.String:
		p.quoted(v.String())
	case reflect.Slice, reflect.Array:
		p.list(v)
	case reflect.Struct:
		p.structure(v)
	case reflect.Map:
		p.mapping(v)
	case reflect.Pointer, reflect.Interface:
		p.indirect(v)
	case reflect.Func, reflect.Chan:
		p.text(nilOr(v, v.Kind().String()))
	default:
		p.text(v.Kind().String())
	}
}

func nilOr(v reflect.Value, text string) string {
	if v.IsNil() {
		return "nil"
	}
	return text
}

// spoken prints values by their own text: errors, and the standard library's own Stringers. It reports whether v is
// one.
func (p *printer) spoken(v reflect.Value) bool {
	t := v.Type()
	isError := t.Implements(errorType)
	if !v.CanInterface() || !isError && !(t.Implements(stringerType) && standard(t)) || isNil(v) {
		return false
	}
	defer func() {
		if x := recover(); x != nil {
			p.text("<panics>")
		}
	}()
	if isError {
		p.text("error ")
		p.quoted(v.Interface().(error).Error())
	} else {
		p.text(v.Interface().(fmt.Stringer).String())
	}
	return true
}

// standard reports whether a type is a struct of the standard library: with no dot in the first
// element of its path.
func standard(t reflect.Type) bool {
	for t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	first, _, _ := strings.Cut(t.PkgPath(), "/")
	return t.Kind() == reflect.Struct && first != "" && !strings.Contains(first, ".") && isStd[first]
}

// isStd holds the standard packages whose Stringers are safe to call and say more than their fields.
var isStd = map[string]bool{"time": true, "math": true, "net": true}

func (p *printer) indirect(v reflect.Value) {
	if v.IsNil() {
		p.text("nil")
		return
	}
	if v.Kind() == reflect.Interface {
		p.text(names.Type(v.Elem().Type()) + "(")
		p.value(v.Elem())
		p.text(")")
		return
	}
	if p.known(v) {
		return
	}
	p.text("&")
	p.value(v.Elem())
}

// known prints a reference to a pointer or map that was printed before.
func (p *printer) known(v reflect.Value) bool {
	if n, ok := p.seen[v.Pointer()]; ok && v.Type().Size() > 0 {
		p.text("#" + strconv.Itoa(n))
		return true
	}
	p.seen[v.Pointer()] = len(p.seen)
	return false
}

func (p *printer) list(v reflect.Value) {
	if v.Kind() == reflect.Slice {
		if v.IsNil() {
			p.text("nil")
			return
		}
		if v.Type().Elem().Kind() == reflect.Uint8 {
			p.quoted(string(v.Bytes()))
			return
		}
	}
	p.text("[")
	for i := range v.Len() {
		if i > 0 {
			p.text(" ")
		}
		p.value(v.Index(i))
	}
	p.text("]")
}

func (p *printer) structure(v reflect.Value) {
	t := v.Type()
	name := names.Type(t)
	var fields []reflect.StructField
	for i := range t.NumField() {
		f := t.Field(i)
		if f.IsExported() && names.Compared(name, f.Name) {
			f.Name = names.Field(name, f.Name)
			if token.IsExported(f.Name) { // in both versions
				fields = append(fields, f)
			}
		}
	}
	sort.Slice(fields, func(i, j int) bool { return fields[i].Name < fields[j].Name })
	p.text(withoutPackage(name) + "{")
	for i, f := range fields {
		if i > 0 {
			p.text(" ")
		}
		p.text(f.Name + ":")
		p.value(v.FieldByIndex(f.Index))
	}
	p.text("}")
}

// withoutPackage drops the import path of a type's name, not those in its type arguments.
func withoutPackage(name string) string {
	base, _, _ := strings.Cut(name, "[")
	return name[strings.LastIndexByte(base, '.')+1:]
}

func (p *printer) mapping(v reflect.Value) {
	if v.IsNil() {
		p.text("nil")
		return
	}
	if p.known(v) {
		return
	}
	type entry struct{ key, elem string }
	var entries []entry
	for iter := v.MapRange(); iter.Next(); {
		k := printer{seen: p.seen}
		k.value(iter.Key())
		e := printer{seen: p.seen}
		e.value(iter.Value())
		entries = append(entries, entry{string(k.b), string(e.b)})
	}
	sort.Slice(entries, func(i, j int) bool {
		if entries[i].key != entries[j].key {
			return entries[i].key < entries[j].key
		}
		return entries[i].elem < entries[j].elem
	})
	p.text("map[")
	for i, e := range entries {
		if i > 0 {
			p.text(" ")
		}
		p.text(e.key + ":" + e.elem)
	}
	p.text("]")
}
