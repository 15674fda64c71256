// Package testtypes finds the types that the tests of a module declare, and makes types that implement interfaces, for
// use in drivers. Functions that inspect any value, such as decoders, are made for such types, with their tags.
//
// Input: folders of packages, of both versions. Output: named types in api.SamplePackage that a driver can have,
// without methods and without fields whose types no driver can name. On demand it adds types that implement interfaces.
// Two declarations of the same name and fields are one type.
//
// Tests are only parsed, as in package carve. The same files lead to the same types in the same order.
package testtypes

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// Limits of reading.
const (
	maxTypes  = 100
	maxFields = 60 // of one struct
	maxDepth  = 8  // of type expressions
)

// A Set is a set of types from tests.
type Set struct {
	// Named are structs with at least one exported field, and the types that they are made of, in the order in which
	// they were found.
	Named []*types.Named
	Stubs spectra.Pair[[]*types.Named] // types of Implement, as each version needs them

	known map[string]*types.Named // by name and definition
	taken map[string]bool         // used names
	std   func(path string) *types.Package
	full  bool // no more types are added
}

// Read returns the types in the test files of some folders. Fields may have some types of the standard library, if std
// returns their packages.
func Read(dirs []string, std func(path string) *types.Package) *Set {
	s := &Set{known: map[string]*types.Named{}, taken: map[string]bool{}, std: std}
	for _, t := range api.Samples() {
		s.taken[t.Obj().Name()] = true
	}
	s.taken[driverFunction] = true
	for _, dir := range dirs {
		for _, file := range api.Tests(dir) {
			s.File(file).all(file)
		}
	}
	if s.full = true; s.check() != nil {
		s.Named, s.known = nil, nil
	}
	return s
}

// driverFunction is exported by the driver's package besides api.Samples.
const driverFunction = "Main"

// check returns an error if the declarations are invalid Go. Then there must be none, because no driver could be built.
func (s *Set) check() error {
	fset := token.NewFileSet()
	head, body := s.declarations()
	file, err := parser.ParseFile(fset, "samples.go", head+body, 0)
	if err != nil {
		return err
	}
	check := types.Config{Importer: standard(s.std)}
	_, err = check.Check(api.SamplePackage.Path(), fset, []*ast.File{file}, nil)
	return err
}

// standard is an importer of packages of the standard library.
type standard func(path string) *types.Package

// Import implements types.Importer.
func (s standard) Import(path string) (*types.Package, error) {
	if p := s(path); p != nil {
		return p, nil
	}
	return nil, fmt.Errorf("no package %s", path)
}

// named returns the type with a name and definition. It makes the type if it is missing and the set is not full; else
// it returns nil.
func (s *Set) named(name string, under types.Type) *types.Named {
	key := name + " " + types.TypeString(under, nil)
	if t := s.known[key]; t != nil || s.full || len(s.Named) == maxTypes {
		return t
	}
	r, size := utf8.DecodeRuneInString(name)
	free := string(unicode.ToUpper(r)) + name[size:]
	if !token.IsExported(free) {
		free = "T" + free
	}
	for base, i := free, 2; s.taken[free]; i++ {
		free = fmt.Sprint(base, i)
	}
	s.taken[free] = true
	t := types.NewNamed(types.NewTypeName(token.NoPos, api.SamplePackage, free, nil), under, nil)
	s.known[key], s.Named = t, append(s.Named, t)
	return t
}

// Source returns the file that declares the types in a driver's package, "" if there are none.
func (s *Set) Source() string {
	if s == nil || len(s.plain()) == 0 {
		return ""
	}
	head, body := s.declarations("reflect")
	body += "func init() {\n"
	for _, t := range s.plain() {
		body += fmt.Sprintf("\tsampleTypes[%q] = reflect.TypeFor[%s]()\n", symbol.Type(t), t.Obj().Name())
	}
	return head + body + "}\n"
}

// plain returns the types without methods.
func (s *Set) plain() []*types.Named { return s.Named[:len(s.Named)-len(s.Stubs.Old)] }

