package match

import (
	"fmt"
	"go/ast"
	"go/constant"
	"go/token"
	"go/types"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

type declKind string

const (
	function declKind = "func"
	typeDecl declKind = "type"
	variable declKind = "var"
	constDec declKind = "const"
)

// A declaration is a package-level declaration or method of one version, under that version's names.
type declaration struct {
	kind   declKind
	name   string // canonical
	sort   string // signature or type: declarations that correspond mostly have the same
	tokens []piece

	slots   []spectra.SlotDecl // of a function
	methods []piece            // of a type: they help to recognise it, but are no part of its declaration
	file    string             // of a function, module-relative
	lines   [2]int             // first and last
}

// A piece is a token of a declaration. Besides plain text it may be a text whose names are translated between
// versions, or a local variable.
type piece struct {
	text   string
	method string // name of a type's method, whose signature is text; "" = none
	local  int    // number of a local variable, from 1; 0 = none
	line   int    // 0 = unknown; never compared
	named  bool   // text holds names to translate
	close  bool   // ends a node: compared only where declarations have to be equal
}

// short is the name without package and receiver.
func (d *declaration) short() string { return d.name[strings.LastIndexByte(d.name, '.')+1:] }

// bag counts the tokens of a declaration and their pairs. For a type it counts no pairs, because the order of
// its parts says nothing about which type it is.
func (d *declaration) bag(tokens []string) bag {
	if d.kind != typeDecl {
		return newBag(tokens)
	}
	b := bag{counts: map[string]int{}}
	for _, t := range tokens {
		b.add(t)
	}
	return b
}

// fieldNames returns the names of the fields of all packages.
func (v *Version) fieldNames() map[*types.Var]string {
	fields := map[*types.Var]string{}
	for _, p := range v.Packages {
		nameFields(p.Types, fields)
	}
	return fields
}

// declarations lists what the type-checked packages declare.
func (v *Version) declarations(leftOut func(path string) bool) []*declaration {
	fields := v.fieldNames()
	var list []*declaration
	for _, p := range v.Packages {
		if leftOut(p.PkgPath) {
			continue
		}
		l := &lister{dir: v.Dir, pkg: p, fields: fields}
		for _, file := range p.Syntax {
			for _, d := range file.Decls {
				l.declared(d)
			}
		}
		list = append(list, l.list...)
	}
	return list
}

// inits returns the tokens of the init functions of each package together, by the name that all of them have: their
// order matters, and none can be referred to.
func (v *Version) inits() map[string][]piece {
	fields, found := v.fieldNames(), map[string][]piece{}
	for _, p := range v.Packages {
		l := &lister{dir: v.Dir, pkg: p, fields: fields}
		for _, file := range p.Syntax {
			for _, d := range file.Decls {
				d, ok := d.(*ast.FuncDecl)
				if !ok || d.Recv != nil || d.Name.Name != "init" {
					continue
				}
				if fn, ok := p.TypesInfo.Defs[d.Name].(*types.Func); ok {
					of := l.function(fn, d)
					found[of.name] = append(found[of.name], of.tokens...)
				}
			}
		}
	}
	return found
}

// A lister lists the declarations of one package.
type lister struct {
	dir    string
	pkg    *packages.Package
	fields map[*types.Var]string
	list   []*declaration
}

func (l *lister) declared(d ast.Decl) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if fn, ok := l.pkg.TypesInfo.Defs[d.Name].(*types.Func); ok && comparable(d) {
			l.list = append(l.list, l.function(fn, d))
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.TypeSpec:
				l.typeName(spec)
			case *ast.ValueSpec:
				doc := spec.Doc
				if doc == nil && len(d.Specs) == 1 {
					doc = d.Doc
				}
				for i, name := range spec.Names {
					l.value(spec, doc, i, name)
				}
			}
		}
	}
}

// comparable reports whether a function can be recognised by its name.
func comparable(d *ast.FuncDecl) bool {
	return d.Name.Name != "_" && (d.Recv != nil || d.Name.Name != "init") && !generated(d.Name.Name)
}

func (l *lister) function(fn *types.Func, d *ast.FuncDecl) *declaration {
	s := l.speller()
	s.directives(d.Doc)
	for _, fields := range []*ast.FieldList{d.Recv, d.Type.Params, d.Type.Results} {
		s.parameters(fields)
	}
	if d.Body != nil {
		for _, statement := range d.Body.List {
			ast.Inspect(statement, s.visit)
		}
	}
	from, to := l.pkg.Fset.PositionFor(d.Pos(), false), l.pkg.Fset.PositionFor(d.End(), false)
	file := from.Filename
	if rel, err := filepath.Rel(l.dir, file); err == nil {
		file = filepath.ToSlash(rel)
	}
	return &declaration{
		kind: function, name: string(symbol.Function(fn)), sort: callable(fn.Signature()), tokens: s.out,
		slots: slotsOf(fn.Signature()), file: file, lines: [2]int{from.Line, to.Line},
	}
}

