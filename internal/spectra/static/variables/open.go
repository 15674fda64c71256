package variables

import (
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/ssa"
)

// exchange is the set of types whose values unknown code may make, get and change. Unknown code is the caller of an
// exported function, a dependency, the standard library. The call graph knows all values only of the other types.
type exchange struct {
	*program
	open      map[string]bool // types, by canonical name
	todo      []types.Type
	asserted  []conversion // of interfaces to other types
	runtime   []types.Type // put into interfaces somewhere
	opened    []*types.Interface
	having    map[string][]types.Type // method → those of runtime that have it
	taken     []*ssa.Function         // functions used as values
	takenOnce map[*ssa.Function]bool

	conversions map[string][]string // type → types it is converted from
}

type conversion struct{ from, to types.Type }

// newExchange collects the types of values that cross the border to unknown code, and closes the set:
// code that has a value also has its parts, and gets the results of its methods.
func newExchange(p *program) *exchange {
	x := &exchange{program: p, open: map[string]bool{}, takenOnce: map[*ssa.Function]bool{}}
	for _, fn := range p.Functions {
		x.function(fn)
	}
	for _, pkg := range p.Packages {
		for _, name := range pkg.Types.Scope().Names() {
			if v, ok := pkg.Types.Scope().Lookup(name).(*types.Var); ok && v.Exported() {
				x.cross(v.Type())
			}
		}
	}
	x.runtime = p.SSA.RuntimeTypes()
	slices.SortFunc(x.runtime, func(s, t types.Type) int { return strings.Compare(x.nameOf(s), x.nameOf(t)) })
	for x.drain(); x.step(); x.drain() {
	}
	return x
}

func (x *exchange) isOpen(t types.Type) bool { return x.open[x.nameOf(t)] }

func (x *exchange) cross(t types.Type) {
	if t == nil {
		return
	}
	key := x.nameOf(t)
	if !x.open[key] {
		x.open[key] = true
		x.todo = append(x.todo, t)
	}
}

func (x *exchange) crossAll(t *types.Tuple) {
	for v := range t.Variables() {
		x.cross(v.Type())
	}
}

// sources returns the types, by name, whose values may be converted or asserted to the interface type t.
func (x *exchange) sources(t types.Type) map[string]bool {
	if x.conversions == nil {
		x.conversions = map[string][]string{}
		for _, c := range x.asserted {
			to := x.nameOf(c.to)
			x.conversions[to] = append(x.conversions[to], x.nameOf(c.from))
		}
	}
	found := map[string]bool{x.nameOf(t): true}
	for todo := []string{x.nameOf(t)}; len(todo) > 0; {
		next := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, from := range x.conversions[next] {
			if !found[from] {
				found[from] = true
				todo = append(todo, from)
			}
		}
	}
	return found
}

// drain adds the parts of types that are new.
func (x *exchange) drain() {
	for len(x.todo) > 0 {
		t := x.todo[len(x.todo)-1]
		x.todo = x.todo[:len(x.todo)-1]
		switch t := types.Unalias(t).(type) {
		case *types.Named:
			x.cross(t.Underlying())
			if i, ok := t.Underlying().(*types.Interface); ok {
				x.opened = append(x.opened, i)
			}
		case *types.Map:
			x.cross(t.Key())
			x.cross(t.Elem())
		case *types.Struct:
			for field := range t.Fields() {
				if field.Exported() || field.Embedded() {
					x.cross(field.Type())
				}
			}
		case *types.Signature:
			x.crossAll(t.Params())
			x.crossAll(t.Results())
		case *types.Interface:
			x.opened = append(x.opened, t)
		case *types.TypeParam:
			x.cross(t.Constraint())
		case interface{ Elem() types.Type }:
			x.cross(t.Elem())
		}
	}
}

// step finds what else follows from the open interfaces, and reports whether anything did.
func (x *exchange) step() bool {
	for _, c := range x.asserted {
		if x.isOpen(c.from) {
			x.cross(c.to)
		}
	}
	opened := x.opened
	x.opened = nil
	for _, i := range opened {
		for m := range i.Methods() {
			x.cross(m.Type())
		}
		for _, t := range x.mayImplement(i) {
			if !x.isOpen(t) && types.Implements(t, i) {
				x.cross(t)
			}
		}
	}
	return len(x.todo) > 0
}

// mayImplement returns those runtime types that have the rarest method of an interface.
func (x *exchange) mayImplement(i *types.Interface) []types.Type {
	if x.having == nil {
		x.having = map[string][]types.Type{}
		for _, t := range x.runtime {
			for method := range types.NewMethodSet(t).Methods() {
				id := method.Obj().Id()
				x.having[id] = append(x.having[id], t)
			}
		}
	}
	rarest := x.runtime
	for m := range i.Methods() {
		if having := x.having[m.Id()]; len(having) < len(rarest) {
			rarest = having
		}
	}
	return rarest
}

