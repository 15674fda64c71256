package suite

import (
	"go/ast"
	"slices"
)

// Changed returns the names of the tests, examples and benchmarks in new that old does not have, or whose code is other
// than in old: their own, or that of something which they mention, directly or not. Who mentions a type mentions its
// methods, which are called through interfaces, and each test mentions what runs without being named: TestMain, init
// functions, and variables for which something is done that nobody asks for later. Old may be nil; oldPath returns an
// import path of new as old has it. Names decide; nothing is type-checked.
func Changed(old, new *Files, oldPath func(string) string) map[string]bool {
	before, after := map[string]declaredAs{}, declared(new, oldPath)
	if old != nil {
		before = declared(old, func(path string) string { return path })
	}
	return new.running(others(before, after))
}

// running returns those of some names that tests, examples and benchmarks have: all of these if each is among them.
func (f *Files) running(names map[string]bool) map[string]bool {
	found := map[string]bool{}
	for _, f := range slices.Concat(f.inside, f.external) {
		for _, d := range f.syntax.Decls {
			d, ok := d.(*ast.FuncDecl)
			if ok && d.Recv == nil && runs(d.Name.Name) && (names[everyTest] || names[d.Name.Name]) {
				found[d.Name.Name] = true
			}
		}
	}
	return found
}

// others returns the names that do not stand for the same in two groups of files.
func others(before, after map[string]declaredAs) map[string]bool {
	var first []declaredAs
	for key, d := range after {
		if was, had := before[key]; !had || was.text != d.text {
			first = append(first, d)
		}
	}
	for key, d := range before {
		if _, has := after[key]; !has {
			first = append(first, d)
		}
	}
	return spread(first, before, after)
}

// spread returns the names of some declarations, and of those among all that mention them, directly or not.
func spread(first []declaredAs, groups ...map[string]declaredAs) map[string]bool {
	mentioning := map[string][]declaredAs{}
	for _, all := range groups {
		for _, d := range all {
			for name := range d.mentions {
				mentioning[name] = append(mentioning[name], d)
			}
		}
	}
	found := map[string]bool{}
	var next []string
	add := func(d declaredAs) {
		for _, name := range d.names {
			if !found[name] {
				found[name] = true
				next = append(next, name)
			}
			if d.acts && len(mentioning[name]) == 0 {
				found[everyTest] = true
			}
		}
	}
	for _, d := range first {
		add(d)
	}
	for ; len(next) > 0; next = next[1:] {
		for _, d := range mentioning[next[0]] {
			add(d)
		}
	}
	return found
}
