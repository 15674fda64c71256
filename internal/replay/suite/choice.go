package suite

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/types/typeutil"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
)

// A choice is something that a test may do instead of what its source does: leave out a statement, make a call once
// more before it, swap two statements, or use another value for an expression. They are the operators on calls of DSpot
// (Danglot et al., EMSE 2019, section 3), and the values that reviewers ask about: nil, an error, a cancelled context.
type choice struct {
	kind choiceKind
	call ast.Expr // the call to repeat, or that has options
	then string   // the other value in Go syntax, where %s is the value
	text string   // as in Hole

	second ast.Stmt     // the statement that is put before the node
	fields []*hole      // of a struct that is filled; the options of a call, this one first; further errors
	fixed  int          // of the parameters before options
	basic  *types.Basic // type of the field or variable that is set
	within types.Type   // what the value, an interface, holds where the field is set; nil: it has the field
}

type choiceKind int

const (
	leaveOut choiceKind = iota // the choices of statements come first
	repeat
	swapped   // the next statement comes first
	movedAway // the part of that at the next statement, which is no parameter
	another
	fail    // an error instead of the usual one, or of nil
	header  // a header of a request, which is a text and no choice
	filled  // a struct instead of nil, with fields that are holes of their own behind this one
	sets    // a method is called that sets something
	clears  // a field becomes nil
	assigns // a field is set, which is a literal and no choice
	more    // a list of texts or a map has one more, which is a text and no choice
	option  // a call has one more
	presets // a package variable has another value, which is a literal and no choice

	composes // a field that a literal leaves out has something in it, with holes of its own behind this one
)

// presets reports whether the hole is a package variable that is no choice.
func (h *hole) presets() bool {
	return h.choice != nil && h.choice.kind == presets && h.choice.basic != nil
}

// ofStatement reports whether the choice concerns a statement as a whole.
func (c *choice) ofStatement() bool { return c != nil && c.kind <= movedAway }

// around returns what a choice adds around its node.
func (c *choice) around(d *digger, f file, h *hole) (before, back string) {
	chosen := fmt.Sprintf("zspectra_suite.Bool(&zspectra_holes, %d, false)", h.number)
	switch c.kind {
	case leaveOut:
		return "if !" + chosen + " { ", " }"
	case repeat:
		return "if " + chosen + " " + d.again(f, d.dropped(h.lit, c.call), c.call, h.lit), ""
	case swapped:
		return "if " + chosen + " " + d.again(f, "", c.second, h.lit), ""
	case movedAway:
		return fmt.Sprintf("if !zspectra_suite.Bool(&zspectra_holes, %d, false) { ", h.within.number), " }"
	case header:
		return d.withHeader(f.syntax, h)
	case filled:
		return d.filledIn(f.syntax, h)
	case sets, assigns, clears:
		return d.setting(f.syntax, h)
	case option:
		return d.withOptions(f.syntax, h)
	case more:
		ask := "zspectra_suite.More(&zspectra_holes, %d, "
		if _, ok := h.typ.Underlying().(*types.Map); ok {
			ask = "zspectra_suite.Entry(&zspectra_holes, %d, "
		}
		return fmt.Sprintf(ask, h.number), ")"
	case fail:
		return d.failing(h)
	case composes:
		return d.composing(f.syntax, h), ""
	case presets:
		return d.presetting(f.syntax, h), ""
	}
	of := d.spelled(f.syntax, h.typ)
	then := c.then
	if strings.Contains(then, "%s") {
		then = fmt.Sprintf(then, "zspectra_value")
	}
	const function = "func(zspectra_value %s) %[1]s { if %s { return %s }; return zspectra_value }("
	return fmt.Sprintf(function, of, chosen, then), ")"
}

// withHeader returns what sets a header of a request, which the call may return with an error.
func (d *digger) withHeader(f *ast.File, h *hole) (before, back string) {
	of := d.spelled(f, h.typ)
	params, results, returned := "zspectra_value "+of, of, "zspectra_value"
	if h.choice.then != "" {
		params, results, returned = params+", zspectra_error error", "("+of+", error)", returned+", zspectra_error"
	}
	const set = "{ if name, text := zspectra_suite.Header(&zspectra_holes, %d); name != \"\" && " +
		"zspectra_value != nil { if zspectra_value.Header == nil { zspectra_value.Header = %s.Header{} }; " +
		"zspectra_value.Header.Set(name, text) }; return %s }("
	name, _ := d.local(f, packageOf(h.typ))
	return "func(" + params + ") " + results + " " + fmt.Sprintf(set, h.number, name, returned), ")"
}

// choose adds a choice.
func (w *walker) choose(n ast.Node, t types.Type, c choice) { w.offer(n, t, "", c) }

// offer adds a choice of another value for something of that name.
func (w *walker) offer(n ast.Node, t types.Type, name string, c choice) {
	w.note(&hole{lit: n, typ: t, name: name, value: sequence.Value{Kind: sequence.Bool, Text: "false"}, choice: &c})
}

