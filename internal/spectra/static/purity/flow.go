package purity

import (
	"go/token"
	"go/types"
	"maps"

	"golang.org/x/tools/go/ssa"
)

// An object is memory that references may lead to.
type object struct {
	content  set
	function *ssa.Function // it is this function
	dynamic  types.Type    // the type of the value that an interface holds
	drains   bool          // an iterator over the content, made by the standard library
	yield    bool          // a function that is called with elements and keeps them
}

type set map[*object]bool

// A fault is the reason why a call is not proven pure.
type fault struct {
	reason string
	at     token.Pos
}

// flow is the analysis of one observer. It finds which memory a value may refer to, in all code that a call of the
// observer may run. One object stands for all memory that existed before the call, to which nobody may write. Every
// other object stands for the memory that one instruction allocates during the call. The flow ignores order and context
// and does not tell fields apart, so it finds too much rather than too little.
type flow struct {
	*Judge
	old       *object
	values    map[ssa.Value]set
	sites     map[ssa.Value]*object
	results   map[*ssa.Function]set
	functions []*ssa.Function // all that are reached, each once
	entered   map[*ssa.Function]bool
	drain     *ssa.Function // the function whose results are iterators to be drained
	yield     *object
	impure    []fault
	iterates  bool
	sorted    bool
	self      map[*ssa.Parameter]selfness
	changed   bool
	followed  map[*ssa.Function]set // callback → the elements it was called with; nil outside of callbacks
}

// maxReached is the largest number of functions that one observer may reach.
const maxReached = 500

func newFlow(j *Judge) *flow {
	f := &flow{
		Judge: j, old: &object{}, values: map[ssa.Value]set{}, sites: map[ssa.Value]*object{},
		results: map[*ssa.Function]set{}, entered: map[*ssa.Function]bool{}, yield: &object{yield: true},
		self: map[*ssa.Parameter]selfness{},
	}
	f.old.content = set{f.old: true}
	return f
}

func (f *flow) fail(at token.Pos, reason string) {
	f.impure = append(f.impure, fault{reason, at})
}

// enter adds a function to those that are analysed.
func (f *flow) enter(fn *ssa.Function) {
	if !f.entered[fn] {
		f.entered[fn] = true
		f.functions = append(f.functions, fn)
		f.changed = true
	}
}

// solve analyses all functions again and again until nothing is new. So the result does not depend on
// their order.
func (f *flow) solve() {
	for f.changed = true; f.changed; {
		f.changed = false
		for i := 0; i < len(f.functions); i++ {
			if i == maxReached {
				f.fail(token.NoPos, "it can reach too many functions")
				return
			}
			for _, block := range f.functions[i].Blocks {
				for _, instruction := range block.Instrs {
					f.instruction(f.functions[i], instruction)
				}
			}
		}
		if f.drain != nil {
			f.callAny(token.NoPos, f.results[f.drain], []set{{f.yield: true}}, nil)
		}
	}
}

func union(sets ...set) set {
	all := set{}
	for _, s := range sets {
		maps.Copy(all, s)
	}
	return all
}

// add puts objects into a set that is kept.
func (f *flow) add(to set, from set) {
	for o := range from {
		if !to[o] {
			to[o] = true
			f.changed = true
		}
	}
}

func (f *flow) put(v ssa.Value, o *object) { f.flow(v, set{o: true}) }

// flow notes that v may refer to the objects of the set.
func (f *flow) flow(v ssa.Value, from set) {
	if len(from) == 0 || !refers(v.Type(), 0) {
		return
	}
	if f.values[v] == nil {
		f.values[v] = set{}
	}
	f.add(f.values[v], from)
}

// of returns the objects that a value may refer to.
func (f *flow) of(v ssa.Value) set {
	switch v := v.(type) {
	case *ssa.Global:
		return set{f.old: true}
	case *ssa.Function:
		return set{f.site(v, object{function: v}): true}
	}
	return f.values[v]
}

// site returns the object that stands for the result of an instruction.
func (f *flow) site(v ssa.Value, as object) *object {
	o := f.sites[v]
	if o == nil {
		as.content = set{}
		o = &as
		f.sites[v] = o
	}
	return o
}

// load returns the objects stored in the memory that the set refers to.
func (f *flow) load(from set) set {
	out := set{}
	for o := range from {
		maps.Copy(out, o.content)
	}
	return out
}

// store writes references into memory.
func (f *flow) store(at token.Pos, to, what set, reason string) {
	for o := range to {
		if o == f.old {
			f.fail(at, reason)
			return
		}
		f.add(o.content, what)
	}
}

