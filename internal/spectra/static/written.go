package static

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// written returns the names of the package variables ("example.com/m/p.x") that code of pkgs may change after
// initialisation, or from which it may change something that can be reached. Plain assignments in init functions belong
// to initialisation. The analysis is conservative: a variable that is not proven constant counts as written.
func written(pkgs []*packages.Package) map[string]bool {
	found, module := map[string]bool{}, map[string]bool{}
	for _, pkg := range pkgs {
		module[pkg.PkgPath] = true
	}
	mutable := mutableErrors(pkgs)
	for _, pkg := range pkgs {
		w := writes{info: pkg.TypesInfo, found: found, module: module, mutable: mutable}
		w.linked(pkg)
		for _, f := range pkg.Syntax {
			for _, decl := range f.Decls {
				w.declaration(decl)
			}
		}
	}
	return found
}

// linked marks variables that assembly mentions or that other packages reach by a linker name.
func (w *writes) linked(pkg *packages.Package) {
	l := linksOf(pkg)
	for _, name := range slices.Concat(l.Assembly, l.Exported) {
		w.found[pkg.PkgPath+"."+name] = true
	}
	for _, other := range l.Names {
		w.found[other] = true
	}
}

// writes is the walk over one package.
type writes struct {
	info  *types.Info
	init  bool       // inside an init function, but not in one of its literals
	stack []ast.Node // from the declaration to the node being visited
	found map[string]bool

	module  map[string]bool // import paths of the packages
	mutable map[string]bool // error types whose fields are changed
}

func (w *writes) declaration(decl ast.Decl) {
	fn, ok := decl.(*ast.FuncDecl)
	w.init = ok && fn.Recv == nil && fn.Name.Name == "init"
	if general, ok := decl.(*ast.GenDecl); ok && general.Tok == token.VAR {
		for _, spec := range general.Specs {
			w.initialiser(spec.(*ast.ValueSpec))
		}
	}
	ast.Inspect(decl, func(n ast.Node) bool {
		if n == nil {
			w.stack = w.stack[:len(w.stack)-1]
			return true
		}
		w.stack = append(w.stack, n)
		if id, ok := n.(*ast.Ident); ok {
			if v := packageVariable(w.info.Uses[id]); v != nil && !w.harmless() {
				w.found[symbol.Global(v)] = true
			}
		}
		return true
	})
}

// initialiser marks variables that may share memory with their initial values.
func (w *writes) initialiser(spec *ast.ValueSpec) {
	for i, id := range spec.Names {
		v := packageVariable(w.info.Defs[id])
		if v == nil || len(spec.Values) == 0 {
			continue
		}
		if types.Identical(v.Type(), errorType) &&
			(len(spec.Values) != len(spec.Names) || !w.steadyError(spec.Values[i])) {
			w.found[symbol.Global(v)] = true
		}
		if copies(v.Type()) {
			continue
		}
		if len(spec.Values) != len(spec.Names) || !w.fresh(spec.Values[i]) {
			w.found[symbol.Global(v)] = true
		}
	}
}

// harmless reports whether the use of a variable at the top of the stack changes neither the variable nor
// anything that can be reached from it.
func (w *writes) harmless() bool {
	for i := len(w.stack) - 1; i > 0; i-- {
		e, ok := w.stack[i].(ast.Expr)
		if !ok {
			return true
		}
		part, safe := w.step(e, w.stack[i-1])
		if !part {
			return safe
		}
	}
	return true
}

// step looks at one use of e, which is a variable or a part of one. Either the parent is a part of the
// variable too, or step knows whether the use is safe.
func (w *writes) step(e ast.Expr, parent ast.Node) (part, safe bool) {
	switch p := parent.(type) {
	case *ast.ParenExpr, *ast.StarExpr:
		return true, false
	case *ast.SelectorExpr:
		if s := w.info.Selections[p]; s != nil && s.Kind() != types.FieldVal {
			return false, harmlessMethod(s)
		}
		return true, false
	case *ast.IndexExpr:
		return p.X == e, w.copied(e)
	case *ast.SliceExpr:
		return p.X == e, true // the result of slicing is a part: of an array it is a slice, so no copy
	case *ast.UnaryExpr:
		return false, p.Op != token.AND && p.Op != token.ARROW
	case *ast.BinaryExpr, *ast.SwitchStmt, *ast.CaseClause, *ast.IfStmt, *ast.ForStmt, *ast.ExprStmt:
		return false, true
	case *ast.CallExpr:
		return false, w.harmlessCall(e, p)
	case *ast.AssignStmt:
		return false, w.harmlessAssign(e, p)
	case *ast.IncDecStmt:
		return false, w.initialising()
	case *ast.RangeStmt:
		return false, w.harmlessRange(e, p)
	case *ast.SendStmt:
		return false, p.Chan != e && w.copied(e)
	}
	return false, w.copied(e)
}

