package pipeline

// This file type-checks both versions and finds what they have in common.

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"golang.org/x/sync/errgroup"

	"github.com/spectradiff/spectradiff/replay/target"
	"github.com/spectradiff/spectradiff/replay/version"
	"github.com/spectradiff/spectradiff/report"
	"github.com/spectradiff/spectradiff/spectra"
	"github.com/spectradiff/spectradiff/spectra/symbol"
)

func (r *run) surface(ctx context.Context) error {
	r.progress("loading packages", 0, 0)
	if err := r.bothSides(ctx, func(ctx context.Context, s *side) (err error) {
		s.target, err = target.List(ctx, r.loadConfig(s, r.cfg.Args))
		return err
	}); err != nil {
		return err
	}
	r.packages = target.Select(r.old.target, r.new.target, r.changedPackages(), r.cfg.All)
	if len(r.packages) == 0 {
		r.warn("no package of the module is touched by the change")
		r.done = true
		return nil
	}
	r.progress("type-checking", 0, 0)
	if err := r.bothSides(ctx, func(ctx context.Context, s *side) (err error) {
		s.target, err = target.Load(ctx, r.loadConfig(s, s.present(r.packages, r.old.target.Module)))
		return err
	}); err != nil {
		return err
	}
	for _, s := range []*side{r.old, r.new} {
		r.warn(s.target.Warnings...)
		for _, b := range s.target.Broken {
			r.warn(fmt.Sprintf("%s version: package %s is left out: %s", s.name, b.Package, b.Error))
		}
	}
	known, err := target.Overrides(r.old.target, r.new.target, r.cfg.Renames)
	if err != nil {
		return fmt.Errorf("--rename %w", err)
	}
	r.common = target.Common(r.old.target, r.new.target, r.packages, known...)
	r.recorded = r.packages
	r.packages = slices.DeleteFunc(slices.Clone(r.packages), func(p string) bool { return !slices.Contains(r.common.Packages, p) })
	target.Reach(r.old.target, r.common.Operations, r.changedSymbols())
	r.structural()
	r.countOnce()
	r.report.Subject.Packages = len(r.packages)
	if len(r.common.Operations) == 0 {
		r.warn("both versions have no function in common that can be called: nothing was compared")
		r.done = true
	}
	return nil
}

// bothSides does something for both versions at the same time.
func (r *run) bothSides(ctx context.Context, do func(context.Context, *side) error) error {
	g, ctx := errgroup.WithContext(ctx)
	for _, s := range []*side{r.old, r.new} {
		g.Go(func() error {
			if err := do(ctx, s); err != nil {
				return fmt.Errorf("%s version (%s): %w", s.name, s.commit.Revision, err)
			}
			return nil
		})
	}
	return g.Wait()
}

func (r *run) loadConfig(s *side, patterns []string) target.LoadConfig {
	folder := sha256.Sum256([]byte(s.module.Dir))
	return target.LoadConfig{
		Dir: s.module.Dir, Root: s.module.Tree, Patterns: patterns,
		Env:       append(os.Environ(), "GOTMPDIR="+r.temp),
		ModFolder: filepath.Join(r.cache, "mod", hex.EncodeToString(folder[:12])),
	}
}

// present gives the paths, as this version has them, of those packages that it has.
func (s *side) present(paths []string, oldModule string) []string {
	var found []string
	for _, p := range paths {
		p = symbol.Rebase(p, oldModule, s.target.Module)
		if s.target.Package(p) != nil {
			found = append(found, p)
		}
	}
	return found
}

// changedPackages gives the import paths of the packages with a changed file. A changed module
// file may change every package.
func (r *run) changedPackages() map[string]bool {
	changed := map[string]bool{}
	for _, f := range r.changes.Files {
		built := f.Kind == version.GoFile || f.Kind == version.NativeFile || f.Kind == version.EmbeddedFile
		if !built || f.Test || f.Other || f.Vendor {
			continue
		}
		for _, module := range []string{r.old.module.Path, r.new.module.Path} {
			dir := path.Dir(f.Path)
			changed[path.Join(module, dir)] = true
			for ; f.Kind == version.EmbeddedFile && dir != "."; dir = path.Dir(dir) {
				changed[path.Join(module, path.Dir(dir))] = true
			}
		}
	}
	if r.dependenciesChanged() {
		for _, s := range []*side{r.old, r.new} {
			for _, p := range s.target.Packages {
				changed[p.PkgPath] = true
			}
		}
	}
	return changed
}

// dependenciesChanged says whether other code than the module's own may differ.
func (r *run) dependenciesChanged() bool {
	if len(r.changes.Modules) > 0 {
		return true
	}
	return slices.ContainsFunc(r.changes.Files, func(f version.FileChange) bool {
		return f.Vendor && f.Kind == version.GoFile && !f.Test
	})
}

// changedSymbols gives the changed declarations, by their names in old.
func (r *run) changedSymbols() map[spectra.Symbol]bool {
	changed := map[spectra.Symbol]bool{}
	for _, c := range r.changes.Declarations {
		if c.Test || c.Other || c.Vendor || c.Kind == version.Import || c.Kind == version.Required {
			continue
		}
		changed[r.oldName(c.Symbol)] = true
	}
	return changed
}

// oldName gives a name of new as old has it.
func (r *run) oldName(s spectra.Symbol) spectra.Symbol {
	return spectra.Symbol(r.common.Names.Old(string(s)))
}

// newName gives a name of old as new has it.
func (r *run) newName(s string) string {
	return r.common.Names.New(s)
}

// structural lists what exists in one version only.
func (r *run) structural() {
	for _, c := range r.common.Structural {
		r.report.Structural = append(r.report.Structural, report.Structural{
			Function: string(c.Symbol), Change: report.Change(c.Change), Detail: c.Detail,
		})
	}
	r.structuralRenames()
	foreign := 0
	for _, s := range r.common.Shapes {
		if !strings.HasPrefix(s.Type, r.old.target.Module+"/") && !strings.HasPrefix(s.Type, r.old.target.Module+".") {
			if len(s.Skip) > 0 {
				foreign++
			}
			continue
		}
		r.report.Structural = append(r.report.Structural, report.Structural{
			Function: s.Type, Change: report.TypeChange, Detail: shapeText(s),
		})
	}
	if foreign > 0 {
		r.warn(fmt.Sprintf("%d types of dependencies gained or lost fields; those fields are not compared", foreign))
	}
	for _, p := range r.common.OldOnly {
		r.report.Structural = append(r.report.Structural, report.Structural{Function: p, Change: report.Removed, Detail: "package"})
	}
	for _, p := range r.common.NewOnly {
		r.report.Structural = append(r.report.Structural, report.Structural{Function: p, Change: report.Added, Detail: "package"})
	}
}

func shapeText(s target.Shape) string {
	var parts []string
	for _, part := range []struct {
		what   string
		fields []string
	}{{"gained", s.Added}, {"lost", s.Removed}} {
		if len(part.fields) > 0 {
			parts = append(parts, part.what+" "+strings.Join(part.fields, ", "))
		}
	}
	for _, f := range s.Retyped {
		parts = append(parts, "retyped "+f.Name+": "+f.Old+" → "+f.New)
	}
	for _, f := range s.Renamed {
		parts = append(parts, "renamed "+f.Old+" → "+f.New+", matched by "+f.By)
	}
	if s.Reordered {
		parts = append(parts, "fields in another order")
	}
	return strings.Join(parts, "; ")
}
