// Package variables finds, for every function, the package variables that it may touch, by a call graph of the module.
//
// In: the Program of a version's packages. Out: for every function, method and function literal of these packages, the
// sorted names of their package variables that it may touch, itself or through its callees. The lists leave out
// variables that never change after initialisation, and code that runs only during initialisation. They never contain
// variables of other packages: only the packages' own state is compared.
//
// The call graph comes from variable type analysis over the SSA form. That analysis does not know values from unknown
// code. A call of such a value may reach every method that fits, and every function of that signature that is used as a
// value. Unknown code is assumed to call the exported methods of its arguments, of everything reachable from them, and
// of earlier arguments that it may have stored. Two more assumptions: only the packages themselves and the driver
// import the packages, and functions that the driver passes as arguments call nothing. Variables that are reached only
// by unsafe arithmetic are missed.
//
// The same packages have the same lists. Nothing is changed or written.
package variables

import (
	"fmt"
	"go/types"

	"golang.org/x/tools/go/ssa"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/static"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// Variables returns the variables that each function of the packages may touch. If the SSA form can't be
// built, every function may touch every variable, and the error is the reason.
func Variables(p *static.Program) (map[spectra.Symbol][]string, error) {
	variables := p.Variables()
	code, err := analyse(p)
	if err != nil {
		return touchAll(p, variables), fmt.Errorf("which package variables functions touch is not known: %w", err)
	}
	return newGraphWalk(code, variables).reach(), nil
}

// touchAll returns the result for the case that nothing is known.
func touchAll(p *static.Program, variables []string) map[spectra.Symbol][]string {
	result := map[spectra.Symbol][]string{}
	for _, pkg := range p.Packages {
		if pkg.TypesInfo == nil {
			continue
		}
		for _, name := range symbol.Functions(pkg.PkgPath, pkg.TypesInfo, pkg.Syntax) {
			result[name] = variables
		}
	}
	return result
}

// newGraphWalk returns the graph of a program.
func newGraphWalk(p *program, variables []string) *graphWalk {
	w := &graphWalk{
		graph:    &graph{variables: variables, number: map[string]int{}},
		exchange: newExchange(p),
		own:      map[*types.Interface]bool{},
	}
	w.collectHolders()
	w.knownMethods()
	for _, name := range p.Symbols {
		w.graph.function(name)
	}
	for _, fn := range p.Functions {
		w.function(fn)
	}
	w.resolve()
	return w
}

// graphWalk adds the code of the program to the graph.
type graphWalk struct {
	*graph
	*exchange
	holders  []holder
	known    map[string]map[string]bool // package of the standard library → methods of its interfaces
	looks    map[reader]map[string]bool // methods that the package calls on values of some interface
	pending  []func()                   // dynamic nodes whose edges are still to be found
	carriers []carrier
	own      map[*types.Interface]bool // whether no foreign type implements it
}

// function adds one function.
func (w *graphWalk) function(fn *ssa.Function) {
	node := w.node(fn)
	if outside(fn) {
		return
	}
	var operands [16]*ssa.Value
	for _, b := range fn.Blocks {
		for _, instr := range b.Instrs {
			for _, value := range instr.Operands(operands[:0]) {
				w.operandTouched(node, *value)
			}
			if call, ok := instr.(ssa.CallInstruction); ok {
				w.call(node, fn, call)
			}
		}
	}
}

func (w *graphWalk) operandTouched(node int, value ssa.Value) {
	g, ok := value.(*ssa.Global)
	if !ok || g.Pkg == nil || !w.Owns(g.Pkg.Pkg.Path()) {
		return
	}
	name := g.Pkg.Pkg.Path() + "." + g.Name()
	w.touch(node, name)
	if other := w.Links[g.Pkg.Pkg.Path()].Names[g.Name()]; other != "" {
		w.touch(node, other)
	}
}

// node returns the node of a function. Functions that the builder made have nodes of their own.
func (w *graphWalk) node(fn *ssa.Function) int {
	if s := w.Symbol(fn); s != "" {
		return w.graph.function(s)
	}
	node, _ := w.add(fmt.Sprintf("made %p", fn))
	return node
}

// call adds the functions that a call may reach.
func (w *graphWalk) call(node int, fn *ssa.Function, call ssa.CallInstruction) {
	common := call.Common()
	if callee := common.StaticCallee(); callee != nil {
		w.callOf(node, callee, common)
		return
	}
	if !dynamic(call) {
		return
	}
	for _, callee := range w.called[call] {
		w.callOf(node, callee, common)
	}
	if len(w.called[call]) > 0 && !generic(fn) && !w.isOpen(common.Value.Type()) {
		return
	}
	if common.IsInvoke() {
		w.edge(node, w.method(common.Method, common.Value.Type()))
	} else {
		w.edge(node, w.dynamic(common.Signature()))
	}
	w.strange(node, common)
}

// callOf adds one function that a call may reach.
func (w *graphWalk) callOf(node int, callee *ssa.Function, common *ssa.CallCommon) {
	if !outside(callee) {
		w.edge(node, w.node(callee))
		return
	}
	if origin := callee.Origin(); origin != nil && !outside(origin) {
		w.edge(node, w.node(origin))
		return
	}
	w.leave(node, callee, common)
}
