package instrument

// This file defines the analysis that finds the package variables which a function may touch.

import (
	"fmt"
	"go/types"
	"slices"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"

	"github.com/spectradiff/spectradiff/spectra"
	"github.com/spectradiff/spectradiff/spectra/symbol"
)

// Touches gives for every function, method and function literal of pkgs the sorted names of the
// package variables of pkgs that it, or anything it can call, may touch. Variables that never
// change after initialisation are left out, and so is what only package initialisation does.
// Variables of other modules are never listed: both versions are compared on what is theirs.
//
// The call graph is that of variable type analysis over the SSA form of pkgs. It knows no values
// that come from elsewhere: where one of those may be called, every method that fits and every
// function of that signature that is used as a value counts. Code outside pkgs is taken to call
// the exported methods of what it is handed, of what that reaches, and of what it was handed before
// and may have kept. Nothing imports pkgs but what is in pkgs and the driver, whose stand-ins call
// nothing. Not seen is what only unsafe arithmetic reaches.
//
// Where the SSA form can't be built, every function may touch every variable; the error says why.
func Touches(pkgs []*packages.Package) (map[spectra.Symbol][]string, error) {
	variables := writtenVariables(pkgs)
	p, err := newProgram(pkgs)
	if err != nil {
		return touchAll(pkgs, variables), fmt.Errorf("which package variables functions touch is not known: %w", err)
	}
	return newGraphWalk(p, variables).reach(), nil
}

// newGraphWalk makes the graph of a program.
func newGraphWalk(p *program, variables []string) *graphWalk {
	w := &graphWalk{
		graph:    &graph{variables: variables, number: map[string]int{}},
		exchange: newExchange(p),
		links:    map[string]linked{},
		own:      map[*types.Interface]bool{},
	}
	w.collectHolders()
	w.knownMethods()
	for _, pkg := range p.pkgs {
		w.links[pkg.PkgPath] = linksOf(pkg)
	}
	for _, symbol := range p.symbols {
		w.graph.function(symbol)
	}
	for _, fn := range p.functions {
		w.function(fn)
	}
	w.resolve()
	return w
}

// writtenVariables lists the variables that change.
func writtenVariables(pkgs []*packages.Package) []string {
	var list []string
	written := Writes(pkgs)
	for _, pkg := range pkgs {
		if pkg.Types == nil {
			continue
		}
		for _, short := range pkg.Types.Scope().Names() {
			v := packageVariable(pkg.Types.Scope().Lookup(short))
			if v != nil && written[variableName(v)] {
				list = append(list, variableName(v))
			}
		}
	}
	slices.Sort(list)
	return list
}

// touchAll is what holds if nothing is known.
func touchAll(pkgs []*packages.Package, variables []string) map[spectra.Symbol][]string {
	result := map[spectra.Symbol][]string{}
	for _, pkg := range pkgs {
		if pkg.TypesInfo == nil {
			continue
		}
		for _, name := range symbol.Functions(pkg.PkgPath, pkg.TypesInfo, pkg.Syntax) {
			result[name] = variables
		}
	}
	return result
}

// graphWalk enters the code of the program into the graph.
type graphWalk struct {
	*graph
	*exchange
	holders  []holder
	links    map[string]linked
	known    map[string]map[string]bool // package of the standard library → methods of its interfaces
	looks    map[reader]map[string]bool // methods that it calls on values of some interface
	pending  []func()                   // dynamic nodes whose edges are still to be found
	carriers []carrier
	own      map[*types.Interface]bool // no foreign type implements it
}

// function enters one function.
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
	if !ok || g.Pkg == nil || !w.module[g.Pkg.Pkg.Path()] {
		return
	}
	name := g.Pkg.Pkg.Path() + "." + g.Name()
	w.touch(node, name)
	if other := w.links[g.Pkg.Pkg.Path()].names[g.Name()]; other != "" {
		w.touch(node, other)
	}
}

// node is the node of a function: by its symbol, or its own if the builder made it.
func (w *graphWalk) node(fn *ssa.Function) int {
	if s := w.symbol(fn); s != "" {
		return w.graph.function(s)
	}
	node, _ := w.add(fmt.Sprintf("made %p", fn))
	return node
}

// call enters what a call may lead to.
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

// callOf enters one function that a call may be of.
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
