package suite

import (
	"go/ast"
	"go/token"
	"go/types"
	"strconv"
	"strings"

	"golang.org/x/tools/go/types/typeutil"
)

// A walker finds the holes below a node.
type walker struct {
	*digger
	file    *ast.File
	scope   *types.Scope // of its package
	results *types.Tuple // of the function
	found   []*hole
	row     *row // of a table that is walked
}

// walk looks for holes in a node that is given to something of that name. Left out are places that need constants, and
// expectations: what values are compared with, or handed to assertions and to methods of *testing.T.
func (w *walker) walk(n ast.Node, name string) {
	switch n := n.(type) {
	case nil:
	case *ast.BasicLit:
		w.add(n, name)
	case *ast.Ident:
		o := w.info.Uses[n]
		if o != nil && (o == types.Universe.Lookup("true") || o == types.Universe.Lookup("false")) {
			w.add(n, name)
		}
	case *ast.CompositeLit:
		w.composite(n, name)
	case *ast.CallExpr:
		w.call(n)
	case *ast.BinaryExpr:
		if !w.folded(n, name) {
			w.binary(n, name)
		}
	case *ast.UnaryExpr:
		if !w.folded(n, name) {
			w.children(n)
		}
	case *ast.BlockStmt:
		w.statements(n.List)
	case *ast.CaseClause:
		w.statements(n.Body)
	case *ast.CommClause:
		w.statements(n.Body)
	case *ast.ReturnStmt:
		for i, e := range n.Results {
			w.value(e, "", typeAt(w.results, i))
		}
	case *ast.FuncLit:
		before := w.results
		if of, ok := w.typeOf(n).(*types.Signature); ok {
			w.results = of.Results()
		}
		w.statements(n.Body.List)
		w.results = before
	case *ast.GenDecl:
		if n.Tok == token.VAR {
			w.children(n)
		}
	case *ast.ValueSpec:
		for i, v := range n.Values {
			if i < len(n.Names) && len(n.Names) == len(n.Values) {
				w.value(v, n.Names[i].Name, nil)
			}
		}
	case *ast.AssignStmt:
		w.assign(n)
	case *ast.IndexExpr:
		w.walk(n.X, "")
	case *ast.ArrayType, *ast.StructType, *ast.InterfaceType, *ast.FuncType, *ast.MapType, *ast.ChanType,
		*ast.BranchStmt:
	default:
		w.children(n)
	}
}

// children walks what a node contains.
func (w *walker) children(n ast.Node) {
	first := true
	ast.Inspect(n, func(c ast.Node) bool {
		if first {
			first = false
			return true
		}
		if c != nil {
			w.walk(c, "")
		}
		return false
	})
}

func (w *walker) composite(n *ast.CompositeLit, name string) {
	array := false
	if t := w.info.Types[n].Type; t != nil {
		_, array = t.Underlying().(*types.Array)
		_, slice := t.Underlying().(*types.Slice)
		array = array || slice
	}
	w.unset(n)
	rows := w.row == nil && n.Type != nil && w.structure(n) == nil
	for i, e := range n.Elts {
		of, expected := name, expectation(name)
		if rows {
			w.row = &row{textsOf(e), i, len(n.Elts)}
		}
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			if id, ok := kv.Key.(*ast.Ident); ok {
				of, expected = id.Name, expectation(id.Name)
				if f, ok := w.info.Uses[id].(*types.Var); ok && f.IsField() {
					expected = w.expects(f)
				}
			} else if !array { // an index has to be constant
				w.walk(kv.Key, name)
			}
			e = kv.Value
		} else if s := w.structure(n); s != nil && i < s.NumFields() {
			of, expected = s.Field(i).Name(), w.expects(s.Field(i))
		}
		if !expected {
			w.value(e, of, nil)
		}
		if rows {
			w.row = nil
		}
	}
}

// textsOf returns the texts of a table row: its key, and its fields.
func textsOf(row ast.Expr) (texts []string) {
	add := func(e ast.Expr) {
		if lit, ok := e.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if text, err := strconv.Unquote(lit.Value); err == nil {
				texts = append(texts, strings.ReplaceAll(text, " ", "_"))
			}
		}
	}
	if kv, ok := row.(*ast.KeyValueExpr); ok {
		add(kv.Key)
		row = kv.Value
	}
	if u, ok := row.(*ast.UnaryExpr); ok {
		row = u.X
	}
	if of, ok := row.(*ast.CompositeLit); ok {
		for _, e := range of.Elts {
			if kv, ok := e.(*ast.KeyValueExpr); ok {
				e = kv.Value
			}
			add(e)
		}
	}
	return texts
}

// structure returns the struct type of a literal, nil if it is of another type.
func (w *walker) structure(n *ast.CompositeLit) *types.Struct {
	t := w.info.Types[n].Type
	if t == nil {
		return nil
	}
	if p, ok := t.Underlying().(*types.Pointer); ok {
		t = p.Elem()
	}
	s, _ := t.Underlying().(*types.Struct)
	return s
}

