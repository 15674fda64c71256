package suite

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strconv"
	"strings"

	"github.com/spectradiff/spectradiff/internal/replay/sequence"
)

// mostHoles is how many literals, unset fields and choices each the operation of one test has at most, those in the test
// itself first.
const mostHoles = 200

// A hole is a literal of a test that may have another value, or a choice to do something else than its source does.
type hole struct {
	number int // in the tests of the package
	lit    ast.Node
	typ    types.Type
	name   string // of the field or parameter that it is given to; "" = none
	value  sequence.Value
	choice *choice  // nil: a literal
	unset  bool     // a field that a literal leaves out; the node is the place for it
	row    []string // texts of the table row that it is in
}

// A declaration is what test files declare at package level: a function, or a variable with a value.
type declaration struct {
	holes    []*hole
	mentions []types.Object // others that it mentions, in the order of the source
}

// A digger finds holes.
type digger struct {
	info   *types.Info
	own    *types.Package // the package of the files; nil: external tests, whose types are not named
	all    []*hole
	of     map[types.Object]*declaration
	inFile map[*ast.File][]*hole
}

// Holes are the holes of the tests of a package.
type Holes struct{ inside, external *digger }

// Dig finds the literals of test files that may have other values, by what type-checking says of them. The package
// is the tested one.
func Dig(files *Files, info *types.Info, tested *types.Package) *Holes {
	one := func(list []file, own *types.Package) *digger {
		d := &digger{info: info, own: own, of: map[types.Object]*declaration{}, inFile: map[*ast.File][]*hole{}}
		d.dig(list)
		d.thin()
		return d
	}
	return &Holes{one(files.inside, tested), one(files.external, nil)}
}

// dig finds the holes of test files that are of one package.
func (d *digger) dig(files []file) {
	for _, f := range files {
		for _, decl := range f.syntax.Decls {
			switch decl := decl.(type) {
			case *ast.FuncDecl:
				if o := d.info.Defs[decl.Name]; o != nil && decl.Body != nil {
					d.declare(f, o, decl.Body, nil)
					d.belongs(o)
				}
			case *ast.GenDecl:
				for _, spec := range decl.Specs {
					v, ok := spec.(*ast.ValueSpec)
					if ok && decl.Tok == token.VAR && len(v.Names) == 1 && len(v.Values) == 1 {
						d.declare(f, d.info.Defs[v.Names[0]], v.Values[0], v)
					}
				}
			}
		}
	}
}

// mostChoices is about how many choices the tests of a package have: each is code to compile.
const mostChoices = 3000

// thin leaves out choices where there are too many, evenly.
func (d *digger) thin() {
	choices := 0
	for _, h := range d.all {
		if h.choice != nil {
			choices++
		}
	}
	every := choices/mostChoices + 1
	left := func(list []*hole) []*hole {
		return slices.DeleteFunc(list, func(h *hole) bool { return h.choice != nil && h.number%every != 0 })
	}
	for _, of := range d.of {
		of.holes = left(of.holes)
	}
	for file, list := range d.inFile {
		d.inFile[file] = left(list)
	}
}

// belongs notes a method as a part of its type: suites call the methods of a type that a test mentions.
func (d *digger) belongs(o types.Object) {
	f, ok := o.(*types.Func)
	if !ok || f.Signature().Recv() == nil {
		return
	}
	t := f.Signature().Recv().Type()
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	named, ok := types.Unalias(t).(*types.Named)
	if !ok {
		return
	}
	of := d.of[named.Obj()]
	if of == nil {
		of = &declaration{}
		d.of[named.Obj()] = of
	}
	of.mentions = append(of.mentions, o)
}

// declare finds the holes and the mentions in a function's body, or in the value of a variable.
func (d *digger) declare(f file, o types.Object, body ast.Node, variable *ast.ValueSpec) {
	if o == nil {
		return
	}
	of := &declaration{}
	if variable == nil || isComposite(variable.Values[0]) {
		w := &walker{digger: d, file: f.syntax, scope: o.Pkg().Scope()}
		if f, ok := o.(*types.Func); ok {
			w.results = f.Signature().Results()
		}
		w.walk(body, "")
		of.holes = w.found
		d.inFile[f.syntax] = append(d.inFile[f.syntax], w.found...)
	}
	ast.Inspect(body, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok && d.info.Uses[id] != nil {
			of.mentions = append(of.mentions, d.info.Uses[id])
		}
		return true
	})
	d.of[o] = of
}

// isComposite reports whether a value can be computed again without an effect: a composite literal.
func isComposite(e ast.Expr) bool {
	if u, ok := e.(*ast.UnaryExpr); ok && u.Op == token.AND {
		e = u.X
	}
	_, ok := e.(*ast.CompositeLit)
	return ok
}