// function collects the types of values that cross the border in one function.
func (x *exchange) function(fn *ssa.Function) {
	if exposed(fn) {
		for _, p := range fn.Params {
			x.cross(p.Type())
		}
		x.crossAll(fn.Signature.Results())
	}
	var operands [16]*ssa.Value
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			x.instruction(fn, instr)
			for _, value := range instr.Operands(operands[:0]) {
				x.operand(instr, *value)
			}
		}
	}
}

// exposed reports whether unknown code can call a function by its name.
func exposed(fn *ssa.Function) bool {
	return fn.Object() != nil && fn.Object().Exported()
}

func (x *exchange) instruction(fn *ssa.Function, instr ssa.Instruction) {
	switch instr := instr.(type) {
	case *ssa.TypeAssert:
		x.asserted = append(x.asserted, conversion{instr.X.Type(), instr.AssertedType})
	case *ssa.ChangeInterface:
		x.asserted = append(x.asserted, conversion{instr.X.Type(), instr.Type()})
	case *ssa.ChangeType:
		x.asserted = append(x.asserted, conversion{instr.X.Type(), instr.Type()},
			conversion{instr.Type(), instr.X.Type()})
	case *ssa.Convert:
		if isUnsafe(instr.X.Type().Underlying()) || isUnsafe(instr.Type().Underlying()) {
			x.cross(instr.Type())
			x.cross(instr.X.Type())
		}
	case *ssa.Panic:
		x.cross(instr.X.Type())
	case ssa.CallInstruction:
		if x.leaves(fn, instr) {
			common := instr.Common()
			if common.IsInvoke() {
				x.cross(common.Value.Type())
			}
			for _, arg := range common.Args {
				x.given(arg, x.cross)
			}
			x.crossAll(common.Signature().Results())
		} else if dynamic(instr) {
			// Whether unknown code may be called here is known only when all open types are. If so, this
			// call passes the types of its signature on.
			x.asserted = append(x.asserted, conversion{instr.Common().Value.Type(), instr.Common().Signature()})
		}
	}
}

// dynamic reports whether a value decides which function is called.
func dynamic(call ssa.CallInstruction) bool {
	_, builtin := call.Common().Value.(*ssa.Builtin)
	return !builtin && call.Common().StaticCallee() == nil
}

// leaves reports whether a call may reach a function without a body, as far as the call graph knows.
func (x *exchange) leaves(fn *ssa.Function, call ssa.CallInstruction) bool {
	if callee := call.Common().StaticCallee(); callee != nil {
		return outside(callee)
	}
	return dynamic(call) && (generic(fn) || slices.ContainsFunc(x.called[call], outside))
}

// operand notes functions that are used as values, and variables of other modules. Whatever is stored in
// those variables crosses the border.
func (x *exchange) operand(instr ssa.Instruction, value ssa.Value) {
	switch value := value.(type) {
	case *ssa.Function:
		call, ok := instr.(ssa.CallInstruction)
		if ok && call.Common().Value == value && !slices.Contains(call.Common().Args, ssa.Value(value)) {
			return
		}
		if !x.takenOnce[value] {
			x.takenOnce[value] = true
			x.taken = append(x.taken, value)
		}
	case *ssa.Global:
		if value.Pkg != nil && !x.Owns(value.Pkg.Pkg.Path()) {
			x.cross(value.Type())
		}
	}
}

// given calls f with the types of the values that an argument stands for: the value stored in an
// interface, or the elements of a list of variadic arguments.
func (x *exchange) given(arg ssa.Value, f func(types.Type)) {
	switch arg := arg.(type) {
	case *ssa.MakeInterface:
		f(arg.X.Type())
		return
	case *ssa.ChangeInterface:
		x.given(arg.X, f)
		return
	case *ssa.Slice:
		if array, ok := arg.X.(*ssa.Alloc); ok && array.Comment == "varargs" {
			x.variadic(array, f)
			return
		}
	}
	f(arg.Type())
}

func (x *exchange) variadic(array *ssa.Alloc, f func(types.Type)) {
	for _, use := range *array.Referrers() {
		at, ok := use.(*ssa.IndexAddr)
		if !ok {
			continue
		}
		for _, use := range *at.Referrers() {
			if store, ok := use.(*ssa.Store); ok && store.Addr == at {
				x.given(store.Val, f)
			}
		}
	}
}

func isUnsafe(t types.Type) bool {
	b, ok := t.(*types.Basic)
	return ok && b.Kind() == types.UnsafePointer
}
