package load

import (
	"context"
	"maps"
	"slices"

	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/internal/replay/gocommand"
)

// Exports say how dependencies are compiled for their export data. What is compiled as drivers are is not compiled
// again for these.
type Exports struct {
	Flags   []string          // of go build
	Folders gocommand.Folders // that the flags name
}

// listImports lists packages, without what would have to be compiled.
func (v *Version) listImports(ctx context.Context, cfg Config) (*listing, error) {
	return v.keep(cfg, "imports", func() (*listing, error) { return v.listFetching(ctx, false, cfg.patterns()) })
}

// listExports lists packages, with the export data of what they import. What does not compile with the flags of the
// configuration is compiled without them.
func (v *Version) listExports(ctx context.Context, cfg Config) (*listing, error) {
	if cfg.Compiling != nil {
		cfg.Compiling.Lock()
		defer cfg.Compiling.Unlock()
	}
	if cfg.Exports != nil {
		v.exports = cfg.Exports(ctx, v.Dir, v.Env, v.Folders)
	}
	list := func() (*listing, error) { return v.listFetching(ctx, true, cfg.patterns()) }
	l, err := v.keep(cfg, "exports", list)
	if len(v.exports.Flags) > 0 && ctx.Err() == nil && (err != nil || l.Missing) {
		v.exports = Exports{}
		return v.keep(cfg, "exports", list)
	}
	return l, err
}

// addExports adds the names of export data files to the packages that the roots import, directly or not, but not to
// those that import a root. What is not in the go command's cache is compiled: dependencies, never the roots, of which
// each version has its own. It reports whether some have no export data.
func addExports(cfg *packages.Config, flags []string, roots []*packages.Package) (missing bool, err error) {
	fromSource, imported := map[*packages.Package]bool{}, map[string]bool{}
	for _, p := range roots {
		fromSource[p] = true
	}
	all := map[string]*packages.Package{}
	packages.Visit(roots, nil, func(p *packages.Package) {
		all[p.ID] = p
		for _, q := range p.Imports {
			fromSource[p] = fromSource[p] || fromSource[q]
		}
	})
	for _, p := range all {
		for _, q := range p.Imports {
			// What cgo generates imports runtime/cgo, so a listing with export data does not say that net does.
			needed := fromSource[p] || q.PkgPath == "runtime/cgo"
			if needed && !fromSource[q] && q.PkgPath != "unsafe" {
				imported[q.PkgPath] = true
			}
		}
	}
	if len(imported) == 0 {
		return false, nil
	}
	exporting := *cfg
	exporting.Mode, exporting.BuildFlags = listExports, flags
	compiled, err := packages.Load(&exporting, slices.Sorted(maps.Keys(imported))...)
	if err != nil {
		return false, err
	}
	packages.Visit(compiled, nil, func(p *packages.Package) {
		if of := all[p.ID]; of != nil && !fromSource[of] {
			of.ExportFile = p.ExportFile
			if len(of.Errors) == 0 {
				of.Errors = p.Errors
			}
		}
	})
	for _, p := range all {
		missing = missing || !fromSource[p] && p.ExportFile == "" && p.PkgPath != "unsafe"
	}
	return missing, nil
}
