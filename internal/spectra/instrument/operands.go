package instrument

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"go/version"
	"hash/fnv"
	"strings"

	"github.com/spectradiff/spectradiff/internal/spectra/branch"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// An Interest says whether the operands of a function are noted.
type Interest uint8

// The interests: none, in the comparisons of what changed code calls, of a function on the way to changed code, and of
// changed code.
const (
	NoInterest Interest = iota
	Called
	OnTheWay
	Changed
)

// maxCases is how many bytes the constant cases of a switch may have that are noted.
const maxCases = 2 << 10

// operandWalk wraps the operands in one function body.
type operandWalk struct {
	*file
	changed bool
	loops   map[ast.Expr]bool                    // conditions of loops, which compare counters
	noted   map[ast.Expr]*branch.Condition       // what is noted of comparisons
	tags    map[*ast.SwitchStmt]branch.Condition // and of switches
	around  map[ast.Node]ast.Node                // the node around each
}

// operands wraps what a function compares, and returns the text that notes its parameters. The walk is nil where
// nothing is of interest.
func (f *file) operands(fn function, slots []slot) (*operandWalk, string) {
	if f.options.Operands == nil {
		return nil, ""
	}
	interest := f.options.Operands(fn.symbol)
	if interest == NoInterest {
		return nil, ""
	}
	w := &operandWalk{
		file: f, changed: interest == Changed, loops: map[ast.Expr]bool{}, noted: map[ast.Expr]*branch.Condition{},
		tags: map[*ast.SwitchStmt]branch.Condition{}, around: parents(fn.body),
	}
	symbol.EachOwn(fn.body, w.node)
	if !w.changed {
		return w, ""
	}
	return w, w.parameters(fn, slots)
}

func (w *operandWalk) node(n ast.Node) {
	switch n := n.(type) {
	case *ast.ForStmt:
		w.loops[n.Cond] = true
	case *ast.BinaryExpr:
		w.comparison(n)
	case *ast.CallExpr:
		w.texts(n)
	case *ast.SwitchStmt:
		w.tag(n)
	case *ast.IndexExpr:
		w.key(n)
	}
}

// site returns the number of a place in the source.
func (w *operandWalk) site(at token.Pos) string {
	site := w.place(at)
	if w.changed {
		site |= wire.SiteChanged
	}
	return fmt.Sprint(site)
}

// place returns that number without its bit for changed code.
func (w *operandWalk) place(at token.Pos) uint32 {
	h := fnv.New32a()
	fmt.Fprintln(h, w.pkg.PkgPath, w.rel, w.tok.Offset(at))
	return h.Sum32() &^ wire.SiteChanged
}

// wrap makes an expression an argument of a function of the runtime, converted to one of its types.
func (w *operandWalk) wrap(e ast.Expr, function, site, as string) {
	w.call(e, e, function, site, w.names.prefix+as+"(", ")")
}

// call puts a call of a function of the runtime around expressions: the site, what comes first, the expressions, what
// comes last.
func (w *operandWalk) call(from, to ast.Expr, function, site, first, last string) {
	w.insert(from.Pos(), w.names.prefix+function+site+", "+first)
	w.insert(to.End(), last+")")
}

// comparison wraps both sides of a comparison of texts or numbers.
func (w *operandWalk) comparison(n *ast.BinaryExpr) {
	switch n.Op {
	case token.EQL, token.NEQ, token.LSS, token.LEQ, token.GTR, token.GEQ:
	default:
		return
	}
	x, y := w.pkg.TypesInfo.Types[n.X], w.pkg.TypesInfo.Types[n.Y]
	of := kindOf(x.Type)
	if other := kindOf(y.Type); isUntyped(x.Type) && x.Value != nil {
		of = other
	} else if of != other && (!isUntyped(y.Type) || y.Value == nil) {
		return
	}
	switch {
	case of == kind{}, x.Value != nil && y.Value != nil, w.loops[n] && of != textKind, !isOrdinaryBool(w.typeOf(n)),
		w.shifts(n.X), w.shifts(n.Y), w.misread(n.X, n.Y):
		return
	}
	site := w.site(n.OpPos)
	w.wrap(n.X, of.left, site, of.as)
	w.wrap(n.Y, of.right, site, of.as)
	w.noted[n] = &branch.Condition{Op: branch.Op(n.Op.String()), Site: w.place(n.OpPos)}
}