// holesOf returns the holes of a test: in its body, and in what that mentions of test files, directly or not.
func (d *digger) holesOf(test types.Object) (list []*hole) {
	seen := map[types.Object]bool{test: true}
	for queue := []types.Object{test}; len(queue) > 0 && len(list) < 3*mostHoles; queue = queue[1:] {
		of := d.of[queue[0]]
		if of == nil {
			continue
		}
		list = append(list, of.holes...)
		for _, o := range of.mentions {
			if !seen[o] {
				seen[o] = true
				queue = append(queue, o)
			}
		}
	}
	return few(list)
}

// few returns the first literals, the first unset fields and the first choices.
func few(list []*hole) []*hole {
	var literals, unset, choices int
	return slices.DeleteFunc(list, func(h *hole) bool {
		count := &literals
		switch {
		case h.choice != nil:
			count = &choices
		case h.unset:
			count = &unset
		}
		*count++
		return *count > mostHoles
	})
}

// methodsOf returns the holes of methods that a test may run as subtests, by the names of the methods.
func (d *digger) methodsOf(test types.Object) map[string][]*hole {
	of := map[string][]*hole{}
	if d.of[test] == nil {
		return of
	}
	for _, o := range d.of[test].mentions {
		if _, ok := o.(*types.TypeName); !ok || d.of[o] == nil {
			continue
		}
		for _, m := range d.of[o].mentions {
			if strings.HasPrefix(m.Name(), "Test") {
				of[m.Name()] = d.holesOf(m)
			}
		}
	}
	return of
}

// A walker finds the holes below a node.
type walker struct {
	*digger
	file    *ast.File
	scope   *types.Scope // of its package
	results *types.Tuple // of the function
	found   []*hole
	row     []string // texts of the table row that is walked
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
		w.binary(n, name)
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
	rows := w.row == nil && n.Type != nil
	for i, e := range n.Elts {
		of := name
		if rows {
			w.row = textsOf(e)
		}
		if kv, ok := e.(*ast.KeyValueExpr); ok {
			if id, ok := kv.Key.(*ast.Ident); ok {
				of = id.Name
			} else if !array { // an index has to be constant
				w.walk(kv.Key, name)
			}
			e = kv.Value
		} else if s := w.structure(n); s != nil && i < s.NumFields() {
			of = s.Field(i).Name()
		}
		if !expectation(of) {
			w.value(e, of, nil)
		}
		if rows {
			w.row = nil
		}
	}
}

// A spot is a place between two tokens.
type spot token.Pos

func (s spot) Pos() token.Pos { return token.Pos(s) }
func (s spot) End() token.Pos { return token.Pos(s) }

// unset adds the plain fields that a literal of a struct leaves out, which usually have no value. Options are such.
func (w *walker) unset(n *ast.CompositeLit) {
	of := w.structure(n)
	set := map[string]bool{}
	for _, e := range n.Elts {
		kv, ok := e.(*ast.KeyValueExpr)
		if !ok {
			return
		}
		if id, ok := kv.Key.(*ast.Ident); ok {
			set[id.Name] = true
		}
	}
	for i := 0; of != nil && i < of.NumFields(); i++ {
		f := of.Field(i)
		basic, ok := f.Type().Underlying().(*types.Basic)
		if !ok || set[f.Name()] || f.Name() == "_" || expectation(f.Name()) || !w.mayset(f) {
			continue
		}
		if zero, ok := zeroOf(basic); ok && w.nameable(f.Type(), n.Lbrace) {
			w.note(&hole{lit: spot(n.Lbrace + 1), typ: f.Type(), name: f.Name(), value: zero, unset: true})
		}
	}
}

// mayset reports whether the file may name a field.
func (w *walker) mayset(f *types.Var) bool {
	return f.Exported() || f.Pkg().Scope() == w.scope || w.own != nil && f.Pkg().Path() == w.own.Path()
}

// zeroOf returns the zero value of a type that holes may have.
func zeroOf(t *types.Basic) (sequence.Value, bool) {
	if _, ok := askers[t.Kind()]; !ok {
		return sequence.Value{}, false
	}
	switch {
	case t.Info()&types.IsBoolean != 0:
		return valueOf(t, constant.MakeBool(false))
	case t.Info()&types.IsString != 0:
		return valueOf(t, constant.MakeString(""))
	}
	return valueOf(t, constant.MakeInt64(0))
}

