package api

import (
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/replay/load"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// maxSuppliers is the maximum number of functions of its own package that supply one type.
const maxSuppliers = 4

// A known is a function, variable or type of the standard library that helps to fill slots of common types.
type known struct{ Import, Name string }

// knownMakers maps common types to functions that make values of them. Wanted links these in only if the type's package
// is known.
func knownMakers() map[string][]known {
	buffer := []known{{"bytes", "NewBufferString"}}
	reader := []known{{"strings", "NewReader"}}
	awkward := []known{ // return less than asked for, or an error in the middle
		{"testing/iotest", "OneByteReader"}, {"testing/iotest", "DataErrReader"}, {"testing/iotest", "TimeoutReader"},
	}
	failing := []known{ // write less than asked for, or nothing with an error
		{"testing/iotest", "TruncateWriter"}, {"compress/lzw", "NewWriter"},
	}
	return map[string][]known{
		"error":                   {{"errors", "New"}, {"errors", "Join"}, {"io", "EOF"}},
		"context.Context":         {{"context", "Background"}, {"context", "WithCancel"}, {"context", "WithDeadline"}},
		"fmt.Stringer":            buffer,
		"hash.Hash":               {{"crypto/sha256", "New"}},
		"io.ByteReader":           reader,
		"io.ByteWriter":           buffer,
		"io.Closer":               {{"io", "NopCloser"}},
		"io.ReadCloser":           {{"io", "NopCloser"}},
		"io.ReadSeeker":           reader,
		"io.ReadWriter":           buffer,
		"io.Reader":               slices.Concat(reader, awkward),
		"io.ReaderAt":             reader,
		"io.RuneReader":           reader,
		"io.RuneScanner":          reader,
		"io.Seeker":               reader,
		"io.StringWriter":         buffer,
		"io.Writer":               slices.Concat(buffer, failing),
		"io/fs.FS":                {{"os", "DirFS"}},
		"net/http.Handler":        {{"net/http", "NotFoundHandler"}},
		"*net/http.Request":       {{"net/http", "NewRequest"}},
		"net/http.ResponseWriter": {{"net/http/httptest", "NewRecorder"}},
		"reflect.Type":            {{"reflect", "TypeOf"}},
		"reflect.Value":           {{"reflect", "ValueOf"}},
		"time.Time":               {{"time", "Unix"}, {"time", "Date"}, {"time", "UnixMilli"}},
		"*time.Location":          {{"time", "FixedZone"}},
	}
}

// knownTypes lists types that implement common interfaces, or that functions with parameters of type any look for.
// Literals can express their values.
func knownTypes() []known {
	return []known{
		{"net/http", "HandlerFunc"}, {"sort", "IntSlice"}, {"sort", "StringSlice"},
		{"encoding/json", "Number"}, {"encoding/json", "RawMessage"}, {"time", "Duration"},
		{"testing/fstest", "MapFS"},
	}
}

// generalists lists functions that make values with many methods. They are tried for interfaces that no other value
// implements.
func generalists() []known {
	return []known{{"strings", "NewReader"}, {"bytes", "NewBufferString"}, {"log", "New"}, {"errors", "New"}}
}

// unfit reports whether the functions of a package must not be suppliers, because they run programs, read entropy, or
// circumvent the language. The functions of knownMakers are exceptions.
func unfit(path string) bool {
	unfit := []string{
		"crypto/rand", "os/exec", "plugin", "reflect", "runtime", "sync", "syscall", "testing", "time", "unsafe",
	}
	return slices.Contains(unfit, path) || !importable(path)
}

// Wanted returns the packages of the known makers. Each is wanted only if the package of the type that it makes is
// known. A version should be loaded with them; otherwise there are fewer ways to make values of common types.
func Wanted() []load.Wanted {
	var list []load.Wanted
	makers := knownMakers()
	for _, name := range slices.Sorted(maps.Keys(makers)) {
		condition := ""
		if i := strings.LastIndex(name, "."); i >= 0 {
			condition = strings.TrimPrefix(name[:i], "*")
		}
		for _, maker := range makers[name] {
			list = append(list, load.Wanted{Package: maker.Import, If: condition})
		}
	}
	for _, maker := range generalists() {
		list = append(list, load.Wanted{Package: maker.Import})
	}
	return append(list, load.Wanted{Package: "testing/fstest", If: "io/fs"})
}

// suppliers returns functions outside the module that make values of foreign types for the operations' parameters. It
// adds their results to the maker.
func (m *maker) suppliers(ops []*Operation) []*Operation {
	found := map[string]*Operation{}
	makers := knownMakers()
	pending := slices.Clone(ops)
	for len(pending) > 0 { // a supplier's own parameters may need suppliers
		var next []*Operation
		var offered []*Operation
		for _, t := range foreignParams(m.version, pending) {
			offered = append(offered, m.suppliersOf(t, makers)...)
		}
		offered = append(offered, m.fillers(pending)...)
		for _, op := range offered {
			if found[op.Name] == nil {
				found[op.Name] = op
				next = append(next, op)
			}
		}
		pending = next
	}
	var all []*Operation
	for _, name := range slices.Sorted(maps.Keys(found)) {
		all = append(all, found[name])
	}
	return m.callable(all)
}

// foreignParams returns the named types outside the module that occur in parameters.
func foreignParams(version *load.Version, ops []*Operation) []types.Type {
	found := map[string]types.Type{}
	for _, op := range ops {
		for _, param := range op.Params {
			symbol.Named(param, func(n *types.Named) {
				if !version.Owns(n.Obj().Pkg()) && n.TypeParams().Len() == n.TypeArgs().Len() {
					found[symbol.Type(n)] = n
				}
			})
		}
	}
	var out []types.Type
	for _, name := range slices.Sorted(maps.Keys(found)) {
		out = append(out, found[name])
	}
	return out
}

func (m *maker) suppliersOf(t types.Type, makers map[string][]known) []*Operation {
	var out []*Operation
	name := symbol.Type(t)
	for _, maker := range append(slices.Clone(makers[name]), makers["*"+name]...) {
		if o := lookup(m.version, maker); o != nil {
			out = append(out, supplier(o))
		}
	}
	p := t.(*types.Named).Obj().Pkg()
	if len(out) > 0 || p == nil || unfit(p.Path()) || !p.Complete() {
		return out
	}
	if _, ok := t.Underlying().(*types.Basic); ok || m.made[name] || m.made["*"+name] {
		return out
	}
	for _, fn := range ownMakers(p, name) {
		op := supplier(fn)
		if !slices.ContainsFunc(op.Params, forbidden) && len(out) < maxSuppliers && m.simple(op.Params) {
			out = append(out, op)
		}
	}
	return out
}

// fillers returns generalists for parameters of interface types that no other value implements.
func (m *maker) fillers(ops []*Operation) []*Operation {
	var out []*Operation
	for _, op := range ops {
		for _, param := range op.Params {
			iface, ok := param.Underlying().(*types.Interface)
			if !ok || m.made[symbol.Type(param)] || m.fillable(iface) {
				continue
			}
			for _, maker := range generalists() {
				o := lookup(m.version, maker)
				if o == nil {
					continue
				}
				if op := supplier(o); types.Implements(op.Results[0], iface) {
					out = append(out, op)
				}
			}
		}
	}
	return out
}

// simple reports whether the parameters can be made. Those with a known maker always can.
func (m *maker) simple(params []types.Type) bool {
	for _, t := range params {
		named, ok := types.Unalias(t).(*types.Named)
		if ok && knownMakers()[symbol.Type(named)] != nil {
			continue
		}
		if !m.makeable(t) {
			return false
		}
	}
	return true
}

// lookup returns a function or variable, nil if the version lacks it.
func lookup(version *load.Version, maker known) types.Object {
	p := version.Known(maker.Import)
	if p == nil {
		return nil
	}
	return p.Scope().Lookup(maker.Name)
}

// ownMakers returns the functions of a package whose first result is the type or a pointer to it: those that look like
// constructors, or the others if none does.
func ownMakers(p *types.Package, name string) []*types.Func {
	var likely, others []*types.Func
	for _, id := range p.Scope().Names() {
		fn, ok := p.Scope().Lookup(id).(*types.Func)
		if !ok || !fn.Exported() || fn.Signature().TypeParams().Len() > 0 || fn.Signature().Results().Len() == 0 {
			continue
		}
		if first := symbol.Type(fn.Signature().Results().At(0).Type()); strings.TrimPrefix(first, "*") != name {
			continue
		}
		if strings.HasPrefix(id, "New") || id == "Parse" || id == "Compile" || id == "Make" {
			likely = append(likely, fn)
		} else {
			others = append(others, fn)
		}
	}
	if len(likely) > 0 {
		return likely
	}
	return others
}

// supplier returns the operation that calls a function or returns a variable.
func supplier(o types.Object) *Operation {
	op := &Operation{
		Name:     o.Pkg().Path() + "." + o.Name(),
		Symbol:   spectra.Symbol(o.Pkg().Path() + "." + o.Name()),
		Expr:     o.Pkg().Name() + "." + o.Name(),
		Import:   o.Pkg().Path(),
		Supplier: true,
	}
	if fn, ok := o.(*types.Func); ok {
		sig := fn.Signature()
		op.Params, op.Variadic, op.Results = TypesOf(sig.Params()), sig.Variadic(), TypesOf(sig.Results())
	} else {
		op.Variable, op.Results = true, []types.Type{o.Type()}
	}
	return op
}
