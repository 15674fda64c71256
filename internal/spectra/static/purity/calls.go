package purity

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/ssa"
)

// call follows a call. Its results go to v, which is nil for a deferred call.
func (f *flow) call(c *ssa.CallCommon, v *ssa.Call) {
	var args []set
	for _, arg := range c.Args {
		args = append(args, f.of(arg))
	}
	var to ssa.Value
	if v != nil {
		to = v
	}
	switch callee := c.Value.(type) {
	case *ssa.Builtin:
		f.builtin(callee.Name(), c, to, args)
		return
	default:
		if c.IsInvoke() {
			f.invoke(c, to, args)
			return
		}
	}
	if fn := c.StaticCallee(); fn != nil {
		f.function(c.Pos(), fn, c.Args, args, to)
		return
	}
	f.callAny(c.Pos(), f.of(c.Value), args, to)
}

// function follows a call of a known function. It may have source, be a builtin, or be a function of the standard
// library whose effect is in a table. A call of anything else is impure.
func (f *flow) function(at token.Pos, fn *ssa.Function, operands []ssa.Value, args []set, to ssa.Value) {
	body := f.body(fn)
	if body == nil {
		f.standard(at, fn, operands, args, to)
		return
	}
	f.passes(operands, body)
	f.enter(body)
	for i, arg := range args {
		if i < len(body.Params) {
			f.flow(body.Params[i], arg)
		}
	}
	if to != nil {
		f.flow(to, f.results[body])
	}
}

// callAny follows a call of any of the functions in the set.
func (f *flow) callAny(at token.Pos, functions set, args []set, to ssa.Value) {
	for o := range functions {
		switch {
		case o.yield:
		case o.drains:
			elements := []set{o.content, o.content}
			for _, arg := range args {
				f.callAny(at, arg, elements, nil)
			}
		case o.function != nil:
			f.function(at, o.function, nil, args, to)
		default:
			f.fail(at, "it calls a function value that it was given")
			return
		}
	}
}

// invoke follows the call of an interface's method.
func (f *flow) invoke(c *ssa.CallCommon, to ssa.Value, args []set) {
	if _, ok := types.Unalias(c.Value.Type()).(*types.TypeParam); ok {
		f.fail(c.Pos(), "it calls a method of a type parameter")
		return
	}
	for o := range f.of(c.Value) {
		if o.dynamic == nil {
			f.closed(c, to, args)
			continue
		}
		f.method(c.Pos(), o, c.Method, append([]set{o.content}, args...), to)
	}
}

// method follows a call of a method on the value that an interface holds.
func (f *flow) method(at token.Pos, o *object, m *types.Func, args []set, to ssa.Value) {
	selection := types.NewMethodSet(o.dynamic).Lookup(m.Pkg(), m.Name())
	if selection == nil {
		return // this call has a value of another type
	}
	fn := f.program.MethodValue(selection)
	if fn == nil && len(selection.Index()) == 1 { // of a generic type
		fn = f.program.FuncValue(selection.Obj().(*types.Func).Origin())
	}
	if fn == nil {
		f.fail(at, "it calls "+m.Name()+" of a type with type parameters")
		return
	}
	f.function(at, fn, nil, args, to)
}

// closed follows a call of a method on a value from elsewhere, if only types of the module's packages can
// implement the interface because one of its methods is not exported.
func (f *flow) closed(c *ssa.CallCommon, to ssa.Value, args []set) {
	receiver := set{f.old: true}
	i := c.Value.Type().Underlying().(*types.Interface)
	sealed := false
	for m := range i.Methods() {
		if !m.Exported() && f.own[m.Pkg()] {
			sealed = true
		}
	}
	if !sealed {
		f.fail(c.Pos(), "it calls "+c.Method.Name()+" of a value whose type is not known")
		return
	}
	for _, fn := range f.methods[c.Method.Name()] {
		if body := f.program.FuncValue(fn.Origin()); body != nil {
			f.function(c.Pos(), body, nil, append([]set{receiver}, args...), to)
		}
	}
}

// builtin follows the call of a predeclared function.
func (f *flow) builtin(name string, c *ssa.CallCommon, to ssa.Value, args []set) {
	switch name {
	case "append":
		f.appends(c, to, args)
	case "copy":
		f.store(c.Pos(), args[0], f.load(args[1]), "it copies to memory that is not its own")
	case "delete", "clear":
		f.store(c.Pos(), args[0], nil, "it empties what is not its own")
	case "len", "cap", "min", "max", "real", "imag", "complex", "ssa:deferstack":
	case "ssa:wrapnilchk":
		if to != nil {
			f.flow(to, args[0])
		}
	default:
		f.fail(c.Pos(), "it calls "+name)
	}
}

func (f *flow) appends(c *ssa.CallCommon, to ssa.Value, args []set) {
	if !full(c.Args[0]) {
		f.store(c.Pos(), args[0], f.load(args[1]), "it appends to a slice that is not its own")
	}
	if to == nil {
		return
	}
	site := f.site(to, object{})
	f.add(site.content, f.load(args[0]))
	f.add(site.content, f.load(args[1]))
	f.put(to, site)
	f.flow(to, args[0])
}

// full reports whether a slice certainly has no room for more elements: x[:0:0].
func full(v ssa.Value) bool {
	s, ok := v.(*ssa.Slice)
	if !ok || s.Max == nil {
		return false
	}
	zero, ok := s.Max.(*ssa.Const)
	return ok && zero.Value != nil && zero.Int64() == 0
}