// shifts reports whether an expression shifts a constant, whose type is that of the other side.
func (w *operandWalk) shifts(e ast.Expr) (found bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		if shift, ok := n.(*ast.BinaryExpr); ok && (shift.Op == token.SHL || shift.Op == token.SHR) {
			found = found || w.pkg.TypesInfo.Types[shift.X].Value != nil
		}
		return !found
	})
	return found
}

func (w *operandWalk) typeOf(e ast.Expr) types.Type { return types.Unalias(w.pkg.TypesInfo.TypeOf(e)) }

// A kind of types has functions that note values, and a type to which they are converted.
type kind struct{ left, right, as string }

var (
	textKind     = kind{".LeftText(", ".RightText(", ".String"}
	signedKind   = kind{".LeftSigned(", ".RightSigned(", ".Signed"}
	unsignedKind = kind{".LeftUnsigned(", ".RightUnsigned(", ".Unsigned"}
	floatKind    = kind{".LeftFloat(", ".RightFloat(", ".Float"}
)

// kindOf returns the kind of a type, none if its values are not noted.
func kindOf(t types.Type) kind {
	basic, ok := t.Underlying().(*types.Basic) // that of a type parameter is its constraint
	if !ok {
		return kind{}
	}
	switch info := basic.Info(); {
	case info&types.IsString != 0:
		return textKind
	case info&types.IsUnsigned != 0:
		return unsignedKind
	case info&types.IsInteger != 0:
		return signedKind
	case basic.Kind() == types.Float64:
		return floatKind
	}
	return kind{}
}

func isUntyped(t types.Type) bool {
	basic, ok := t.(*types.Basic)
	return ok && basic.Info()&types.IsUntyped != 0
}

// isOrdinaryBool reports whether a comparison has no type of the package's own.
func isOrdinaryBool(t types.Type) bool {
	basic, ok := t.(*types.Basic)
	return ok && basic.Info()&types.IsBoolean != 0
}

// texts wraps the arguments of a function that is known to compare or to read them.
func (w *operandWalk) texts(n *ast.CallExpr) {
	selector, ok := ast.Unparen(n.Fun).(*ast.SelectorExpr)
	if !ok {
		return
	}
	fn, ok := w.pkg.TypesInfo.Uses[selector.Sel].(*types.Func)
	if !ok || fn.Pkg() == nil {
		return
	}
	w.reader(n, fn)
	if len(n.Args) == 2 && !n.Ellipsis.IsValid() {
		w.among(n, fn)
		w.twoTexts(n, fn)
	}
}

// twoTexts wraps the arguments of a function of strings or bytes that takes two texts.
func (w *operandWalk) twoTexts(n *ast.CallExpr, fn *types.Func) {
	if fn.Pkg().Path() != "strings" && fn.Pkg().Path() != "bytes" {
		return
	}
	signature := fn.Signature()
	if signature.Recv() != nil || signature.Params().Len() != 2 || signature.Variadic() {
		return
	}
	function := ""
	for i, of := range []string{".Texts(", ".Bytes("} {
		want := []types.Type{types.Typ[types.String], types.NewSlice(types.Typ[types.Byte])}[i]
		if types.Identical(signature.Params().At(0).Type(), want) &&
			types.Identical(signature.Params().At(1).Type(), want) {
			function = of
		}
	}
	if function != "" && !w.misread(n.Args...) {
		w.noted[n] = &branch.Condition{Op: textual[fn.Name()], Site: w.place(n.Lparen)}
		w.call(n.Args[0], n.Args[1], function, w.site(n.Lparen), "", "")
	}
}

// among wraps the arguments of a function that looks for a text in a list.
func (w *operandWalk) among(n *ast.CallExpr, fn *types.Func) {
	if fn.Pkg().Path() != "slices" || fn.Name() != "Contains" && fn.Name() != "Index" {
		return
	}
	list := types.NewSlice(types.Typ[types.String])
	if types.Identical(w.typeOf(n.Args[0]), list) && types.Identical(w.typeOf(n.Args[1]), types.Typ[types.String]) &&
		!w.misread(n.Args...) {
		w.call(n.Args[0], n.Args[1], ".Among(", w.site(n.Lparen), "", "")
	}
}

// textual are the functions of strings and bytes that say whether texts are in a relation.
var textual = map[string]branch.Op{
	"HasPrefix": branch.Prefix, "HasSuffix": branch.Suffix, "Contains": branch.Contains, "EqualFold": branch.Fold,
	"Equal": branch.Equal,
}