// statements finds the choices of a list of statements, and walks each.
func (w *walker) statements(list []ast.Stmt) {
	for i, s := range list {
		if i+1 < len(list) {
			w.swap(s, list[i+1])
		}
		if e := w.callOf(s); e != nil {
			w.choose(s, nil, choice{kind: repeat, call: e, text: "twice: " + w.shown(e)})
		}
		switch of := s.(type) {
		case *ast.ExprStmt:
			if w.changes(of.X) {
				w.choose(s, nil, choice{kind: leaveOut, text: "without: " + w.shown(of.X)})
			}
		case *ast.AssignStmt:
			if of.Tok == token.ASSIGN && len(of.Lhs) == 1 && !isName(of.Lhs[0], "_") {
				w.choose(s, nil, choice{kind: leaveOut, text: "without: " + w.shown(of.Lhs[0]) + " = …"})
			}
		}
		w.walk(s, "")
	}
}

// callOf returns the call that a statement consists of or begins with.
func (w *walker) callOf(s ast.Stmt) ast.Expr {
	var of ast.Expr
	switch s := s.(type) {
	case *ast.ExprStmt:
		of = s.X
	case *ast.AssignStmt:
		if len(s.Rhs) == 1 {
			of = s.Rhs[0]
		}
	case *ast.IfStmt:
		if s.Init != nil {
			return w.callOf(s.Init)
		}
		of = s.Cond
	case *ast.ReturnStmt:
		if len(s.Results) == 1 {
			of = s.Results[0]
		}
	}
	for of != nil {
		if call, ok := of.(*ast.CallExpr); ok && w.asserts(call) { // an assertion about what a call returns
			of = nil
			for _, a := range call.Args {
				if inner, ok := a.(*ast.CallExpr); ok {
					of = inner
				}
			}
			continue
		}
		if w.changes(of) {
			return of
		}
		break
	}
	return nil
}

// waiting are packages whose functions wait, or wake what waits.
var waiting = []string{"sync", "time", "sync/atomic", "runtime", "fmt", "log"}

// changes reports whether an expression is a call of a function that may change something: one of a known package that
// neither asserts nor waits.
func (w *walker) changes(e ast.Expr) bool {
	call, ok := e.(*ast.CallExpr)
	if !ok || w.asserts(call) || hasFunction(call) {
		return false
	}
	f, ok := typeutil.Callee(w.info, call).(*types.Func)
	return ok && f.Pkg() != nil && !slices.Contains(waiting, f.Pkg().Path())
}

// hasFunction reports whether an expression contains the body of a function.
func hasFunction(e ast.Expr) (has bool) {
	ast.Inspect(e, func(n ast.Node) bool {
		_, ok := n.(*ast.FuncLit)
		has = has || ok
		return !has
	})
	return has
}

// value walks an expression that something of a type is given, nil: of an unknown one, and finds what may be given
// instead.
func (w *walker) value(e ast.Expr, name string, to types.Type) {
	switch of := e.(type) {
	case *ast.Ident:
		if w.info.Uses[of] == types.Universe.Lookup("nil") {
			if to != nil && api.IsError(to) {
				w.fails(of, name, "nil", false)
			} else {
				w.fill(of, to)
			}
			return
		}
		w.constant(e, name)
		w.reader(e, name, to)
		w.others(e, name)
	case *ast.SelectorExpr:
		w.constant(e, name)
		w.reader(e, name, to)
		w.others(e, name)
	case *ast.CallExpr, *ast.CompositeLit, *ast.UnaryExpr:
		w.reader(e, name, to)
		w.others(e, name)
	case *ast.BinaryExpr:
		w.computed(e, name)
	}
	w.walk(e, name)
}

// constant adds a hole for the name of a constant, or an expression that is one.
func (w *walker) constant(e ast.Expr, name string) {
	if t := w.info.Types[e].Type; isConstant(e) && t != nil && w.info.Types[e].Value != nil {
		if of, ok := t.Underlying().(*types.Basic); ok && w.nameable(types.Typ[of.Kind()], e.Pos()) {
			w.add(e, name)
		}
	}
}

