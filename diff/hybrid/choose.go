package hybrid

// This file chooses which declarations of old a hybrid package needs.

import (
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/spectra"
	"github.com/spectradiff/spectradiff/spectra/symbol"
)

// A part is a declaration of old in a hybrid package.
type part struct {
	kind    kind
	node    ast.Node       // *ast.FuncDecl, or the specification
	object  types.Object   // of the first name
	name    string         // what it is called in the hybrid
	unit    spectra.Symbol // the change that switches it; "": others of old need it
	from    spectra.Symbol // the function of new that hands calls to it; "": none does
	old     spectra.Symbol // a function's name in old; "": it is none of old's functions
	syntax  *ast.File      // of old
	file    *output
	start   int // where it stands in that file
	end     int
	dropped bool
}

type kind int

const (
	function kind = iota
	initial       // what a variable's initial value is computed from, as a function
	constants
	variables
	typed
)

// A mixer makes one hybrid package.
type mixer struct {
	Config
	of      spectra.Pair[*packages.Package]
	homes   map[types.Object]home   // declarations of old
	olds    map[spectra.Symbol]home // functions of old
	news    map[spectra.Symbol]home // functions of new
	taken   map[string]bool         // identifiers of both versions
	renamed map[types.Object]string // objects of old that have another name in the hybrid
	chosen  map[types.Object]*part  // parts by what they declare
	wrapped map[*ast.Ident]*part    // variables of new whose initial values can be switched
	parts   []*part                 // in the order in which they were chosen
	overlay map[string][]byte       // what was written
	groups  groups
	left    []Left
}

// A home is where something is declared.
type home struct {
	node ast.Node
	file *ast.File
}

func newMixer(cfg Config, of spectra.Pair[*packages.Package]) *mixer {
	m := &mixer{
		Config: cfg, of: of, homes: map[types.Object]home{}, taken: map[string]bool{}, groups: groups{},
		renamed: map[types.Object]string{}, chosen: map[types.Object]*part{}, wrapped: map[*ast.Ident]*part{},
	}
	m.olds, m.news = functions(of.Old), functions(of.New)
	for _, file := range of.Old.Syntax {
		for _, decl := range file.Decls {
			m.home(file, decl)
		}
	}
	for _, s := range spectra.Sides() {
		for _, file := range (*of.Of(s)).Syntax {
			ast.Inspect(file, func(n ast.Node) bool {
				if id, ok := n.(*ast.Ident); ok {
					m.taken[id.Name] = true
				}
				return true
			})
		}
	}
	return m
}

// functions returns the functions that a package declares.
func functions(p *packages.Package) map[spectra.Symbol]home {
	names, found := symbol.Functions(p.PkgPath, p.TypesInfo, p.Syntax), map[spectra.Symbol]home{}
	for _, file := range p.Syntax {
		for _, decl := range file.Decls {
			if fn, ok := decl.(*ast.FuncDecl); ok {
				found[names[fn]] = home{fn, file}
			}
		}
	}
	return found
}

func (m *mixer) home(file *ast.File, decl ast.Decl) {
	define := func(id *ast.Ident, node ast.Node) {
		if object := m.of.Old.TypesInfo.Defs[id]; object != nil {
			m.homes[object] = home{node, file}
		}
	}
	switch decl := decl.(type) {
	case *ast.FuncDecl:
		define(decl.Name, decl)
	case *ast.GenDecl:
		for _, spec := range decl.Specs {
			switch spec := spec.(type) {
			case *ast.ValueSpec:
				for _, id := range spec.Names {
					define(id, spec)
				}
			case *ast.TypeSpec:
				define(spec.Name, spec)
			}
		}
	}
}

// choose chooses what changed, what uses constants that changed, and then what all of that needs.
func (m *mixer) choose() {
	for _, name := range slices.Sorted(maps.Keys(m.Values)) {
		m.chooseValue(name, m.Values[name])
	}
	for _, name := range slices.Sorted(maps.Keys(m.Functions)) {
		m.chooseFunction(name, m.Functions[name], name)
	}
	m.chooseUsers()
	for i := 0; i < len(m.parts); i++ {
		m.chooseNeeded(m.parts[i])
	}
}

// chooseFunction chooses a function that both versions have.
func (m *mixer) chooseFunction(name, old, unit spectra.Symbol) {
	before, after := m.olds[old], m.news[name]
	if before.node == nil || after.node == nil {
		return // another package's
	}
	for _, h := range []home{before, after} {
		if reason := unfit(h.node.(*ast.FuncDecl)); reason != "" {
			m.leave(name, "%s", reason)
			return
		}
	}
	decl := before.node.(*ast.FuncDecl)
	was, is := m.of.Old.TypesInfo.Defs[decl.Name], m.of.New.TypesInfo.Defs[after.node.(*ast.FuncDecl).Name]
	if !sameSignature(was.(*types.Func), is.(*types.Func)) {
		m.leave(name, "its parameters or results changed")
		return
	}
	m.add(&part{
		kind: function, node: decl, object: m.of.Old.TypesInfo.Defs[decl.Name], syntax: before.file,
		name: m.free(decl.Name.Name), unit: unit, from: name, old: old,
	})
}

