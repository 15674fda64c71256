package api

import (
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/internal/replay/fault"
	"github.com/spectradiff/spectradiff/internal/replay/load"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// finding is the step of what is done here for one package after the other.
const finding = "finding what can be called"

// Operations returns the operations of the packages:
//   - exported functions, and all functions of a main package
//   - exported methods of named types and of exported interfaces
//   - exported variables of the package's own types, and errors if any operation takes errors
//   - parts of values that no call returns
//   - suppliers from other packages
//
// Operations with a parameter of which no value can be made are left out. The result is sorted by name, suppliers last.
func Operations(version *load.Version, paths []string) []*Operation {
	list, _ := sorted(version, paths, nil)
	return list
}

// sorted returns the result of Operations, also with what makes results of the methods of some interfaces, and the
// interfaces that the driver has to implement for them.
func sorted(version *load.Version, paths []string, answered []*types.Named) ([]*Operation, []*types.Named) {
	_, callable, suppliers, m := operations(version, paths, answered)
	byName := func(o, p *Operation) int { return strings.Compare(o.Name, p.Name) }
	slices.SortFunc(callable, byName)
	slices.SortFunc(suppliers, byName)
	var implemented []*types.Named
	for _, name := range slices.Sorted(maps.Keys(m.implemented)) {
		implemented = append(implemented, m.implemented[name])
	}
	return append(callable, suppliers...), implemented
}

// collected returns the operations of packages, or those of what only code of their own package can call.
func collected(version *load.Version, paths []string, inside bool) (found []*Operation) {
	for _, p := range version.Chosen(paths) {
		fault.In(p.PkgPath, finding, func() {
			c := collector{version: version, pkg: p, inside: inside}
			c.collect()
			found = append(found, c.found...)
		})
	}
	return found
}

// operations returns all operations, those whose parameters can all be made, the suppliers, also of what methods of
// some interfaces return, and the maker that decided it.
func operations(
	version *load.Version, paths []string, answered []*types.Named,
) (found, callable, suppliers []*Operation, m *maker) {
	found = collected(version, paths, false)
	answers := answering(answered)
	if !slices.ContainsFunc(found, takesErrors) && !takesErrors(answers) {
		found = slices.DeleteFunc(found, func(op *Operation) bool { return op.Variable && IsError(op.Results[0]) })
	}
	m = newMaker(version, paths)
	callable = m.callable(found)
	if suppliers = m.suppliers(append(slices.Clip(found), answers)); len(suppliers) > 0 {
		callable = m.callable(found)
	}
	if m.implementing = true; len(callable) < len(found) {
		callable = m.callable(found)
	}
	if parts := m.parts(); len(parts) > 0 {
		found = append(found, parts...)
		callable = m.callable(found)
	}
	return found, callable, suppliers, m
}

// answering returns what stands for an operation that takes what methods of some interfaces return.
func answering(interfaces []*types.Named) *Operation {
	op := &Operation{}
	for _, t := range interfaces {
		for method := range t.Underlying().(*types.Interface).Methods() {
			for result := range method.Signature().Results().Variables() {
				op.Params = append(op.Params, result.Type())
			}
		}
	}
	return op
}

// Refused returns the exported functions that are no operations, with the reason.
func Refused(version *load.Version, paths []string) map[spectra.Symbol]string {
	found, callable, _, m := operations(version, paths, nil)
	called := map[spectra.Symbol]bool{}
	for _, op := range callable {
		called[op.Symbol] = true
	}
	reasons := map[spectra.Symbol]string{}
	for _, op := range found {
		if !called[op.Symbol] && reasons[op.Symbol] == "" {
			reasons[op.Symbol] = m.refused(op)
		}
	}
	return reasons
}

// A collector gathers the operations of one package.
type collector struct {
	version *load.Version
	pkg     *packages.Package
	inside  bool // unexported functions and methods, instead of all others
	found   []*Operation
}

func (c *collector) collect() {
	scope := c.pkg.Types.Scope()
	for _, name := range scope.Names() {
		switch obj := scope.Lookup(name).(type) {
		case *types.Func:
			c.function(obj)
		case *types.Var:
			if !c.inside {
				c.variable(obj)
			}
		case *types.TypeName:
			if named, ok := obj.Type().(*types.Named); ok && !obj.IsAlias() && !generated(name) {
				c.named(named)
			}
		}
	}
	for _, instance := range instancesIn(c.pkg.Types, c.found) {
		c.methods(instance)
	}
	slices.SortFunc(c.found, func(o, p *Operation) int { return strings.Compare(o.Name, p.Name) })
	c.found = slices.CompactFunc(c.found, func(o, p *Operation) bool { return o.Name == p.Name })
}

// generated reports whether cgo generated the name.
func generated(name string) bool {
	return strings.HasPrefix(name, "_C") || strings.HasPrefix(name, "_cgo") || strings.HasPrefix(name, "__cgo")
}

// open reports whether a sequence may use a name of the package.
func (c *collector) open(name string) bool { return usable(c.pkg.Types, name) }

// usable reports whether a sequence may use a name that a package declares: an exported name, or almost any in a main
// package, whose names are not made for others anyway.
func usable(p *types.Package, name string) bool {
	if p.Name() == "main" {
		return name != "_" && name != "main" && name != "init" && !generated(name)
	}
	r := []rune(name)[0]
	return 'A' <= r && r <= 'Z' || r > 0x7f && strings.ToUpper(string(r)) == string(r) &&
		strings.ToLower(string(r)) != string(r)
}

func (c *collector) function(fn *types.Func) {
	sig := fn.Signature()
	if !c.wanted(fn) {
		return
	}
	if sig.TypeParams().Len() == 0 {
		c.add(fn, "", fn.Name(), fn.Name(), sig, nil)
		return
	}
	for _, args := range typeChoices(c.pkg.Types, sig, sig.TypeParams()) {
		instance, err := types.Instantiate(nil, sig, args, true)
		if err != nil {
			continue
		}
		text, imports := c.list(args)
		op := c.add(fn, "", fn.Name()+canonicalList(args), fn.Name()+text, instance.(*types.Signature), imports)
		op.TypeArgs = args
	}
}

// wanted reports whether a function or method is to be collected.
func (c *collector) wanted(fn *types.Func) bool {
	if c.inside {
		sig := fn.Signature()
		return !usable(c.pkg.Types, fn.Name()) && fn.Name() != "_" && fn.Name() != "init" && !generated(fn.Name()) &&
			sig.TypeParams().Len() == 0 && sig.RecvTypeParams().Len() == 0
	}
	if fn.Signature().Recv() != nil {
		return fn.Exported()
	}
	return c.open(fn.Name())
}

// IsError reports whether a type is error.
func IsError(t types.Type) bool { return types.Identical(t, types.Universe.Lookup("error").Type()) }

// takesErrors reports whether an operation takes errors, or functions that return them.
func takesErrors(op *Operation) bool { return slices.ContainsFunc(op.Params, hasError) }

// hasError reports whether values of a type may hold or return errors.
func hasError(t types.Type) bool {
	switch u := t.Underlying().(type) {
	case *types.Interface:
		return IsError(t)
	case *types.Slice:
		return hasError(u.Elem())
	case *types.Signature:
		for result := range u.Results().Variables() {
			if IsError(result.Type()) {
				return true
			}
		}
	}
	return false
}

// variable adds an operation that returns an exported variable of one of the package's own types, or an error. Often
// there is no other way to get a valid value of the type, or an error that the package compares with.
func (c *collector) variable(v *types.Var) {
	own := IsError(v.Type())
	symbol.Named(v.Type(), func(n *types.Named) { own = own || n.Obj().Pkg() == c.pkg.Types })
	typ, imports, ok := spelled(c.pkg.Types, v.Type())
	if !own || !c.open(v.Name()) || forbidden(v.Type()) || !ok || len(imports) > 0 {
		return
	}
	c.found = append(c.found, &Operation{
		Name:     c.pkg.PkgPath + "." + v.Name(),
		Symbol:   spectra.Symbol(c.pkg.PkgPath + "." + v.Name()),
		Package:  c.pkg.PkgPath,
		Expr:     "func() " + typ + " { return " + v.Name() + " }",
		Variable: true,
		Results:  []types.Type{v.Type()},
	})
}

// named adds the methods of a declared type. For a generic type it adds those of some instances.
func (c *collector) named(t *types.Named) {
	if t.TypeParams().Len() == 0 {
		c.methods(t)
		return
	}
	for _, args := range typeChoices(c.pkg.Types, t, t.TypeParams()) {
		if instance, err := types.Instantiate(nil, t, args, true); err == nil {
			c.methods(instance.(*types.Named))
		}
	}
}

func (c *collector) methods(t *types.Named) {
	exported := c.open(t.Obj().Name())
	if iface, ok := t.Underlying().(*types.Interface); ok {
		if exported && !c.inside && iface.IsMethodSet() {
			c.interfaceMethods(t, iface)
		}
		return
	}
	for m := range t.Methods() {
		if c.wanted(m) {
			_, pointer := symbol.Receiver(m.Signature().Recv().Type())
			c.method(m, t, pointer)
		}
	}
	if exported && !c.inside {
		c.promoted(t)
	}
}

func (c *collector) interfaceMethods(t *types.Named, iface *types.Interface) {
	for m := range iface.Methods() {
		if m.Exported() {
			c.method(m, t, false)
		}
	}
}

// promoted adds the methods that an exported type has because it embeds a type that is unexported or of another module.
func (c *collector) promoted(t *types.Named) {
	set := types.NewMethodSet(types.NewPointer(t))
	byValue := types.NewMethodSet(t)
	for sel := range set.Methods() {
		m := sel.Obj().(*types.Func)
		if len(sel.Index()) < 2 || !m.Exported() || m.Pkg() == nil || c.version.Owns(m.Pkg()) && !hidden(m) {
			continue
		}
		c.method(m, t, byValue.Lookup(m.Pkg(), m.Name()) == nil)
	}
}

// hidden reports whether no other package can name the declaring type of a method.
func hidden(m *types.Func) bool {
	named, _ := symbol.Receiver(m.Signature().Recv().Type())
	return named != nil && !named.Obj().Exported()
}

// method adds a method as a function of its receiver, a t or *t.
func (c *collector) method(m *types.Func, t *types.Named, pointer bool) {
	plain := t.Obj().Name()
	name, expr := plain, plain
	var imports []string
	if t.TypeArgs().Len() > 0 {
		args := slices.Collect(t.TypeArgs().Types())
		list, from := c.list(args)
		name, expr, imports = plain+canonicalList(args), plain+list, from
	}
	var recv types.Type = t
	if pointer {
		recv = types.NewPointer(t)
		plain, name, expr = "(*"+plain+")", "(*"+name+")", "(*"+expr+")"
	}
	sig := m.Signature()
	vars := []*types.Var{types.NewParam(0, c.pkg.Types, "", recv)}
	for p := range sig.Params().Variables() {
		vars = append(vars, p)
	}
	bound := types.NewSignatureType(nil, nil, nil, types.NewTuple(vars...), sig.Results(), sig.Variadic())
	c.add(m, plain+"."+m.Name(), name+"."+m.Name(), expr+"."+m.Name(), bound, imports)
}

// add adds an operation. For a method, method is the symbol without the package; else it is "".
func (c *collector) add(
	fn *types.Func, method, name, expr string, sig *types.Signature, imports []string,
) *Operation {
	op := &Operation{
		Name:     c.pkg.PkgPath + "." + name,
		Symbol:   spectra.Symbol(c.pkg.PkgPath + "." + method),
		Package:  c.pkg.PkgPath,
		Expr:     expr,
		Imports:  imports,
		Receiver: method != "",
		Variadic: sig.Variadic(),
		Params:   TypesOf(sig.Params()),
		Names:    namesOf(sig.Params()),
		Results:  TypesOf(sig.Results()),
	}
	if method == "" {
		op.Symbol = symbol.Function(fn)
	}
	if !slices.ContainsFunc(op.Params, forbidden) {
		c.found = append(c.found, op)
	}
	return op
}

// namesOf returns the names of parameters.
func namesOf(params *types.Tuple) (names []string) {
	for p := range params.Variables() {
		names = append(names, p.Name())
	}
	return names
}

// TypesOf returns the types of parameters or results.
func TypesOf(tuple *types.Tuple) []types.Type {
	var out []types.Type
	for v := range tuple.Variables() {
		out = append(out, v.Type())
	}
	return out
}

// list writes type arguments as Go source inside the package: "[int, T]". It also returns what that has to import.
func (c *collector) list(args []types.Type) (list string, imports []string) {
	var texts []string
	for _, arg := range args {
		text, from, _ := spelled(c.pkg.Types, arg)
		texts, imports = append(texts, text), append(imports, from...)
	}
	return "[" + strings.Join(texts, ", ") + "]", imports
}

func canonicalList(args []types.Type) string {
	var texts []string
	for _, arg := range args {
		texts = append(texts, symbol.Type(arg))
	}
	return "[" + strings.Join(texts, ",") + "]"
}

// forbidden reports whether a sequence must not make values of the type: addresses as numbers, types of cgo, and types
// of package testing.
func forbidden(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		return t.Kind() == types.UnsafePointer || t.Kind() == types.Uintptr
	case *types.Named:
		p := t.Obj().Pkg()
		return generated(t.Obj().Name()) || p != nil && (p.Path() == "testing" || p.Path() == "runtime/cgo")
	case *types.Pointer:
		return forbidden(t.Elem())
	case *types.Slice:
		return forbidden(t.Elem())
	case *types.Array:
		return forbidden(t.Elem())
	case *types.Chan:
		return forbidden(t.Elem())
	case *types.Map:
		return forbidden(t.Key()) || forbidden(t.Elem())
	}
	return false
}
