package load

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"sync"

	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/internal/replay/gocommand"
)

// Config describes the version to load.
type Config struct {
	Dir      string   // the module's root in a private copy of the version
	Root     string   // the copy's root, Dir or above it: a go.work above Root is ignored; "" = Dir
	Patterns []string // as for the go command; nil = ./...
	Env      []string // nil = the environment of the process
	Go       *gocommand.Runner

	// ModFolder is a folder for copies of the version's go.mod and go.sum, which the go command may complete, and for
	// lists of its packages; "" = it completes the version's own files, and no list is kept.
	ModFolder string

	// ModFile is the text of a go.mod that replaces the version's own. WorkFile and WorkSum replace go.work and
	// go.work.sum. They name folders outside the copy by their places. nil = the version's own.
	ModFile, WorkFile, WorkSum []byte

	Outside    []string // folders outside the copy that the go command must read
	Unvendored error    // reason why dependencies must come from the vendor folder; nil = they need not

	// Included are other modules whose packages are found like the module's own, by path: the folder in the copy with
	// the sources, or "" for the vendor folder. List finds those of their packages that the module imports, directly or
	// not. TypeCheck finds those that are named.
	Included map[string]string

	// Compiling is held while the go command compiles: two versions that compile at the same time compile what they
	// share twice. nil = nothing is held.
	Compiling sync.Locker

	// Exports returns how dependencies are compiled, for a version's folder with its environment and folders. nil = as
	// go build compiles them.
	Exports func(ctx context.Context, dir string, env []string, folders gocommand.Folders) Exports

	// Listed is what List found with the same configuration but for the patterns. TypeCheck does not look for it again.
	// nil = it looks for everything.
	Listed *Version

	// Wanted lists packages outside the module that Version.Known also returns after TypeCheck, besides those that the
	// module refers to.
	Wanted []Wanted
}

// A Wanted is a package outside the module whose types are needed.
type Wanted struct {
	Package string // import path, of the standard library or of a dependency
	If      string // only where this package is known anyway; "" = always
}

// List finds the module's packages and their imports, without types and without compiling. That is enough for Select,
// so a large module need not be type-checked as a whole.
func List(ctx context.Context, cfg Config) (*Version, error) {
	v, err := open(ctx, cfg)
	if err != nil {
		return nil, err
	}
	opened := *v
	v.opened = &opened
	found, err := v.load(ctx, cfg, false)
	if err != nil {
		return nil, err
	}
	v.listed = v.members.imports
	v.addApart(found)
	for _, p := range found {
		if len(p.GoFiles)+len(p.CompiledGoFiles) > 0 {
			v.Packages = append(v.Packages, p)
		}
	}
	if len(v.Packages) == 0 {
		return nil, v.noPackages(ctx, cfg)
	}
	return v, nil
}

// TypeCheck type-checks the module's packages that match the patterns. The types of dependencies come from
// export data, so the go command compiles what is not in its cache. Packages that don't type-check are listed
// as Broken. It is an error if no package type-checks, or if a wanted package can't be loaded.
func TypeCheck(ctx context.Context, cfg Config) (*Version, error) {
	v, err := reopen(ctx, cfg)
	if err != nil {
		return nil, err
	}
	found, err := v.load(ctx, cfg, true)
	if err != nil {
		return nil, err
	}
	if v.listed = v.members.imports; cfg.Listed != nil {
		v.listed, v.apart, v.imports = cfg.Listed.listed, cfg.Listed.apart, cfg.Listed.imports
	}
	v.sift(found)
	if len(v.Packages) == 0 && len(v.Broken) == 0 {
		// If every package fails, the library reports that only when nothing is to be compiled.
		if _, err := v.load(ctx, cfg, false); err != nil {
			return nil, err
		}
		return nil, v.noPackages(ctx, cfg)
	}
	if len(v.Packages) == 0 {
		return nil, v.nothingCompiles(ctx, cfg)
	}
	v.Fset = v.Packages[0].Fset
	v.collectUniverse()
	if err := v.completeUniverse(ctx, cfg.Wanted); err != nil {
		return nil, err
	}
	return v, nil
}

// reopen returns the version as List opened it, if it did.
func reopen(ctx context.Context, cfg Config) (*Version, error) {
	if cfg.Listed == nil || cfg.Listed.opened == nil {
		return open(ctx, cfg)
	}
	v := *cfg.Listed.opened
	v.Warnings, v.Env = slices.Clone(v.Warnings), slices.Clone(v.Env)
	return &v, nil
}

