package static

import (
	"go/types"

	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// immutable lists types of the standard library that hold references and yet never change, whatever
// method is called.
var immutable = map[string]bool{
	"*encoding/base32.Encoding": true,
	"*encoding/base64.Encoding": true,
	"*hash/crc32.Table":         true,
	"*hash/crc64.Table":         true,
	"*regexp.Regexp":            true,
	"*strings.Replacer":         true,
	"*time.Location":            true,
	"*unicode.RangeTable":       true,
	"embed.FS":                  true,
	"reflect.Type":              true,
	"reflect.Value":             false, // it is a reference
	"time.Time":                 true,
}

// copies reports whether a copy of a value of type t shares nothing with it that can change. Functions
// are such values, because a state knows them by their symbol only. So are errors, because nobody changes
// them.
func copies(t types.Type) bool {
	if known, ok := immutable[symbol.Key(types.Unalias(t))]; ok {
		return known
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() != types.UnsafePointer
	case *types.Signature:
		return true
	case *types.Array:
		return copies(u.Elem())
	case *types.Struct:
		for field := range u.Fields() {
			if !copies(field.Type()) {
				return false
			}
		}
		return true
	case *types.Interface:
		return types.Identical(t, errorType)
	}
	return false
}
