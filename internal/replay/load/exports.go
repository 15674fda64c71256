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
	return v.keep(cfg, ofImports, func() (*listing, error) { return v.listFetching(ctx, ofImports, cfg.patterns()) })
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
	list := func() (*listing, error) {
		if cfg.Listed != nil {
			if part := cfg.Listed.imports.part(cfg.Patterns); part != nil {
				if l, err := v.addExports(ctx, part); !lacking(l, err) {
					return l, err
				}
			}
		}
		return v.listFetching(ctx, ofExports, cfg.patterns())
	}
	l, err := v.keep(cfg, ofExports, list)
	if len(v.exports.Flags) > 0 && ctx.Err() == nil && (err != nil || l.Missing) {
		v.exports = Exports{}
		return v.keep(cfg, ofExports, list)
	}
	return l, err
}

// importedBy returns the paths of the packages outside that the roots import, directly or not, but not of those that
// import a root. Each version has its own of these, which are checked from source.
func importedBy(roots []*packages.Package) (paths []string, fromSource map[*packages.Package]bool) {
	fromSource = map[*packages.Package]bool{}
	imported := map[string]bool{}
	for _, p := range roots {
		fromSource[p] = true
	}
	packages.Visit(roots, nil, func(p *packages.Package) {
		for _, q := range p.Imports {
			fromSource[p] = fromSource[p] || fromSource[q]
		}
	})
	packages.Visit(roots, nil, func(p *packages.Package) {
		for _, q := range p.Imports {
			// What cgo generates imports runtime/cgo, so a listing with export data does not say that net does.
			needed := fromSource[p] || q.PkgPath == "runtime/cgo"
			if needed && !fromSource[q] && q.PkgPath != "unsafe" {
				imported[q.PkgPath] = true
			}
		}
	})
	return slices.Sorted(maps.Keys(imported)), fromSource
}

// withExports returns the listing of packages, with the names of export data files of what they import. What is not in
// the go command's cache is compiled: dependencies, never the roots.
func withExports(
	roots []*packages.Package, compile func(paths []string) ([]*packages.Package, error),
) (*listing, error) {
	paths, fromSource := importedBy(roots)
	if len(paths) == 0 {
		return listingOf(roots), nil
	}
	compiled, err := compile(paths)
	if err != nil {
		return nil, err
	}
	all := map[string]*packages.Package{}
	packages.Visit(roots, nil, func(p *packages.Package) { all[p.ID] = p })
	packages.Visit(compiled, nil, func(p *packages.Package) {
		if of := all[p.ID]; of != nil && !fromSource[of] {
			of.ExportFile = p.ExportFile
			if len(of.Errors) == 0 {
				of.Errors = p.Errors
			}
		}
	})
	l := listingOf(roots)
	for _, p := range all {
		l.Missing = l.Missing || !fromSource[p] && p.ExportFile == "" && p.PkgPath != "unsafe"
	}
	return l, nil
}

// addExports returns the part of a listing of imports that has these packages, with the export data of what they
// import.
func (v *Version) addExports(ctx context.Context, of *listing) (*listing, error) {
	roots, _, err := of.graph()
	if err != nil {
		return nil, err
	}
	return withExports(roots, func(paths []string) ([]*packages.Package, error) {
		compiled, err := v.list(ctx, ofCompiled, paths)
		if err != nil {
			return nil, err
		}
		list, _, err := compiled.graph()
		return list, err
	})
}

// part returns the listing of some of the packages and of what they import. It returns nil if one is not there.
func (l *listing) part(paths []string) *listing {
	if l == nil || len(paths) == 0 {
		return nil
	}
	some := *l
	some.Roots = nil
	for _, path := range paths {
		at := slices.IndexFunc(l.Packages, func(p listed) bool { return p.ID == path && p.PkgPath == path })
		if at < 0 {
			return nil
		}
		some.Roots = append(some.Roots, path)
	}
	return &some
}