func (w *walker) call(n *ast.CallExpr) {
	if w.asserts(n) || w.infersInterface(n) {
		for _, a := range n.Args {
			w.calls(a)
		}
		w.walk(n.Fun, "")
		return
	}
	w.walk(n.Fun, "")
	if o := typeutil.Callee(w.info, n); o != nil && o.Pkg() == types.Unsafe {
		return // it takes constants and the names of fields
	}
	var signature *types.Signature
	if !w.info.Types[n.Fun].IsType() { // a conversion to the type of functions takes no parameters
		signature, _ = w.typeOf(n.Fun).(*types.Signature)
	}
	w.options(n, signature) // before its arguments, as it is written around them
	for i, a := range n.Args {
		name, to := "", types.Type(nil)
		if signature != nil && signature.Params().Len() > 0 {
			name = strings.Trim(signature.Params().At(min(i, signature.Params().Len()-1)).Name(), "_")
			to = typeAt(signature.Params(), i)
		}
		w.value(a, name, to)
	}
}

// calls looks for holes in the calls and functions within an expression.
func (w *walker) calls(e ast.Expr) {
	ast.Inspect(e, func(n ast.Node) bool {
		switch n.(type) {
		case *ast.CallExpr, *ast.FuncLit:
			w.walk(n, "")
			return false
		}
		return true
	})
}

// infersInterface reports whether a call takes an interface as a type argument that is not written down. Another
// expression in the place of an argument may lead to another type.
func (w *walker) infersInterface(n *ast.CallExpr) bool {
	var of *ast.Ident
	switch f := ast.Unparen(n.Fun).(type) {
	case *ast.Ident:
		of = f
	case *ast.SelectorExpr:
		of = f.Sel
	}
	list := w.info.Instances[of].TypeArgs
	for i := range list.Len() {
		if types.IsInterface(list.At(i)) {
			return true
		}
	}
	return false
}

// typeAt returns the type of a parameter or result, nil if there are not so many.
func typeAt(list *types.Tuple, i int) types.Type {
	if list == nil || i >= list.Len() {
		return nil
	}
	return list.At(i).Type()
}

func (w *walker) typeOf(e ast.Expr) types.Type {
	if t := w.info.Types[e].Type; t != nil {
		return t.Underlying()
	}
	return nil
}

// binary looks into the operands of an operator. Literals that something is compared with are expectations.
func (w *walker) binary(n *ast.BinaryExpr, name string) {
	compares := false
	switch n.Op {
	case token.EQL, token.NEQ, token.LSS, token.GTR, token.LEQ, token.GEQ:
		compares = true
	case token.SHL, token.SHR, token.QUO, token.REM:
		w.walk(n.X, name)
		return
	}
	for _, e := range []ast.Expr{n.X, n.Y} {
		if !compares || w.info.Types[e].Value == nil {
			w.walk(e, name)
		}
	}
}

// folded adds a hole for an expression that the compiler computes, such as -1 or "a" + "b", whose literals have no
// types of their own. It returns false if it is none.
func (w *walker) folded(e ast.Expr, name string) bool {
	if basic, ok := w.typeOf(e).(*types.Basic); !ok || basic.Info()&types.IsBoolean != 0 {
		return false
	}
	before := len(w.found)
	w.constant(e, name)
	return len(w.found) > before
}

func (w *walker) assign(n *ast.AssignStmt) {
	for i, e := range n.Rhs {
		name := ""
		if len(n.Lhs) == len(n.Rhs) {
			switch left := n.Lhs[i].(type) {
			case *ast.Ident:
				name = left.Name
			case *ast.SelectorExpr:
				name = left.Sel.Name
			}
		}
		if _, call := ast.Unparen(e).(*ast.CallExpr); call && name == "err" {
			name = "" // an error that the call returns, which is not what the test expects
		}
		if !expectation(name) {
			w.value(e, name, nil)
		}
	}
	for _, e := range n.Lhs {
		w.walk(e, "")
	}
}

// add adds a literal as a hole, if its type can be named and a sequence can express its value.
func (w *walker) add(lit ast.Expr, name string) {
	of := w.info.Types[lit]
	if of.Type == nil || of.Value == nil || !w.nameable(of.Type, lit.Pos()) {
		return
	}
	basic, ok := of.Type.Underlying().(*types.Basic)
	if !ok || basic.Info()&types.IsUntyped != 0 {
		return
	}
	v, ok := valueOf(basic, of.Value)
	if !ok {
		return
	}
	w.note(&hole{lit: lit, typ: of.Type, name: name, value: v})
}

func (w *walker) note(h *hole) {
	h.number, h.row = len(w.all), w.row
	w.all, w.found = append(w.all, h), append(w.found, h)
}
