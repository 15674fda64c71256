package instrument

// This file defines the package variables of one package.

import (
	"go/token"
	"go/types"

	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/spectra"
	"github.com/spectradiff/spectradiff/spectra/symbol"
)

// variables lists the package variables by name. A variable counts as constant if neither this
// package nor, as far as o tells, another one changes it.
func variables(pkg *packages.Package, o Options) []spectra.Var {
	var list []spectra.Var
	written := Writes([]*packages.Package{pkg})
	for _, short := range pkg.Types.Scope().Names() {
		v, ok := pkg.Types.Scope().Lookup(short).(*types.Var)
		if !ok || sourceOf(pkg, v.Pos()) == "" {
			continue
		}
		name := variableName(v)
		list = append(list, spectra.Var{
			Name: name, Type: symbol.Type(v.Type()),
			Constant: !written[name] && !o.Written[name] && (o.Written != nil || !token.IsExported(short)),
		})
	}
	return list
}

func variableName(v *types.Var) string { return v.Pkg().Path() + "." + v.Name() }

// packageVariable is the package variable that object is, nil if it is something else.
func packageVariable(object types.Object) *types.Var {
	if v, ok := object.(*types.Var); ok && v.Kind() == types.PackageVar && v.Pkg() != nil {
		return v
	}
	return nil
}

// immutable are types of the standard library that hold references and yet never change, whatever
// method is called.
var immutable = map[string]bool{
	"*encoding/base32.Encoding": true,
	"*encoding/base64.Encoding": true,
	"*hash/crc32.Table":         true,
	"*hash/crc64.Table":         true,
	"*regexp.Regexp":            true,
	"*strings.Replacer":         true,
	"*time.Location":            true,
	"*unicode.RangeTable":       true,
	"embed.FS":                  true,
	"reflect.Type":              true,
	"reflect.Value":             false, // it is a reference
	"time.Time":                 true,
}

// copies reports whether a copy of a value of type t shares nothing with it that can change.
// Functions count: a state knows them by their symbol only. So do errors, which nobody changes.
func copies(t types.Type) bool {
	if known, ok := immutable[typeName(types.Unalias(t))]; ok {
		return known
	}
	switch u := t.Underlying().(type) {
	case *types.Basic:
		return u.Kind() != types.UnsafePointer
	case *types.Signature:
		return true
	case *types.Array:
		return copies(u.Elem())
	case *types.Struct:
		for field := range u.Fields() {
			if !copies(field.Type()) {
				return false
			}
		}
		return true
	case *types.Interface:
		return types.Identical(t, types.Universe.Lookup("error").Type())
	}
	return false
}
