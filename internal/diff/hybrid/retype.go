package hybrid

import (
	"fmt"
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// A retyping puts declarations of the other in the place of the base's.
type retyping struct {
	*mixer
	checked *packages.Package
}

// Retype returns the configuration of a hybrid in whose base a type is the other's, and with it those functions that do
// not compile with it otherwise. The names are those of the type in the base and in the other. Sources has what stands
// in place of the base's files, or beside them. No program can choose between two versions of a type while it runs, so
// each type needs a program of its own.
func Retype(cfg Config, base, other spectra.Symbol) (of Config, sources map[string][]byte, err error) {
	for i, pair := range cfg.Packages {
		if local(base, pair.Base) == "" || strings.Contains(local(base, pair.Base), ".") {
			continue
		}
		r := &retyping{mixer: newMixer(cfg, pair)}
		r.files = "zspectra_retyped"
		if err := r.retype(base, other); err != nil {
			return cfg, nil, fmt.Errorf("%s can't be that of the other version: %w", base, err)
		}
		return r.config(cfg, i), r.overlay, nil
	}
	return cfg, nil, fmt.Errorf("no package holds %s in both versions", base)
}

// config returns the configuration of a hybrid of which a package's base is the retyped one.
func (r *retyping) config(cfg Config, i int) Config {
	of := cfg.over(r.overlay)
	of.Packages[i].Base = r.checked
	return of
}

// over returns the configuration with other sources in the place of files, or beside them.
func (cfg Config) over(sources map[string][]byte) Config {
	of := cfg
	of.Packages = slices.Clone(cfg.Packages)
	of.Read = func(name string) ([]byte, error) {
		if text, ok := sources[name]; ok {
			return text, nil
		}
		return cfg.Read(name)
	}
	of.Check = func(p *packages.Package, overlay map[string][]byte) (*packages.Package, []types.Error, error) {
		all := maps.Clone(sources)
		maps.Copy(all, overlay)
		return cfg.Check(p, all)
	}
	return of
}

// retype replaces the type, and then the code that does not compile, until all does.
func (r *retyping) retype(base, other spectra.Symbol) error {
	was, is := typeSpec(r.of.Other, local(other, r.of.Other)), typeSpec(r.of.Base, local(base, r.of.Base))
	if was == nil || is == nil {
		return fmt.Errorf("only one version declares it")
	}
	object := r.of.Other.TypesInfo.Defs[was.Name]
	r.cuts.gone[is] = true
	r.add(&part{
		kind: typed, node: was, object: object, syntax: r.homes[object].file, name: is.Name.Name, instead: true,
	})
	for needed := 0; ; {
		for ; needed < len(r.parts); needed++ {
			r.chooseNeeded(r.parts[needed])
		}
		if err := r.write(); err != nil {
			return err
		}
		checked, errs, err := r.Check(r.of.Base, r.overlay)
		if err != nil {
			return err
		}
		if len(errs) == 0 {
			r.checked = checked
			return nil
		}
		if err := r.mend(checked, errs); err != nil {
			return err
		}
	}
}

// mend replaces the functions in which errors lie, and leaves out imports that are no longer used. It fails where
// neither helps.
func (r *retyping) mend(checked *packages.Package, errs []types.Error) error {
	names := symbol.Functions(checked.PkgPath, checked.TypesInfo, checked.Syntax)
	before := len(r.cuts.gone) + len(r.cuts.idle)
	for _, e := range errs {
		for _, file := range checked.Syntax {
			if e.Pos < file.FileStart || e.Pos >= file.FileEnd {
				continue
			}
			for _, spec := range file.Imports {
				if spec.Pos() <= e.Pos && e.Pos < spec.End() {
					r.leaveOut(spec)
				}
			}
			for _, decl := range file.Decls {
				if fn, ok := decl.(*ast.FuncDecl); ok && fn.Pos() <= e.Pos && e.Pos < fn.End() {
					r.replace(names[fn])
				}
			}
		}
	}
	if len(r.cuts.gone)+len(r.cuts.idle) == before {
		return fmt.Errorf("what uses it does not compile: %s", errs[0].Msg)
	}
	return nil
}

// replace puts a function of the other in the place of the base's, if it changed and has the same parameters.
func (r *retyping) replace(name spectra.Symbol) {
	other, changed := r.Functions[name]
	before, after := r.others[other], r.bases[name]
	if !changed || before.node == nil || after.node == nil || r.cuts.gone[after.node] {
		return
	}
	was, is := before.node.(*ast.FuncDecl), after.node.(*ast.FuncDecl)
	object := r.of.Other.TypesInfo.Defs[was.Name]
	of := r.of.Base.TypesInfo.Defs[is.Name]
	if object == nil || of == nil || !r.sameSignature(object.(*types.Func), of.(*types.Func)) {
		return
	}
	r.cuts.gone[is] = true
	r.add(&part{kind: function, node: was, object: object, syntax: before.file, name: is.Name.Name, other: other})
}

// leaveOut gives an import of the base no name, by its path.
func (r *retyping) leaveOut(again *ast.ImportSpec) {
	for _, file := range r.of.Base.Syntax {
		for _, spec := range file.Imports {
			same := r.of.Base.Fset.PositionFor(spec.Pos(), false).Filename ==
				r.of.Base.Fset.PositionFor(again.Pos(), false).Filename
			if same && spec.Path.Value == again.Path.Value {
				r.cuts.idle[spec] = true
			}
		}
	}
}

// typeSpec returns the declaration of a type, nil if there is none.
func typeSpec(p *packages.Package, name string) *ast.TypeSpec {
	for _, file := range p.Syntax {
		for _, decl := range file.Decls {
			gen, ok := decl.(*ast.GenDecl)
			if !ok {
				continue
			}
			for _, spec := range gen.Specs {
				if spec, ok := spec.(*ast.TypeSpec); ok && spec.Name.Name == name {
					return spec
				}
			}
		}
	}
	return nil
}

// without returns the edits that take what is gone out of a file of the base, whose lines stay.
func (m *mixer) without(file *ast.File) (edits []edit) {
	at := func(pos token.Pos) token.Position { return m.of.Base.Fset.PositionFor(pos, false) }
	cut := func(node ast.Node) {
		start, end := at(node.Pos()), at(node.End())
		edits = append(edits, edit{start.Offset, end.Offset, strings.Repeat("\n", end.Line-start.Line)})
	}
	for _, decl := range file.Decls {
		gen, ok := decl.(*ast.GenDecl)
		switch {
		case m.cuts.gone[decl], ok && !gen.Lparen.IsValid() && m.cuts.gone[gen.Specs[0]]:
			cut(decl)
		case ok:
			for _, spec := range gen.Specs {
				if m.cuts.gone[spec] {
					cut(spec)
				}
			}
		}
	}
	for _, spec := range file.Imports {
		if m.cuts.idle[spec] {
			edits = append(edits, edit{at(spec.Pos()).Offset, at(spec.Path.Pos()).Offset, "_ "})
		}
	}
	return edits
}
