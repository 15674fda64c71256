// Package symbol spells the names of functions and types, and splits source into tokens and regions.
//
// In: objects and types of go/types, syntax, source text. Out: names, which spectra.Symbol takes apart again, tokens
// or their hashes, and regions, which run together.
//
// The same declaration has the same name in every load of a program and on every machine. Source has the same tokens in
// every layout. No other package spells functions or types. Nothing is read or kept.
package symbol

import (
	"fmt"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/names"
)

// Type returns the spelling of a type. Identical types of two loads have the same spelling: packages by
// full path, aliases resolved, parameter names left out, type parameters by number, byte and rune as
// uint8 and int32, interface{} as any.
func Type(t types.Type) string { return Source(t, (*types.Package).Path) }

// Source returns the spelling of a type with other names for packages: for one that is called "", nothing stands in
// front of the names that it declares. Where these are names of imports, the result is Go source for any type that a
// value can have, whatever aliases it was written with.
func Source(t types.Type, called types.Qualifier) string {
	w := writer{called: called}
	w.write(t)
	return w.String()
}

// Key returns a text that differs for different types of one load: the spelling of go/types with full
// import paths. Unlike Type it keeps the names of type parameters, so those of different functions stay
// apart, and identical types may have different keys.
func Key(t types.Type) string { return types.TypeString(t, (*types.Package).Path) }

// Function returns the name of a function as Go writes it, without type arguments.
func Function(fn *types.Func) spectra.Symbol {
	fn = fn.Origin()
	path := ""
	if fn.Pkg() != nil {
		path = fn.Pkg().Path() + "."
	}
	recv := fn.Signature().Recv()
	if recv == nil {
		return spectra.Symbol(path + fn.Name())
	}
	named, pointer := Receiver(recv.Type())
	switch {
	case named == nil:
		return spectra.Symbol(path + fn.Name())
	case pointer:
		return spectra.Symbol(path + "(*" + named.Obj().Name() + ")." + fn.Name())
	default:
		return spectra.Symbol(path + named.Obj().Name() + "." + fn.Name())
	}
}

// Global returns the name of a variable, constant or type that a package declares: "m/p.x".
func Global(o types.Object) string { return o.Pkg().Path() + "." + o.Name() }

// Declared returns the name of what a package declares, functions and methods included.
func Declared(o types.Object) spectra.Symbol {
	if fn, ok := o.(*types.Func); ok {
		return Function(fn)
	}
	return spectra.Symbol(Global(o))
}

// Rebase translates the import paths in a name from one module path to another, also those in type
// arguments. A dependency whose path lies below the module's is translated too.
func Rebase(name, from, to string) string {
	if from == to || from == "" {
		return name
	}
	var out strings.Builder
	for {
		i := strings.Index(name, from)
		if i < 0 {
			return out.String() + name
		}
		end := i + len(from)
		out.WriteString(name[:i])
		starts := i == 0 || !names.PathByte(name[i-1])
		ends := end == len(name) || name[end] == '/' || name[end] == '.'
		if starts && ends {
			out.WriteString(to)
		} else {
			out.WriteString(from)
		}
		// Keep the last byte in view, because the next match looks at the byte before it.
		name = name[end:]
		if i := strings.IndexFunc(name, func(r rune) bool { return r > 0x7f || !names.PathByte(byte(r)) }); i > 0 {
			out.WriteString(name[:i])
			name = name[i:]
		}
	}
}

// Receiver returns the named type of a receiver, and whether the receiver is a pointer to it.
func Receiver(t types.Type) (named *types.Named, pointer bool) {
	t = types.Unalias(t)
	if p, ok := t.(*types.Pointer); ok {
		t, pointer = types.Unalias(p.Elem()), true
	}
	named, _ = t.(*types.Named)
	return named, pointer
}

// Named calls visit for each mention of a named type in the spelling of t. It does not enter the
// definitions of named types.
func Named(t types.Type, visit func(*types.Named)) {
	Mentioned(t, func(mentioned types.Type) {
		if named, ok := mentioned.(*types.Named); ok {
			visit(named)
		}
	})
}

// Mentioned calls visit for each mention of a named type or an alias in the spelling of t, and in that of the type that
// such an alias stands for. It does not enter the definitions of named types.
func Mentioned(t types.Type, visit func(types.Type)) {
	switch t := t.(type) {
	case *types.Alias:
		visit(t)
		Mentioned(t.Rhs(), visit)
	case *types.Named:
		visit(t)
		for arg := range t.TypeArgs().Types() {
			Mentioned(arg, visit)
		}
	case *types.Map:
		Mentioned(t.Key(), visit)
		Mentioned(t.Elem(), visit)
	case interface{ Elem() types.Type }: // a pointer, slice, array or channel
		Mentioned(t.Elem(), visit)
	case *types.Struct:
		for f := range t.Fields() {
			Mentioned(f.Type(), visit)
		}
	case *types.Signature:
		for _, list := range []*types.Tuple{t.Params(), t.Results()} {
			for v := range list.Variables() {
				Mentioned(v.Type(), visit)
			}
		}
	case *types.Interface:
		for m := range t.Methods() {
			Mentioned(m.Signature(), visit)
		}
	}
}

