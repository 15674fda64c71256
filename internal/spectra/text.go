package spectra

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// String returns the whole text of v. It is for reading only; nothing is decided by it.
func (v *Value) String() string { return v.Short(math.MaxInt / utf8.UTFMax) }

// Short returns the text of v, cut to width runes.
func (v *Value) Short(width int) string {
	p := printer{budget: width * utf8.UTFMax}
	p.value(v)
	return Shorten(p.String(), width)
}

// Apart returns where two texts have context bytes left, or a rune more, until they differ; 0 if they differ before.
func Apart(before, after string, context int) int {
	same := 0
	for same < len(before) && same < len(after) && before[same] == after[same] {
		same++
	}
	start := max(0, same-context)
	for start > 0 && !utf8.RuneStart(before[start]) {
		start--
	}
	return start
}

// Shorten cuts s to width runes, the last of which is then "…".
func Shorten(s string, width int) string {
	runes := 0
	cut := 0
	for i := range s {
		if runes == width-1 {
			cut = i
		}
		if runes++; runes > width {
			return s[:cut] + "…"
		}
	}
	return s
}

// A printer stops as soon as it has enough text, so a huge value costs no more than its visible part.
type printer struct {
	strings.Builder
	budget int // bytes
}

func (p *printer) full() bool { return p.Len() > p.budget }

func (p *printer) value(v *Value) {
	if p.full() {
		return
	}
	if v == nil {
		p.WriteString("?")
		return
	}
	switch v.Kind {
	case wire.ValuePointer:
		p.WriteString("&")
		p.value(v.Elem())
	case wire.ValueInterface:
		p.iface(v)
	case wire.ValueStruct:
		p.list(typeName(v.Type)+"{", v, "}")
	case wire.ValueArray, wire.ValueSlice:
		p.list("[", v, "]")
	case wire.ValueMap:
		p.list("map[", v, "]")
	case wire.ValueChan:
		p.list(fmt.Sprintf("%schan(%d)[", v.Text, v.Bits), v, "]")
	default:
		p.WriteString(p.leaf(v))
	}
}

// iface prints the dynamic type of an interface where the value alone does not show it.
func (p *printer) iface(v *Value) {
	elem := v.Elem()
	if elem != nil && obvious(elem.Kind, v.Type) {
		p.value(elem)
		return
	}
	p.WriteString(typeName(v.Type) + "(")
	p.value(elem)
	p.WriteString(")")
}

func obvious(kind ValueKind, dynamic string) bool {
	switch kind {
	case wire.ValueInt:
		return dynamic == "int"
	case wire.ValueString:
		return dynamic == "string"
	case wire.ValueBool:
		return dynamic == "bool"
	case wire.ValueStruct, wire.ValueOpaque:
		return true
	case wire.ValuePointer:
		return !strings.HasPrefix(dynamic, "**")
	}
	return false
}

func (p *printer) list(before string, v *Value, after string) {
	p.WriteString(before)
	for i, item := range v.Items {
		if p.full() {
			return
		}
		if i > 0 {
			p.WriteString(", ")
		}
		if item.Name != "" {
			p.WriteString(item.Name + ": ")
		}
		if item.Key != nil {
			p.value(item.Key)
			p.WriteString(": ")
		}
		p.value(item.Value)
	}
	p.WriteString(after)
}

func (p *printer) leaf(v *Value) string {
	switch v.Kind {
	case wire.ValueNil:
		return "nil"
	case wire.ValueBool:
		return strconv.FormatBool(v.Bits != 0)
	case wire.ValueInt:
		return strconv.FormatInt(int64(v.Bits), 10)
	case wire.ValueUint:
		return strconv.FormatUint(v.Bits, 10)
	case wire.ValueFloat:
		return float(v.Bits)
	case wire.ValueComplex:
		c := complex(math.Float64frombits(v.Bits), math.Float64frombits(v.Rare().Imag))
		return strconv.FormatComplex(c, 'g', -1, 128)
	case wire.ValueString:
		return strconv.Quote(p.visible(v.Text))
	case wire.ValueBytes:
		return "[]byte(" + strconv.Quote(p.visible(v.Text)) + ")"
	case wire.ValueRef:
		return "ref#" + strconv.Itoa(int(v.ID))
	case wire.ValueInside:
		return "ref#" + strconv.Itoa(int(v.ID)) + p.visible(v.Text)
	case wire.ValueFunc:
		return "func " + Symbol(v.Type).Short()
	case wire.ValueOpaque:
		return typeName(v.Type) + "{…}"
	case wire.ValueTruncated:
		return "…"
	}
	return "?"
}

// visible returns the part of s that can be seen, so that a megabyte is not quoted for nothing.
func (p *printer) visible(s string) string {
	if len(s) > p.budget {
		return s[:p.budget]
	}
	return s
}

// float formats a float so that a negative zero and a whole number remain recognisable as floats.
func float(bits uint64) string {
	s := strconv.FormatFloat(math.Float64frombits(bits), 'g', -1, 64)
	if !strings.ContainsAny(s, ".eIN") {
		s += ".0"
	}
	return s
}

// typeName shortens the import paths in a type's name, inside brackets too: "*example.com/m/pkg.T"
// becomes "*pkg.T".
func typeName(t string) string {
	var out strings.Builder
	from := 0
	for i := range len(t) {
		switch t[i] {
		case '/':
			from = i + 1
		case '*', '[', ']', ' ', ',', '(', ')', '{', '}', ';':
			out.WriteString(t[from : i+1])
			from = i + 1
		}
	}
	return out.String() + t[from:]
}