// declarations returns a package clause with imports, including further ones, and the declarations of the types.
func (s *Set) declarations(further ...string) (head, body string) {
	imports := map[string]bool{}
	for _, path := range further {
		imports[path] = true
	}
	qualifier := func(p *types.Package) string {
		if p == api.SamplePackage {
			return ""
		}
		imports[p.Path()] = true
		return p.Name()
	}
	for _, t := range s.plain() {
		body += Declaration(t, qualifier)
	}
	head = "package " + api.SamplePackage.Name() + "\n\nimport (\n"
	for _, path := range []string{"encoding/json", "reflect", "time"} {
		if imports[path] {
			head += fmt.Sprintf("\t%q\n", path)
		}
	}
	return head + ")\n\n", body
}

// A File resolves type expressions in one test file.
type File struct {
	*Set
	specs map[string][]*ast.TypeSpec // by name, in the order of the file
	under map[*ast.TypeSpec]bool     // declarations under conversion
}

// File returns the resolver for a file.
func (s *Set) File(file *ast.File) *File {
	f := &File{Set: s, specs: map[string][]*ast.TypeSpec{}, under: map[*ast.TypeSpec]bool{}}
	ast.Inspect(file, func(n ast.Node) bool {
		if spec, ok := n.(*ast.TypeSpec); ok && spec.TypeParams == nil {
			f.specs[spec.Name.Name] = append(f.specs[spec.Name.Name], spec)
		}
		return true
	})
	return f
}

// all adds the structs that the file declares, and the struct types of its variables.
func (f *File) all(file *ast.File) {
	var names []string
	for name := range f.specs {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		for _, spec := range f.specs[name] {
			if of, ok := spec.Type.(*ast.StructType); ok && exports(of) {
				f.declared(spec, 0)
			}
		}
	}
	ast.Inspect(file, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.ValueSpec:
			f.record(n.Type)
		case *ast.AssignStmt:
			for _, e := range n.Rhs {
				if pointer, ok := e.(*ast.UnaryExpr); ok {
					e = pointer.X
				}
				if literal, ok := e.(*ast.CompositeLit); ok {
					f.record(literal.Type)
				}
			}
		}
		return true
	})
}

// record returns the type of a struct without a name, nil for other expressions.
func (f *File) record(e ast.Expr) *types.Named {
	if of, ok := e.(*ast.StructType); ok && exports(of) {
		if t := f.typeOf(of, 0); t != nil {
			return f.named("Record", t)
		}
	}
	return nil
}

// exports reports whether a struct has an exported field.
func exports(of *ast.StructType) bool {
	return slices.ContainsFunc(of.Fields.List, func(field *ast.Field) bool {
		return slices.ContainsFunc(field.Names, func(name *ast.Ident) bool { return name.IsExported() }) ||
			len(field.Names) == 0
	})
}

// Type returns the type of a type expression, nil if no driver can have it.
func (f *File) Type(e ast.Expr) types.Type {
	if _, ok := e.(*ast.StructType); ok {
		if t := f.record(e); t != nil {
			return t
		}
		return nil
	}
	return f.typeOf(e, 0)
}

func (f *File) typeOf(e ast.Expr, depth int) types.Type {
	if depth > maxDepth {
		return nil
	}
	of := func(e ast.Expr) types.Type { return f.typeOf(e, depth+1) }
	switch e := e.(type) {
	case *ast.ParenExpr:
		return of(e.X)
	case *ast.Ident:
		return f.name(e, depth)
	case *ast.SelectorExpr:
		return f.standard(e)
	case *ast.StarExpr:
		if elem := of(e.X); elem != nil {
			return types.NewPointer(elem)
		}
	case *ast.ArrayType:
		if elem := of(e.Elt); elem != nil && e.Len == nil {
			return types.NewSlice(elem)
		}
	case *ast.MapType:
		if key, elem := of(e.Key), of(e.Value); key != nil && elem != nil && types.Comparable(key) {
			return types.NewMap(key, elem)
		}
	case *ast.InterfaceType:
		if e.Methods == nil || len(e.Methods.List) == 0 {
			return types.Universe.Lookup("any").Type()
		}
	case *ast.StructType:
		return f.structure(e, depth)
	}
	return nil
}

