package match

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// A Rename is a declaration that both versions have under different names.
type Rename struct {
	Old, New   spectra.Symbol // each under its own version's names
	Kind       string         // "func", "type", "var", "const", "package"; "receiver" if only that differs
	Similarity float64        // of the bodies, fields or initialisers, apart from all other renames

	by     string // what matched them, if it was not the similarity
	shaped bool   // the signatures may differ
}

// By returns in words how the two were matched.
func (r *Rename) By() string {
	if r.by != "" {
		return r.by
	}
	by := map[string]string{
		"func": "body", "type": "fields, methods and users", "var": "type and initial value", "const": "value",
		"package": "declarations", "receiver": "name",
	}
	return fmt.Sprintf("%s, similarity %.2f", by[r.Kind], r.Similarity)
}

// A matcher matches declarations that only one version has. Where a body mentions a declaration that has no
// counterpart yet, both sides read as unknown, so that one rename does not hide another. Each match makes the
// others more precise, so matching is repeated until nothing more is found.
type matcher struct {
	reading
	declared   spectra.Pair[[]*declaration] // of packages that type-check in both versions or exist in one only
	found      []Rename
	fieldNames map[string][]FieldRename // by old's type
	truths     spectra.Pair[map[string]truth]
}

// findRenames finds renames, in addition to those that the user states.
func findRenames(old, new *Version, known []override) *matcher {
	leftOut := onlyHalf(old, new)
	r := &matcher{
		reading:    reading{names: newNames(old.Module, new.Module)},
		declared:   spectra.Pair[[]*declaration]{Old: old.declarations(leftOut), New: new.declarations(leftOut)},
		fieldNames: map[string][]FieldRename{},
		truths:     spectra.Pair[map[string]truth]{Old: old.truths(), New: new.truths()},
	}
	r.override(known, packageDecl)
	r.movedPackages()
	r.override(known, typeDecl)
	r.fixedPoint(typeNames, matches, typeDecl)
	r.override(known, fieldDecl, function, variable, constDec)
	r.fields(old.structs(), new.structs())
	r.receivers()
	r.fixedPoint(otherNames, matches, function, variable, constDec)
	r.fixedPoint(otherNames, reshaped, function)
	r.fixedPoint(otherNames, matches, function, variable, constDec)
	r.weigh()
	return r
}

// reindex updates which declarations both versions have, after more renames were found.
func (r *matcher) reindex() { r.index(r.declared) }

// onlyHalf returns a function that reports whether a package does not type-check in one of the versions, so
// that nothing of it can be compared.
func onlyHalf(old, new *Version) func(path string) bool {
	broken := map[string]bool{}
	for _, v := range []*Version{old, new} {
		for _, path := range v.Broken {
			broken[symbol.Rebase(path, v.Module, old.Module)] = true
		}
	}
	return func(path string) bool { return broken[path] || broken[symbol.Rebase(path, new.Module, old.Module)] }
}

// receivers matches methods whose receiver became a pointer or is no longer one.
func (r *matcher) receivers() {
	r.reindex()
	for _, name := range slices.Sorted(maps.Keys(r.unknown.Old)) {
		old := r.byName.Old[name]
		if old.kind != function || !isMethod(old) {
			continue
		}
		other := otherReceiver(name)
		if new := r.byName.New[other]; new != nil && r.unknown.New[other] {
			r.add(otherNames, name, other)
			r.found = append(r.found, Rename{
				Old: spectra.Symbol(name), New: spectra.Symbol(new.name), Kind: "receiver", shaped: true,
			})
		}
	}
}

func isMethod(d *declaration) bool {
	return len(d.slots) > 0 && d.slots[0].Kind == spectra.Receiver
}