// unfit returns why a function can't hand its calls over, "" if it can.
func unfit(decl *ast.FuncDecl) string {
	if decl.Body == nil {
		return "it has no body"
	}
	if decl.Doc != nil {
		for _, c := range decl.Doc.List {
			if word, _, _ := strings.Cut(c.Text, " "); strings.HasPrefix(word, "//go:") && word != "//go:noinline" ||
				word == "//export" {
				return "it has the directive " + word
			}
		}
	}
	if decl.Type.TypeParams != nil {
		for _, field := range decl.Type.TypeParams.List {
			for _, id := range field.Names {
				if id.Name == "_" {
					return "a type parameter has no name"
				}
			}
		}
	}
	return ""
}

func (m *mixer) add(p *part) {
	m.parts = append(m.parts, p)
	if p.kind != initial && p.object != nil {
		m.chosen[p.object] = p
	}
}

// free returns a name for old's version of what has a name.
func (m *mixer) free(name string) string {
	base := name + "__old"
	for i := 2; m.taken[base]; i++ {
		base = name + "__old" + strconv.Itoa(i)
	}
	m.taken[base] = true
	return base
}

// chooseValue chooses a variable or constant that both versions have.
func (m *mixer) chooseValue(name, old spectra.Symbol) {
	before := m.of.Old.Types.Scope().Lookup(local(old, m.of.Old))
	after := m.of.New.Types.Scope().Lookup(local(name, m.of.New))
	switch before := before.(type) {
	case *types.Const:
		if after, ok := after.(*types.Const); ok && !constant.Compare(before.Val(), token.EQL, after.Val()) {
			m.renamed[before] = m.free(before.Name())
			m.add(&part{
				kind: constants, node: m.homes[before].node, syntax: m.homes[before].file, object: before,
				name: m.renamed[before],
			})
			m.groups.unite([]spectra.Symbol{name})
		}
	case *types.Var:
		if _, ok := after.(*types.Var); ok {
			m.chooseInitial(before, name, name)
		}
	}
}

// local returns the name of a declaration within a package, "" if it is another package's.
func local(s spectra.Symbol, p *packages.Package) string {
	name, ok := strings.CutPrefix(string(s), p.PkgPath+".")
	if !ok {
		return ""
	}
	return name
}

// chooseInitial chooses the initial value of a variable.
func (m *mixer) chooseInitial(before *types.Var, name, unit spectra.Symbol) {
	id, _ := initialValue(m.of.New, local(name, m.of.New))
	was, ok := m.homes[before].node.(*ast.ValueSpec)
	if id == nil || !ok || len(was.Names) != len(was.Values) {
		m.leave(name, "its initial value does not stand alone")
		return
	}
	p := &part{
		kind: initial, node: was, object: before, syntax: m.homes[before].file, unit: unit,
		name: m.free(before.Name()),
	}
	p.from = spectra.Symbol(m.of.New.PkgPath + "." + m.free(before.Name()+"__new"))
	m.add(p)
	m.wrapped[id] = p
}

// initialValue returns where a variable of a package is declared, and its initial value; nil if that has none of its
// own.
func initialValue(p *packages.Package, name string) (*ast.Ident, ast.Expr) {
	for _, file := range p.Syntax {
		for _, decl := range file.Decls {
			gen, ok := decl.(*ast.GenDecl)
			if !ok || gen.Tok != token.VAR {
				continue
			}
			for _, spec := range gen.Specs {
				spec := spec.(*ast.ValueSpec)
				for i, id := range spec.Names {
					if id.Name == name && len(spec.Values) == len(spec.Names) {
						return id, spec.Values[i]
					}
				}
			}
		}
	}
	return nil, nil
}

// chooseUsers chooses the functions and variables that use constants which changed. They are switched with these, unless
// they changed themselves.
func (m *mixer) chooseUsers() {
	if len(m.renamed) == 0 {
		return
	}
	for _, old := range slices.Sorted(maps.Keys(m.olds)) {
		fn := m.olds[old].node.(*ast.FuncDecl)
		if m.chosen[m.of.Old.TypesInfo.Defs[fn.Name]] != nil {
			continue
		}
		if used := m.changedConstants(fn); len(used) > 0 {
			m.chooseFunction(m.NewName(old), old, m.groups.unite(used))
		}
	}
	for _, name := range m.of.Old.Types.Scope().Names() {
		v, ok := m.of.Old.Types.Scope().Lookup(name).(*types.Var)
		if !ok || slices.ContainsFunc(m.parts, func(p *part) bool { return p.object == v }) {
			continue
		}
		if used := m.changedConstants(m.homes[v].node); len(used) > 0 {
			m.chooseInitial(v, m.NewName(spectra.Symbol(symbol.Global(v))), m.groups.unite(used))
		}
	}
}

// changedConstants lists the constants that changed and that a piece of old uses, by new's names.
func (m *mixer) changedConstants(node ast.Node) (used []spectra.Symbol) {
	if node == nil {
		return nil
	}
	ast.Inspect(node, func(n ast.Node) bool {
		id, ok := n.(*ast.Ident)
		if !ok {
			return true
		}
		if c, ok := m.of.Old.TypesInfo.Uses[id].(*types.Const); ok && m.renamed[c] != "" {
			used = append(used, m.NewName(spectra.Symbol(symbol.Global(c))))
		}
		return true
	})
	return used
}
