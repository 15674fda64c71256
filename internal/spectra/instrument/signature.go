package instrument

import (
	"cmp"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strconv"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// maxCopy is the size in bytes from which a parameter is passed to the runtime by its address: a copy of
// it would make every stack frame huge.
const maxCopy = 64 << 10

// maxByValue is the size in bytes up to which the compiler captures a variable by value.
const maxByValue = 128

// A slot is a value that a probe passes to the runtime.
type slot struct {
	name      string // valid at the start of the body
	reference bool   // pass its own address instead of a copy's
	result    bool   // only at exit
	decl      spectra.SlotDecl
}

// slots lists the function's slots in the order receiver, parameters, captured variables, results. It
// gives a name to each slot that has none.
func (f *file) slots(fn function) []slot {
	var list []slot
	add := func(kind spectra.SlotKind, name, shown string, t types.Type, reference bool) {
		list = append(list, slot{name, reference, kind == spectra.Result,
			spectra.SlotDecl{Kind: kind, Name: shown, Type: symbol.Type(t)}})
	}
	signature := fn.signature
	if fn.recv != nil {
		name := f.nameFields(fn.recv, func(int) string { return f.names.receiver() })[0]
		t := signature.Recv().Type()
		add(spectra.Receiver, name.used, "recv", t, size(t) > maxCopy)
	}
	for i, name := range f.nameFields(fn.typ.Params, f.names.parameter) {
		t := signature.Params().At(i).Type()
		add(spectra.Parameter, name.used, name.shown("arg", i), t, size(t) > maxCopy)
	}
	for _, v := range f.captured(fn) {
		add(spectra.Captured, v.Name(), v.Name(), v.Type(), f.capturedByReference(v))
	}
	for i, name := range f.nameResults(fn.typ.Results) {
		shown := name.shown("ret", i)
		if spectra.IsResultName(shown) { // the source may say so of another place
			shown = spectra.ResultName(i)
		}
		add(spectra.Result, name.used, shown, signature.Results().At(i).Type(), true)
	}
	return list
}

// A fieldName is the name of one parameter, receiver or result.
type fieldName struct {
	used   string // in the instrumented source
	source string // in the original; "": blank or unnamed
}

func (n fieldName) shown(prefix string, i int) string {
	if n.source != "" {
		return n.source
	}
	return prefix + strconv.Itoa(i)
}

// nameFields gives every field of the list a name that can be used.
func (f *file) nameFields(fields *ast.FieldList, fresh func(int) string) []fieldName {
	var list []fieldName
	if fields == nil {
		return nil
	}
	for _, field := range fields.List {
		if len(field.Names) == 0 {
			name := fresh(len(list))
			f.insert(field.Type.Pos(), name+" ")
			list = append(list, fieldName{used: name})
		}
		for _, id := range field.Names {
			if id.Name != "_" {
				list = append(list, fieldName{id.Name, id.Name})
				continue
			}
			name := fresh(len(list))
			f.replace(id.Pos(), id.End(), name)
			list = append(list, fieldName{used: name})
		}
	}
	return list
}

// nameResults does the same as nameFields for results, which may stand without parentheses.
func (f *file) nameResults(fields *ast.FieldList) []fieldName {
	bare := fields != nil && len(fields.List) > 0 && !fields.Opening.IsValid()
	if bare {
		f.insert(fields.Pos(), "(")
	}
	list := f.nameFields(fields, f.names.result)
	if bare {
		f.insert(fields.End(), ")")
	}
	return list
}

// captured lists the variables of enclosing functions that a literal's body uses, by name and then in the
// order of their declaration. So two versions that declare them in different orders have the same list.
func (f *file) captured(fn function) []*types.Var {
	if fn.literal == nil {
		return nil
	}
	var list []*types.Var
	seen := map[*types.Var]bool{}
	ast.Inspect(fn.body, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		v, ok := f.pkg.TypesInfo.Uses[id].(*types.Var)
		if !ok || seen[v] || !isLocal(v) || within(fn.literal, v.Pos()) {
			return true
		}
		seen[v] = true
		list = append(list, v)
		return true
	})
	sortByName(list)
	return list
}

// isLocal reports whether v is declared in a function.
func isLocal(v *types.Var) bool {
	return v.Kind() != types.FieldVar && v.Kind() != types.PackageVar && v.Name() != "_"
}

func within(n ast.Node, pos token.Pos) bool { return n.Pos() <= pos && pos < n.End() }

// capturedByReference reports whether the compiler captures the variable by reference. A variable that is
// small and never changed after its declaration is captured by value, and taking its address would change
// that.
func (f *file) capturedByReference(v *types.Var) bool {
	return f.changed[v] || v.Kind() == types.ResultVar || size(v.Type()) > maxByValue
}

// size returns a lower bound of the size of a type in bytes on a 64-bit machine. Unlike types.Sizes it
// accepts type parameters.
func size(t types.Type) int64 {
	const limit = 1 << 40
	switch u := t.Underlying().(type) {
	case *types.Array:
		element := size(u.Elem())
		if element > 0 && u.Len() > limit/element {
			return limit
		}
		return element * u.Len()
	case *types.Struct:
		var sum int64
		for field := range u.Fields() {
			sum = min(sum+size(field.Type()), limit)
		}
		return sum
	case *types.Basic:
		return types.SizesFor("gc", "amd64").Sizeof(u)
	case *types.Interface:
		return 16
	case *types.Slice:
		return 24
	}
	return 8
}

func sortByName(list []*types.Var) {
	slices.SortFunc(list, func(x, y *types.Var) int {
		return cmp.Or(cmp.Compare(x.Name(), y.Name()), cmp.Compare(x.Pos(), y.Pos()))
	})
}
