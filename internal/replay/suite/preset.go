package suite

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"strings"
)

// mostPresets is how many package variables a test may set before it begins, at most.
const mostPresets = 6

// presets adds, for the body of a test, package variables that the change mentions: flags of programs, limits, what
// main sets. They are set before anything else.
func (w *walker) presets(test *types.Func, body ast.Node) {
	block, ok := body.(*ast.BlockStmt)
	if !ok || !runsAsTest(test) {
		return
	}
	at, count := block.Lbrace+1, 0
	for _, v := range w.known.Globals {
		name, ok := w.variableName(v, at)
		basic := v.Type().Underlying().(*types.Basic)
		value, plain := zeroOf(basic)
		if !ok || !plain || !w.nameable(v.Type(), at) || count == mostPresets && !w.known.All {
			continue
		}
		count++
		set := choice{kind: presets, basic: basic, then: name}
		if basic.Info()&types.IsBoolean != 0 { // which one it has, nobody knows: flags have defaults
			set.basic, set.text = nil, "the other value of "+name
			w.offer(spot(at), v.Type(), name, set)
			continue
		}
		if initial := w.known.Initial(v); initial != nil {
			value, _ = valueOf(basic, initial)
		}
		w.note(&hole{lit: spot(at), typ: v.Type(), name: name, value: value, choice: &set})
	}
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
