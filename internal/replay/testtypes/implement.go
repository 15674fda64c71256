package testtypes

import (
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// Implement adds a type for each interface, given as both versions have it. Its methods call its fields: functions with
// the name of the method and Func behind it, and a number if that is taken. If a field is nil, the method returns zero
// values. The types of old are also in Named. They are not in Source, because only the driver's main package can name
// all types of the methods. What a type is called does not depend on the others, but for packages of one name:
// sequences may be played where other interfaces matter. Root is the package of the module whose name is left out.
func (s *Set) Implement(interfaces []spectra.Pair[*types.Named], root string) {
	for _, pair := range interfaces {
		o := pair.Old.Obj()
		name := o.Name() + "Stub"
		if o.Pkg().Path() != root {
			name = strings.ToUpper(o.Pkg().Name()[:1]) + o.Pkg().Name()[1:] + name
		}
		for base, i := name, 2; s.taken[name] || !token.IsExported(name); i++ {
			name = fmt.Sprint("T", base, i)
		}
		s.taken[name] = true
		stubs := spectra.MakePair(func(side spectra.Side) *types.Named {
			return implementation(name, slices.Collect((*pair.Of(side)).Underlying().(*types.Interface).Methods()))
		})
		s.Named = append(s.Named, stubs.Old)
		s.Stubs.Old, s.Stubs.New = append(s.Stubs.Old, stubs.Old), append(s.Stubs.New, stubs.New)
	}
}

// Renamed returns a type of Implement under another name.
func Renamed(t *types.Named, name string) *types.Named {
	return implementation(name, slices.Collect(t.Methods()))
}

// implementation returns a struct with methods on its pointer.
func implementation(name string, methods []*types.Func) *types.Named {
	taken := map[string]bool{}
	for _, method := range methods {
		taken[method.Name()] = true
	}
	var fields []*types.Var
	for _, method := range methods {
		field := method.Name() + "Func"
		for base, i := field, 2; taken[field]; i++ {
			field = fmt.Sprint(base, i)
		}
		taken[field] = true
		fields = append(fields, types.NewField(token.NoPos, api.SamplePackage, field,
			plain(nil, method.Signature()), false))
	}
	t := types.NewNamed(
		types.NewTypeName(token.NoPos, api.SamplePackage, name, nil), types.NewStruct(fields, nil), nil)
	receiver := types.NewVar(token.NoPos, api.SamplePackage, "x", types.NewPointer(t))
	for _, method := range methods {
		t.AddMethod(types.NewFunc(token.NoPos, api.SamplePackage, method.Name(), plain(receiver, method.Signature())))
	}
	return t
}

// plain returns a signature with our own names for parameters and results.
func plain(receiver *types.Var, sig *types.Signature) *types.Signature {
	named := func(letter string, list *types.Tuple) *types.Tuple {
		var vars []*types.Var
		for v := range list.Variables() {
			name := fmt.Sprint(letter, len(vars))
			vars = append(vars, types.NewParam(token.NoPos, api.SamplePackage, name, v.Type()))
		}
		return types.NewTuple(vars...)
	}
	return types.NewSignatureType(
		receiver, nil, nil, named("p", sig.Params()), named("r", sig.Results()), sig.Variadic())
}

// Declaration returns the declaration of a type of Implement.
func Declaration(t *types.Named, qualifier types.Qualifier) string {
	return fmt.Sprintf("type %s %s\n\n", t.Obj().Name(), symbol.Source(t.Underlying(), qualifier)) +
		Methods(t, qualifier)
}

// Methods returns the declarations of the methods of a type of Implement, "" if a type has none.
func Methods(t *types.Named, qualifier types.Qualifier) string {
	var b strings.Builder
	for i := range t.NumMethods() {
		method := t.Method(i)
		sig := method.Signature()
		field := "x." + t.Underlying().(*types.Struct).Field(i).Name() // they have the order of the methods
		var args []string
		for v := range sig.Params().Variables() {
			args = append(args, v.Name())
		}
		call := field + "(" + strings.Join(args, ", ")
		if sig.Variadic() {
			call += "..."
		}
		call += ")"
		if sig.Results().Len() > 0 {
			call = "return " + call
		}
		fmt.Fprintf(&b, "func (x *%s) %s%s {\n\tif %s != nil {\n\t\t%s\n\t}\n", t.Obj().Name(), method.Name(),
			header(sig, qualifier), field, call)
		if sig.Results().Len() > 0 {
			b.WriteString("\treturn\n")
		}
		b.WriteString("}\n\n")
	}
	return b.String()
}

// header returns parameters and results with their names.
func header(sig *types.Signature, qualifier types.Qualifier) string {
	list := func(vars *types.Tuple, variadic bool) string {
		var parts []string
		for v := range vars.Variables() {
			text := symbol.Source(v.Type(), qualifier)
			if variadic && len(parts) == vars.Len()-1 {
				text = "..." + strings.TrimPrefix(text, "[]")
			}
			parts = append(parts, v.Name()+" "+text)
		}
		return "(" + strings.Join(parts, ", ") + ")"
	}
	text := list(sig.Params(), sig.Variadic())
	if sig.Results().Len() > 0 {
		text += " " + list(sig.Results(), false)
	}
	return text
}
