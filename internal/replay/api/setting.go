package api

import (
	"go/ast"
	"go/types"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/replay/load"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// SetsEnvironment is the name of the operation that sets an environment variable.
const SetsEnvironment = "os.Setenv"

// Settable reports whether a text is the name of an environment variable that a test may set. Variables that begin with
// GO control the Go runtime, and the system sets PWD.
func Settable(name string) bool {
	return name != "" && name != "PWD" && !strings.HasPrefix(name, "GO") && !strings.ContainsAny(name, "=\x00")
}

// Assigned is the suffix of the name of an operation that sets a package variable. Before it stands the variable's
// name.
const Assigned = " ="

// All returns everything that a version's driver needs for sequences: operations and settings.
func (s *Surface) All(side spectra.Side) []*Operation {
	return slices.Concat(*s.Operations.Of(side), *s.Settings.Of(side))
}

// settings keeps the settings that both versions have. A package variable is kept if, in either version, a function on
// the way to changed code mentions it.
func (s *Surface) settings(
	versions spectra.Pair[*load.Version], paths spectra.Pair[[]string], names Names, reaching map[spectra.Symbol]bool,
) {
	used := map[string]bool{}
	mentioned(versions.Old, used, reaching, func(name string) string { return name })
	mentioned(versions.New, used, reaching, names.Old)
	byName := map[string]*Operation{}
	for _, op := range settings(versions.New, paths.New) {
		byName[names.Old(op.Name)] = op
	}
	for _, old := range settings(versions.Old, paths.Old) {
		found := byName[old.Name]
		if found == nil || names.Old(found.signature()) != old.signature() {
			continue
		}
		if old.Package == "" || used[string(old.Symbol)] {
			own := *found
			own.Name = old.Name
			s.Settings.Old, s.Settings.New = append(s.Settings.Old, old), append(s.Settings.New, &own)
		}
	}
}

// settings returns the settings of a version, sorted by name.
func settings(version *load.Version, paths []string) []*Operation {
	var list []*Operation
	m := newMaker(version, paths)
	for _, p := range version.Chosen(paths) {
		scope := p.Types.Scope()
		for _, name := range scope.Names() {
			if v, ok := scope.Lookup(name).(*types.Var); ok && usable(p.Types, name) && m.settable(v) {
				list = append(list, &Operation{
					Name:    p.PkgPath + "." + name + Assigned,
					Symbol:  spectra.Symbol(p.PkgPath + "." + name),
					Package: p.PkgPath, Expr: "&" + name, Params: []types.Type{v.Type()}, Setting: true,
				})
			}
		}
	}
	if fn := lookup(version, known{"os", "Setenv"}); fn != nil {
		op := supplier(fn)
		op.Setting = true
		list = append(list, op)
	}
	slices.SortFunc(list, func(o, p *Operation) int { return strings.Compare(o.Name, p.Name) })
	return list
}

// settable reports whether callers are likely to set a variable. Errors are compared with, not set.
func (m *maker) settable(v *types.Var) bool {
	t := v.Type()
	return symbol.Type(t) != "error" && !forbidden(t) && m.makeable(t)
}

// mentioned adds the package variables that some functions of a version mention, or any function if by is nil.
// Functions and variables have their names in old.
func mentioned(
	version *load.Version, found map[string]bool, by map[spectra.Symbol]bool, old func(name string) string,
) {
	for _, p := range version.Packages {
		visit := func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok {
				if v, ok := p.TypesInfo.Uses[id].(*types.Var); ok && v.Pkg() != nil && v.Parent() == v.Pkg().Scope() {
					found[old(v.Pkg().Path()+"."+v.Name())] = true
				}
			}
			return true
		}
		for _, file := range p.Syntax {
			for _, d := range file.Decls {
				fd, ok := d.(*ast.FuncDecl)
				if !ok || fd.Body == nil {
					continue
				}
				fn, ok := p.TypesInfo.Defs[fd.Name].(*types.Func)
				if ok && (by == nil || by[spectra.Symbol(old(string(symbol.Function(fn))))]) {
					ast.Inspect(fd.Body, visit)
				}
			}
		}
	}
}