// name returns the type of a name: predeclared, or else declared in the file before it, or anywhere.
func (f *File) name(id *ast.Ident, depth int) types.Type {
	var spec *ast.TypeSpec
	for i, one := range f.specs[id.Name] {
		if i == 0 || one.Pos() < id.Pos() {
			spec = one
		}
	}
	if spec != nil {
		if t := f.declared(spec, depth); t != nil {
			return t
		}
		return nil
	}
	o, ok := types.Universe.Lookup(id.Name).(*types.TypeName)
	if !ok || id.Name == "error" || id.Name == "comparable" {
		return nil
	}
	return o.Type()
}

// declared returns a declared type. Within a type that contains itself, nil stands for it.
func (f *File) declared(spec *ast.TypeSpec, depth int) *types.Named {
	if f.under[spec] {
		return nil
	}
	f.under[spec] = true
	defer delete(f.under, spec)
	t := f.typeOf(spec.Type, depth+1)
	if t == nil || types.IsInterface(t) {
		return nil
	}
	return f.named(spec.Name.Name, t.Underlying())
}

// standardTypes are the types of the standard library for fields and values, by their usual names.
var standardTypes = map[string]string{
	"time.Time": "time", "time.Duration": "time", "json.Number": "encoding/json", "json.RawMessage": "encoding/json",
}

// standard returns a type of the standard library.
func (f *File) standard(e *ast.SelectorExpr) types.Type {
	x, ok := e.X.(*ast.Ident)
	if !ok || f.std == nil {
		return nil
	}
	p := f.std(standardTypes[x.Name+"."+e.Sel.Name])
	if p == nil {
		return nil
	}
	if o := p.Scope().Lookup(e.Sel.Name); o != nil {
		return o.Type()
	}
	return nil
}

// structure returns a struct with the fields whose types a driver can have, nil if there are none.
func (f *File) structure(e *ast.StructType, depth int) types.Type {
	var fields []*types.Var
	var tags []string
	names := map[string]bool{}
	for _, field := range e.Fields.List {
		t := f.typeOf(field.Type, depth+1)
		if t == nil {
			continue
		}
		list := field.Names
		if len(list) == 0 {
			list = []*ast.Ident{nil}
		}
		for _, name := range list {
			v, ok := variable(name, t)
			if !ok || names[v.Name()] || len(fields) == maxFields {
				continue
			}
			names[v.Name()] = true
			fields, tags = append(fields, v), append(tags, tagOf(field))
		}
	}
	if len(fields) == 0 {
		return nil
	}
	return types.NewStruct(fields, tags)
}

// variable returns a field. An embedded one, which has no name, must be a named type or a pointer to one.
func variable(name *ast.Ident, t types.Type) (*types.Var, bool) {
	if name != nil {
		return types.NewField(token.NoPos, api.SamplePackage, name.Name, t, false), name.Name != "_"
	}
	elem := t
	if p, ok := t.(*types.Pointer); ok {
		elem = p.Elem()
	}
	named, ok := elem.(*types.Named)
	if !ok {
		return nil, false
	}
	return types.NewField(token.NoPos, api.SamplePackage, named.Obj().Name(), t, true), true
}

// tagOf returns the tag of a field.
func tagOf(field *ast.Field) string {
	if field.Tag == nil {
		return ""
	}
	tag, err := strconv.Unquote(field.Tag.Value)
	if err != nil {
		return ""
	}
	return tag
}

// Keys returns the names that functions which inspect any value may use for a field of a struct: its own name, and
// those in its tags.
func Keys(of *types.Struct, field *types.Var) []string {
	keys := []string{field.Name()}
	for i := range of.NumFields() {
		if of.Field(i) != field {
			continue
		}
		for _, pair := range tagValue.FindAllStringSubmatch(of.Tag(i), -1) {
			if name, _, _ := strings.Cut(pair[1], ","); name != "" && name != "-" && !slices.Contains(keys, name) {
				keys = append(keys, name)
			}
		}
	}
	return append(keys, strings.ToLower(field.Name()))
}

// tagValue matches the values of a tag.
var tagValue = regexp.MustCompile(`\w+:"([^"\\]*)"`)