// textsOf returns the texts of a table row: its key, and its fields.
func textsOf(row ast.Expr) (texts []string) {
	add := func(e ast.Expr) {
		if lit, ok := e.(*ast.BasicLit); ok && lit.Kind == token.STRING {
			if text, err := strconv.Unquote(lit.Value); err == nil {
				texts = append(texts, text)
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

// expectation reports whether a field or variable of that name only says what a test is called, or expects.
func expectation(name string) bool {
	name = strings.ToLower(name)
	for _, prefix := range []string{"want", "expect", "exp", "desc", "msg", "message"} {
		if strings.HasPrefix(name, prefix) {
			return true
		}
	}
	return slices.Contains([]string{"name", "title", "testname", "comment", "err", "errmsg"}, name)
}

func (w *walker) call(n *ast.CallExpr) {
	if w.asserts(n) {
		for _, a := range n.Args {
			switch a.(type) {
			case *ast.CallExpr, *ast.FuncLit:
				w.walk(a, "")
			}
		}
		w.walk(n.Fun, "")
		return
	}
	w.walk(n.Fun, "")
	signature, _ := w.typeOf(n.Fun).(*types.Signature)
	for i, a := range n.Args {
		name, to := "", types.Type(nil)
		if signature != nil && signature.Params().Len() > 0 {
			name = strings.Trim(signature.Params().At(min(i, signature.Params().Len()-1)).Name(), "_")
			to = typeAt(signature.Params(), i)
		}
		w.value(a, name, to)
	}
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

// assertions are packages whose functions compare what they are given.
var assertions = []string{
	"github.com/stretchr/testify/assert", "github.com/stretchr/testify/require", "github.com/onsi/gomega",
	"gotest.tools/v3/assert", "github.com/google/go-cmp/cmp", "testing", "github.com/frankban/quicktest",
}

// asserts reports whether a call hands values to an assertion, or to a method of package testing.
func (w *walker) asserts(n *ast.CallExpr) bool {
	s, ok := n.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	o := w.info.Uses[s.Sel]
	return o != nil && o.Pkg() != nil && slices.Contains(assertions, o.Pkg().Path()) &&
		s.Sel.Name != "Setenv" && s.Sel.Name != "Add"
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
		if _, literal := e.(*ast.BasicLit); !compares || !literal {
			w.walk(e, name)
		}
	}
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

// nameable reports whether the file can name a type at a position.
func (w *walker) nameable(t types.Type, at token.Pos) bool {
	switch t := t.(type) {
	case *types.Basic:
		return t.Kind() != types.Invalid && w.means(t.Name(), types.Universe.Lookup(t.Name()), at)
	case *types.Alias:
		return t.TypeArgs().Len() == 0 && w.visible(t.Obj(), at)
	case *types.Named:
		return t.TypeArgs().Len() == 0 && w.visible(t.Obj(), at)
	case *types.Pointer:
		return w.nameable(t.Elem(), at)
	case *types.Slice:
		return w.nameable(t.Elem(), at)
	case *types.Map:
		return w.nameable(t.Key(), at) && w.nameable(t.Elem(), at)
	case *types.Interface:
		return t.Empty()
	}
	return false
}

// visible reports whether the file can name a declared type at a position.
func (w *walker) visible(o *types.TypeName, at token.Pos) bool {
	if o.Pkg() == nil {
		return w.means(o.Name(), o, at)
	}
	name, ok := w.local(w.file, o.Pkg())
	if !ok || o.Parent() != o.Pkg().Scope() {
		return false
	}
	if name == "" {
		return w.means(o.Name(), o, at)
	}
	return o.Exported() && w.means(name, nil, at)
}

// means reports whether a name stands for an object at a position, nil: for an imported package.
func (w *walker) means(name string, o types.Object, at token.Pos) bool {
	scope := w.scope.Innermost(at)
	if scope == nil {
		scope = w.scope
	}
	_, found := scope.LookupParent(name, at)
	if o != nil {
		return found == o
	}
	_, ok := found.(*types.PkgName)
	return ok
}

// valueOf returns a constant as the value of a sequence.
func valueOf(t *types.Basic, v constant.Value) (sequence.Value, bool) {
	switch {
	case t.Info()&types.IsBoolean != 0:
		return sequence.Value{Kind: sequence.Bool, Text: v.ExactString()}, true
	case t.Info()&types.IsString != 0:
		return sequence.Value{Kind: sequence.String, Text: constant.StringVal(v)}, true
	case t.Info()&types.IsUnsigned != 0:
		return sequence.Value{Kind: sequence.Uint, Text: constant.ToInt(v).ExactString()}, true
	case t.Info()&types.IsInteger != 0:
		return sequence.Value{Kind: sequence.Int, Text: constant.ToInt(v).ExactString()}, true
	case t.Info()&types.IsFloat != 0:
		f, _ := constant.Float64Val(v)
		return sequence.Value{Kind: sequence.Float, Text: sequence.FloatText(f, 64)}, true
	}
	return sequence.Value{}, false
}