// others adds the choices of other values for an expression.
func (w *walker) others(e ast.Expr, name string) {
	of := w.info.Types[e]
	if pair, ok := of.Type.(*types.Tuple); ok && pair.Len() == 2 && isRequest(pair.At(0).Type()) {
		if api.IsError(pair.At(1).Type()) {
			w.request(e, pair.At(0).Type(), "error")
		}
		return
	}
	if of.Type == nil || !of.IsValue() || of.Value != nil || ofTesting(of.Type) {
		return
	}
	if !w.nameable(of.Type, e.Pos()) {
		w.held(e, of.Type, nil)
		return
	}
	add := func(then, text string) {
		w.offer(e, of.Type, name, choice{kind: another, then: then, text: text + " instead of " + w.shown(e)})
	}
	if basic, ok := of.Type.Underlying().(*types.Basic); ok {
		w.computed(e, name)
		if basic.Info()&types.IsString != 0 {
			w.shorter(e, add)
		}
		return
	}
	if lit, ok := e.(*ast.CompositeLit); ok && lit.Type == nil { // it stands only in another literal
		return
	}
	if isContext(of.Type) {
		add("zspectra_suite.Cancelled(%s)", "a cancelled context")
		return
	}
	switch of.Type.Underlying().(type) {
	case *types.Pointer, *types.Interface, *types.Map, *types.Slice:
		add("nil", "nil")
	case *types.Struct:
		lit, _ := e.(*ast.CompositeLit)
		if _, named := types.Unalias(of.Type).(*types.Named); named && (lit == nil || len(lit.Elts) > 0) {
			add("zspectra_suite.Empty(%s)", "an empty one")
		}
	}
	if api.IsError(of.Type) {
		w.fails(e, name, w.shown(e), false)
	}
	switch list := of.Type.Underlying().(type) {
	case *types.Slice:
		w.computed(e, name)
		w.shorter(e, add)
		w.relisted(e, name, list, add)
	case *types.Map:
		w.entered(e, name, list)
	}
	if _, made := e.(*ast.CallExpr); made && isRequest(of.Type) {
		w.request(e, of.Type, "")
	}
	for _, call := range w.builders(of.Type) {
		add("%s."+call, "its "+strings.Replace(call, "zspectra_suite.Cancelled(nil)", "cancelled", 1))
	}
	w.settings(e, of.Type)
}

// request adds the choice of a header for a request that a call makes, perhaps with an error.
func (w *walker) request(e ast.Expr, t types.Type, with string) {
	if w.nameable(t, e.Pos()) && (with == "" || w.means("error", types.Universe.Lookup("error"), e.Pos())) {
		w.note(&hole{
			lit: e, typ: t, name: "header", value: sequence.Value{Kind: sequence.String},
			choice: &choice{kind: header, then: with},
		})
	}
}

// isRequest reports whether a type is *http.Request.
func isRequest(t types.Type) bool {
	p, ok := t.(*types.Pointer)
	if !ok {
		return false
	}
	of := packageOf(p)
	return of != nil && of.Path() == "net/http" && types.TypeString(p.Elem(), nil) == "net/http.Request"
}

// packageOf returns the package of a named type, or of what it points to, nil if there is none.
func packageOf(t types.Type) *types.Package {
	if p, ok := t.(*types.Pointer); ok {
		t = p.Elem()
	}
	if named, ok := types.Unalias(t).(*types.Named); ok {
		return named.Obj().Pkg()
	}
	return nil
}

// ofTesting reports whether a type is one of package testing, or points to one.
func ofTesting(t types.Type) bool {
	of := packageOf(t)
	return of != nil && of.Path() == "testing"
}

func isContext(t types.Type) bool {
	named, ok := types.Unalias(t).(*types.Named)
	return ok && named.Obj().Pkg() != nil && named.Obj().Pkg().Path() == "context" && named.Obj().Name() == "Context"
}

// mostBuilders is how many methods of a value are called for another value, at most.
const mostBuilders = 4

// builders returns calls of methods that make another value of the same type, as Go has them after the value.
func (w *walker) builders(t types.Type) (calls []string) {
	methods := types.NewMethodSet(t)
	for i := range methods.Len() {
		f, ok := methods.At(i).Obj().(*types.Func)
		if !ok || !f.Exported() || len(calls) == mostBuilders || !w.shared(t, f) {
			continue
		}
		of := f.Signature()
		if of.Results().Len() != 1 || !types.Identical(of.Results().At(0).Type(), t) {
			continue
		}
		if args, ok := argumentsOf(of); ok {
			calls = append(calls, f.Name()+"("+args+")")
		}
	}
	return calls
}

// argumentsOf returns simple arguments for a signature, and false if it takes others.
func argumentsOf(of *types.Signature) (string, bool) {
	var list []string
	for p := range of.Params().Variables() {
		t := p.Type()
		if s, ok := t.(*types.Slice); ok && of.Variadic() && p == of.Params().At(of.Params().Len()-1) {
			t = s.Elem()
		}
		arg, ok := argument(t)
		if !ok {
			return "", false
		}
		list = append(list, arg)
	}
	return strings.Join(list, ", "), true
}

func argument(t types.Type) (string, bool) {
	if isContext(t) {
		return "zspectra_suite.Cancelled(nil)", true
	}
	switch of := t.Underlying().(type) {
	case *types.Basic:
		switch {
		case of.Info()&types.IsString != 0:
			return `"x"`, true
		case of.Info()&types.IsBoolean != 0:
			return "true", true
		case of.Info()&types.IsNumeric != 0:
			return "1", true
		}
	case *types.Interface:
		if of.Empty() {
			return `"x"`, true
		}
	}
	return "", false
}

// mostShown is the length of source that a choice shows, in bytes.
const mostShown = 60

// shown returns the source of an expression, in short.
func (w *walker) shown(e ast.Expr) string {
	text := types.ExprString(e)
	if len(text) > mostShown {
		text = strings.ToValidUTF8(text[:mostShown], "") + "…"
	}
	return text
}
