package target

import (
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"os"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// LoadConfig says which version is loaded and how.
type LoadConfig struct {
	Dir      string   // the module's root in a private copy of the version
	Root     string   // the copy's root if the module is a folder of it: a go.work above it is ignored; "" = Dir
	Patterns []string // as the go command takes them; nil = ./...
	Env      []string // nil = the process's own

	// ModFolder is where the go command may complete a copy of the version's go.mod and go.sum;
	// "" = it completes the version's own.
	ModFolder string
}

const (
	listMode  = packages.NeedName | packages.NeedFiles | packages.NeedCompiledGoFiles | packages.NeedImports | packages.NeedModule | packages.NeedEmbedFiles
	typesMode = listMode | packages.NeedTypes | packages.NeedSyntax | packages.NeedTypesInfo | packages.NeedTypesSizes
)

// List finds the module's packages and what they import, without types and without compiling
// anything: enough for Select, so that a large module need not be type-checked as a whole.
func List(ctx context.Context, cfg LoadConfig) (*Target, error) {
	t, err := open(ctx, cfg)
	if err != nil {
		return nil, err
	}
	found, err := t.load(ctx, cfg, listMode)
	if err != nil {
		return nil, err
	}
	for _, p := range found {
		if len(p.GoFiles)+len(p.CompiledGoFiles) > 0 {
			t.Packages = append(t.Packages, p)
		}
	}
	if len(t.Packages) == 0 {
		return nil, t.noPackages(cfg)
	}
	return t, nil
}

// Load type-checks the module's packages that match. Dependencies come from export data, so the
// go command compiles what is not in its cache. Packages that don't type-check are listed as
// Broken; it is an error only if none is left.
func Load(ctx context.Context, cfg LoadConfig) (*Target, error) {
	t, err := open(ctx, cfg)
	if err != nil {
		return nil, err
	}
	found, err := t.load(ctx, cfg, typesMode)
	if err != nil {
		return nil, err
	}
	t.sift(found)
	if len(t.Packages) == 0 && len(t.Broken) == 0 {
		return nil, t.noPackages(cfg)
	}
	if len(t.Packages) == 0 {
		return nil, t.nothingCompiles(ctx, cfg)
	}
	t.Fset = t.Packages[0].Fset
	t.collectUniverse()
	if err := t.completeUniverse(ctx); err != nil {
		return nil, err
	}
	return t, nil
}

// load runs the go command once and keeps the module's own packages, sorted by path.
func (t *Target) load(ctx context.Context, cfg LoadConfig, mode packages.LoadMode) ([]*packages.Package, error) {
	loaded, err := packages.Load(&packages.Config{
		Context: ctx,
		Mode:    mode,
		Dir:     t.Dir,
		Env:     t.Env,
		ParseFile: func(fset *token.FileSet, name string, src []byte) (*ast.File, error) {
			return parser.ParseFile(fset, name, src, parser.ParseComments|parser.SkipObjectResolution)
		},
	}, cfg.patterns()...)
	if ctx.Err() != nil {
		return nil, fmt.Errorf("list packages of %s: %w", t.Module, ctx.Err())
	}
	if err != nil {
		return nil, fmt.Errorf("list packages of %s: %s", t.Module, t.relative(err.Error()))
	}
	t.imports = map[string][]string{}
	packages.Visit(loaded, nil, func(p *packages.Package) {
		if !t.member(p) {
			return
		}
		t.imports[p.PkgPath] = nil
		for _, path := range sortedKeys(p.Imports) {
			if t.member(p.Imports[path]) {
				t.imports[p.PkgPath] = append(t.imports[p.PkgPath], p.Imports[path].PkgPath)
			}
		}
	})
	var own []*packages.Package
	for _, p := range loaded {
		if t.member(p) {
			own = append(own, p)
		} else if p.Module == nil && len(p.Errors) > 0 && !strings.HasPrefix(p.PkgPath, t.Module) {
			// A package of the module that this version lacks is no surprise: Common says so.
			t.Warnings = append(t.Warnings, t.firstError(p))
		}
	}
	slices.SortFunc(own, func(p, q *packages.Package) int { return strings.Compare(p.PkgPath, q.PkgPath) })
	return own, nil
}

func (cfg LoadConfig) patterns() []string {
	if len(cfg.Patterns) == 0 {
		return []string{"./..."}
	}
	return cfg.Patterns
}

func (t *Target) member(p *packages.Package) bool {
	return p.Module != nil && p.Module.Main && p.Module.Path == t.Module
}

// sift splits what was found into usable and broken packages.
func (t *Target) sift(found []*packages.Package) {
	broken := t.broken(found)
	for _, p := range found {
		reason, bad := broken[p.PkgPath]
		switch {
		case bad:
			t.Broken = append(t.Broken, Broken{p.PkgPath, reason})
			if missingModule(reason) {
				t.Warnings = append(t.Warnings, "a dependency of "+p.PkgPath+" is missing; run go mod download in this version with network access")
			}
		case len(p.Syntax) > 0: // a folder with tests only has no syntax, and is no error
			t.Packages = append(t.Packages, p)
		}
	}
}

// broken says why packages can't be used: their own first error, or the import that has one. A
// dependency counts too: go/packages makes do with part of it, the compiler does not.
func (t *Target) broken(found []*packages.Package) map[string]string {
	reasons := map[string]string{}
	packages.Visit(found, nil, func(p *packages.Package) { // imports come before importers
		if len(p.Errors) > 0 {
			reasons[p.PkgPath] = t.firstError(p)
			return
		}
		for _, path := range sortedKeys(p.Imports) {
			imported := p.Imports[path]
			if reasons[imported.PkgPath] == "" {
				continue
			}
			reason := "imports " + imported.PkgPath + ", which does not compile"
			if !t.member(imported) { // nobody else lists it
				reason += ": " + firstLine(reasons[imported.PkgPath])
			}
			reasons[p.PkgPath] = reason
			return
		}
	})
	return reasons
}

func missingModule(text string) bool {
	for _, sign := range []string{"no required module provides", "cannot find module providing", "module lookup disabled", "missing go.sum entry", "dial tcp"} {
		if strings.Contains(text, sign) {
			return true
		}
	}
	return false
}

// firstError prefers an error with a position: the go command's own come without one. Of an import
// that failed it says why.
func (t *Target) firstError(p *packages.Package) string {
	chosen := p.Errors[0]
	for _, e := range p.Errors {
		if e.Pos != "" && e.Pos != "-" {
			chosen = e
			break
		}
	}
	text := strings.TrimSpace(chosen.Msg)
	if chosen.Pos != "" && chosen.Pos != "-" {
		text = chosen.Pos + ": " + text
	}
	if rest, ok := strings.CutPrefix(chosen.Msg, "could not import "); ok {
		path, _, _ := strings.Cut(rest, " ")
		if imported := p.Imports[path]; imported != nil && len(imported.Errors) > 0 {
			text += ": " + firstLine(imported.Errors[0].Msg)
		}
	}
	return t.relative(text)
}

func (t *Target) noPackages(cfg LoadConfig) error {
	return fmt.Errorf("list packages of %s: no package with Go files matches %s; name others", t.Module, strings.Join(cfg.patterns(), " "))
}

// nothingCompiles says what a user would have seen.
func (t *Target) nothingCompiles(ctx context.Context, cfg LoadConfig) error {
	args := append([]string{"build", "-o", os.DevNull}, cfg.patterns()...)
	if _, err := t.run(ctx, args...); err != nil {
		return fmt.Errorf("no package of %s compiles: %w", t.Module, err)
	}
	return errors.New("no package of " + t.Module + " type-checks: " + t.Broken[0].Error)
}

// collectUniverse notes every package that the type-checked ones refer to.
func (t *Target) collectUniverse() {
	t.universe = map[string]*types.Package{}
	var visit func(p *types.Package)
	visit = func(p *types.Package) {
		if t.universe[p.Path()] != nil {
			return
		}
		t.universe[p.Path()] = p
		for _, q := range p.Imports() {
			visit(q)
		}
	}
	for _, p := range t.Packages {
		visit(p.Types)
	}
}