// otherReceiver returns the name of a method with a pointer receiver if it has a value receiver, and the
// other way round.
func otherReceiver(method string) string {
	if start := strings.LastIndex(method, ".(*"); start >= 0 {
		return method[:start] + "." + strings.Replace(method[start+len(".(*"):], ").", ".", 1)
	}
	dot := strings.LastIndexByte(method, '.')
	start := strings.LastIndexByte(method[:dot], '.')
	return method[:start] + ".(*" + method[start+1:dot] + ")" + method[dot:]
}

// fixedPoint matches declarations of some kinds until nothing more is found.
func (r *matcher) fixedPoint(step int, matches func(olds, news []*candidate) []match, kinds ...declKind) {
	for {
		r.reindex()
		olds, news := r.candidates(spectra.Old, kinds), r.candidates(spectra.New, kinds)
		if len(olds) == 0 || len(news) == 0 {
			return
		}
		found := matches(olds, news)
		if len(found) == 0 {
			return
		}
		for _, m := range found {
			r.add(step, m.old.declaration.name, r.Old(m.new.declaration.name))
			r.found = append(r.found, Rename{
				Old: spectra.Symbol(m.old.declaration.name), New: spectra.Symbol(m.new.declaration.name),
				Kind: string(m.old.declaration.kind), shaped: m.shaped, by: m.by,
			})
		}
	}
}

// candidates lists the declarations of some kinds that only one version has.
func (r *matcher) candidates(side spectra.Side, kinds []declKind) []*candidate {
	var list []*candidate
	for _, name := range slices.Sorted(maps.Keys(*r.unknown.Of(side))) {
		if d := (*r.byName.Of(side))[name]; slices.Contains(kinds, d.kind) && !generated(d.short()) {
			list = append(list, &candidate{declaration: d})
		}
	}
	if len(list) == 0 {
		return nil
	}
	users := r.users(side)
	for _, c := range list {
		tokens := r.spell(side, c.declaration)
		c.group = string(c.declaration.kind) + " " + r.hide(side, c.declaration.sort)
		c.body, c.tokens = c.declaration.bag(tokens), len(tokens)
		c.users = bag{counts: map[string]int{}}
		for _, user := range users[c.declaration.name] {
			c.users.add(user)
		}
	}
	return list
}

// users lists for each declaration, by its name in its own version, the declarations that mention it, by
// their names in old.
func (r *matcher) users(side spectra.Side) map[string][]string {
	users := map[string][]string{}
	for _, d := range *r.declared.Of(side) {
		user := r.hide(side, d.name)
		if user == "?" {
			user += " " + r.hide(side, d.sort)
		}
		seen := map[string]bool{}
		for _, p := range d.tokens {
			if p.named {
				mention(p.text, seen)
			}
		}
		mention(d.sort, seen)
		for name := range seen {
			users[name] = append(users[name], user)
		}
	}
	return users
}

// mention adds the names in a text to seen, and the types that methods and fields belong to.
func mention(text string, seen map[string]bool) {
	seen[text] = true
	for _, name := range namesIn(text) {
		seen[name] = true
	}
}

// weigh computes how similar the matched declarations are, now that all names are known. It drops those that
// turn out to have different signatures: they were matched while a type in them was unknown.
func (r *matcher) weigh() {
	r.reindex()
	r.unknown = spectra.Pair[map[string]bool]{}
	r.found = slices.DeleteFunc(r.found, func(f Rename) bool {
		if f.Kind == "package" || f.shaped {
			return false
		}
		old, new := r.both(string(f.Old))
		if old.sort == r.Old(new.sort) || old.kind == typeDecl {
			return false
		}
		r.remove(otherNames, old.name)
		return true
	})
	r.reindex()
	r.unknown = spectra.Pair[map[string]bool]{}
	for i := range r.found {
		f := &r.found[i]
		if old, new := r.both(string(f.Old)); f.Kind != "package" {
			f.Similarity = r.likeness(old, new)
		}
	}
	slices.SortFunc(r.found, func(x, y Rename) int { return strings.Compare(string(x.Old), string(y.Old)) })
}
