package load

import (
	"context"
	"fmt"
	"go/types"
	"maps"
	"os"
	"slices"
	"strings"

	"golang.org/x/tools/go/gcexportdata"
)

// This file collects the packages outside of the module whose types are known.

// collectUniverse adds every package that the type-checked ones refer to, themselves included.
func (v *Version) collectUniverse() {
	v.universe = map[string]*types.Package{}
	var visit func(p *types.Package)
	visit = func(p *types.Package) {
		if v.universe[p.Path()] != nil {
			return
		}
		v.universe[p.Path()] = p
		for _, q := range p.Imports() {
			visit(q)
		}
	}
	for _, p := range v.Packages {
		visit(p.Types)
	}
}

// completeUniverse loads the wanted packages that the module's packages don't refer to.
func (v *Version) completeUniverse(ctx context.Context, wanted []Wanted) error {
	missing := map[string]bool{}
	for _, w := range wanted {
		if w.If != "" && v.universe[w.If] == nil {
			continue
		}
		if p := v.universe[w.Package]; p == nil || !p.Complete() {
			missing[w.Package] = true
		}
	}
	if len(missing) == 0 {
		return nil
	}
	args := []string{"list", "-export", "-f", "{{.ImportPath}}\t{{.Export}}"}
	args = append(args, slices.Sorted(maps.Keys(missing))...)
	listed, err := v.run(ctx, args...)
	if err != nil {
		return fmt.Errorf("find export data of the standard library: %w", err)
	}
	for line := range strings.Lines(listed) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), "\t")
		if err := v.readExport(path, file); err != nil {
			return err
		}
	}
	return nil
}

func (v *Version) readExport(path, file string) error {
	f, err := os.Open(file)
	if err != nil {
		return fmt.Errorf("read export data of %s: %w", path, err)
	}
	defer f.Close()
	//lint:ignore SA1019 what go list -export names is an archive as long as the compiler writes archives
	r, err := gcexportdata.NewReader(f)
	if err != nil {
		return fmt.Errorf("find export data of %s: %w", path, err)
	}
	if _, err := gcexportdata.Read(r, v.Fset, v.universe, path); err != nil {
		return fmt.Errorf("read export data of %s: %w", path, err)
	}
	return nil
}
