package suite

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
	"unicode"
)

// expectation reports whether a variable, or a field of a test's own table, of that name only says what a test is
// called, or expects.
func expectation(name string) bool {
	first := []string{
		"want", "wants", "wanted", "expect", "expects", "expected", "exp", "desc", "description", "msg", "message",
	}
	whole := []string{"name", "title", "testname", "comment", "err", "errmsg"}
	return slices.Contains(first, firstWord(name)) || slices.Contains(whole, strings.ToLower(name))
}

// expects reports whether a field says what a test is called or expects, which fields of tested types never do.
func (w *walker) expects(f *types.Var) bool {
	if !expectation(f.Name()) || f.Pkg() == nil || f.Pkg().Scope() != w.scope {
		return false
	}
	for file := range w.guards {
		if file.FileStart <= f.Pos() && f.Pos() < file.FileEnd {
			return true
		}
	}
	return false
}

// firstWord returns the first word of a name such as expectedLines, WantURL or exp.json, in small letters.
func firstWord(name string) string {
	for i, r := range name {
		if i > 0 && (unicode.IsUpper(r) || !unicode.IsLetter(r)) {
			name = name[:i]
			break
		}
	}
	return strings.ToLower(name)
}

// assertions are packages whose functions compare what they are given.
var assertions = []string{
	"github.com/stretchr/testify/assert", "github.com/stretchr/testify/require", "github.com/onsi/gomega",
	"gotest.tools/v3/assert", "github.com/google/go-cmp/cmp", "testing", "github.com/frankban/quicktest",
}

// asserts reports whether a call hands values to an assertion, or to a method of package testing. An assertion of
// another module takes a value for the test first, and makes nothing but a verdict.
func (w *walker) asserts(n *ast.CallExpr) bool {
	s, ok := n.Fun.(*ast.SelectorExpr)
	if !ok {
		return false
	}
	o := w.info.Uses[s.Sel]
	if o == nil || o.Pkg() == nil || s.Sel.Name == "Setenv" || s.Sel.Name == "Add" {
		return false
	}
	if slices.Contains(assertions, o.Pkg().Path()) {
		return true
	}
	f, ok := o.(*types.Func)
	return ok && !w.known.Own(o.Pkg().Path()) && fails(typeAt(f.Signature().Params(), 0)) &&
		isVerdict(f.Signature().Results())
}

// fails reports whether a type is that of values by which a test fails.
func fails(t types.Type) bool {
	if t == nil {
		return false
	}
	if !types.IsInterface(t) {
		return ofTesting(t)
	}
	return slices.ContainsFunc([]string{"Errorf", "Fatalf", "FailNow"}, func(name string) bool {
		m, _, _ := types.LookupFieldOrMethod(t, false, nil, name)
		return m != nil
	})
}

// isVerdict reports whether results are none, or a boolean.
func isVerdict(results *types.Tuple) bool {
	return results.Len() == 0 || results.Len() == 1 && types.Identical(results.At(0).Type(), types.Typ[types.Bool])
}
