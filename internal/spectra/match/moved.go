package match

import (
	"fmt"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// movedPackages matches packages that moved. They are recognised by the names and types that they declare.
func (r *matcher) movedPackages() {
	lists := spectra.MakePair(r.declaredIn)
	candidates := spectra.MakePair(func(side spectra.Side) (found []*candidate) {
		own, others := lists.Old, lists.New
		if side == spectra.New {
			own, others = others, own
		}
		for _, path := range slices.Sorted(maps.Keys(own)) {
			if others[path] != nil {
				continue
			}
			c := &candidate{
				declaration: &declaration{name: path}, tokens: len(own[path]), body: bag{counts: map[string]int{}},
			}
			for _, text := range own[path] {
				c.body.add(text)
			}
			found = append(found, c)
		}
		return found
	})
	for _, m := range matches(candidates.Old, candidates.New) {
		oldPath, newPath := m.old.declaration.name, m.new.declaration.name
		r.add(packageNames, oldPath, newPath)
		r.found = append(r.found, Rename{
			Old: spectra.Symbol(oldPath), New: spectra.Symbol(symbol.Rebase(newPath, r.oldModule, r.newModule)),
			Kind: "package", Similarity: m.similarity,
		})
	}
}

// declaredIn lists the declarations of one version as text, by the package's path in old.
func (r *matcher) declaredIn(side spectra.Side) map[string][]string {
	lists := map[string][]string{}
	for _, d := range *r.declared.Of(side) {
		path := spectra.Symbol(d.name).Package()
		text := strings.TrimPrefix(d.name, path) + strings.ReplaceAll(d.sort, path+".", ".")
		path = r.inOld(side, path)
		lists[path] = append(lists[path], text)
	}
	return lists
}

// fields matches the fields of struct types that both versions have.
func (r *matcher) fields(before, after map[string]*types.Struct) {
	r.reindex()
	inOld := map[string]*types.Struct{}
	for name, s := range after {
		inOld[r.Old(name)] = s
	}
	users := spectra.MakePair(r.users)
	for _, name := range slices.Sorted(maps.Keys(before)) {
		if inOld[name] != nil {
			r.fieldsOf(name, spectra.Pair[*types.Struct]{Old: before[name], New: inOld[name]}, users)
		}
	}
}

// fieldsOf matches those fields of one struct type that only one version has. Two fields of the same type
// correspond if mostly the same declarations use them, and don't take one for the opposite of the other.
func (r *matcher) fieldsOf(name string, structs spectra.Pair[*types.Struct], users spectra.Pair[map[string][]string]) {
	candidates := spectra.MakePair(func(side spectra.Side) (found []*candidate) {
		owner, other := name, structs.New
		if side == spectra.New {
			owner, other = r.New(name), structs.Old
		}
		for f := range (*structs.Of(side)).Fields() {
			if f.Name() == "_" || hasField(other, f.Name()) || r.overridden(side, f, name) {
				continue
			}
			c := &candidate{
				declaration: &declaration{name: name + "." + f.Name()},
				group:       r.inOld(side, symbol.Type(f.Type())),
				users:       bag{counts: map[string]int{}}, tokens: fewTokens,
			}
			for _, user := range (*users.Of(side))[owner+"."+f.Name()] {
				c.users.add(user)
			}
			// Only the users of a field can be compared. An embedded field needs no users: it has the name of
			// its type.
			c.body = bag{counts: c.users.counts, size: c.users.size}
			if f.Embedded() {
				c.body = newBag(nil)
			}
			found = append(found, c)
		}
		return found
	})
	for _, m := range matches(candidates.Old, candidates.New) {
		after := r.truths.New[r.New(name)+"."+m.new.declaration.short()]
		if r.truths.Old[m.old.declaration.name].inverted(after) {
			continue
		}
		r.add(otherNames, m.old.declaration.name, m.new.declaration.name)
		by := fmt.Sprintf("type and users, similarity %.2f", m.similarity)
		r.fieldNames[name] = append(r.fieldNames[name],
			FieldRename{m.old.declaration.short(), m.new.declaration.short(), by})
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
func (v *Version) structs() map[string]*types.Struct {
	found := map[string]*types.Struct{}
	for _, p := range v.Packages {
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
