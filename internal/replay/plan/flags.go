package plan

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"regexp"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// mostFlags is how many flags there are at most.
const mostFlags = 16

// Flags returns the flags that set what changed functions mention, in the order of the source, old's first: calls and
// literals that have a name and the address of a field or variable, such as f.BoolVar(&opts.force, "force", …), or
// {Name: "force", Destination: &force}.
func (p *Plan) Flags() (list []api.Flag) {
	if len(p.mentionedFields)+len(p.mentioned.variables) == 0 { // all code is read
		return nil
	}
	for _, s := range spectra.Sides() {
		eachNode(p.Sides.Of(s).Target, func(of *packages.Package, n ast.Node) {
			f, ok := p.flagOf(of, n)
			known := func(other api.Flag) bool { return other.Name == f.Name }
			if ok && len(list) < mostFlags && !slices.ContainsFunc(list, known) {
				list = append(list, f)
			}
		})
	}
	return list
}

// flagOf returns the flag that a call or a literal makes, and false if it makes none for what the change mentions.
func (p *Plan) flagOf(of *packages.Package, n ast.Node) (f api.Flag, ok bool) {
	var parts []ast.Expr
	switch n := n.(type) {
	case *ast.CallExpr:
		parts = n.Args
	case *ast.CompositeLit:
		for _, e := range n.Elts {
			if pair, keyed := e.(*ast.KeyValueExpr); keyed {
				parts = append(parts, pair.Value)
			}
		}
	default:
		return f, false
	}
	var set *types.Var
	for _, e := range parts {
		switch v := p.addressed(of.TypesInfo, e); {
		case v != nil && set == nil:
			set = v
		case f.Name == "":
			f.Name = flagName(of.TypesInfo.Types[e].Value)
		}
	}
	if set == nil || f.Name == "" {
		return f, false
	}
	f.Values = flagValues(set.Type())
	return f, true
}

// addressed returns the field or package variable whose address an expression is, nil if the change does not mention
// it.
func (p *Plan) addressed(info *types.Info, e ast.Expr) *types.Var {
	u, ok := e.(*ast.UnaryExpr)
	if !ok || u.Op != token.AND {
		return nil
	}
	v := variableOf(info, u.X)
	switch {
	case v == nil, v.Pkg() == nil:
	case v.IsField() && p.Mentions(v):
		return v
	case ofPackage(v):
		same := func(of types.Object) bool { return of.Name() == v.Name() && of.Pkg().Path() == v.Pkg().Path() }
		for _, of := range p.mentioned.variables {
			if same(of.Var) {
				return v
			}
		}
	}
	return nil
}

// flagPattern matches names of flags: no text of help.
var flagPattern = regexp.MustCompile(`^[a-z0-9][a-zA-Z0-9_.-]+$`)

// flagName returns the name of a flag with its dashes, "" if the constant can be none.
func flagName(v constant.Value) string {
	if v == nil || v.Kind() != constant.String || !flagPattern.MatchString(constant.StringVal(v)) {
		return ""
	}
	return "--" + constant.StringVal(v)
}

// flagValues returns values for a flag of a type.
func flagValues(t types.Type) []string {
	basic, ok := t.Underlying().(*types.Basic)
	switch {
	case !ok:
		return []string{"x", "1"}
	case t.String() == "time.Duration":
		return []string{"1s", "0s"}
	case basic.Info()&types.IsBoolean != 0:
		return []string{"", "false"}
	case basic.Info()&types.IsNumeric != 0:
		return []string{"1", "0", "-1"}
	}
	return []string{"x", "1", "/x", "true"}
}
