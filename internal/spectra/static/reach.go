package static

import (
	"go/ast"
	"go/types"
	"maps"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// Reaching returns the functions and methods, including those of interfaces, that can reach changed code.
// It follows every mention of a function, variable, type or constant of the module. A call of an
// interface method may reach all methods of that name. A call out of the module may reach the methods of
// its arguments. So the result may hold too much, but never too little: what calls a function value was
// given it, or mentions it. Such callers are in the result too where the type of the value tells much.
//
// The keys of changed may name functions, function literals (the declared function counts), variables,
// constants and types. They are in the result too, as is everything else of these kinds that can reach
// them.
func (p *Program) Reaching(changed map[spectra.Symbol]bool) map[spectra.Symbol]bool {
	graph, found := p.mention(), map[string]bool{}
	back := graph.edges.reversed()
	for of, callers := range graph.dispatches.reversed() {
		back.add(of, callers...)
	}
	for name := range changed {
		back.follow(string(name.Declared()), found)
	}
	maps.DeleteFunc(found, func(name string, _ bool) bool { return isValueType(name) })
	return symbolsOf(found)
}

// Mentioning returns the declarations whose source mentions a function, directly or by a call through an interface,
// sorted.
func (p *Program) Mentioning(function spectra.Symbol) (list []spectra.Symbol) {
	for from, mentioned := range p.mention().edges {
		if spectra.Symbol(from) != function && slices.Contains(mentioned, string(function)) {
			list = append(list, spectra.Symbol(from))
		}
	}
	slices.Sort(list)
	return list
}

// MentionedBy returns what some declarations mention in their own packages, directly.
func (p *Program) MentionedBy(from map[spectra.Symbol]bool) map[spectra.Symbol]bool {
	found := map[spectra.Symbol]bool{}
	for name := range from {
		name = name.Declared()
		for _, mentioned := range p.mention().edges[string(name)] {
			if to := spectra.Symbol(mentioned); to.Package() == name.Package() {
				found[to] = true
			}
		}
	}
	return found
}

// Reached returns what the declarations of some packages can reach, themselves included, in the sense of Reaching.
func (p *Program) Reached(from func(pkg string) bool) map[spectra.Symbol]bool {
	return p.ReachedBy(func(o types.Object) bool { return from(o.Pkg().Path()) })
}

// ReachedBy returns what some functions, variables, constants and types can reach, themselves included.
func (p *Program) ReachedBy(from func(types.Object) bool) map[spectra.Symbol]bool {
	mentions, found := p.mention().edges, map[string]bool{}
	for _, pkg := range p.Packages {
		for _, obj := range pkg.TypesInfo.Defs {
			fn, ok := obj.(*types.Func)
			switch {
			case ok && from(fn):
				mentions.follow(string(symbol.Function(fn)), found)
			case !ok && obj != nil && obj.Parent() == pkg.Types.Scope() && from(obj):
				mentions.follow(symbol.Global(obj), found)
			}
		}
	}
	return symbolsOf(found)
}

func symbolsOf(names map[string]bool) map[spectra.Symbol]bool {
	symbols := make(map[spectra.Symbol]bool, len(names))
	for name := range names {
		symbols[spectra.Symbol(name)] = true
	}
	return symbols
}

// mentions returns the edges from each declaration to what it mentions, and those of calls of function values.
func (p *Program) mentions() *mentionGraph {
	g := &mentionGraph{program: p, edges: edges{}, dispatches: edges{}, methods: map[method][]string{}}
	for _, pkg := range p.Packages {
		g.declare(pkg)
	}
	for _, pkg := range p.Packages {
		g.connect(pkg)
	}
	return g
}

// edges leads from one name to the names it mentions.
type edges map[string][]string

func (e edges) add(from string, to ...string) { e[from] = append(e[from], to...) }

func (e edges) reversed() edges {
	back := edges{}
	for from, list := range e {
		for _, to := range list {
			back.add(to, from)
		}
	}
	return back
}

// follow adds a name to found, and every name that can be reached from it.
func (e edges) follow(name string, found map[string]bool) {
	if found[name] {
		return
	}
	found[name] = true
	for _, next := range e[name] {
		e.follow(next, found)
	}
}

// A mentionGraph holds edges between the names of package-level declarations and methods.
type mentionGraph struct {
	program *Program
	edges   edges
	methods map[method][]string // → symbols of the concrete methods

	dispatches edges // of function values, see dispatch
}

// A method is identified by its name and the number of its parameters only, because the signatures of
// generic types are spelled in different ways.
type method struct {
	name       string
	parameters int
}

func methodOf(fn *types.Func) method { return method{fn.Name(), fn.Signature().Params().Len()} }

// declare notes the methods of the package, so that calls through interfaces can be resolved.
func (g *mentionGraph) declare(p *packages.Package) {
	for _, obj := range p.TypesInfo.Defs {
		fn, ok := obj.(*types.Func)
		if !ok || fn.Signature().Recv() == nil || types.IsInterface(fn.Signature().Recv().Type()) {
			continue
		}
		key := methodOf(fn)
		g.methods[key] = append(g.methods[key], string(symbol.Function(fn)))
	}
}

func (g *mentionGraph) connect(p *packages.Package) {
	scope := p.Types.Scope()
	for _, name := range scope.Names() {
		if t, ok := scope.Lookup(name).(*types.TypeName); ok && types.IsInterface(t.Type()) {
			g.dispatch(t)
		}
	}
	for _, file := range p.Syntax {
		for _, decl := range file.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				if fn, ok := p.TypesInfo.Defs[decl.Name].(*types.Func); ok {
					g.mentions(p, string(symbol.Function(fn)), decl)
				}
			case *ast.GenDecl:
				for _, spec := range decl.Specs {
					g.spec(p, spec)
				}
			}
		}
	}
}

