package build

import (
	"fmt"
	"go/types"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/testtypes"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// An entry registers one operation or type.
type entry struct {
	text    string
	imports []string // that it names as api.ImportName does
}

// tables writes the files that register the operations and types of one package.
func (g *generator) tables(path string) error {
	scope := g.Target.Package(path).Types.Scope()
	runtime := free(scope, "zspectra_table")
	var operations, named []entry
	for _, op := range g.Operations {
		if op.Package == path {
			text := fmt.Sprintf("{Name: %q, Func: %s%s},\n", op.Name, op.Expr, pointee(op))
			operations = append(operations, entry{text, op.Imports})
		}
	}
	for _, t := range g.Types {
		if t.Package == path {
			text := fmt.Sprintf("{Name: %q, Zero: %s},\n", t.Name, nilPointer(scope, t.Expr))
			named = append(named, entry{text: text})
		}
	}
	if err := g.registrations(path, runtime, "zspectra_operations", runtime+".RegisterOperations([]"+runtime+
		".Operation", operations); err != nil {
		return err
	}
	return g.registrations(path, runtime, "zspectra_types", runtime+".RegisterTypes([]"+runtime+".Type", named)
}

func pointee(op *api.Operation) string {
	if op.Pointee {
		return ", Pointee: true"
	}
	return ""
}

// registrations writes the entries into as many files as the limit requires: name.go, name_2.go and so on.
func (g *generator) registrations(path, runtime, name, call string, entries []entry) error {
	number := 0
	for part := range slices.Chunk(entries, maxEntries) {
		number++
		file := name + ".go"
		if number > 1 {
			file = fmt.Sprintf("%s_%d.go", name, number)
		}
		var texts, imported []string
		for _, e := range part {
			texts, imported = append(texts, e.text), append(imported, e.imports...)
		}
		var b strings.Builder
		fmt.Fprintf(&b, "package %s\n\nimport %s %q\n", g.clause(path), runtime, g.Runtime)
		slices.Sort(imported)
		for _, p := range slices.Compact(imported) {
			fmt.Fprintf(&b, "import %s %q\n", api.ImportName(p), p)
		}
		if err := g.file(path, file, b.String()+registration(call, texts)); err != nil {
			return err
		}
	}
	return nil
}

func registration(call string, entries []string) string {
	return "\nfunc init() {\n" + call + "{\n" + strings.Join(entries, "") + "})\n}\n"
}

// nilPointer returns a nil pointer to the type, even if the package declares its own nil.
func nilPointer(scope *types.Scope, expr string) string {
	if scope.Lookup("nil") == nil {
		return "(*" + expr + ")(nil)"
	}
	return "func() (zero *" + expr + ") { return }()"
}

// free appends digits to the name until the scope lacks it.
func free(scope *types.Scope, name string) string {
	for i, wanted := 2, name; ; i++ {
		if scope.Lookup(wanted) == nil {
			return wanted
		}
		wanted = fmt.Sprintf("%s%d", name, i)
	}
}

// imports numbers the packages that a file imports.
type imports struct{ paths []string }

// name returns the local name of an imported package.
func (in *imports) name(path string) string {
	i := slices.Index(in.paths, path)
	if i < 0 {
		i = len(in.paths)
		in.paths = append(in.paths, path)
	}
	return fmt.Sprintf("p%d", i)
}

// qualifier is name for a types.Qualifier. The driver's own types need no import.
func (in *imports) qualifier(p *types.Package) string {
	if p == api.SamplePackage {
		return ""
	}
	return in.name(p.Path())
}

// driver writes the main package: imports, suppliers, foreign types, main.
func (g *generator) driver(reachable []string) error {
	g.out.Package = g.Target.Module + "/" + driverFolder
	var in imports
	var operations, named []string
	for _, op := range g.Operations {
		if op.Package == "" {
			_, name, _ := strings.Cut(op.Expr, ".")
			value := in.name(op.Import) + "." + name
			if op.Variable {
				value = fmt.Sprintf("func() %s { return %s }", symbol.Source(op.Results[0], in.qualifier), value)
			}
			operations = append(operations, fmt.Sprintf("{Name: %q, Func: %s},\n", op.Name, value))
		}
	}
	for _, t := range g.Types {
		if t.Package == "" {
			named = append(named, fmt.Sprintf("{Name: %q, Zero: (*%s)(nil)},\n", t.Name, g.foreign(t, &in)))
		}
	}
	stubs := ""
	for _, t := range g.Stubs {
		named = append(named, fmt.Sprintf("{Name: %q, Zero: (*%s)(nil)},\n", symbol.Type(t), t.Obj().Name()))
		stubs += testtypes.Declaration(t, in.qualifier)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "package main\n\nimport (\n%q\n%q\n\n", g.Runtime, g.Runtime+"/driver")
	for i, path := range in.paths {
		fmt.Fprintf(&b, "p%d %q\n", i, path)
	}
	b.WriteString("\n")
	for _, path := range reachable {
		fmt.Fprintf(&b, "_ %q\n", path)
	}
	b.WriteString(")\n\n" + stubs)
	base := g.Runtime[strings.LastIndex(g.Runtime, "/")+1:]
	for part := range slices.Chunk(operations, maxEntries) {
		b.WriteString(registration(base+".RegisterOperations([]"+base+".Operation", part))
	}
	for part := range slices.Chunk(named, maxEntries) {
		b.WriteString(registration(base+".RegisterTypes([]"+base+".Type", part))
	}
	if len(operations)+len(named) == 0 {
		fmt.Fprintf(&b, "\nvar _ %s.Type\n", base)
	}
	b.WriteString("\nfunc main() { driver.Main() }\n")
	return g.file(g.out.Package, "main.go", b.String())
}

// foreign writes a type of another module, or of a package that is not driven.
func (g *generator) foreign(t api.Type, in *imports) string {
	return symbol.Source(t.Type, in.qualifier)
}
