package target

import (
	"context"
	"fmt"
	"go/types"
	"os"
	"slices"
	"strings"

	"golang.org/x/tools/go/gcexportdata"

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
	return slices.Contains([]string{"crypto/rand", "os/exec", "plugin", "reflect", "runtime", "sync", "syscall", "testing", "time", "unsafe"}, path) || !importable(path)
}

// completeUniverse loads the packages of the known makers that the module's own dependencies don't
// bring along, if the type they serve is there.
func (t *Target) completeUniverse(ctx context.Context) error {
	missing := map[string]bool{}
	for name, makers := range knownMakers() {
		if i := strings.LastIndex(name, "."); i >= 0 && t.universe[strings.TrimPrefix(name[:i], "*")] == nil {
			continue
		}
		for _, maker := range makers {
			if p := t.universe[maker.Import]; p == nil || !p.Complete() {
				missing[maker.Import] = true
			}
		}
	}
	for _, maker := range generalists() {
		if p := t.universe[maker.Import]; p == nil || !p.Complete() {
			missing[maker.Import] = true
		}
	}
	if len(missing) == 0 {
		return nil
	}
	args := append([]string{"list", "-export", "-f", "{{.ImportPath}}\t{{.Export}}"}, sortedKeys(missing)...)
	listed, err := t.run(ctx, args...)
	if err != nil {
		return fmt.Errorf("find export data of the standard library: %w", err)
	}
	for line := range strings.Lines(listed) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), "\t")
		if err := t.readExport(path, file); err != nil {
			return err
		}
	}
	return nil
}

func (t *Target) readExport(path, file string) error {
	f, err := os.Open(file)
	if err != nil {
		return fmt.Errorf("read export data of %s: %w", path, err)
	}
	defer f.Close()
	//lint:ignore SA1019 what go list -export names is an archive as long as the compiler writes archives
	r, err := gcexportdata.NewReader(f)
	if err != nil {
		return fmt.Errorf("find export data of %s: %w", path, err)
	}
	if _, err := gcexportdata.Read(r, t.Fset, t.universe, path); err != nil {
		return fmt.Errorf("read export data of %s: %w", path, err)
	}
	return nil
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
		for _, t := range foreignParams(m.target, pending) {
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
	for _, name := range sortedKeys(found) {
		all = append(all, found[name])
	}
	return m.callable(all)
}

// foreignParams lists the named types from outside the module that parameters consist of.
func foreignParams(t *Target, ops []*Operation) []types.Type {
	found := map[string]types.Type{}
	for _, op := range ops {
		for _, param := range op.Params {
			symbol.Named(param, func(n *types.Named) {
				if !t.owns(n.Obj().Pkg()) && n.TypeParams().Len() == n.TypeArgs().Len() {
					found[symbol.Type(n)] = n
				}
			})
		}
	}
	var out []types.Type
	for _, name := range sortedKeys(found) {
		out = append(out, found[name])
	}
	return out
}

func (m *maker) suppliersOf(t types.Type, makers map[string][]known) []*Operation {
	var out []*Operation
	name := symbol.Type(t)
	for _, maker := range append(slices.Clone(makers[name]), makers["*"+name]...) {
		if fn := m.target.lookup(maker); fn != nil {
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
		if op := supplier(fn); !slices.ContainsFunc(op.Params, forbidden) && len(out) < maxSuppliers && m.simple(op.Params) {
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
				if fn := m.target.lookup(maker); fn != nil && types.Implements(fn.Signature().Results().At(0).Type(), iface) {
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

func (t *Target) lookup(maker known) *types.Func {
	p := t.universe[maker.Import]
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