// tag wraps the tag of a switch over texts or integers, and its cases of texts that are no constants.
func (w *operandWalk) tag(n *ast.SwitchStmt) {
	if n.Tag == nil || w.pkg.TypesInfo.Types[n.Tag].Value != nil {
		return
	}
	function := w.tagFunction(w.typeOf(n.Tag))
	if function == "" {
		return
	}
	site := w.site(n.Switch)
	w.tags[n] = branch.Condition{Op: branch.Equal, Site: w.place(n.Switch)}
	var constants []string
	size := 0
	for _, clause := range n.Body.List {
		for _, e := range clause.(*ast.CaseClause).List {
			of := w.pkg.TypesInfo.Types[e]
			switch {
			case of.Value != nil:
				text := constantText(of.Value)
				if size += len(text) + 1; size <= maxCases && text != "" {
					constants = append(constants, text)
				}
			case types.Unalias(of.Type) == types.Typ[types.String]:
				w.call(e, e, ".CaseText(", site, "", "")
			}
		}
	}
	w.call(n.Tag, n.Tag, function, site, "", fmt.Sprintf(", %q", strings.Join(constants, "\x00")))
}

// tagFunction returns the function that notes tags of a type; "" if there is none.
func (w *operandWalk) tagFunction(t types.Type) string {
	if basic, ok := t.(*types.Basic); ok {
		function := map[types.BasicKind]string{
			types.String: ".TagText(", types.Int: ".TagInt(", types.Int32: ".TagRune(", types.Uint8: ".TagByte(",
		}[basic.Kind()]
		if function != "" {
			return function
		}
	}
	switch generic := version.Compare(w.pkg.Types.GoVersion(), "go1.18") >= 0; {
	case !generic:
		return ""
	case kindOf(t) == textKind:
		return ".NamedTagText("
	case kindOf(t) == signedKind, kindOf(t) == unsignedKind:
		return ".TagInteger("
	}
	return ""
}

// constantText returns a constant as it is noted.
func constantText(v constant.Value) string {
	if v.Kind() == constant.String {
		return constant.StringVal(v)
	}
	return v.ExactString()
}

// key wraps the key of a map's element, where evaluating the map again does nothing. A constant one tells what the map
// may have.
func (w *operandWalk) key(n *ast.IndexExpr) {
	if !w.pkg.TypesInfo.Types[n.X].IsValue() {
		return // it instantiates a type
	}
	m, ok := w.typeOf(n.X).Underlying().(*types.Map)
	if !ok || !plain(n.X) || w.misread(n.Index) ||
		types.Unalias(m.Key()) != types.Typ[types.String] || w.typeOf(n.Index) != types.Typ[types.String] {
		return
	}
	text := w.text(n.X)
	if !strings.Contains(text, "\n") && !(w.unsteady(n.X) && w.callFollows(n)) { // calls in the key come first anyway
		w.call(n.Index, n.Index, ".Key(", w.site(n.Lbrack), text+", ", "")
	}
}

// plain reports whether an expression is a name, or fields of one.
func plain(e ast.Expr) bool {
	switch e := e.(type) {
	case *ast.Ident:
		return true
	case *ast.SelectorExpr:
		return plain(e.X)
	}
	return false
}

// parameters returns the statement that notes the parameters of a changed function.
func (w *operandWalk) parameters(fn function, slots []slot) string {
	zs, first := w.names.prefix, 0
	if fn.recv != nil {
		first = 1
	}
	var calls []string
	for i := range fn.signature.Params().Len() {
		name, t := slots[first+i].name, fn.signature.Params().At(i).Type()
		site := fmt.Sprintf("%s ^ %d", w.site(fn.body.Lbrace), i)
		switch of := kindOf(t); {
		case of == textKind:
			calls = append(calls, fmt.Sprintf("%s.ParameterText(%s, %s.String(%s))", zs, site, zs, name))
		case of == signedKind, of == unsignedKind:
			calls = append(calls, fmt.Sprintf("%s.ParameterNumber(%s, %s.Signed(%s))", zs, site, zs, name))
		case isBytes(t):
			calls = append(calls, fmt.Sprintf("%s.ParameterBytes(%s, %s)", zs, site, name))
		}
	}
	if len(calls) == 0 {
		return ""
	}
	return "if " + zs + ".Noting { " + strings.Join(calls, "; ") + " }; "
}

func isBytes(t types.Type) bool {
	slice, ok := t.Underlying().(*types.Slice)
	return ok && types.Identical(slice.Elem(), types.Typ[types.Byte])
}
