package hybrid

import (
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
	"golang.org/x/tools/go/types/typeutil"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// adapted reports whether a changed function does what it did: it differs in parameters that it gained or lost, and in
// what its calls of such functions pass, of which they have more, fewer, or the same in another order, if it is that of
// the parameters.
func (m *mixer) adapted(name spectra.Symbol) bool {
	before, after := m.others[m.Functions[name]], m.bases[name]
	if before.node == nil || after.node == nil {
		return false
	}
	was := m.of.Other.TypesInfo.Defs[before.node.(*ast.FuncDecl).Name].(*types.Func)
	is := m.of.Base.TypesInfo.Defs[after.node.(*ast.FuncDecl).Name].(*types.Func)
	if !m.same(was.Signature().Results(), is.Signature().Results()) || !m.sameReceiver(was, is) ||
		!inOrder(parameters(was, m.based), parameters(is, symbol.Type)) {
		return false
	}
	reshaped := map[spectra.Symbol]bool{}
	for _, own := range m.differ {
		reshaped[own] = true
	}
	old := m.spelled(m.of.Other, before, func(fn *types.Func) bool { return m.differ[symbol.Function(fn)] != "" })
	new := m.spelled(m.of.Base, after, func(fn *types.Func) bool { return reshaped[symbol.Function(fn)] })
	return old != nil && new != nil && slices.Equal(old.tokens, new.tokens) &&
		slices.EqualFunc(old.passed, new.passed, passesOn)
}

// inOrder reports whether one of two lists has all that the other has, in the same order.
func inOrder(x, y []string) bool {
	if len(x) > len(y) {
		x, y = y, x
	}
	for _, of := range y {
		if len(x) > 0 && x[0] == of {
			x = x[1:]
		}
	}
	return len(x) == 0
}

// A passing is what a call passes to a function.
type passing struct {
	to   *types.Signature
	args []string
}

// passesOn reports whether calls of both versions of a function pass the same to the parameters that both have; where
// the names do not tell which these are, in the same order.
func passesOn(x, y passing) bool {
	if x.to.Params().Len() > y.to.Params().Len() {
		x, y = y, x
	}
	one, other := x.byName(), y.byName()
	for name := range one {
		if _, both := other[name]; !both {
			one = nil
		}
	}
	if one == nil || other == nil {
		return inOrder(x.args, y.args)
	}
	for name, args := range one {
		if !slices.Equal(args, other[name]) {
			return false
		}
	}
	return true
}

// byName returns what a call passes to each parameter, nil if not all have names or if one value is passed to several.
func (p passing) byName() map[string][]string {
	args, of := p.args, map[string][]string{}
	for i := range p.to.Params().Len() {
		name, n := p.to.Params().At(i).Name(), 1
		if p.to.Variadic() && i == p.to.Params().Len()-1 {
			n = len(args)
		}
		if name == "" || name == "_" || n > len(args) {
			return nil
		}
		of[name], args = args[:n], args[n:]
	}
	if len(args) > 0 { // as the receiver, where a method is called by its type
		return nil
	}
	return of
}

func parameters(fn *types.Func, spelled func(types.Type) string) (list []string) {
	for v := range fn.Signature().Params().Variables() {
		list = append(list, v.Name()+" "+spelled(v.Type()))
	}
	return list
}

// A spelling is the body of a function by its tokens, in which some calls stand without what they pass.
type spelling struct {
	tokens []string
	passed []passing // what each of these calls passes, in order
}

// spelled returns the body of a function; nil if its source can't be read, or has none.
func (m *mixer) spelled(p *packages.Package, of home, adapting func(*types.Func) bool) *spelling {
	body := of.node.(*ast.FuncDecl).Body
	_, source, err := m.source(p, of.file)
	if err != nil || body == nil {
		return nil
	}
	s := &spelling{}
	s.add(p, source, body, adapting)
	return s
}

// add adds the tokens of a node.
func (s *spelling) add(p *packages.Package, source []byte, node ast.Node, adapting func(*types.Func) bool) {
	offset := func(at token.Pos) int { return p.Fset.PositionFor(at, false).Offset }
	at := offset(node.Pos())
	ast.Inspect(node, func(n ast.Node) bool {
		call, ok := n.(*ast.CallExpr)
		if !ok {
			return true
		}
		fn, ok := typeutil.Callee(p.TypesInfo, call).(*types.Func)
		if !ok || !adapting(fn) {
			return true
		}
		s.scan(source[at:offset(call.Lparen)])
		i := len(s.passed)
		s.passed = append(s.passed, passing{to: fn.Origin().Signature()})
		for _, arg := range call.Args {
			of := &spelling{}
			of.add(p, source, arg, adapting)
			s.passed[i].args = append(s.passed[i].args, strings.Join(of.tokens, " "))
			s.passed = append(s.passed, of.passed...)
		}
		at = offset(call.Rparen)
		return false
	})
	s.scan(source[at:offset(node.End())])
}

// scan adds the tokens of a piece of a source.
func (s *spelling) scan(source []byte) {
	for t := range symbol.Tokens(source) {
		s.tokens = append(s.tokens, t.Text)
	}
}