// callable writes a signature with the receiver as first parameter.
func callable(sig *types.Signature) string {
	generic := ""
	for _, list := range []*types.TypeParamList{sig.RecvTypeParams(), sig.TypeParams()} {
		for p := range list.TypeParams() {
			generic += "[" + symbol.Type(p.Constraint()) + "]"
		}
	}
	var params []*types.Var
	if sig.Recv() != nil {
		params = append(params, types.NewParam(token.NoPos, nil, "", sig.Recv().Type()))
	}
	for v := range sig.Params().Variables() {
		params = append(params, v)
	}
	function := types.NewSignatureType(nil, nil, nil, types.NewTuple(params...), sig.Results(), sig.Variadic())
	return generic + symbol.Type(function)
}

// typeName lists a type. Its tokens are the fields of a struct, the methods of an interface and its terms, or else the
// underlying type.
func (l *lister) typeName(spec *ast.TypeSpec) {
	object, ok := l.pkg.TypesInfo.Defs[spec.Name].(*types.TypeName)
	if !ok || object.IsAlias() || object.Name() == "_" || generated(object.Name()) {
		return
	}
	named := object.Type().(*types.Named)
	d := &declaration{kind: typeDecl, name: l.pkg.PkgPath + "." + object.Name()}
	for p := range named.TypeParams().TypeParams() {
		d.sort += symbol.Type(p.Constraint()) + ","
	}
	add := func(text string) { d.tokens = append(d.tokens, piece{text: text, named: true}) }
	switch u := named.Underlying().(type) {
	case *types.Struct:
		d.sort += " struct"
		for i := range u.NumFields() {
			f := u.Field(i)
			add(d.name + "." + f.Name())
			add(symbol.Type(f.Type()) + u.Tag(i))
			if f.Embedded() {
				add("embedded")
			}
		}
	case *types.Interface:
		d.sort += " interface"
		for m := range u.Methods() {
			add("method " + m.Name() + symbol.Type(m.Signature()))
		}
		for e := range u.EmbeddedTypes() {
			if u, ok := e.Underlying().(*types.Interface); !ok || !u.IsMethodSet() {
				add("term " + symbol.Type(e))
			}
		}
	default:
		d.sort += " " + symbol.Type(u)
		add(symbol.Type(u))
	}
	for m := range named.Methods() {
		d.methods = append(d.methods, piece{method: m.Name(), text: symbol.Type(m.Signature()), named: true})
	}
	l.list = append(l.list, d)
}

// value lists a variable or constant. Its tokens are its initialiser.
func (l *lister) value(spec *ast.ValueSpec, doc *ast.CommentGroup, i int, name *ast.Ident) {
	if name.Name == "_" || generated(name.Name) {
		return
	}
	switch object := l.pkg.TypesInfo.Defs[name].(type) {
	case *types.Const:
		value := object.Val().ExactString()
		if object.Val().Kind() == constant.Unknown {
			return
		}
		l.list = append(l.list, &declaration{
			kind: constDec, name: l.pkg.PkgPath + "." + name.Name, sort: symbol.Type(object.Type()),
			tokens: []piece{{text: value}},
		})
	case *types.Var:
		s := l.speller()
		s.directives(doc)
		switch {
		case len(spec.Values) == len(spec.Names):
			ast.Inspect(spec.Values[i], s.visit)
		case len(spec.Values) > 0: // several names from one call
			s.text(token.NoPos, fmt.Sprint(i))
			ast.Inspect(spec.Values[0], s.visit)
		}
		l.list = append(l.list, &declaration{
			kind: variable, name: l.pkg.PkgPath + "." + name.Name, sort: symbol.Type(object.Type()), tokens: s.out,
		})
	}
}

// nameFields names the fields of a package's types: "m/p.T.field".
func nameFields(p *types.Package, names map[*types.Var]string) {
	for _, name := range p.Scope().Names() {
		object, ok := p.Scope().Lookup(name).(*types.TypeName)
		if !ok || object.IsAlias() {
			continue
		}
		if s, ok := object.Type().Underlying().(*types.Struct); ok {
			for f := range s.Fields() {
				names[f.Origin()] = p.Path() + "." + name + "." + f.Name()
			}
		}
	}
}
