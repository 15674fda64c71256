package variables

import (
	"fmt"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/spectra/static"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// A holder is a type of the module that has methods, promoted ones included.
type holder struct {
	typ     types.Type
	methods map[string]*types.Func
}

// collectHolders finds the types with methods: declared ones, also in functions, and struct types
// that embed others.
func (w *graphWalk) collectHolders() {
	known := map[string]bool{}
	add := func(t types.Type) {
		if t == nil || types.IsInterface(t) || known[w.nameOf(t)] {
			return
		}
		known[w.nameOf(t)] = true
		set := types.NewMethodSet(types.NewPointer(t))
		if set.Len() == 0 {
			return
		}
		h := holder{t, map[string]*types.Func{}}
		for selection := range set.Methods() {
			fn := selection.Obj().(*types.Func)
			h.methods[fn.Name()] = fn
		}
		w.holders = append(w.holders, h)
	}
	for _, pkg := range w.Packages {
		var found []*types.TypeName
		for _, object := range pkg.TypesInfo.Defs {
			if name, ok := object.(*types.TypeName); ok && !name.IsAlias() {
				found = append(found, name)
			}
		}
		slices.SortFunc(found, func(x, y *types.TypeName) int { return int(x.Pos()) - int(y.Pos()) })
		for _, name := range found {
			if _, parameter := name.Type().(*types.TypeParam); !parameter {
				add(name.Type())
			}
		}
	}
	for _, t := range w.runtime {
		if p, ok := t.(*types.Pointer); ok {
			t = p.Elem()
		}
		if _, ok := t.(*types.Struct); ok {
			add(t)
		}
	}
}

// implements reports whether values of the holder, or pointers to them, may be stored in an interface of
// type i. For generic types the names of the methods decide.
func (h holder) implements(i *types.Interface) bool {
	for m := range i.Methods() {
		found := h.methods[m.Name()]
		if found == nil || !fits(shapeOf(m.Signature()), shapeOf(found.Signature())) {
			return false
		}
	}
	return true
}

// declared returns the node of a function or method, or -1 if it is not the module's.
func (w *graphWalk) declared(fn *types.Func) int {
	if fn.Pkg() == nil || !w.Owns(fn.Pkg().Path()) || isInterfaceMethod(fn) {
		return -1
	}
	return w.graph.function(symbol.Function(fn))
}

func isInterfaceMethod(fn *types.Func) bool {
	recv := fn.Signature().Recv()
	return recv != nil && types.IsInterface(recv.Type())
}

// method returns the node of a method call through an interface or type parameter of type through.
func (w *graphWalk) method(fn *types.Func, through types.Type) int {
	n, fresh := w.add("method " + fn.Name() + " of " + w.nameOf(through))
	i, ok := through.Underlying().(*types.Interface)
	if !fresh || !ok {
		return n
	}
	for _, h := range w.holders {
		if !h.implements(i) {
			continue
		}
		found := h.methods[fn.Name()]
		if target := w.declared(found); target >= 0 {
			w.edge(n, target)
		} else if isInterfaceMethod(found) {
			w.edge(n, w.method(found, found.Signature().Recv().Type())) // from an embedded interface
		}
	}
	return n
}

// dynamic returns the node of a call of a function value.
func (w *graphWalk) dynamic(s *types.Signature) int {
	shape := shapeOf(s)
	n, fresh := w.add("value " + shapeKey(shape))
	if !fresh {
		return n
	}
	for _, fn := range w.taken {
		switch {
		case !fits(shape, shapeOf(fn.Signature)):
		case outside(fn):
			for p := range fn.Signature.Params().Variables() {
				w.edge(n, w.handed(p.Type(), readsAll))
			}
		default:
			w.edge(n, w.node(fn))
		}
	}
	return n
}

// A reader is what foreign code may do with a value of any type.
type reader string

const (
	readsAll  reader = "all"  // call any exported method: by reflection, or an interface of its own
	readsText reader = "text" // call the methods that the standard library looks for in any value
)

// readsAs returns what the standard library may do with a value of interface type t: call its methods,
// and those of other interfaces of t's package or of io, for which it looks in such values. Only a few of
// its packages close a value that they did not get as a closer.
func (w *graphWalk) readsAs(t types.Type, closes bool) reader {
	how := "as "
	if named, ok := types.Unalias(t).(*types.Named); ok && named.Obj().Pkg() != nil {
		how += named.Obj().Pkg().Path()
	}
	names := map[string]bool{}
	for m := range t.Underlying().(*types.Interface).Methods() {
		names[m.Name()] = true
		how += " " + m.Name()
	}
	if closes {
		how += " Close"
	}
	if _, done := w.looks[reader(how)]; !done {
		closes = closes || names["Close"]
		maps.Copy(names, hiddenMethods)
		_, rest, _ := strings.Cut(how, " ")
		path, _, _ := strings.Cut(rest, " ")
		maps.Copy(names, w.known["io"])
		maps.Copy(names, w.known[path])
		names["Close"] = closes
		w.looks[reader(how)] = names
	}
	return reader(how)
}

// textMethods are the methods that the standard library calls on values of type any, with the numbers of
// their parameters and results.
var textMethods = nameSet(`
	AppendBinary/1/2 AppendText/1/2 As/1/1 Error/0/1 Format/2/0 GobDecode/1/1 GobEncode/0/2 GoString/0/1 Is/1/1
	IsZero/0/1 LogValue/0/1 MarshalBinary/0/2 MarshalJSON/0/2 MarshalJSONTo/1/1 MarshalText/0/2 MarshalXML/2/1
	MarshalXMLAttr/1/2
	Scan/1/1 Scan/2/1 String/0/1 Temporary/0/1 Timeout/0/1 UnmarshalBinary/1/1 UnmarshalJSON/1/1 UnmarshalJSONFrom/1/1
	UnmarshalText/1/1 UnmarshalXML/2/1 UnmarshalXMLAttr/1/1 Unwrap/0/1 Value/0/2`)

// hiddenMethods are methods of interfaces that the standard library does not export.
var hiddenMethods = nameSet(`
	AfterFunc CloseWrite EnableFullDuplex FlushError Get IsBoolFlag Lstat ReadLink SetReadDeadline SetWriteDeadline
	Size`)

func nameSet(text string) map[string]bool {
	set := map[string]bool{}
	for _, name := range strings.Fields(text) {
		set[name] = true
	}
	return set
}

// reflective lists packages of the standard library that call methods of any name by reflection.
var reflective = map[string]bool{
	"html/template": true, "net/rpc": true, "net/rpc/jsonrpc": true, "testing/quick": true, "text/template": true,
}

// keepers lists packages of the standard library that keep arguments in variables of their own, and call
// them later.
var keepers = map[string]bool{
	"archive/zip": true, "crypto": true, "database/sql": true, "encoding/gob": true, "expvar": true,
	"flag": true, "image": true,
	"log": true, "log/slog": true, "mime": true, "net/http": true, "net/rpc": true, "os/signal": true,
	"testing": true,
}

// holding lists types of the standard library that hold values and call none of their methods.
var holding = map[string]bool{
	"container/list.List": true, "container/list.Element": true, "container/ring.Ring": true, "sync.Map": true,
	"sync/atomic.Value": true,
}

// closers lists packages of the standard library that close a reader if it has a method Close.
var closers = map[string]bool{
	"crypto/tls": true, "net": true, "net/http": true, "net/http/httputil": true, "net/rpc": true,
	"net/rpc/jsonrpc": true,
	"net/textproto":   true, "os/exec": true,
}

// handed returns the node of foreign code that got a value of type t.
func (w *graphWalk) handed(t types.Type, how reader) int {
	n, fresh := w.add("handed " + string(how) + " " + w.nameOf(t))
	if !fresh {
		return n
	}
	switch t := types.Unalias(t).(type) {
	case *types.Named:
		if holding[w.nameOf(t.Origin())] {
			break
		}
		if types.IsInterface(t) {
			w.handedInterface(n, t, how)
			break
		}
		if w.handedNamed(n, t, how); how == readsAll || how == readsText || !w.isModules(t) {
			w.edge(n, w.handed(t.Underlying(), how))
		}
	case *types.TypeParam:
		w.edge(n, w.handed(types.Universe.Lookup("any").Type(), how))
	case *types.Map:
		w.edge(n, w.handed(t.Key(), how))
		w.edge(n, w.handed(t.Elem(), how))
	case *types.Struct:
		for field := range t.Fields() {
			w.edge(n, w.handed(field.Type(), how))
		}
	case *types.Signature:
		w.edge(n, w.dynamic(t))
	case *types.Interface:
		w.handedInterface(n, t, how)
	case interface{ Elem() types.Type }:
		w.edge(n, w.handed(t.Elem(), how))
	}
	return n
}

// handedNamed adds the methods of a type of the module.
func (w *graphWalk) handedNamed(n int, t *types.Named, how reader) {
	if !w.isModules(t) || types.IsInterface(t) {
		return
	}
	for selection := range types.NewMethodSet(types.NewPointer(t)).Methods() {
		if fn := selection.Obj().(*types.Func); w.calls(how, fn) {
			w.callable(n, fn)
		}
	}
}

// calls reports whether foreign code may call a method.
func (w *graphWalk) calls(how reader, fn *types.Func) bool {
	s := fn.Signature()
	return how == readsAll || w.looks[how][fn.Name()] ||
		textMethods[fmt.Sprintf("%s/%d/%d", fn.Name(), s.Params().Len(), s.Results().Len())]
}

// knownMethods collects the methods of the exported interfaces of the standard library, as far as
// the program imports it.
func (w *graphWalk) knownMethods() {
	w.known, w.looks = map[string]map[string]bool{}, map[reader]map[string]bool{}
	for _, pkg := range w.SSA.AllPackages() {
		if !static.IsStandard(pkg.Pkg.Path()) || w.Owns(pkg.Pkg.Path()) {
			continue
		}
		names := map[string]bool{}
		w.known[pkg.Pkg.Path()] = names
		for _, name := range pkg.Pkg.Scope().Names() {
			if i, ok := pkg.Pkg.Scope().Lookup(name).Type().Underlying().(*types.Interface); ok {
				for m := range i.Methods() {
					names[m.Name()] = true
				}
			}
		}
	}
}

// callable adds a method that unknown code may call.
func (w *graphWalk) callable(n int, fn *types.Func) {
	if !fn.Exported() {
		return
	}
	if target := w.declared(fn); target >= 0 {
		w.edge(n, target)
	} else if isInterfaceMethod(fn) {
		w.edge(n, w.method(fn, fn.Signature().Recv().Type()))
	}
}

// handedInterface adds the methods of the values that an interface may hold.
func (w *graphWalk) handedInterface(n int, t types.Type, how reader) {
	i := t.Underlying().(*types.Interface)
	if how != readsAll && i.NumMethods() > 0 {
		how = w.readsAs(t, false)
	}
	for _, h := range w.holders {
		if !h.implements(i) {
			continue
		}
		if i.NumMethods() > 0 {
			w.edge(n, w.handed(h.typ, how))
			continue
		}
		for _, name := range slices.Sorted(maps.Keys(h.methods)) {
			if w.calls(how, h.methods[name]) {
				w.callable(n, h.methods[name])
			}
		}
	}
	for _, t := range w.runtime {
		if s, ok := t.Underlying().(*types.Signature); ok && i.NumMethods() == 0 && how == readsAll {
			w.edge(n, w.dynamic(s))
		}
	}
}

// resolve finds the edges of pending nodes, which may add more of them.
func (w *graphWalk) resolve() {
	for len(w.pending) > 0 {
		next := w.pending[0]
		w.pending = w.pending[1:]
		next()
	}
}
