package build

import (
	"fmt"
	"slices"
	"strings"
)

// bridges returns the packages that the driver imports, so that all packages are linked in. Only packages below m/a may
// import a package below m/a/internal. So a generated package there imports it, and the driver imports the generated
// package. This may take several steps.
func (g *generator) bridges(paths []string) ([]string, error) {
	through := map[string][]string{} // bridge → the packages it imports
	var reachable []string
	var route func(path string)
	route = func(path string) {
		root, hidden := g.importableFrom(path)
		if !hidden {
			if !slices.Contains(reachable, path) {
				reachable = append(reachable, path)
			}
			return
		}
		bridge := root + "/" + bridgeFolder
		known := through[bridge] != nil
		through[bridge] = append(through[bridge], path)
		if !known {
			route(bridge)
		}
	}
	for _, path := range paths {
		route(path)
	}
	for bridge, list := range through {
		slices.Sort(list)
		var b strings.Builder
		fmt.Fprintf(&b, "package %s\n\nimport (\n", bridgeFolder)
		for _, path := range list {
			fmt.Fprintf(&b, "_ %q\n", path)
		}
		b.WriteString(")\n")
		if err := g.file(bridge, "bridge.go", b.String()); err != nil {
			return nil, err
		}
	}
	slices.Sort(reachable)
	return reachable, nil
}

// importableFrom returns the path below which a package may be imported, and whether the driver is outside of it.
func (g *generator) importableFrom(path string) (root string, hidden bool) {
	elements := strings.Split(path, "/")
	for i := len(elements) - 1; i > 0; i-- {
		if elements[i] == "internal" {
			root = strings.Join(elements[:i], "/")
			return root, g.Target.Module != root && !strings.HasPrefix(g.Target.Module, root+"/")
		}
	}
	return "", false
}
