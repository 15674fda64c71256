package hybrid

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// settle writes the package and drops what does not compile, until the rest does. It returns nil if nothing is left.
func (m *mixer) settle() (*packages.Package, error) {
	for m.switches() {
		var checked *packages.Package
		m.refers = true
		_, errs, err := m.check()
		if err == nil && len(errs) == 0 {
			m.refers = false
			checked, errs, err = m.check()
			switch {
			case err == nil && len(errs) == 0:
				return checked, nil
			case err == nil && m.dropInside(errs):
				continue
			}
		}
		switch {
		case err != nil:
			return nil, err
		case len(errs) > 0 && !m.drop(errs) && !m.dropLent(errs[0].Msg):
			for _, p := range m.parts {
				m.dropPart(p, errs[0].Msg)
			}
		}
	}
	return nil, nil
}

// check writes the package and type-checks what was written.
func (m *mixer) check() (*packages.Package, []types.Error, error) {
	if err := m.write(); err != nil {
		return nil, nil, fmt.Errorf("hybrid of %s: %w", m.of.Base.PkgPath, err)
	}
	return m.Check(m.of.Base, m.overlay)
}

// references returns the edits by which functions in a file of the base name those that they hand their calls to: these
// calls may close a cycle of initial values.
func (m *mixer) references(file *ast.File) (edits []edit) {
	for _, p := range m.parts {
		if !m.refers || p.dropped || m.bases[p.from].file != file {
			continue
		}
		decl := m.bases[p.from].node.(*ast.FuncDecl)
		if spelled := instantiated(decl, p.name); spelled != "" {
			at := m.of.Base.Fset.PositionFor(decl.Body.Lbrace, false).Offset + 1
			edits = append(edits, edit{at, at, " _ = " + spelled + ";"})
		}
	}
	return edits
}

// instantiated spells a function with the receiver and the type parameters of a declaration, "" if one of these has no
// name.
func instantiated(decl *ast.FuncDecl, name string) string {
	if decl.Recv != nil {
		of, nameless := decl.Recv.List[0].Type, false
		ast.Inspect(of, func(n ast.Node) bool {
			id, ok := n.(*ast.Ident)
			nameless = nameless || ok && id.Name == "_"
			return true
		})
		if nameless {
			return ""
		}
		return "(" + types.ExprString(of) + ")." + name
	}
	if decl.Type.TypeParams == nil {
		return name
	}
	var parameters []string
	for _, field := range decl.Type.TypeParams.List {
		for _, id := range field.Names {
			parameters = append(parameters, id.Name)
		}
	}
	return name + "[" + strings.Join(parameters, ", ") + "]"
}

// switches reports whether something is left that can be switched. If not, nothing is needed for it either.
func (m *mixer) switches() bool {
	m.parts = slices.DeleteFunc(m.parts, func(p *part) bool { return p.dropped })
	return slices.ContainsFunc(m.parts, func(p *part) bool { return p.unit != "" })
}

// drop drops the parts in which errors lie, and reports whether there were any.
func (m *mixer) drop(errs []types.Error) bool {
	dropped, reason := false, ""
	for _, e := range errs {
		if !strings.HasPrefix(e.Msg, "\t") { // or it says more of the one before
			reason = e.Msg
		}
		at := e.Fset.PositionFor(e.Pos, false)
		for _, p := range m.parts {
			if p.file.name == at.Filename && (p.start <= at.Offset && at.Offset < p.end || p.importsAt(m, at)) ||
				m.wraps(p, e, at) {
				dropped = m.dropPart(p, reason) || dropped
			}
		}
	}
	return dropped
}

// wraps reports whether an error lies at the initial value of the base that a part stands for.
func (m *mixer) wraps(p *part, e types.Error, at token.Position) bool {
	if p.kind != initial {
		return false
	}
	_, from := splitLast(string(p.from))
	text, ok := m.overlay[at.Filename]
	if !ok {
		return false
	}
	start := strings.Index(string(text), from+"(")
	end := start + len(from+"(func() "+p.typ)
	return start >= 0 && start <= at.Offset && at.Offset < end || strings.Contains(e.Msg, from)
}

func (m *mixer) dropPart(p *part, reason string) bool {
	if p.dropped {
		return false
	}
	p.dropped = true
	if p.unit != "" {
		m.leave(p.unit, "the code of both versions does not compile together: %s", reason)
	}
	return true
}