func (w *writes) copied(e ast.Expr) bool {
	t := w.info.TypeOf(e)
	return t != nil && copies(t)
}

// initialising reports whether the node at the top of the stack runs as a part of initialisation.
func (w *writes) initialising() bool {
	literal := func(n ast.Node) bool { _, ok := n.(*ast.FuncLit); return ok }
	return w.init && !slices.ContainsFunc(w.stack, literal)
}

func harmlessMethod(s *types.Selection) bool {
	recv := s.Obj().(*types.Func).Signature().Recv()
	return recv != nil && copies(recv.Type()) && !changing[s.Obj().Name()]
}

// changing lists the methods that do change a value of a type that counts as immutable.
var changing = map[string]bool{
	"GobDecode": true, "Longest": true, "UnmarshalBinary": true, "UnmarshalJSON": true, "UnmarshalText": true,
}

func (w *writes) harmlessCall(e ast.Expr, call *ast.CallExpr) bool {
	if call.Fun == e {
		return true // a function variable is called: it stays the same function
	}
	fun := w.info.Types[call.Fun]
	switch {
	case fun.IsType():
		_, basic := fun.Type.Underlying().(*types.Basic)
		return basic && !isPointer(w.info.TypeOf(e)) || w.copied(e)
	case fun.IsBuiltin():
		name := calleeName(call.Fun).Name
		switch {
		case name == "len" || name == "cap":
			return true
		case name == "copy" && call.Args[1] == e, name == "append" && call.Args[0] != e && call.Ellipsis.IsValid():
			return w.elementsCopied(e)
		}
	}
	return w.copied(e)
}

func (w *writes) elementsCopied(e ast.Expr) bool {
	switch u := w.info.TypeOf(e).Underlying().(type) {
	case *types.Slice:
		return copies(u.Elem())
	case *types.Basic:
		return true
	}
	return false
}

func (w *writes) harmlessAssign(e ast.Expr, s *ast.AssignStmt) bool {
	i := slices.Index(s.Lhs, e)
	if i < 0 {
		return w.copied(e)
	}
	if !w.initialising() {
		return false
	}
	return w.copied(e) || len(s.Lhs) == len(s.Rhs) && w.fresh(s.Rhs[i])
}

func (w *writes) harmlessRange(e ast.Expr, s *ast.RangeStmt) bool {
	if s.X != e {
		return w.initialising()
	}
	t := w.info.TypeOf(e).Underlying()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem().Underlying()
	}
	switch u := t.(type) {
	case *types.Basic, *types.Signature:
		return true
	case *types.Slice:
		return s.Value == nil || copies(u.Elem())
	case *types.Array:
		return s.Value == nil || copies(u.Elem())
	case *types.Map:
		return (s.Key == nil || copies(u.Key())) && (s.Value == nil || copies(u.Elem()))
	}
	return false
}

// fresh reports whether nothing else refers to what the value of e refers to.
func (w *writes) fresh(e ast.Expr) bool {
	if tv := w.info.Types[e]; tv.Type != nil && (tv.IsNil() || copies(tv.Type)) {
		return true
	}
	switch e := e.(type) {
	case *ast.ParenExpr:
		return w.fresh(e.X)
	case *ast.CompositeLit:
		return !slices.ContainsFunc(e.Elts, func(x ast.Expr) bool { return !w.fresh(x) })
	case *ast.KeyValueExpr:
		id, ok := e.Key.(*ast.Ident)
		field := ok && w.info.Types[id].Type == nil
		return (field || w.fresh(e.Key)) && w.fresh(e.Value)
	case *ast.UnaryExpr:
		_, literal := ast.Unparen(e.X).(*ast.CompositeLit)
		return e.Op == token.AND && literal && w.fresh(e.X)
	case *ast.CallExpr:
		fun := w.info.Types[e.Fun]
		if fun.IsType() && len(e.Args) == 1 {
			return w.fresh(e.Args[0])
		}
		id, ok := ast.Unparen(e.Fun).(*ast.Ident)
		return ok && fun.IsBuiltin() && (id.Name == "make" || id.Name == "new" && w.info.Types[e.Args[0]].IsType())
	}
	return false
}

// calleeName returns the identifier that names a called function, or an empty one if nothing does.
func calleeName(e ast.Expr) *ast.Ident {
	switch e := ast.Unparen(e).(type) {
	case *ast.Ident:
		return e
	case *ast.SelectorExpr:
		return e.Sel
	case *ast.IndexExpr:
		return calleeName(e.X)
	case *ast.IndexListExpr:
		return calleeName(e.X)
	}
	return &ast.Ident{}
}

// packageVariable returns the package variable that object is, or nil if it is something else.
func packageVariable(object types.Object) *types.Var {
	if v, ok := object.(*types.Var); ok && v.Kind() == types.PackageVar && v.Pkg() != nil {
		return v
	}
	return nil
}
