package gotest

import (
	"cmp"
	"errors"
	"fmt"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
)

// stub returns a function that returns given values.
func (b *body) stub(v *sequence.Value, u *types.Signature) (string, error) {
	rounds := v.Elems
	if v.Kind == sequence.Stub {
		rounds = []sequence.Value{*v}
	}
	var returns []string
	for i := range rounds {
		results, err := b.returned(&rounds[i], u)
		if err != nil {
			return "", err
		}
		returns = append(returns, "return "+results)
	}
	params, notes := b.noted(u)
	plain := types.NewSignatureType(nil, nil, nil, params, unnamed(u.Results()), u.Variadic())
	head, err := b.spell(plain)
	last := returns[len(returns)-1]
	switch {
	case err != nil:
		return "", err
	case notes == "" && u.Results().Len() == 0:
		return head + " {}", nil
	case u.Results().Len() == 0:
		return head + " {\n" + notes + "}", nil
	case len(returns) > 1:
		notes += b.counted(returns[:len(returns)-1])
	case notes == "":
		return head + " { " + last + " }", nil
	}
	return head + " {\n" + notes + last + "\n}", nil
}

// iterator returns a function that yields given values.
func (b *body) iterator(v *sequence.Value, u *types.Signature) (string, error) {
	params, notes := b.noted(u)
	if b.calls == nil {
		params = types.NewTuple(types.NewParam(token.NoPos, nil, "yield", u.Params().At(0).Type()))
	}
	yield := params.At(0).Type().Underlying().(*types.Signature)
	var calls []string
	for n, rest := yield.Params().Len(), v.Elems; len(rest) >= n; rest = rest[n:] {
		args, err := b.arguments(rest[:n], api.TypesOf(yield.Params()), false)
		if err != nil {
			return "", err
		}
		calls = append(calls, params.At(0).Name()+"("+args+")")
	}
	head, err := b.spell(types.NewSignatureType(nil, nil, nil, params, nil, false))
	if len(calls) > 0 {
		notes += "_ = " + strings.Join(calls, " && ") + "\n"
	}
	return head + " {\n" + notes + "}", err
}

// caller returns a function that calls the first function that it is handed, and returns what that returned as far as
// the types agree.
func (b *body) caller(v *sequence.Value, u *types.Signature) (string, error) {
	params, notes := b.noted(u)
	vars := slices.Collect(params.Variables())
	at := slices.IndexFunc(vars, func(p *types.Var) bool { return isFunction(p.Type()) })
	if at < 0 {
		return "", errors.New("no function to call among the parameters")
	}
	if b.calls == nil {
		for i := range vars {
			vars[i] = types.NewParam(token.NoPos, nil, "_", vars[i].Type())
		}
		vars[at] = types.NewParam(token.NoPos, nil, b.fresh("callback"), vars[at].Type())
	}
	handed, callback := vars[at].Type().Underlying().(*types.Signature), vars[at].Name()
	call, err := b.arguments(v.Elems, api.TypesOf(handed.Params()), false)
	if err != nil {
		return "", err
	}
	results, left := b.caught(u.Results(), handed.Results())
	call = left + callback + "(" + call + ")"
	head, err := b.spell(types.NewSignatureType(nil, nil, nil, types.NewTuple(vars...), results, u.Variadic()))
	text := head + " {\n" + notes + "if " + callback + " != nil {\n" + call + "\n}\n"
	if results.Len() > 0 {
		text += "return\n"
	}
	return text + "}", err
}

func isFunction(t types.Type) bool {
	_, ok := t.Underlying().(*types.Signature)
	return ok
}

// caught returns results of a function with names, and the left side of an assignment to those which what it called
// returned: each to the first one of its type that is left.
func (b *body) caught(own, called *types.Tuple) (results *types.Tuple, left string) {
	var vars []*types.Var
	for v := range own.Variables() {
		vars = append(vars, types.NewParam(token.NoPos, nil, b.fresh("result"), v.Type()))
	}
	names := make([]string, called.Len())
	for _, v := range vars {
		for i := range names {
			if names[i] == "" && types.Identical(called.At(i).Type(), v.Type()) {
				names[i] = v.Name()
				break
			}
		}
	}
	for i, name := range names {
		names[i] = cmp.Or(name, "_")
	}
	if len(names) > 0 {
		left = strings.Join(names, ", ") + " = "
	}
	return types.NewTuple(vars...), left
}

