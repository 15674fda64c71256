package suite

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"
)

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
