package suite

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"strings"
)

// mostPresets is how many package variables a test may set before it begins, at most.
const mostPresets = 6

// A Variable is a package variable.
type Variable struct {
	*types.Var
	// Decided says that somebody else may decide its value: who imports the package, another package, or a flag.
	Decided bool
	// State says that its package sets it while it works: which values such have together, only it knows.
	State   bool
	Initial constant.Value // that it is declared with; nil: none, or it is not known
}

// presets adds, for the body of a test, package variables that the change mentions and others decide: flags of
// programs, limits. They are set before anything else.
func (w *walker) presets(test *types.Func, body ast.Node) {
	block, ok := body.(*ast.BlockStmt)
	if !ok || !runsAsTest(test) {
		return
	}
	at, count := block.Lbrace+1, 0
	for _, v := range w.known.Globals {
		name, ok := w.variableName(v.Var, at)
		if !ok || !w.nameable(v.Type(), at) || !w.decided(v) || !w.kept(v.Pkg(), block) ||
			count == mostPresets && !w.known.All {
			continue
		}
		if w.preset(spot(at), name, v) {
			count++
		}
	}
}

// preset adds one of them, if it has plain values.
func (w *walker) preset(at spot, name string, v Variable) bool {
	basic := v.Type().Underlying().(*types.Basic)
	value, plain := zeroOf(basic)
	if !plain {
		return false
	}
	set := choice{kind: presets, basic: basic, then: name}
	if basic.Info()&types.IsBoolean != 0 { // which one it has, nobody knows: flags have defaults
		set.basic, set.text = nil, "the other value of "+name
		w.offer(at, v.Type(), name, set)
		return true
	}
	if v.Initial != nil {
		value, _ = valueOf(basic, v.Initial)
	}
	w.note(&hole{lit: at, typ: v.Type(), name: name, value: value, choice: &set})
	return true
}

// decided reports whether a variable may have another value when a test begins: somebody else may set it, or tests do,
// and it is no state of the package.
func (w *walker) decided(v Variable) bool {
	return v.Decided || !v.State && w.sets[v.Name()] || w.known.All
}

// kept reports whether a test names a package, if that is not its own: files have only the imports that they need where
// it runs alone.
func (w *walker) kept(p *types.Package, test *ast.BlockStmt) (named bool) {
	if local, _ := w.local(w.file, p); local == "" {
		return true
	}
	ast.Inspect(test, func(n ast.Node) bool {
		if id, ok := n.(*ast.Ident); ok {
			of, ok := w.info.Uses[id].(*types.PkgName)
			named = named || ok && of.Imported().Path() == p.Path()
		}
		return !named
	})
	return named
}

// assigned notes what a file assigns to, by its last name.
func (d *digger) assigned(f *ast.File) {
	ast.Inspect(f, func(n ast.Node) bool {
		of, ok := n.(*ast.AssignStmt)
		if !ok || of.Tok == token.DEFINE {
			return true
		}
		for _, to := range of.Lhs {
			switch to := to.(type) {
			case *ast.Ident:
				d.sets[to.Name] = true
			case *ast.SelectorExpr:
				d.sets[to.Sel.Name] = true
			}
		}
		return true
	})
}

// runsAsTest reports whether a function is a test, or a method that a suite runs as one.
func runsAsTest(f *types.Func) bool {
	params := f.Signature().Params()
	if !strings.HasPrefix(f.Name(), "Test") {
		return false
	}
	if f.Signature().Recv() != nil {
		return params.Len() == 0
	}
	return params.Len() == 1 && isT(params.At(0).Type())
}

// variableName returns how the file names a package variable that both versions have, and whether it can.
func (w *walker) variableName(v *types.Var, at token.Pos) (string, bool) {
	if !w.known.Common(nil, v) {
		return "", false
	}
	local, ok := w.local(w.file, v.Pkg())
	switch {
	case !ok:
		return "", false
	case local != "":
		return local + "." + v.Name(), v.Exported() && w.means(local, nil, at)
	}
	found, ok := w.lookup(v.Name(), at).(*types.Var)
	return v.Name(), ok && found.Pkg() != nil && found.Pkg().Path() == v.Pkg().Path() &&
		found.Parent() == found.Pkg().Scope()
}

// presetting returns what sets a package variable until the end of the test.
func (d *digger) presetting(f *ast.File, h *hole) string {
	value := "!" + h.choice.then
	if h.choice.basic != nil {
		before, back := d.asked(f, h)
		value = before + zeroText(h.basic()) + back
	}
	const set = " if zspectra_suite.Any(&zspectra_holes, %d, %[1]d) { " +
		"zspectra_suite.Preset(&zspectra_holes, &%s, %s) }; "
	return fmt.Sprintf(set, h.number, h.choice.then, value)
}
