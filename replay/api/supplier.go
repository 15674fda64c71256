package api

import (
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/replay/load"
	"github.com/spectradiff/spectradiff/spectra"
	"github.com/spectradiff/spectradiff/spectra/symbol"
)

// maxSuppliers is how many functions of its own package supply one type.
const maxSuppliers = 4

// A known is a function or type of the standard library that helps to fill slots of common types.
type known struct{ Import, Name string }

// knownMakers says which functions make a value for a common type; the type's package decides
// whether they are worth linking in.
func knownMakers() map[string][]known {
	buffer := []known{{"bytes", "NewBufferString"}}
	reader := []known{{"strings", "NewReader"}}
	return map[string][]known{
		"error":                   {{"errors", "New"}},
		"context.Context":         {{"context", "Background"}, {"context", "WithCancel"}},
		"fmt.Stringer":            buffer,
		"hash.Hash":               {{"crypto/sha256", "New"}},
		"io.ByteReader":           reader,
		"io.ByteWriter":           buffer,
		"io.Closer":               {{"io", "NopCloser"}},
		"io.ReadCloser":           {{"io", "NopCloser"}},
		"io.ReadSeeker":           reader,
		"io.ReadWriter":           buffer,
		"io.Reader":               reader,
		"io.ReaderAt":             reader,
		"io.RuneReader":           reader,
		"io.RuneScanner":          reader,
		"io.Seeker":               reader,
		"io.StringWriter":         buffer,
		"io.Writer":               buffer,
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

// knownTypes lists types that implement common interfaces and can be written as literals.
func knownTypes() []known {
	return []known{{"net/http", "HandlerFunc"}, {"sort", "IntSlice"}, {"sort", "StringSlice"}}
}

// generalists lists makers of values with many methods, tried where nothing else implements an
// interface.
func generalists() []known {
	return []known{{"strings", "NewReader"}, {"bytes", "NewBufferString"}, {"log", "New"}, {"errors", "New"}}
}

// unfit reports whether a package's own functions are no suppliers: they run programs, read
// entropy, or go below the language.
func unfit(path string) bool {
	unfit := []string{
		"crypto/rand", "os/exec", "plugin", "reflect", "runtime", "sync", "syscall", "testing", "time", "unsafe",
	}
	return slices.Contains(unfit, path) || !importable(path)
}

// Wanted lists the packages of the known makers, each under the condition that the type which it
// serves is known. Load a version with them, or values of these types are made in fewer ways.
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
	return list
}

// suppliers returns functions from outside the module that make values of foreign types which the
// operations take, and teaches the maker what they return.
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

// foreignParams lists the named types from outside the module that parameters consist of.
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
		if fn := lookup(m.version, maker); fn != nil {
			out = append(out, supplier(fn))
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

// fillers returns generalists for parameters of interface types that nothing else implements.
func (m *maker) fillers(ops []*Operation) []*Operation {
	var out []*Operation
	for _, op := range ops {
		for _, param := range op.Params {
			iface, ok := param.Underlying().(*types.Interface)
			if !ok || m.made[symbol.Type(param)] || m.fillable(iface) {
				continue
			}
			for _, maker := range generalists() {
				fn := lookup(m.version, maker)
				if fn != nil && types.Implements(fn.Signature().Results().At(0).Type(), iface) {
					out = append(out, supplier(fn))
				}
			}
		}
	}
	return out
}

// simple reports whether the parameters are basic or can be made; error and the like always can.
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

func lookup(version *load.Version, maker known) *types.Func {
	p := version.Known(maker.Import)
	if p == nil {
		return nil
	}
	fn, _ := p.Scope().Lookup(maker.Name).(*types.Func)
	return fn
}

// ownMakers lists functions of the package whose first result is the type or a pointer to it: those
// that look like constructors, or all others if there is none.
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

func supplier(fn *types.Func) *Operation {
	sig := fn.Signature()
	return &Operation{
		Name:     fn.Pkg().Path() + "." + fn.Name(),
		Symbol:   spectra.Symbol(fn.Pkg().Path() + "." + fn.Name()),
		Expr:     fn.Pkg().Name() + "." + fn.Name(),
		Import:   fn.Pkg().Path(),
		Params:   typesOf(sig.Params()),
		Variadic: sig.Variadic(),
		Results:  typesOf(sig.Results()),
		Supplier: true,
	}
}
