package hybrid

import (
	"bytes"
	"cmp"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// A Patch puts text in the place of lines of the base.
type Patch struct {
	Function     spectra.Symbol // of the base, in which the lines stand
	File         string         // of the base
	Start, Count int            // lines; without any, the text comes before line Start
	Text         string         // whole lines
}

// Patched returns the configuration of a hybrid whose base has the patches, and what stands in the place of the base's
// files. Functions that do not compile with theirs have none; they are listed.
func Patched(cfg Config, list []Patch) (of Config, sources map[string][]byte, left []spectra.Symbol, err error) {
	p := &patching{Config: cfg, idle: map[string]map[string]bool{}}
	for again := true; again; {
		left = append(left, p.unfit...)
		list = slices.DeleteFunc(slices.Clone(list), func(patch Patch) bool {
			return slices.Contains(left, patch.Function)
		})
		if again, err = p.apply(list); err != nil {
			return cfg, nil, nil, err
		}
	}
	of = cfg.over(p.sources)
	for i := range of.Packages {
		if checked := p.checked[of.Packages[i].Base]; checked != nil {
			of.Packages[i].Base = checked
		}
	}
	return of, p.sources, left, nil
}

// A patching is one try.
type patching struct {
	Config
	idle    map[string]map[string]bool // file → imports that are not used with the patches
	sources map[string][]byte
	checked map[*packages.Package]*packages.Package
	unfit   []spectra.Symbol
}

// apply applies patches. It reports whether something does not compile, and has noted what.
func (p *patching) apply(list []Patch) (again bool, err error) {
	p.sources, p.checked, p.unfit = map[string][]byte{}, map[*packages.Package]*packages.Package{}, nil
	byFile := map[string][]Patch{}
	for _, patch := range list {
		byFile[patch.File] = append(byFile[patch.File], patch)
	}
	for name, patches := range byFile {
		text, err := p.Read(name)
		if err != nil {
			return false, err
		}
		if p.sources[name], err = nameless(name, spliced(text, patches), p.idle[name]); err != nil {
			return false, err
		}
	}
	for _, pair := range p.Packages {
		if !slices.ContainsFunc(pair.Base.Syntax, func(file *ast.File) bool {
			return p.sources[nameOf(pair.Base, file)] != nil
		}) {
			continue
		}
		checked, errs, err := p.Check(pair.Base, p.sources)
		if err != nil {
			return false, err
		}
		if p.checked[pair.Base] = checked; len(errs) == 0 {
			continue
		}
		if again = true; !p.blame(checked, errs, list) {
			return false, fmt.Errorf("with lines of the other version it does not compile: %s", errs[0].Msg)
		}
	}
	return again, nil
}

// blame notes which functions errors lie in, and which imports are not used. It reports whether there are any.
func (p *patching) blame(checked *packages.Package, errs []types.Error, list []Patch) (found bool) {
	names := symbol.Functions(checked.PkgPath, checked.TypesInfo, checked.Syntax)
	for _, e := range errs {
		for _, file := range checked.Syntax {
			if e.Pos < file.FileStart || e.Pos >= file.FileEnd {
				continue
			}
			name := nameOf(checked, file)
			for _, spec := range file.Imports {
				if spec.Pos() <= e.Pos && e.Pos < spec.End() && !p.idle[name][spec.Path.Value] {
					if p.idle[name] == nil {
						p.idle[name] = map[string]bool{}
					}
					p.idle[name][spec.Path.Value], found = true, true
				}
			}
			for _, decl := range file.Decls {
				fn, ok := decl.(*ast.FuncDecl)
				if !ok || e.Pos < fn.Pos() || fn.End() <= e.Pos {
					continue
				}
				of := func(patch Patch) bool { return patch.Function == names[fn] }
				if slices.ContainsFunc(list, of) && !slices.Contains(p.unfit, names[fn]) {
					p.unfit, found = append(p.unfit, names[fn]), true
				}
			}
		}
	}
	return found
}

func nameOf(of *packages.Package, file *ast.File) string {
	return of.Fset.PositionFor(file.FileStart, false).Filename
}

// spliced returns a text with patches.
func spliced(text []byte, patches []Patch) []byte {
	lines := bytes.SplitAfter(text, []byte("\n"))
	patches = slices.Clone(patches)
	slices.SortStableFunc(patches, func(x, y Patch) int { return cmp.Compare(y.Start, x.Start) })
	for _, patch := range patches {
		from := min(patch.Start-1, len(lines))
		to := min(from+patch.Count, len(lines))
		lines = slices.Replace(lines, from, to, []byte(patch.Text))
	}
	return bytes.Join(lines, nil)
}

// nameless returns a source whose imports of some paths, in quotes, have no name.
func nameless(name string, text []byte, paths map[string]bool) ([]byte, error) {
	if len(paths) == 0 {
		return text, nil
	}
	fset := token.NewFileSet()
	file, err := parser.ParseFile(fset, name, text, parser.ImportsOnly)
	if err != nil {
		return nil, fmt.Errorf("with lines of the other version: %w", err)
	}
	for _, spec := range slices.Backward(file.Imports) {
		if paths[spec.Path.Value] {
			from, to := fset.Position(spec.Pos()).Offset, fset.Position(spec.Path.Pos()).Offset
			text = slices.Replace(text, from, to, []byte("_ ")...)
		}
	}
	return text, nil
}
