package target

import (
	"fmt"
	"go/types"
	"strings"

	"github.com/spectradiff/spectradiff/spectra"
	"github.com/spectradiff/spectradiff/spectra/symbol"
)

// This file matches packages and fields.

// packages matches packages that moved: what they declare has the same names.
func (r *renamer) packages(old, new *Target) {
	lists := [2]map[string][]string{{}, {}}
	for i, list := range [][]*declaration{r.old, r.new} {
		for _, d := range list {
			path := spectra.Symbol(d.name).Package()
			text := strings.TrimPrefix(d.name, path) + strings.ReplaceAll(d.sort, path+".", ".")
			path = r.inOld(i, path)
			lists[i][path] = append(lists[i][path], text)
		}
	}
	var candidates [2][]*candidate
	for i := range lists {
		for _, path := range sortedKeys(lists[i]) {
			if lists[1-i][path] != nil {
				continue
			}
			c := &candidate{declaration: &declaration{name: path}, body: bag{counts: map[string]int{}}, tokens: len(lists[i][path])}
			for _, text := range lists[i][path] {
				c.body.add(text)
			}
			candidates[i] = append(candidates[i], c)
		}
	}
	for _, m := range matches(candidates[0], candidates[1]) {
		oldPath, newPath := m.old.declaration.name, m.new.declaration.name
		r.names.add(packageNames, oldPath, newPath)
		r.found = append(r.found, Rename{
			Old: spectra.Symbol(oldPath), New: spectra.Symbol(symbol.Rebase(newPath, old.Module, new.Module)), Kind: "package", Similarity: m.similarity,
		})
	}
}

// types matches the fields of struct types that both versions have.
func (r *renamer) types(old, new *Target) {
	r.index()
	before, after := old.structs(), new.structs()
	inOld := map[string]*types.Struct{}
	for name, s := range after {
		inOld[r.names.Old(name)] = s
	}
	oldUsers, newUsers := r.users(0), r.users(1)
	for _, name := range sortedKeys(before) {
		if inOld[name] != nil {
			r.fields(name, before[name], inOld[name], oldUsers, newUsers)
		}
	}
}

// fields matches the fields of one type that only one version has: those of the same type, if
// there is one on each side or as many with the same users.
func (r *renamer) fields(name string, old, new *types.Struct, oldUsers, newUsers map[string][]string) {
	var candidates [2][]*candidate
	for i, pair := range [][2]*types.Struct{{old, new}, {new, old}} {
		users := oldUsers
		own := name
		if i == 1 {
			users, own = newUsers, r.names.New(name)
		}
		for f := range pair[0].Fields() {
			if f.Name() == "_" || hasField(pair[1], f.Name()) || r.overridden(i, f, name) {
				continue
			}
			c := &candidate{
				declaration: &declaration{name: name + "." + f.Name()},
				group:       r.inOld(i, symbol.Type(f.Type())), users: bag{counts: map[string]int{}}, tokens: fewTokens,
			}
			for _, user := range users[own+"."+f.Name()] {
				c.users.add(user)
			}
			// What uses a field is all there is to compare. An embedded one is named after its type.
			c.body = bag{counts: c.users.counts, size: c.users.size}
			if f.Embedded() {
				c.body = newBag(nil)
			}
			candidates[i] = append(candidates[i], c)
		}
	}
	for _, m := range matches(candidates[0], candidates[1]) {
		r.names.add(otherNames, m.old.declaration.name, m.new.declaration.name)
		r.fieldNames[name] = append(r.fieldNames[name], FieldRename{m.old.declaration.short(), m.new.declaration.short(), fmt.Sprintf("type and users, similarity %.2f", m.similarity)})
	}
}

func hasField(s *types.Struct, name string) bool {
	for f := range s.Fields() {
		if f.Name() == name {
			return true
		}
	}
	return false
}

// structs lists the declared struct types.
func (t *Target) structs() map[string]*types.Struct {
	found := map[string]*types.Struct{}
	for _, p := range t.Packages {
		for _, name := range p.Types.Scope().Names() {
			object, ok := p.Types.Scope().Lookup(name).(*types.TypeName)
			if !ok || object.IsAlias() || generated(name) {
				continue
			}
			if s, ok := object.Type().Underlying().(*types.Struct); ok {
				found[p.PkgPath+"."+name] = s
			}
		}
	}
	return found
}
