package suite

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/replay/sequence"
)

// mostHoles is how many holes the operation of one test has at most, those in the test itself first.
const mostHoles = 200

// A hole is a literal of a test that may have another value.
type hole struct {
	number int // in the tests of the package
	lit    ast.Expr
	typ    types.Type
	name   string // of the field or parameter that it is given to; "" = none
	value  sequence.Value
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
		w := &walker{digger: d, file: f.syntax}
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
	for queue := []types.Object{test}; len(queue) > 0 && len(list) < mostHoles; queue = queue[1:] {
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
	return list[:min(len(list), mostHoles)]
}

// A walker finds the holes below a node.
type walker struct {
	*digger
	file  *ast.File
	found []*hole
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
	case *ast.CaseClause:
		for _, s := range n.Body {
			w.walk(s, "")
		}
	case *ast.GenDecl:
		if n.Tok == token.VAR {
			w.children(n)
		}
	case *ast.ValueSpec:
		for i, v := range n.Values {
			if i < len(n.Names) && len(n.Names) == len(n.Values) {
				w.walk(v, n.Names[i].Name)
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
	for i, e := range n.Elts {
		of := name
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
			w.walk(e, of)
		}
	}
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
		name := ""
		if signature != nil && signature.Params().Len() > 0 {
			name = strings.Trim(signature.Params().At(min(i, signature.Params().Len()-1)).Name(), "_")
		}
		w.walk(a, name)
	}
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
	return o != nil && o.Pkg() != nil && slices.Contains(assertions, o.Pkg().Path()) && s.Sel.Name != "Setenv"
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
			w.walk(e, name)
		}
	}
	for _, e := range n.Lhs {
		w.walk(e, "")
	}
}

// add adds a literal as a hole, if its type can be named and a sequence can express its value.
func (w *walker) add(lit ast.Expr, name string) {
	of := w.info.Types[lit]
	if of.Type == nil || of.Value == nil || !w.nameable(of.Type) {
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
	h := &hole{number: len(w.all), lit: lit, typ: of.Type, name: name, value: v}
	w.all, w.found = append(w.all, h), append(w.found, h)
}

// nameable reports whether the file can name a type.
func (w *walker) nameable(t types.Type) bool {
	switch t := types.Unalias(t).(type) {
	case *types.Basic:
		return true
	case *types.Named:
		o := t.Obj()
		if o.Pkg() == nil || t.TypeArgs().Len() > 0 || o.Parent() != o.Pkg().Scope() {
			return false
		}
		_, ok := w.local(w.file, o.Pkg())
		return ok
	}
	return false
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
