package instrument

// This file makes the SSA form of a module's packages and the call graph over it.

import (
	"fmt"
	"go/ast"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/callgraph/vta"
	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"

	"github.com/spectradiff/spectradiff/spectra"
	"github.com/spectradiff/spectradiff/spectra/symbol"
)

// A program is the code of a module's packages: bodies for them, signatures for all others.
type program struct {
	pkgs      []*packages.Package // those that compile
	module    map[string]bool     // import paths of pkgs
	ssa       *ssa.Program
	functions []*ssa.Function // with wrappers and instances, in a fixed order
	symbols   map[ast.Node]spectra.Symbol
	names     map[types.Type]string
	called    map[ssa.CallInstruction][]*ssa.Function // by VTA, those of one function left out
}

// newProgram builds the SSA form. A panic of the builder, which some code that type-checks still
// gets it into, is an error.
func newProgram(pkgs []*packages.Package) (p *program, err error) {
	defer func() {
		if r := recover(); r != nil {
			p, err = nil, fmt.Errorf("build the SSA form: %v", r)
		}
	}()
	p = &program{module: map[string]bool{}, symbols: map[ast.Node]spectra.Symbol{}, names: map[types.Type]string{}}
	if len(pkgs) == 0 {
		return p, nil
	}
	p.ssa = ssa.NewProgram(pkgs[0].Fset, ssa.InstantiateGenerics|ssa.BuildSerially)
	var built []*ssa.Package
	created := map[*types.Package]bool{}
	for _, pkg := range pkgs {
		if pkg.IllTyped || pkg.Types == nil || pkg.TypesInfo == nil || len(pkg.Syntax) == 0 {
			continue // nor do those that import it
		}
		p.pkgs = append(p.pkgs, pkg)
		p.module[pkg.PkgPath] = true
		created[pkg.Types] = true
		built = append(built, p.ssa.CreatePackage(pkg.Types, pkg.Syntax, pkg.TypesInfo, true))
	}
	for _, pkg := range p.pkgs {
		p.createImported(pkg.Types, created)
	}
	for _, pkg := range built {
		pkg.Build()
	}
	p.collect()
	funcs := map[*ssa.Function]bool{}
	for _, fn := range p.functions {
		funcs[fn] = true
	}
	p.called = map[ssa.CallInstruction][]*ssa.Function{}
	for _, node := range vta.CallGraph(funcs, nil).Nodes {
		for _, edge := range node.Out {
			if edge.Site.Common().StaticCallee() == nil {
				p.called[edge.Site] = append(p.called[edge.Site], edge.Callee.Func)
			}
		}
	}
	return p, nil
}

// createImported makes known all packages whose functions the code may call: also those that come
// in by the types of others.
func (p *program) createImported(pkg *types.Package, created map[*types.Package]bool) {
	for _, imported := range pkg.Imports() {
		if !created[imported] {
			created[imported] = true
			p.ssa.CreatePackage(imported, nil, nil, true)
			p.createImported(imported, created)
		}
	}
}

// collect lists the functions: those of the sources, called by anybody or not, and what the
// builder made for them.
func (p *program) collect() {
	seen := map[*ssa.Function]bool{}
	var add func(fn *ssa.Function)
	add = func(fn *ssa.Function) {
		if fn == nil || seen[fn] {
			return
		}
		seen[fn] = true
		p.functions = append(p.functions, fn)
		for _, inner := range fn.AnonFuncs {
			add(inner)
		}
	}
	for _, pkg := range p.pkgs {
		add(p.ssa.Package(pkg.Types).Func("init"))
		maps.Copy(p.symbols, symbol.Functions(pkg.PkgPath, pkg.TypesInfo, pkg.Syntax))
		for _, f := range pkg.Syntax {
			for _, decl := range f.Decls {
				if fn, ok := decl.(*ast.FuncDecl); ok {
					add(p.ssa.FuncValue(pkg.TypesInfo.Defs[fn.Name].(*types.Func)))
				}
			}
		}
	}
	made := ssautil.AllFunctions(p.ssa)
	var rest []*ssa.Function
	for fn := range made {
		rest = append(rest, fn)
	}
	slices.SortFunc(rest, compareFunctions)
	for _, fn := range rest {
		add(fn)
	}
}

// compareFunctions orders functions by what tells them apart in most cases; what is alike then
// differs in no result.
func compareFunctions(x, y *ssa.Function) int {
	return compareTexts(x.RelString(nil)+" "+x.Synthetic, y.RelString(nil)+" "+y.Synthetic)
}

func compareTexts(x, y string) int {
	switch {
	case x < y:
		return -1
	case x > y:
		return 1
	}
	return 0
}

// symbol is the symbol of a function of the sources, "" for what the builder made. Instances go by
// the function they are instances of.
func (p *program) symbol(fn *ssa.Function) spectra.Symbol {
	if fn.Syntax() != nil {
		if s, ok := p.symbols[fn.Syntax()]; ok {
			return s
		}
	}
	return ""
}

// nameOf is the name of a type.
func (p *program) nameOf(t types.Type) string {
	name, known := p.names[t]
	if !known {
		name = typeName(t)
		p.names[t] = name
	}
	return name
}

// typeName tells types apart within an analysis. Unlike symbol.Type it keeps the names of type
// parameters: those of two functions are two types, whatever their numbers.
func typeName(t types.Type) string { return types.TypeString(t, (*types.Package).Path) }

// outside reports whether nothing is known of what a function does: it has no body here.
func outside(fn *ssa.Function) bool { return len(fn.Blocks) == 0 }

// generic reports whether a body has types that are not known yet.
func generic(fn *ssa.Function) bool {
	for ; fn != nil; fn = fn.Parent() {
		if fn.TypeParams().Len() > len(fn.TypeArgs()) {
			return true
		}
	}
	return false
}
