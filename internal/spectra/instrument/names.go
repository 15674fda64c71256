package instrument

import (
	"fmt"
	"go/ast"
	"slices"
	"strings"

	"golang.org/x/tools/go/packages"
)

// mainName is the package clause of an instrumented main package. A package called main can't be
// imported.
const mainName = "main_zspectra"

// names returns the identifiers of one package's probes. The runtime is imported as prefix; every other
// name begins with prefix and an underscore.
type names struct {
	prefix string
}

// freeNames returns a prefix that no identifier of the package has, in whatever scope.
func freeNames(pkg *packages.Package) names {
	taken := map[string]bool{}
	for _, f := range pkg.Syntax {
		ast.Inspect(f, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && strings.HasPrefix(id.Name, "zspectra") {
				first, _, _ := strings.Cut(id.Name, "_")
				taken[first] = true
			}
			return true
		})
	}
	prefix := "zspectra"
	for i := 2; taken[prefix]; i++ {
		prefix = fmt.Sprintf("zspectra%d", i)
	}
	return names{prefix}
}

func (n names) point(i int) string     { return fmt.Sprintf("%s_p[%d]", n.prefix, i) }
func (n names) counter(i int) string   { return fmt.Sprintf("%s_c[%d] = 1; ", n.prefix, i) }
func (n names) tick() string           { return n.prefix + ".Tick(); " }
func (n names) goStatement() string    { return n.prefix + ".Go(); " }
func (n names) parameter(i int) string { return fmt.Sprintf("%s_p%d", n.prefix, i) }
func (n names) result(i int) string    { return fmt.Sprintf("%s_r%d", n.prefix, i) }
func (n names) receiver() string       { return n.prefix + "_recv" }
func (n names) copy(i int) string      { return fmt.Sprintf("%s_%d", n.prefix, i) }

// probe returns the block at a function's start: copies of its arguments, the entry and the deferred
// exit. It uses no predeclared identifier, because the package may have redefined any of them.
func (n names) probe(point int, slots []slot) string {
	var copies, values, entry, exit []string
	for i, s := range slots {
		at := "&" + n.copy(i)
		switch {
		case s.result:
			exit = append(exit, "&"+s.name)
			continue
		case s.reference:
			at = "&" + s.name
		default:
			copies = append(copies, n.copy(i))
			values = append(values, s.name)
		}
		entry = append(entry, at)
	}
	exit = slices.Concat(entry, exit)
	entry = slices.Concat([]string{"&" + n.point(point)}, entry)
	copied := ""
	if len(copies) > 0 {
		copied = strings.Join(copies, ", ") + " := " + strings.Join(values, ", ") + "; "
	}
	return fmt.Sprintf("if %[1]s.On { %[2]s%[1]s_f := %[1]s.Enter(%[3]s); defer %[1]s_f.Exit(%[4]s) }; ",
		n.prefix, copied, strings.Join(entry, ", "), strings.Join(exit, ", "))
}