// load lists packages, type-checks them if typed is set, and returns the module's own, sorted by path.
func (v *Version) load(ctx context.Context, cfg Config, typed bool) ([]*packages.Package, error) {
	list := v.listImports
	if typed {
		list = v.listExports
	}
	l, err := list(ctx, cfg)
	listing := err
	var loaded, all []*packages.Package
	if err == nil {
		loaded, all, err = l.graph()
	}
	if !typed {
		v.imports = l
	}
	if err == nil && typed {
		err = v.check(ctx, loaded, all)
	}
	if ctx.Err() != nil {
		return nil, fmt.Errorf("list packages of %s: %w", v.Module, ctx.Err())
	}
	if err != nil {
		return nil, becauseOf(listing, fmt.Errorf("list packages of %s: %s", v.Module, v.relative(err.Error())))
	}
	v.members = members{
		imports: map[string][]string{}, borrowed: map[string]bool{}, linked: map[string][]string{},
		module: map[string]string{}, distant: map[string]bool{},
	}
	packages.Visit(loaded, nil, func(p *packages.Package) {
		if p.Module != nil && !v.own(p) {
			v.addDependency(p.Module)
		}
		v.link(p)
		if !v.member(p) {
			return
		}
		v.members.distant[p.PkgPath] = typed && !slices.Contains(loaded, p)
		v.members.borrowed[p.PkgPath] = !v.own(p)
		v.members.imports[p.PkgPath] = nil
		for _, path := range slices.Sorted(maps.Keys(p.Imports)) {
			if v.member(p.Imports[path]) {
				v.members.imports[p.PkgPath] = append(v.members.imports[p.PkgPath], p.Imports[path].PkgPath)
			}
		}
	})
	var own []*packages.Package
	for _, p := range v.found(loaded, typed) {
		if v.member(p) {
			own = append(own, p)
		} else if p.Module == nil && len(p.Errors) > 0 && !strings.HasPrefix(p.PkgPath, v.Module) {
			// A package that only the other version has needs no warning: the comparison reports it.
			v.Warnings = append(v.Warnings, v.firstError(p))
			v.Unfetched = v.Unfetched || unfetched(p)
		}
	}
	slices.SortFunc(own, func(p, q *packages.Package) int { return strings.Compare(p.PkgPath, q.PkgPath) })
	return own, nil
}

// link notes what a package imports outside the standard library.
func (v *Version) link(p *packages.Package) {
	if p.Module == nil {
		return
	}
	if !v.member(p) {
		v.members.module[p.PkgPath] = p.Module.Path
	}
	for _, imported := range p.Imports {
		if imported.Module != nil {
			v.members.linked[p.PkgPath] = append(v.members.linked[p.PkgPath], imported.PkgPath)
		}
	}
}

func (cfg Config) patterns() []string {
	if len(cfg.Patterns) == 0 {
		return []string{"./..."}
	}
	return cfg.Patterns
}

// found returns the named packages. Without types it adds those of included modules that they import.
func (v *Version) found(loaded []*packages.Package, typed bool) []*packages.Package {
	if typed || len(v.included) == 0 {
		return loaded
	}
	list := slices.Clone(loaded)
	packages.Visit(loaded, nil, func(p *packages.Package) {
		if !v.own(p) && v.member(p) {
			list = append(list, p)
		}
	})
	return list
}

// own reports whether a package belongs to the module.
func (v *Version) own(p *packages.Package) bool {
	return p.Module != nil && p.Module.Main && p.Module.Path == v.Module
}

// member reports whether a package belongs to the module or an included one.
func (v *Version) member(p *packages.Package) bool {
	if p.Module == nil {
		return false
	}
	_, included := v.included[p.Module.Path]
	return v.own(p) || included
}

// sift splits the found packages into usable and broken ones.
func (v *Version) sift(found []*packages.Package) {
	broken, missing := v.broken(found), false
	for _, p := range found {
		of, bad := broken[p.PkgPath]
		switch {
		case bad:
			v.Broken = append(v.Broken, of)
			v.Unfetched = v.Unfetched || of.Unfetched
			if missingModule(of.Error) && !missing { // all are fetched at once
				missing = true
				v.Warnings = append(v.Warnings,
					"a dependency of "+p.PkgPath+" is missing; run go mod download in this version with network access")
			}
		case len(p.Syntax) > 0: // a folder with nothing but tests has no syntax, which is no error
			v.Packages = append(v.Packages, p)
		}
	}
}

// broken returns the packages that can't be used, by import path, with the reasons: their first error, or on which
// package with an error they depend. Packages outside the module count too: go/packages accepts an import that does not
// compile, the compiler does not.
func (v *Version) broken(found []*packages.Package) map[string]Broken {
	broken, listed := map[string]Broken{}, map[string]bool{}
	for _, p := range found {
		listed[p.PkgPath] = true
	}
	cause := map[string]string{}                           // the package with the error
	packages.Visit(found, nil, func(p *packages.Package) { // imports come before importers
		if len(p.Errors) > 0 {
			broken[p.PkgPath] = Broken{p.PkgPath, v.firstError(p), proven(p), unfetched(p)}
			cause[p.PkgPath] = p.PkgPath
			return
		}
		for _, path := range slices.Sorted(maps.Keys(p.Imports)) {
			at := cause[p.Imports[path].PkgPath]
			if at == "" {
				continue
			}
			reason := "depends on " + at + ", which does not compile"
			if !listed[at] { // no other place says why
				reason += ": " + firstLine(broken[at].Error)
			}
			broken[p.PkgPath] = Broken{p.PkgPath, reason, broken[at].Proven, broken[at].Unfetched}
			cause[p.PkgPath] = at
			return
		}
	})
	return broken
}

