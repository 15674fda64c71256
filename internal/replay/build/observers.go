package build

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/replay/fault"
)

// An Observed is a type that states show by the results of its observers instead of its fields.
type Observed struct {
	Name       string // its common name in both versions
	Package    string // import path in this version
	Type       string // its name in this version
	TypeParams int
	Observers  []Observer
}

// An Observer is one result of a method without parameters.
type Observer struct {
	Method    string // its name in this version
	Name      string // its name in states
	Result    int    // index of the result
	Results   int    // number of results
	Elements  int    // of an iterator: 1 for values, 2 for pairs; 0: no iterator
	Unordered bool   // a list whose order has no meaning
}

// observed writes the files of all packages with observed types.
func (g *generator) observed() (faults fault.List) {
	byPackage := map[string][]Observed{}
	for _, o := range g.Observed {
		byPackage[o.Package] = append(byPackage[o.Package], o)
	}
	for _, path := range slices.Sorted(maps.Keys(byPackage)) {
		if g.unfit(path) == "" {
			faults = append(faults, part(path, func() error { return g.observers(path, byPackage[path]) })...)
		}
	}
	return faults
}

// observers writes the file through which the runtime calls the observers of a package's types. The calls are in a
// method of the type, so every instance of a generic type has them. The method is unexported, so it can't collide with
// a method of another package.
func (g *generator) observers(path string, list []Observed) error {
	runtime := free(g.Target.Package(path).Types.Scope(), "zspectra_table")
	var b strings.Builder
	fmt.Fprintf(&b, "package %s\n\nimport %s %q\n", g.clause(path), runtime, g.Runtime)
	fmt.Fprintf(&b, "\nfunc init() {\n")
	for _, o := range list {
		fmt.Fprintf(&b, "%[1]s.RegisterObserved(%[2]q, func(pointer %[1]s.Any, observer %[1]s.Index) %[1]s.Any {\n",
			runtime, o.Name)
		fmt.Fprintf(&b, "return pointer.(interface{ zspectra_observe(%[1]s.Index) %[1]s.Any })."+
			"zspectra_observe(observer)\n}", runtime)
		for _, observer := range o.Observers {
			unordered := ""
			if observer.Unordered {
				unordered = ", Unordered: 0 == 0" // the package may have another true
			}
			fmt.Fprintf(&b, ", %s.Observer{Name: %q%s}", runtime, observer.Name, unordered)
		}
		b.WriteString(")\n")
	}
	b.WriteString("}\n")
	for _, o := range list {
		o.method(&b, runtime)
	}
	return g.file(path, "zspectra_observers.go", b.String())
}

// method writes the method that returns a pointer to an observer's result.
func (o *Observed) method(b *strings.Builder, runtime string) {
	parameters := ""
	if o.TypeParams > 0 {
		var names []string
		for i := range o.TypeParams {
			names = append(names, fmt.Sprintf("zspectra_t%d", i))
		}
		parameters = "[" + strings.Join(names, ", ") + "]"
	}
	fmt.Fprintf(b, "\nfunc (zspectra_x *%s%s) zspectra_observe(zspectra_i %[3]s.Index) %[3]s.Any {\n"+
		"switch zspectra_i {\n", o.Type, parameters, runtime)
	for i, observer := range o.Observers {
		results := make([]string, observer.Results)
		for k := range results {
			results[k] = "_"
		}
		results[observer.Result] = "zspectra_r"
		call := "zspectra_x." + observer.Method + "()"
		switch observer.Elements {
		case 1:
			call = runtime + ".Collect(" + call + ")"
		case 2:
			call = runtime + ".CollectPairs(" + call + ")"
		}
		fmt.Fprintf(b, "case %d:\n%s := %s\nreturn &zspectra_r\n", i, strings.Join(results, ", "), call)
	}
	fmt.Fprintf(b, "}\nvar none %s.Any\nreturn none\n}\n", runtime)
}
