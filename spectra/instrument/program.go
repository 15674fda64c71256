package instrument

// This file makes the SSA form of a module's packages and the call graph over it.

import (
	"fmt"
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/callgraph/vta"
	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/ssa"
	"golang.org/x/tools/go/ssa/ssautil"

	"github.com/spectradiff/spectradiff/spectra"
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
		names := symbolNamer{program: p, info: pkg.TypesInfo, path: pkg.PkgPath}
		for _, f := range pkg.Syntax {
			for _, decl := range f.Decls {
				if object := names.declaration(decl); object != nil {
					add(p.ssa.FuncValue(object))
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

// symbolNamer gives the functions of one package their symbols, as Instrument does.
type symbolNamer struct {
	*program
	info    *types.Info
	path    string
	inits   int
	globals int
}

// declaration names what one declaration has, and returns the function if it declares one.
func (n *symbolNamer) declaration(decl ast.Decl) *types.Func {
	fn, ok := decl.(*ast.FuncDecl)
	if !ok {
		n.literals(decl, &n.globals, spectra.Symbol(n.path+".glob."), true)
		return nil
	}
	object := n.info.Defs[fn.Name].(*types.Func)
	symbol := symbolOf(object)
	if fn.Recv == nil && fn.Name.Name == "init" {
		symbol = spectra.Symbol(fmt.Sprintf("%s.init.%d", n.path, n.inits))
		n.inits++
	}
	n.symbols[fn] = symbol
	count := 0
	if fn.Body != nil {
		n.literals(fn.Body, &count, symbol, true)
	}
	return object
}

func (n *symbolNamer) literals(root ast.Node, count *int, outer spectra.Symbol, declared bool) {
	ast.Inspect(root, func(node ast.Node) bool {
		literal, ok := node.(*ast.FuncLit)
		if !ok {
			return true
		}
		*count++
		symbol := spectra.Symbol(fmt.Sprintf("%s.%d", outer, *count))
		if declared {
			symbol = spectra.Symbol(fmt.Sprintf("%s.func%d", outer, *count))
		}
		n.symbols[literal] = symbol
		nested := 0
		n.literals(literal.Body, &nested, symbol, false)
		return false
	})
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

// nameOf is the canonical name of a type.
func (p *program) nameOf(t types.Type) string {
	name, known := p.names[t]
	if !known {
		name = canonical(t)
		p.names[t] = name
	}
	return name
}

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