type writer struct {
	strings.Builder
	called types.Qualifier
}

func (w *writer) write(t types.Type) {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		w.basic(t)
	case *types.Named:
		w.named(t)
	case *types.Pointer:
		w.after("*", t.Elem())
	case *types.Slice:
		w.after("[]", t.Elem())
	case *types.Array:
		w.after("["+strconv.FormatInt(t.Len(), 10)+"]", t.Elem())
	case *types.Map:
		w.after("map[", t.Key())
		w.after("]", t.Elem())
	case *types.Chan:
		w.channel(t)
	case *types.Signature:
		w.WriteString("func")
		w.signature(t)
	case *types.Struct:
		w.structure(t)
	case *types.Interface:
		w.iface(t)
	case *types.Union:
		w.union(t)
	case *types.TypeParam:
		fmt.Fprintf(w, "$%d", t.Index())
	default:
		w.WriteString(t.String())
	}
}

func (w *writer) after(prefix string, t types.Type) {
	w.WriteString(prefix)
	w.write(t)
}

func (w *writer) basic(t *types.Basic) {
	if t.Kind() == types.UnsafePointer {
		w.WriteString("unsafe.Pointer")
		return
	}
	w.WriteString(types.Typ[t.Kind()].Name()) // not t.Name(), which may be byte or rune
}

func (w *writer) named(t *types.Named) {
	if p := t.Obj().Pkg(); p != nil && w.called(p) != "" {
		w.WriteString(w.called(p) + ".")
	}
	w.WriteString(t.Obj().Name())
	if t.TypeArgs().Len() > 0 {
		w.WriteString(typeArguments(t.TypeArgs(), w.called))
	}
}

// typeArguments returns type arguments as Go writes them: "[int,string]".
func typeArguments(args *types.TypeList, called types.Qualifier) string {
	var texts []string
	for arg := range args.Types() {
		texts = append(texts, Source(arg, called))
	}
	return "[" + strings.Join(texts, ",") + "]"
}

func (w *writer) channel(t *types.Chan) {
	prefix := [...]string{types.SendRecv: "chan ", types.SendOnly: "chan<- ", types.RecvOnly: "<-chan "}[t.Dir()]
	inner, nested := types.Unalias(t.Elem()).(*types.Chan)
	if t.Dir() != types.SendOnly && nested && inner.Dir() == types.RecvOnly {
		w.after(prefix+"(", t.Elem())
		w.WriteByte(')')
		return
	}
	w.after(prefix, t.Elem())
}

func (w *writer) signature(t *types.Signature) {
	if t.TypeParams().Len() > 0 {
		w.WriteByte('[')
		for i := range t.TypeParams().Len() {
			w.separate(i, ",")
			w.write(t.TypeParams().At(i).Constraint())
		}
		w.WriteByte(']')
	}
	w.WriteByte('(')
	for i := range t.Params().Len() {
		w.separate(i, ", ")
		param := t.Params().At(i).Type()
		list, ok := types.Unalias(param).(*types.Slice)
		if t.Variadic() && i == t.Params().Len()-1 && ok {
			w.after("...", list.Elem())
			continue
		}
		w.write(param)
	}
	w.WriteByte(')')
	switch results := t.Results(); results.Len() {
	case 0:
	case 1:
		w.after(" ", results.At(0).Type())
	default:
		w.WriteString(" (")
		for i := range results.Len() {
			w.separate(i, ", ")
			w.write(results.At(i).Type())
		}
		w.WriteByte(')')
	}
}

func (w *writer) separate(i int, text string) {
	if i > 0 {
		w.WriteString(text)
	}
}

func (w *writer) structure(t *types.Struct) {
	w.WriteString("struct{")
	for i := range t.NumFields() {
		w.separate(i, "; ")
		if f := t.Field(i); !f.Embedded() {
			w.WriteString(f.Name() + " ")
		}
		w.write(t.Field(i).Type())
		if tag := t.Tag(i); tag != "" {
			w.WriteString(" " + strconv.Quote(tag))
		}
	}
	w.WriteByte('}')
}

func (w *writer) iface(t *types.Interface) {
	if t.Empty() {
		w.WriteString("any")
		return
	}
	var parts []string
	for m := range t.Methods() { // embedded ones included
		method := writer{called: w.called}
		method.WriteString(m.Name())
		method.signature(m.Signature())
		parts = append(parts, method.String())
	}
	if !t.IsMethodSet() {
		for e := range t.EmbeddedTypes() {
			parts = append(parts, Source(e, w.called))
		}
	}
	slices.Sort(parts)
	w.WriteString("interface{" + strings.Join(parts, "; ") + "}")
}

func (w *writer) union(t *types.Union) {
	for i := range t.Len() {
		w.separate(i, "|")
		if t.Term(i).Tilde() {
			w.WriteByte('~')
		}
		w.write(t.Term(i).Type())
	}
}
