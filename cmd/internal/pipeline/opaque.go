package pipeline

// This file reads which types the project itself declares opaque.

import (
	"errors"
	"fmt"
	"go/types"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/replay/target"
	"github.com/spectradiff/spectradiff/spectra"
)

// OpaqueFile is where a project lists its opaque types, below the repository's root. It is read
// from the working tree, not from the versions: it says how to compare, whatever is compared.
const OpaqueFile = ".spectradiff/opaque"

// An OpaqueEntry is one line of that file.
type OpaqueEntry struct {
	spectra.TypeRule
	At string // file and line
}

// OpaqueEntries reads the file of the repository that dir is in; none is no error.
func OpaqueEntries(dir string) ([]OpaqueEntry, error) {
	name, err := findOpaqueFile(dir)
	if err != nil || name == "" {
		return nil, err
	}
	text, err := os.ReadFile(name)
	if err != nil {
		return nil, fmt.Errorf("read the opaque types: %w", err)
	}
	var list []OpaqueEntry
	first := map[string]int{}
	for i, line := range strings.Split(string(text), "\n") {
		typ, reason, _ := strings.Cut(line, "#")
		typ, reason = strings.TrimSpace(typ), strings.TrimSpace(reason)
		if typ == "" {
			continue
		}
		at := fmt.Sprintf("%s:%d", name, i+1)
		switch dot := strings.LastIndexByte(typ, '.'); {
		case strings.ContainsAny(typ, " \t*[]") || dot < 1 || strings.Contains(typ[dot:], "/"):
			return nil, fmt.Errorf("%s: %q is no type: write an import path, a dot and a name, as in example.com/m/cache.Entry, or end with the dot for all types of a package; # begins a comment", at, typ)
		case first[typ] > 0:
			return nil, fmt.Errorf("%s: %s stands in line %d already", at, typ, first[typ])
		}
		first[typ] = i + 1
		list = append(list, OpaqueEntry{spectra.TypeRule{Type: typ, What: reason}, at})
	}
	return list, nil
}

// findOpaqueFile looks in dir and the folders around it, up to the repository's root.
func findOpaqueFile(dir string) (string, error) {
	if dir == "" {
		dir = "."
	}
	full, err := filepath.Abs(dir)
	if err != nil {
		return "", fmt.Errorf("find %s: %w", OpaqueFile, err)
	}
	for at := full; ; at = filepath.Dir(at) {
		name := filepath.Join(at, filepath.FromSlash(OpaqueFile))
		if _, err := os.Stat(name); err == nil {
			if rel, err := filepath.Rel(full, name); err == nil {
				name = rel
			}
			return filepath.Join(dir, name), nil
		} else if !errors.Is(err, fs.ErrNotExist) {
			return "", fmt.Errorf("find %s: %w", OpaqueFile, err)
		}
		if _, err := os.Stat(filepath.Join(at, ".git")); err == nil || at == filepath.Dir(at) {
			return "", nil
		}
	}
}

// opaqueTypes returns the types that the project lists, under their names in either version, and the
// warning that says so.
func opaqueTypes(env *environment, p *plan) (names []string, warning string, err error) {
	entries, err := OpaqueEntries(env.Dir)
	if err != nil || len(entries) == 0 {
		return nil, "", err
	}
	known := knownTypes{}
	p.sides.Each(func(_ spectra.Side, s side) { known.add(s.target) })
	for _, e := range entries {
		if !known[e.Type] {
			return nil, "", fmt.Errorf("%s: neither version knows %s: list a type, or with a dot at the end a package, "+
				"that the module declares or imports", e.At, e.Type)
		}
		env.detail("%s: %s is not compared: %s", e.At, e.Type, e.What)
		names = append(names, e.Type)
		if old := string(p.oldName(spectra.Symbol(e.Type))); old != e.Type {
			names = append(names, old)
		}
	}
	what := fmt.Sprintf("%d types or packages are", len(entries))
	if len(entries) == 1 {
		what = entries[0].Type + " is"
	}
	return names, fmt.Sprintf("%s not compared, because %s says so", what, OpaqueFile), nil
}

// knownTypes holds the types and, with a dot at the end, the packages that a version can name.
type knownTypes map[string]bool

func (k knownTypes) add(t *target.Target) {
	seen := map[*types.Package]bool{}
	for _, p := range t.Packages {
		k.declared(p)
		k.imported(p.Types, seen)
	}
}

func (k knownTypes) imported(p *types.Package, seen map[*types.Package]bool) {
	if p == nil || seen[p] {
		return
	}
	seen[p] = true
	k[p.Path()+"."] = true
	for _, name := range p.Scope().Names() {
		if _, ok := p.Scope().Lookup(name).(*types.TypeName); ok {
			k[p.Path()+"."+name] = true
		}
	}
	for _, other := range p.Imports() {
		k.imported(other, seen)
	}
}

// declared adds the types declared inside of functions: states know them by their bare name too.
func (k knownTypes) declared(p *packages.Package) {
	if p.TypesInfo == nil {
		return
	}
	for _, object := range p.TypesInfo.Defs {
		if t, ok := object.(*types.TypeName); ok && t.Pkg() != nil {
			k[t.Pkg().Path()+"."+t.Name()] = true
		}
	}
}

// TypeRules lists the types that are not compared and those of which a part is, each with its
// reason.
func TypeRules() (opaque, partial [][2]string) {
	for _, rule := range spectra.OpaqueTypes() {
		opaque = append(opaque, [2]string{rule.Type, rule.What})
	}
	for _, rule := range spectra.PartialTypes() {
		partial = append(partial, [2]string{rule.Type, rule.What})
	}
	return opaque, partial
}