// dispatch connects the methods of an interface with the methods that implement them. A sequence may call
// a method of an interface directly.
func (g *mentionGraph) dispatch(t *types.TypeName) {
	for m := range t.Type().Underlying().(*types.Interface).Methods() {
		from := t.Pkg().Path() + "." + t.Name() + "." + m.Name()
		g.edges.add(from, g.methods[methodOf(m)]...)
	}
}

// spec connects variables, constants and types with what their declarations mention.
func (g *mentionGraph) spec(p *packages.Package, spec ast.Spec) {
	switch spec := spec.(type) {
	case *ast.ValueSpec:
		for _, name := range spec.Names {
			g.mentions(p, p.PkgPath+"."+name.Name, spec)
		}
	case *ast.TypeSpec:
		g.mentions(p, p.PkgPath+"."+spec.Name.Name, spec)
	}
}

// mentions adds an edge to everything that the syntax mentions, and those of its function values.
func (g *mentionGraph) mentions(p *packages.Package, from string, node ast.Node) {
	d := dispatch{info: p.TypesInfo, from: from, edges: g.dispatches, called: map[ast.Expr]bool{}}
	ast.Inspect(node, d.visit)
	ast.Inspect(node, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.Ident:
			g.use(from, p.TypesInfo.Uses[n])
		case *ast.CallExpr:
			g.callOut(p, from, n)
		}
		return true
	})
}

func (g *mentionGraph) use(from string, obj types.Object) {
	if obj == nil || obj.Pkg() == nil {
		return
	}
	if fn, ok := obj.(*types.Func); ok {
		if recv := fn.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) {
			g.edges.add(from, g.methods[methodOf(fn)]...)
			return
		}
		if g.program.ownsPackage(obj.Pkg()) {
			g.edges.add(from, string(symbol.Function(fn)))
		}
		return
	}
	if g.program.ownsPackage(obj.Pkg()) && obj.Parent() == obj.Pkg().Scope() {
		g.edges.add(from, symbol.Global(obj))
	}
}

// callOut follows values of the module's types that are passed to other modules: sort.Sort calls Less,
// fmt.Print calls String.
func (g *mentionGraph) callOut(p *packages.Package, from string, call *ast.CallExpr) {
	fn := functionOf(p.TypesInfo, call.Fun)
	if fn == nil || g.program.ownsPackage(fn.Pkg()) {
		return
	}
	for _, arg := range call.Args {
		argType := p.TypesInfo.TypeOf(arg)
		if argType == nil {
			continue
		}
		symbol.Named(argType, func(n *types.Named) {
			if g.program.ownsPackage(n.Obj().Pkg()) {
				for m := range n.Origin().Methods() {
					g.use(from, m)
				}
			}
		})
	}
}
