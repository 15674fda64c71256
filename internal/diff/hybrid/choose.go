package hybrid

import (
	"go/ast"
	"go/token"
	"go/types"
	"maps"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// A part is a declaration of the other in a hybrid package.
type part struct {
	kind    kind
	node    ast.Node       // *ast.FuncDecl, or the specification
	object  types.Object   // of the first name
	name    string         // what it is called in the hybrid
	typ     string         // what the type of a variable is called whose initial value is switched
	unit    spectra.Symbol // the change that switches it; "": others of the other need it
	from    spectra.Symbol // the function of the base that hands calls to it; "": none does
	other   spectra.Symbol // a function's name in the other; "": it is none of the other's functions
	syntax  *ast.File      // of the other
	file    *output
	start   int // where it stands in that file
	end     int
	imports []imported // that what was written of it needs
	dropped bool
	inside  bool // its code stands in the base's function, because it depends on the frame that it runs in
	instead bool // it stands in place of the base's declaration, as a type that keeps its methods
}

type kind int

const (
	function kind = iota
	initial       // what a variable's initial value is computed from, as a function
	constants
	variables
	typed
	lent // the type of a field that only the other has, under a name of its own
)

// A mixer makes one hybrid package.
type mixer struct {
	Config
	of      Versions
	homes   map[types.Object]home     // declarations of the other
	others  map[spectra.Symbol]home   // functions of the other
	bases   map[spectra.Symbol]home   // functions of the base
	taken   map[string]bool           // identifiers of both versions
	renamed map[types.Object]string   // objects of the other that have another name in the hybrid
	chosen  map[types.Object]*part    // parts by what they declare
	by      map[types.Object]ast.Node // what did not change itself → the code with the constants that changed it
	wrapped map[*ast.Ident]*part      // variables of the base whose initial values can be switched
	cuts    cuts                      // what of the base is left out
	fields  map[*types.Var]field      // of the other
	lent    map[*ast.TypeSpec][]*part // the fields that types of the base get
	lacks   bool                      // something uses a field that only the other has
	parts   []*part                   // in the order in which they were chosen
	files   string                    // how the names of files with the other's code begin
	overlay map[string][]byte         // what was written
	refers  bool                      // it is written such that functions name those that they hand their calls to
	groups  groups
	left    []Unswitchable
	differ  map[spectra.Symbol]spectra.Symbol // of the other, what the base has otherwise → its names

	changes map[types.Object][]spectra.Symbol // of what did not change itself, by which changes it is another
}

// cuts are the parts of the base that are left out.
type cuts struct {
	gone map[ast.Node]bool // declarations in whose place others stand
	idle map[ast.Node]bool // imports that are not used without these
}

// A home is where something is declared.
type home struct {
	node ast.Node
	file *ast.File
}

func newMixer(cfg Config, of Versions) *mixer {
	m := &mixer{
		Config: cfg, of: of, files: "zspectra_other", homes: homesOf(of.Other), taken: map[string]bool{},
		groups: groups{}, renamed: map[types.Object]string{}, chosen: map[types.Object]*part{},
		by: map[types.Object]ast.Node{}, changes: map[types.Object][]spectra.Symbol{},
		wrapped: map[*ast.Ident]*part{}, cuts: cuts{map[ast.Node]bool{}, map[ast.Node]bool{}},
		fields: map[*types.Var]field{}, lent: map[*ast.TypeSpec][]*part{}, differ: map[spectra.Symbol]spectra.Symbol{},
	}
	m.others, m.bases = functions(of.Other), functions(of.Base)
	for _, at := range m.homes {
		if spec, ok := at.node.(*ast.TypeSpec); ok {
			m.noteFields(spec)
		}
	}
	for _, p := range []*packages.Package{of.Base, of.Other} {
		for _, file := range p.Syntax {
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

// homesOf returns where the declarations of a package are.
func homesOf(p *packages.Package) map[types.Object]home {
	homes := map[types.Object]home{}
	for _, file := range p.Syntax {
		for _, decl := range file.Decls {
			eachName(decl, func(id *ast.Ident, node ast.Node) {
				if object := p.TypesInfo.Defs[id]; object != nil {
					homes[object] = home{node, file}
				}
			})
		}
	}
	return homes
}

// choose chooses what changed, what uses constants that changed, and then what all of that needs.
func (m *mixer) choose() {
	for _, name := range slices.Sorted(maps.Keys(m.Values)) {
		m.chooseValue(name, m.Values[name])
	}
	m.uniteCounted()
	m.chooseDerived()
	m.chooseMeasured()
	names := slices.Sorted(maps.Keys(m.Functions))
	for _, name := range names {
		if m.chooseReshaped(name, m.Functions[name]) != nil {
			m.groups.unite([]spectra.Symbol{name})
		}
	}
	for _, name := range names {
		m.chooseFunction(name, m.Functions[name], name)
	}
	m.chooseUsers()
	m.uniteUses()
	for i := 0; i < len(m.parts); i++ {
		m.chooseNeeded(m.parts[i])
	}
}

// chooseFunction chooses a function that both versions have.
func (m *mixer) chooseFunction(name, other, unit spectra.Symbol) {
	before, after := m.others[other], m.bases[name]
	if before.node == nil || after.node == nil {
		return // another package's, or one that only one version has: what needs it brings it along
	}
	decl := before.node.(*ast.FuncDecl)
	object := m.of.Other.TypesInfo.Defs[decl.Name]
	if m.chosen[object] != nil {
		return
	}
	for _, h := range []home{before, after} {
		if reason := unfit(h.node.(*ast.FuncDecl)); reason != "" {
			m.leave(name, "%s", reason)
			return
		}
	}
	inside, reason := m.inside(before, after)
	if reason != "" {
		m.leave(name, "%s", reason)
		return
	}
	m.add(&part{
		kind: function, node: decl, object: object, syntax: before.file,
		name: m.free(decl.Name.Name), unit: unit, from: name, other: other, inside: inside,
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

// free returns a name for the other's version of what has a name.
func (m *mixer) free(name string) string {
	base := name + "__other"
	for i := 2; m.taken[base]; i++ {
		base = name + "__other" + strconv.Itoa(i)
	}
	m.taken[base] = true
	return base
}

// chooseValue chooses a variable or constant that both versions have.
func (m *mixer) chooseValue(name, other spectra.Symbol) {
	before := m.of.Other.Types.Scope().Lookup(local(other, m.of.Other))
	after := m.of.Base.Types.Scope().Lookup(local(name, m.of.Base))
	switch before := before.(type) {
	case *types.Const:
		after, ok := after.(*types.Const)
		if !ok || !m.same(before.Type(), after.Type()) {
			m.differing(before, name)
		}
		if ok && !sameValue(before, after) {
			m.addConstant(before)
			m.groups.unite([]spectra.Symbol{name})
		}
	case *types.Var:
		after, ok := after.(*types.Var)
		switch {
		case !ok:
			m.differing(before, name)
		case m.same(before.Type(), after.Type()):
			m.chooseInitial(before, name, name)
		default:
			m.chooseTwin(before, name)
		}
	}
}

// chooseTwin has the hybrid hold both versions of a variable whose type changed. What uses it is one unit with it.
func (m *mixer) chooseTwin(before *types.Var, name spectra.Symbol) {
	m.differing(before, name)
	spec, ok := m.homes[before].node.(*ast.ValueSpec)
	if !ok || len(spec.Names) != 1 {
		m.leave(name, "its type changed, and it is declared with others")
		return
	}
	if !m.embedsSame(m.homes[before].file, spec) {
		m.leave(name, "its type changed, and it embeds what the base is not known to have")
		return
	}
	m.renamed[before] = m.free(before.Name())
	m.add(&part{
		kind: variables, node: spec, syntax: m.homes[before].file, object: before, name: m.renamed[before],
	})
	m.groups.unite([]spectra.Symbol{name})
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
	id, _ := initialValue(m.of.Base, local(name, m.of.Base))
	was, ok := m.homes[before].node.(*ast.ValueSpec)
	if id == nil || !ok || len(was.Names) != len(was.Values) {
		m.differing(before, name)
		m.leave(name, "its initial value does not stand alone")
		return
	}
	p := &part{
		kind: initial, node: was, object: before, syntax: m.homes[before].file, unit: unit,
		name: m.free(before.Name()),
	}
	p.from = spectra.Symbol(m.of.Base.PkgPath + "." + m.free(before.Name()+"__base"))
	p.typ = m.free(before.Name() + "__type")
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
