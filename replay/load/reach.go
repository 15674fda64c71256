package load

import (
	"go/ast"
	"go/types"
	"regexp"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/spectra"
	"github.com/spectradiff/spectradiff/spectra/symbol"
)

// Reaching returns the declared functions, methods, variables, constants and types that can reach
// changed code. It follows every mention of a function, variable, type or constant of the module, calls
// of interface methods to all methods of that name, and calls out of the module to the methods of what
// is handed over. So it errs on the side of naming too many. Changed may name functions, function
// literals (their declared function counts), variables, constants and types; they are in the result too.
func Reaching(v *Version, changed map[spectra.Symbol]bool) map[spectra.Symbol]bool {
	g := graph{version: v, edges: map[string][]string{}, methods: map[string][]string{}}
	for _, p := range v.Packages {
		g.declare(p)
	}
	for _, p := range v.Packages {
		g.connect(p)
	}
	back := map[string][]string{}
	for from, list := range g.edges {
		for _, to := range list {
			back[to] = append(back[to], from)
		}
	}
	var start []string
	for symbol := range changed {
		start = append(start, literal.ReplaceAllString(string(symbol), ""))
	}
	reaching := map[spectra.Symbol]bool{}
	for name := range closure(start, back) {
		reaching[spectra.Symbol(name)] = true
	}
	return reaching
}

// literal matches what follows the declared function in the name of a function literal.
var literal = regexp.MustCompile(`\.func[0-9]+(\.[0-9]+|\.func[0-9]+)*$`)

// A graph holds edges between the canonical names of package-level declarations and methods.
type graph struct {
	version *Version
	edges   map[string][]string
	methods map[string][]string // name and signature of a method → symbols of concrete methods
}

// declare notes the methods of the package, so that calls through interfaces find them.
func (g *graph) declare(p *packages.Package) {
	for _, obj := range p.TypesInfo.Defs {
		fn, ok := obj.(*types.Func)
		if !ok || fn.Signature().Recv() == nil || types.IsInterface(fn.Signature().Recv().Type()) {
			continue
		}
		key := methodKey(fn)
		g.methods[key] = append(g.methods[key], string(symbol.Function(fn)))
	}
}

// methodKey is by name and number of parameters only: the signatures of generic types differ in spelling.
func methodKey(fn *types.Func) string {
	return fn.Name() + strings.Repeat(",", fn.Signature().Params().Len())
}

func (g *graph) connect(p *packages.Package) {
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

// dispatch connects the methods of an interface, called as operations, with those that implement it.
func (g *graph) dispatch(t *types.TypeName) {
	for m := range t.Type().Underlying().(*types.Interface).Methods() {
		from := t.Pkg().Path() + "." + t.Name() + "." + m.Name()
		g.edges[from] = append(g.edges[from], g.methods[methodKey(m)]...)
	}
}

// spec connects variables, constants and types with what their declarations mention.
func (g *graph) spec(p *packages.Package, spec ast.Spec) {
	switch spec := spec.(type) {
	case *ast.ValueSpec:
		for _, name := range spec.Names {
			g.mentions(p, p.PkgPath+"."+name.Name, spec)
		}
	case *ast.TypeSpec:
		g.mentions(p, p.PkgPath+"."+spec.Name.Name, spec)
	}
}

// mentions adds an edge for everything that the syntax mentions.
func (g *graph) mentions(p *packages.Package, from string, node ast.Node) {
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

func (g *graph) use(from string, obj types.Object) {
	if obj == nil || obj.Pkg() == nil {
		return
	}
	if fn, ok := obj.(*types.Func); ok {
		if recv := fn.Signature().Recv(); recv != nil && types.IsInterface(recv.Type()) {
			g.edges[from] = append(g.edges[from], g.methods[methodKey(fn)]...)
			return
		}
		if g.version.Owns(obj.Pkg()) {
			g.edges[from] = append(g.edges[from], string(symbol.Function(fn)))
		}
		return
	}
	if g.version.Owns(obj.Pkg()) && obj.Parent() == obj.Pkg().Scope() {
		g.edges[from] = append(g.edges[from], obj.Pkg().Path()+"."+obj.Name())
	}
}

// callOut follows values of the module's types into calls of other modules: sort.Sort calls Less,
// fmt.Print calls String.
func (g *graph) callOut(p *packages.Package, from string, call *ast.CallExpr) {
	var id *ast.Ident
	switch fun := ast.Unparen(call.Fun).(type) {
	case *ast.SelectorExpr:
		id = fun.Sel
	case *ast.Ident:
		id = fun
	default:
		return
	}
	fn, ok := p.TypesInfo.Uses[id].(*types.Func)
	if !ok || g.version.Owns(fn.Pkg()) {
		return
	}
	for _, arg := range call.Args {
		argType := p.TypesInfo.TypeOf(arg)
		if argType == nil {
			continue
		}
		symbol.Named(argType, func(n *types.Named) {
			if g.version.Owns(n.Obj().Pkg()) {
				for m := range n.Origin().Methods() {
					g.use(from, m)
				}
			}
		})
	}
}