// instruction lets references flow through one instruction.
func (f *flow) instruction(fn *ssa.Function, instruction ssa.Instruction) {
	switch i := instruction.(type) {
	case *ssa.Store:
		f.store(i.Pos(), f.of(i.Addr), f.of(i.Val), "it writes to memory that is not its own")
	case *ssa.MapUpdate:
		f.store(i.Pos(), f.of(i.Map), union(f.of(i.Key), f.of(i.Value)), "it writes to a map that is not its own")
	case *ssa.Call:
		f.call(i.Common(), i)
	case *ssa.Defer:
		f.call(i.Common(), nil)
	case *ssa.Go:
		f.fail(i.Pos(), "it starts a goroutine")
	case *ssa.Send, *ssa.Select:
		f.fail(i.Pos(), "it uses a channel")
	case *ssa.Return:
		if f.results[fn] == nil {
			f.results[fn] = set{}
		}
		for _, result := range i.Results {
			f.add(f.results[fn], f.of(result))
		}
	case ssa.Value:
		f.value(i)
	}
}

// value lets references flow into the result of an instruction.
func (f *flow) value(v ssa.Value) {
	switch v := v.(type) {
	case *ssa.Alloc, *ssa.MakeSlice, *ssa.MakeMap, *ssa.MakeChan:
		f.put(v, f.site(v, object{}))
	case *ssa.MakeClosure:
		f.closure(v)
	case *ssa.MakeInterface:
		o := f.site(v, object{dynamic: v.X.Type()})
		f.add(o.content, f.of(v.X))
		f.put(v, o)
	case *ssa.TypeAssert:
		f.assertion(v)
	case *ssa.Convert:
		f.convert(v)
	case *ssa.UnOp:
		switch v.Op {
		case token.MUL:
			f.flow(v, f.load(f.of(v.X)))
		case token.ARROW:
			f.fail(v.Pos(), "it uses a channel")
		}
	case *ssa.Lookup:
		f.flow(v, f.load(f.of(v.X)))
	case *ssa.Range:
		if _, ok := v.X.Type().Underlying().(*types.Map); ok {
			f.iterates = true
		}
		f.flow(v, f.of(v.X))
	case *ssa.Next:
		f.flow(v, f.load(f.of(v.Iter)))
	case *ssa.BinOp:
	default:
		f.operands(v)
	}
}

// operands passes on what the operands refer to. The result is a part of an operand, an operand with
// another type, or one of several operands.
func (f *flow) operands(v ssa.Value) {
	instruction, ok := v.(ssa.Instruction)
	if !ok {
		return
	}
	for _, operand := range instruction.Operands(nil) {
		if *operand != nil {
			f.flow(v, f.of(*operand))
		}
	}
}

func (f *flow) closure(v *ssa.MakeClosure) {
	fn := v.Fn.(*ssa.Function)
	for i, binding := range v.Bindings {
		f.flow(fn.FreeVars[i], f.of(binding))
	}
	f.put(v, f.site(v, object{function: fn}))
}

func (f *flow) assertion(v *ssa.TypeAssert) {
	for o := range f.of(v.X) {
		switch {
		case o.dynamic == nil || types.IsInterface(v.AssertedType):
			f.put(v, o)
		case types.Identical(o.dynamic, v.AssertedType):
			f.flow(v, o.content)
		}
	}
}

// convert handles conversions: those that copy, and those of addresses, of which nothing is known.
func (f *flow) convert(v *ssa.Convert) {
	from, to := v.X.Type().Underlying(), v.Type().Underlying()
	switch {
	case isUnsafe(from) || isUnsafe(to):
		f.fail(v.Pos(), "it converts pointers")
	case types.Identical(from, to):
		f.flow(v, f.of(v.X))
	default:
		if _, list := to.(*types.Slice); list {
			f.put(v, f.site(v, object{}))
		}
	}
}

func isUnsafe(t types.Type) bool {
	b, ok := t.(*types.Basic)
	return ok && b.Kind() == types.UnsafePointer
}

// refers reports whether a value of the type can refer to memory that can change.
func refers(t types.Type, depth int) bool {
	if depth > 10 {
		return true
	}
	if _, ok := types.Unalias(t).(*types.TypeParam); ok {
		return true
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() == types.UnsafePointer || u.Kind() == types.Invalid
	case *types.Array:
		return refers(u.Elem(), depth+1)
	case *types.Struct:
		for field := range u.Fields() {
			if refers(field.Type(), depth+1) {
				return true
			}
		}
		return false
	}
	return true
}
