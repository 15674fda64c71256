package build

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// FlagPackages lists the packages imported by p that have a process-wide set of flags, which panics when a name is
// defined twice. It is a variable CommandLine in all of them.
func FlagPackages(p *packages.Package) []string {
	return slices.DeleteFunc([]string{"flag", "github.com/spf13/pflag"}, func(path string) bool {
		return !importsDirectly(p, path)
	})
}

// flags writes a file that gives a main package its own flag set. Commands are separate programs and may define the
// same flags. Linked into one driver, they would panic before it starts. The file's name sorts before all others,
// because variables are initialised in the order of files.
func (g *generator) flags(path string) error {
	p := g.Target.Package(path)
	if p.Name != "main" {
		return nil
	}
	var imported, assigned []string
	for i, flags := range FlagPackages(p) {
		name := free(p.Types.Scope(), fmt.Sprintf("zspectra_flag%d", i))
		imported = append(imported, fmt.Sprintf("%s %q\n", name, flags))
		assigned = append(assigned,
			fmt.Sprintf("%[1]s.CommandLine = %[1]s.NewFlagSet(%[2]q, %[1]s.ContinueOnError)\n", name, path))
	}
	if len(imported) == 0 {
		return nil
	}
	return g.file(path, "0zspectra_flags.go",
		fmt.Sprintf("package %s\n\nimport (\n%s)\n\nvar _ = func() int {\n%sreturn 0\n}()\n",
			g.clause(path), strings.Join(imported, ""), strings.Join(assigned, "")))
}

func importsDirectly(p *packages.Package, path string) bool {
	return slices.ContainsFunc(p.Types.Imports(), func(imported *types.Package) bool { return imported.Path() == path })
}
