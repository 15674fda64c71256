// Package names assigns the canonical names of types, fields and functions in states, and lists the types that states
// leave out.
//
// In: reflect types, field names, function addresses, and a configuration, once, before the first recording. Out:
// canonical names. A package has its full path. A renamed thing has the name that both versions agreed on, so that
// states of both versions can be compared.
//
// The tables OpaqueTypes and PartialTypes list types of the standard library and of protobuf that are not compared
// field by field. They are constant, and every entry has a reason. The configuration may add opaque types.
//
// A name depends on the source and the configuration only, never on the compiler's inlining or the linker's numbers.
// The package calls and changes nothing of the target.
package names

import (
	"reflect"
	"strconv"
	"strings"
)

// A Config says how things are named and which are left out. Struct types in it go by the names that both versions
// agree on, without type arguments.
type Config struct {
	Renames map[string]string            // canonical name of a package or declaration → name used in states
	Skips   map[string][]string          // struct type → fields left out
	Fields  map[string]map[string]string // struct type → field here → its name in states
	Opaque  []string                     // further opaque types
}

var (
	config  Config
	skipped map[string]fieldSet // config.Skips
	further map[string]bool     // config.Opaque
)

type fieldSet map[string]bool

// Configure replaces the configuration.
func Configure(c Config) {
	config = c
	skipped = map[string]fieldSet{}
	for name, fields := range c.Skips {
		set := fieldSet{}
		for _, f := range fields {
			set[f] = true
		}
		skipped[name] = set
	}
	further = map[string]bool{}
	for _, name := range c.Opaque {
		further[name] = true
	}
}

// Compared reports whether a field of a struct type is part of states.
func Compared(structName, field string) bool {
	if only, ok := shown[structName]; ok {
		return only[field]
	}
	return !skipped[Declared(structName)][field]
}

// Declared returns the name of a type without its arguments.
func Declared(name string) string {
	name, _, _ = strings.Cut(name, "[")
	return name
}

// Field returns the name that a field has in states.
func Field(structName, field string) string {
	if name, ok := config.Fields[Declared(structName)][field]; ok {
		return name
	}
	return field
}

// Opaque reports whether the values of the type with that name are left out of states.
func Opaque(name string) bool {
	if name == "" || name[0] == '*' || name[0] == '[' {
		return false
	}
	name = Declared(name)
	dot := strings.LastIndexByte(name, '.')
	if dot < 0 {
		return false
	}
	inPackage := name[:dot+1]
	return further[name] || further[inPackage] || !partial[name] && (opaque[name] || opaque[inPackage])
}

// Type returns the canonical name of a type: packages by their full path, renamed types by the name that
// both versions agree on.
func Type(t reflect.Type) string {
	if t.Name() != "" {
		name := t.Name()
		if t.PkgPath() != "" {
			name = t.PkgPath() + "." + name
		}
		return Replace(name, config.Renames) // type arguments too
	}
	switch t.Kind() {
	case reflect.Pointer:
		return "*" + Type(t.Elem())
	case reflect.Slice:
		return "[]" + Type(t.Elem())
	case reflect.Array:
		return "[" + strconv.Itoa(t.Len()) + "]" + Type(t.Elem())
	case reflect.Map:
		return "map[" + Type(t.Key()) + "]" + Type(t.Elem())
	case reflect.Chan:
		return t.ChanDir().String() + " " + Type(t.Elem())
	}
	return t.String()
}
