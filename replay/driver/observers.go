package driver

import (
	"fmt"
	"strings"
)

// An Observed is a type of which states hold what its observers give.
type Observed struct {
	Name       string // that both versions go by
	Package    string // import path in this version
	Type       string // its name there
	TypeParams int
	Observers  []Observer
}

// An Observer is one result of a method without parameters.
type Observer struct {
	Method    string // in this version
	Name      string // in states
	Result    int    // which of the results
	Results   int    // how many there are
	Elements  int    // of an iterator: 1 for values, 2 for pairs; 0 = it is none
	Unordered bool   // a list whose order says nothing
}

// observed writes the files of all packages whose types are compared by observers.
func (g *generator) observed() error {
	byPackage := map[string][]Observed{}
	for _, o := range g.Observed {
		byPackage[o.Package] = append(byPackage[o.Package], o)
	}
	for path, list := range byPackage {
		if g.unfit(path) != "" {
			continue
		}
		if err := g.observers(path, list); err != nil {
			return err
		}
	}
	return nil
}

// observers writes the file that lets the runtime call the observers of a package's types. A method
// calls them, so that every instance of a generic type has them, and no method of other packages
// can have its name.
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

// method writes the method that gives a pointer to what an observer gives.
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
