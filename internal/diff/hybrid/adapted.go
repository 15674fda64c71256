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
// what its calls of such functions pass, of which they have more, fewer, or the same in another order.
func (m *mixer) adapted(name spectra.Symbol) bool {
	before, after := m.others[m.Functions[name]], m.bases[name]
	if before.node == nil || after.node == nil {
		return false
	}
	was := m.of.Other.TypesInfo.Defs[before.node.(*ast.FuncDecl).Name].(*types.Func)
	is := m.of.Base.TypesInfo.Defs[after.node.(*ast.FuncDecl).Name].(*types.Func)
	if m.results(was) != m.results(is) || receiver(was) != receiver(is) ||
		!inOrder(m.parameters(was), m.parameters(is)) {
		return false
	}
	reshaped := map[spectra.Symbol]bool{}
	for _, own := range m.differ {
		reshaped[own] = true
	}
	old := m.spelled(m.of.Other, before, func(fn *types.Func) bool { return m.differ[symbol.Function(fn)] != "" })
	new := m.spelled(m.of.Base, after, func(fn *types.Func) bool { return reshaped[symbol.Function(fn)] })
	return old != nil && new != nil && slices.Equal(old.tokens, new.tokens) &&
		slices.EqualFunc(old.passed, new.passed, within)
}

// within reports whether one of two lists has all that the other has, in any order.
func within(x, y []string) bool {
	if len(x) > len(y) {
		x, y = y, x
	}
	rest := slices.Clone(y)
	for _, of := range x {
		i := slices.Index(rest, of)
		if i < 0 {
			return false
		}
		rest = slices.Delete(rest, i, i+1)
	}
	return true
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

func (m *mixer) parameters(fn *types.Func) (list []string) {
	for v := range fn.Signature().Params().Variables() {
		list = append(list, v.Name()+" "+m.unplaced(v.Type()))
	}
	return list
}

func (m *mixer) results(fn *types.Func) string { return m.unplaced(fn.Signature().Results()) }

// unplaced spells a type without the package that both versions may have at different paths.
func (m *mixer) unplaced(t types.Type) string {
	text := strings.ReplaceAll(symbol.Type(t), m.of.Base.PkgPath+".", "")
	return strings.ReplaceAll(text, m.of.Other.PkgPath+".", "")
}

// A spelling is the body of a function by its tokens, in which some calls stand without what they pass.
type spelling struct {
	tokens []string
	passed [][]string // what each of these calls passes, in order
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
		if !ok || !calls(p.TypesInfo, call, adapting) {
			return true
		}
		s.scan(source[at:offset(call.Lparen)])
		i := len(s.passed)
		s.passed = append(s.passed, nil)
		for _, arg := range call.Args {
			of := &spelling{}
			of.add(p, source, arg, adapting)
			s.passed[i] = append(s.passed[i], strings.Join(of.tokens, " "))
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

// calls reports whether a call is one of some functions.
func calls(info *types.Info, call *ast.CallExpr, some func(*types.Func) bool) bool {
	fn, ok := typeutil.Callee(info, call).(*types.Func)
	return ok && some(fn)
}
