package load

import (
	"context"
	"fmt"
	"go/types"
	"maps"
	"slices"
	"strings"
)

// collectUniverse adds the type-checked packages and all that they refer to.
func (v *Version) collectUniverse() {
	v.universe, v.asked = map[string]*types.Package{}, map[string]bool{}
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
	return v.importExports(ctx, missing, "the standard library")
}

// importExports completes the universe with packages, from export data that the go command compiles if need be. With
// the flag -e of go list, those without export data are left out. Errors say what they are.
func (v *Version) importExports(ctx context.Context, paths map[string]bool, what string, flags ...string) error {
	args := append([]string{"list", "-export", "-f", "{{.ImportPath}}\t{{.Export}}"}, v.exports.Flags...)
	listed, err := v.run(ctx, slices.Concat(args, flags, slices.Sorted(maps.Keys(paths)))...)
	if err != nil {
		return fmt.Errorf("find export data of %s: %w", what, err)
	}
	for line := range strings.Lines(listed) {
		path, file, _ := strings.Cut(strings.TrimSpace(line), "\t")
		if file == "" && slices.Contains(flags, "-e") {
			continue
		}
		if err := v.complete(path, file); err != nil {
			return err
		}
	}
	return nil
}

func (v *Version) complete(path, file string) error {
	if _, err := readExport(file, v.Fset, v.universe, path); err != nil {
		return fmt.Errorf("read export data of %s: %w", path, err)
	}
	return nil
}