// returned returns the results of a stub.
func (b *body) returned(v *sequence.Value, u *types.Signature) (string, error) {
	var results []string
	for i := range u.Results().Len() {
		t := u.Results().At(i).Type()
		text, err := b.zero(t)
		if i < len(v.Elems) {
			text, err = b.value(&v.Elems[i], t)
		}
		if err != nil {
			return "", err
		}
		results = append(results, text)
	}
	return strings.Join(results, ", "), nil
}

// counted returns the statements by which the first calls of a stub return something else than later ones.
func (b *body) counted(returns []string) string {
	call := b.fresh("call")
	b.hoisted = append(b.hoisted, call+" := 0\n")
	text := call + "++\nswitch " + call + " {\n"
	for i, one := range returns {
		text += fmt.Sprintf("case %d:\n%s\n", i+1, one)
	}
	return text + "}\n"
}

// noted returns the parameters of a stub, and the statement that notes a call, if calls are noted: with its basic
// arguments, and whether others are nil.
func (b *body) noted(u *types.Signature) (params *types.Tuple, notes string) {
	if b.calls == nil {
		return unnamed(u.Params()), ""
	}
	var vars []*types.Var
	var names []string
	for v := range u.Params().Variables() {
		name := fmt.Sprintf("arg%d", len(vars)+1)
		switch v.Type().Underlying().(type) {
		case *types.Basic:
			names = append(names, name)
		case *types.Struct, *types.Array:
			name = "_"
		default:
			names = append(names, name+" == nil")
		}
		vars = append(vars, types.NewParam(token.NoPos, nil, name, v.Type()))
	}
	text := `"call"`
	if len(names) > 0 {
		verbs := strings.TrimPrefix(strings.Repeat(" %v", len(names)), " ")
		text = fmt.Sprintf("%s.Sprintf(%q, %s)", b.imported("fmt", "fmt"), verbs, strings.Join(names, ", "))
	}
	return types.NewTuple(vars...), fmt.Sprintf("%s = append(%[1]s, %s)\n", b.calls.name, text)
}

// unnamed returns parameters without their names.
func unnamed(list *types.Tuple) *types.Tuple {
	var vars []*types.Var
	for v := range list.Variables() {
		vars = append(vars, types.NewParam(token.NoPos, nil, "", v.Type()))
	}
	return types.NewTuple(vars...)
}

func (b *body) channel(v *sequence.Value, t types.Type, u *types.Chan) (string, error) {
	if u.Dir() != types.SendRecv {
		t = types.NewChan(types.SendRecv, u.Elem())
	}
	text, err := b.spell(t)
	if v.Text == "0" {
		return "make(" + text + ")", err
	}
	return "make(" + text + ", " + v.Text + ")", err
}

// closed returns a variable with a closed channel.
func (b *body) closed(v *sequence.Value, u *types.Chan) (string, error) {
	text, err := b.spell(types.NewChan(types.SendRecv, u.Elem()))
	if err != nil {
		return "", err
	}
	name := b.fresh("channel")
	statements := fmt.Sprintf("%s := make(%s, %d)\n", name, text, len(v.Elems))
	for i := range v.Elems {
		elem, err := b.value(&v.Elems[i], u.Elem())
		if err != nil {
			return "", err
		}
		statements += name + " <- " + elem + "\n"
	}
	b.hoisted = append(b.hoisted, statements+"close("+name+")\n")
	return name, nil
}

// reference returns a variable as a value of type t.
func (b *body) reference(v *sequence.Value, t types.Type) (string, error) {
	found := b.result(v)
	if found == nil {
		return "", fmt.Errorf("no result %d of statement %d", v.Result, v.Statement)
	}
	b.use(found)
	if types.AssignableTo(found.typ, t) {
		return found.name, nil
	}
	if p, ok := found.typ.Underlying().(*types.Pointer); ok && types.Identical(p.Elem(), t) {
		return "*" + found.name, nil
	}
	spelled, err := b.spell(t)
	if err != nil {
		return "", err
	}
	if types.IsInterface(found.typ) {
		return found.name + ".(" + spelled + ")", nil
	}
	return convert(spelled, found.name), nil
}
