package impact

import (
	"regexp"
	"strings"

	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// qualified matches qualified type names in the canonical text of a type.
var qualified = regexp.MustCompile(`[^\s*\[\](){},;<>"]+\.[\pL_][\pL\pN_]*`)

// Brings reports whether a sequence makes a value that reaches something of a changed type.
func (r *Reach) Brings(q sequence.Sequence) bool {
	if len(r.types) == 0 && r.outside == nil {
		return false
	}
	for _, statement := range q.Statements {
		if r.mentions(statement.Op) {
			return true
		}
		for i := range statement.Args {
			if r.value(&statement.Args[i]) {
				return true
			}
		}
	}
	return false
}

func (r *Reach) value(v *sequence.Value) bool {
	if v.Type != "" && r.mentions(v.Type) {
		return true
	}
	for i := range v.Elems {
		if r.value(&v.Elems[i]) {
			return true
		}
	}
	for i := range v.Fields {
		if r.value(&v.Fields[i].Value) {
			return true
		}
	}
	return false
}

// mentions reports whether the text of a type or an operation names a changed type. All types of packages of other
// modules count that may have other code.
func (r *Reach) mentions(text string) bool {
	for _, name := range qualified.FindAllString(text, -1) {
		path := name[:strings.LastIndexByte(name, '.')]
		if r.types[spectra.Symbol(name)] || r.outside != nil && r.outside(path) {
			return true
		}
	}
	return false
}
