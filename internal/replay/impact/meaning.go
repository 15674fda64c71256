package impact

import (
	"go/ast"
	"go/types"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// otherwise returns those of some functions of old in which a name that both versions write means something else: an
// import leads to another package, or a declaration hides what a name meant. Lines that did not change may have it.
func (c *Change) otherwise(functions map[spectra.Symbol]bool) map[spectra.Symbol]bool {
	found := map[spectra.Symbol]bool{}
	if len(functions) == 0 {
		return found
	}
	renamed := map[spectra.Symbol]bool{}
	for name := range functions {
		renamed[c.new(name)] = true
	}
	before := meaningsIn(c.Versions.Old.Packages, functions)
	after := meaningsIn(c.Versions.New.Packages, renamed)
	for name := range functions {
		for written, was := range before[name] {
			if is, both := after[c.new(name)][written]; both && !slices.Equal(was, c.inOld(is)) {
				found[name] = true
			}
		}
	}
	return found
}

// new returns the name in new for a name in old.
func (c *Change) new(name spectra.Symbol) spectra.Symbol {
	return spectra.Symbol(c.Match.New(string(name)))
}

// inOld returns what names of new are called in old, sorted.
func (c *Change) inOld(names []string) (list []string) {
	for _, name := range names {
		list = append(list, c.Match.Old(name))
	}
	slices.Sort(list)
	return list
}

// meanings are what the names mean that a function writes, of packages and of what these declare, or what is
// predeclared. Init functions, which share a symbol, may mean several things by one.
type meanings map[string][]string

// meaningsIn returns the meanings of some functions.
func meaningsIn(list []*packages.Package, functions map[spectra.Symbol]bool) map[spectra.Symbol]meanings {
	wanted := map[string]bool{}
	for name := range functions {
		wanted[name.Package()] = true
	}
	found := map[spectra.Symbol]meanings{}
	for _, pkg := range list {
		if pkg.TypesInfo == nil || !wanted[pkg.PkgPath] {
			continue
		}
		for _, file := range pkg.Syntax {
			for _, decl := range file.Decls {
				of, _ := decl.(*ast.FuncDecl)
				if of == nil {
					continue
				}
				fn, _ := pkg.TypesInfo.Defs[of.Name].(*types.Func)
				if fn == nil || !functions[symbol.Function(fn)] {
					continue
				}
				if found[symbol.Function(fn)] == nil {
					found[symbol.Function(fn)] = meanings{}
				}
				found[symbol.Function(fn)].read(pkg.TypesInfo, of)
			}
		}
	}
	return found
}

// read adds what names mean in a function.
func (m meanings) read(info *types.Info, of ast.Node) {
	ast.Inspect(of, func(n ast.Node) bool {
		if of, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := of.X.(*ast.Ident); ok {
				m.add(info, id)
				return false // what is selected has no meaning of its own
			}
		}
		if id, ok := n.(*ast.Ident); ok {
			m.add(info, id)
		}
		return true
	})
}

func (m meanings) add(info *types.Info, id *ast.Ident) {
	meaning := ""
	switch object := info.Uses[id].(type) {
	case nil:
		return
	case *types.PkgName:
		meaning = object.Imported().Path()
	default:
		switch {
		case object.Parent() == types.Universe:
		case object.Pkg() != nil && object.Parent() == object.Pkg().Scope():
			meaning = symbol.Global(object)
		default: // local: where it is declared, a line changed
			return
		}
	}
	if at, known := slices.BinarySearch(m[id.Name], meaning); !known {
		m[id.Name] = slices.Insert(m[id.Name], at, meaning)
	}
}
