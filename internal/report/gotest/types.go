package gotest

import (
	"fmt"
	"go/types"
	"go/version"
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/testtypes"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// typeOf returns the type with a canonical name.
func (f *file) typeOf(name string) (types.Type, error) {
	if t, ok := f.Types[name]; ok {
		return t, nil
	}
	for _, s := range f.samples {
		if s.canonical == name {
			return s.typ, nil
		}
	}
	if name == "uint8" {
		name = "byte"
	}
	if name == "any" || name == "interface{}" || name == "interface {}" {
		return f.empty(), nil
	}
	if o, ok := types.Universe.Lookup(name).(*types.TypeName); ok {
		return o.Type(), nil
	}
	switch {
	case strings.HasPrefix(name, "*"):
		elem, err := f.typeOf(name[1:])
		if err != nil {
			return nil, err
		}
		return types.NewPointer(elem), nil
	case strings.HasPrefix(name, "map["):
		return f.mapOf(name)
	case strings.HasPrefix(name, "["):
		return f.listOf(name)
	}
	return nil, fmt.Errorf("no type %s", name)
}

// empty returns the type of all values, which the language has a name for from Go 1.18 on.
func (f *file) empty() types.Type {
	if v := f.Package.GoVersion(); v != "" && version.Compare(v, "go1.18") < 0 {
		return types.NewInterfaceType(nil, nil)
	}
	return types.Universe.Lookup("any").Type()
}

func (f *file) listOf(name string) (types.Type, error) {
	length, rest, _ := strings.Cut(name[1:], "]")
	elem, err := f.typeOf(rest)
	if err != nil || length == "" {
		return types.NewSlice(elem), err
	}
	n, err := strconv.ParseInt(length, 10, 64)
	return types.NewArray(elem, n), err
}

func (f *file) mapOf(name string) (types.Type, error) {
	depth := 0
	for i := len("map"); i < len(name); i++ {
		switch name[i] {
		case '[':
			depth++
		case ']':
			depth--
		}
		if depth > 0 {
			continue
		}
		key, err := f.typeOf(name[len("map["):i])
		if err != nil {
			return nil, err
		}
		elem, err := f.typeOf(name[i+1:])
		if err != nil {
			return nil, err
		}
		return types.NewMap(key, elem), nil
	}
	return nil, fmt.Errorf("no type %s", name)
}

// spell returns a type as the file writes it. It is an error if the file can't name it.
func (f *file) spell(t types.Type) (string, error) {
	if hidden := f.hidden(t); hidden != nil {
		return "", fmt.Errorf("%s can't be named in another package", hidden.Name())
	}
	return types.TypeString(t, f.qualifier), nil
}

// hidden returns a declared type within t that the file can't name, nil if there is none. It notes types that the test
// has to declare.
func (f *file) hidden(t types.Type) types.Object {
	switch t := t.(type) {
	case *types.Alias:
		return f.hiddenName(t.Obj(), t.TypeArgs())
	case *types.Named:
		return f.hiddenName(t.Obj(), t.TypeArgs())
	case interface{ Elem() types.Type }: // pointers, slices, arrays, channels, and maps, whose keys come below
		if m, ok := t.(*types.Map); ok {
			if o := f.hidden(m.Key()); o != nil {
				return o
			}
		}
		return f.hidden(t.Elem())
	case *types.Signature:
		if o := f.hiddenIn(t.Params()); o != nil {
			return o
		}
		return f.hiddenIn(t.Results())
	case *types.Struct:
		for field := range t.Fields() {
			if !field.Exported() && !(f.Inside && field.Pkg() == f.Package) {
				return field
			}
			if o := f.hidden(field.Type()); o != nil {
				return o
			}
		}
	}
	return nil
}

func (f *file) hiddenIn(list *types.Tuple) types.Object {
	for v := range list.Variables() {
		if o := f.hidden(v.Type()); o != nil {
			return o
		}
	}
	return nil
}

func (f *file) hiddenName(o *types.TypeName, args *types.TypeList) types.Object {
	switch p := o.Pkg(); {
	case p == api.SamplePackage && f.Inside && f.Package.Scope().Lookup(o.Name()) != nil:
		return o // it would hide that of the package
	case p == api.SamplePackage:
		f.declare(o)
	case p != nil && !o.Exported() && !(f.Inside && p.Path() == f.Package.Path()):
		return o
	}
	for arg := range args.Types() {
		if hidden := f.hidden(arg); hidden != nil {
			return hidden
		}
	}
	return nil
}

// A sample is a type of the driver. Those with methods can't be declared in functions, so each test has its own.
type sample struct {
	canonical string
	typ       *types.Named
}

func newSample(t *types.Named, test string) sample {
	s := sample{symbol.Type(t), t}
	if t.NumMethods() > 0 {
		name := ""
		for _, word := range append(strings.Split(strings.TrimPrefix(test, "Test"), "_"), t.Obj().Name()) {
			first, size := utf8.DecodeRuneInString(word)
			if first = unicode.ToUpper(first); name == "" {
				first = unicode.ToLower(first)
			}
			if size > 0 {
				name += string(first) + word[size:]
			}
		}
		s.typ = testtypes.Renamed(t, name)
	}
	return s
}

// declare notes that the test needs one of the samples, and those that it is made of.
func (f *file) declare(o *types.TypeName) {
	for _, known := range f.local {
		if known == o.Name() {
			return
		}
	}
	if fields, ok := o.Type().Underlying().(*types.Struct); ok {
		for field := range fields.Fields() {
			f.hidden(field.Type())
		}
	} else {
		f.hidden(o.Type().Underlying())
	}
	f.local = append(f.local, o.Name())
}

// declarations returns the declarations of the samples that the test needs, without those that have methods.
func (f *file) declarations() string {
	return f.declared(func(t *types.Named) bool { return t.NumMethods() == 0 })
}

// implementations returns the declarations of the samples with methods that the test needs.
func (f *file) implementations() string {
	return f.declared(func(t *types.Named) bool { return t.NumMethods() > 0 })
}

func (f *file) declared(wanted func(*types.Named) bool) string {
	var b strings.Builder
	for _, name := range f.local {
		for _, s := range f.samples {
			if s.typ.Obj().Name() == name && wanted(s.typ) {
				methods := anyName.ReplaceAllString(testtypes.Methods(s.typ, f.qualifier), "interface{}")
				fmt.Fprintf(&b, "type %s %s\n%s", name, f.definition(s.typ.Underlying()), methods)
			}
		}
	}
	return b.String()
}

// definition writes the type of a sample.
func (f *file) definition(t types.Type) string {
	text := func(t types.Type) string {
		return anyName.ReplaceAllString(types.TypeString(t, f.qualifier), "interface{}")
	}
	of, ok := t.(*types.Struct)
	if !ok {
		return text(t)
	}
	var b strings.Builder
	b.WriteString("struct {\n")
	for i := range of.NumFields() {
		field, tag := of.Field(i), ""
		if of.Tag(i) != "" {
			tag = " `" + of.Tag(i) + "`"
		}
		if strings.Contains(of.Tag(i), "`") {
			tag = " " + strconv.Quote(of.Tag(i))
		}
		if !field.Embedded() {
			b.WriteString(field.Name() + " ")
		}
		b.WriteString(text(field.Type()) + tag + "\n")
	}
	return b.String() + "}"
}

// anyName finds the name that interface{} has from Go 1.18 on.
var anyName = regexp.MustCompile(`\bany\b`)
