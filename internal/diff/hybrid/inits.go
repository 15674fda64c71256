package hybrid

import (
	"go/ast"
	"regexp"

	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/internal/diff/root"
	"github.com/spectradiff/spectradiff/internal/replay/load"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// WithInits returns a renaming that knows init functions, too, which have only numbers: the changed ones are paired as
// the comparison of sources did, the others in their order, because those that come in another order changed. One that
// only one version has is called "" in the other.
func WithInits(loaded spectra.Pair[*load.Version], changes root.Changes, named Renaming) Renaming {
	pairs := spectra.MakePair(func(spectra.Side) map[spectra.Symbol]spectra.Symbol {
		return map[spectra.Symbol]spectra.Symbol{} // the other's names → this version's
	})
	changed := spectra.MakePair(func(spectra.Side) map[spectra.Symbol]bool { return map[spectra.Symbol]bool{} })
	for _, f := range changes.Functions {
		switch {
		case !isInit(f.Symbol):
		case f.Before != "":
			pairs.Old[f.Symbol], pairs.New[f.Before] = f.Before, f.Symbol
			changed.Old[f.Before], changed.New[f.Symbol] = true, true
		case f.Change == spectra.ChangeRemoved:
			changed.Old[f.Symbol] = true
		default:
			changed.New[f.Symbol] = true
		}
	}
	for _, p := range loaded.New.Packages {
		is := unchanged(p, changed.New)
		was := unchanged(loaded.Old.Package(string(named(spectra.Old, spectra.Symbol(p.PkgPath)))), changed.Old)
		for i := range is {
			if len(was) == len(is) { // or it is not known which is which
				pairs.Old[is[i]], pairs.New[was[i]] = was[i], is[i]
			}
		}
	}
	return func(to spectra.Side, name spectra.Symbol) spectra.Symbol {
		found := inits.FindStringSubmatch(string(name))
		if found == nil {
			return named(to, name)
		}
		is := (*pairs.Of(to))[spectra.Symbol(found[1])]
		if is == "" {
			return ""
		}
		return is + spectra.Symbol(found[2])
	}
}

// unchanged lists the init functions of a package beside the changed ones.
func unchanged(p *packages.Package, changed map[spectra.Symbol]bool) (list []spectra.Symbol) {
	if p == nil {
		return nil
	}
	n := 0
	for _, file := range p.Syntax {
		for _, decl := range file.Decls {
			if fn, ok := decl.(*ast.FuncDecl); !ok || fn.Recv != nil || fn.Name.Name != "init" {
				continue
			}
			if name := symbol.Init(p.PkgPath, n); !changed[name] {
				list = append(list, name)
			}
			n++
		}
	}
	return list
}

// inits matches the names of init functions and of the literals in them.
var inits = regexp.MustCompile(`^(.*\.init\.\d+)(\.func.*)?$`)

// isInit reports whether a function is an init function.
func isInit(function spectra.Symbol) bool {
	found := inits.FindStringSubmatch(string(function))
	return found != nil && found[2] == ""
}