// proven reports whether the parser or the type checker found an error in the code of a package, or in that of one that
// it could not import. What could not be fetched, read or listed may be there another time.
func proven(p *packages.Package) bool {
	if path, imports := imported(p.Errors[firstOf(p)]); imports {
		of := p.Imports[path]
		return of != nil && len(of.Errors) > 0 && proven(of)
	}
	return slices.ContainsFunc(p.Errors, func(e packages.Error) bool {
		return e.Kind == packages.ParseError || e.Kind == packages.TypeError
	})
}

func missingModule(text string) bool {
	for _, sign := range []string{"no required module provides", "cannot find module providing",
		"GOPROXY=off", "missing go.sum entry", "dial tcp"} {
		if strings.Contains(text, sign) {
			return true
		}
	}
	return false
}

// firstError returns the first error of a package about an import, or else the first one with a position, or else the
// first one: the go command's own errors have no position. It adds the reason for a failed import.
func (v *Version) firstError(p *packages.Package) string {
	chosen := p.Errors[firstOf(p)]
	text := strings.TrimSpace(chosen.Msg)
	if path, imports := imported(chosen); imports { // in place of what is wrong with the package that is made for it
		if imported := p.Imports[path]; imported != nil && len(imported.Errors) > 0 {
			text = "could not import " + path + ": " + firstLine(imported.Errors[0].Msg)
		}
	}
	if positionedError(chosen) {
		text = chosen.Pos + ": " + text
	}
	if v.runner.MayFetch() { // a warning gives the reason for a failed fetch
		text = strings.ReplaceAll(text, "module lookup disabled by GOPROXY=off", "its module could not be fetched")
	}
	return v.relative(text)
}

// firstOf returns the index of the error of a package that is its first one.
func firstOf(p *packages.Package) int {
	first := slices.IndexFunc(p.Errors, func(e packages.Error) bool { // others follow from it
		_, imports := imported(e)
		return imports && positionedError(e)
	})
	if first >= 0 {
		return first
	}
	return max(slices.IndexFunc(p.Errors, positionedError), 0)
}

func positionedError(e packages.Error) bool { return e.Pos != "" && e.Pos != "-" }

// imported returns the package that an error says could not be imported; false if it says something else.
func imported(e packages.Error) (path string, ok bool) {
	rest, ok := strings.CutPrefix(e.Msg, "could not import ")
	path, _, _ = strings.Cut(rest, " ")
	return path, ok
}

// noPackages returns the go command's error if it can do nothing with the module.
func (v *Version) noPackages(ctx context.Context, cfg Config) error {
	_, err := v.run(ctx, append([]string{"list", "--"}, cfg.patterns()...)...)
	if err != nil && strings.Contains(err.Error(), ": go: ") {
		return becauseOf(err, fmt.Errorf("list packages of %s: %w", v.Module, err))
	}
	return fmt.Errorf("list packages of %s: no package with Go files matches %s; name others", v.Module,
		strings.Join(cfg.patterns(), " "))
}

// A CodeError is an error that the code of a version has, wherever and whenever it is loaded.
type CodeError struct{ Err error }

// Error says what is wrong.
func (e *CodeError) Error() string { return e.Err.Error() }

// Unwrap returns the error of which it is known that the code has it.
func (e *CodeError) Unwrap() error { return e.Err }

// nothingCompiles returns an error with the output of go build, as the user would see it.
func (v *Version) nothingCompiles(ctx context.Context, cfg Config) error {
	err := v.built(ctx, cfg)
	switch {
	case !slices.ContainsFunc(v.Broken, func(b Broken) bool { return !b.Proven }):
		return &CodeError{Err: err}
	case v.Unfetched:
		return &UnfetchedError{err}
	}
	return err
}

// built returns the error of go build for packages none of which compiles.
func (v *Version) built(ctx context.Context, cfg Config) error {
	args := append([]string{"build", "-o", os.DevNull, "--"}, cfg.patterns()...)
	if _, err := v.run(ctx, args...); err != nil {
		if v.unfetched != nil && missingModule(err.Error()) {
			err = v.unfetched
		}
		return fmt.Errorf("no package of %s compiles: %w", v.Module, err)
	}
	return errors.New("no package of " + v.Module + " type-checks: " + v.Broken[0].Error)
}
