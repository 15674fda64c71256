package target

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/spectra"
	"github.com/spectradiff/spectradiff/spectra/symbol"
)

// A Rename is a declaration that both versions have under different names.
type Rename struct {
	Old, New   spectra.Symbol // New as new has it
	Kind       string         // "func", "type", "var", "const", "package"
	Similarity float64        // of the bodies, fields or initialisers, all other renames undone

	by     string // what matched them, where it was no likeness
	shaped bool   // the signatures may differ
}

// By says what matched the two.
func (r *Rename) By() string {
	if r.by != "" {
		return r.by
	}
	by := map[string]string{
		"func": "body", "type": "fields, methods and users", "var": "type and initial value", "const": "value", "package": "declarations", "receiver": "name",
	}
	return fmt.Sprintf("%s, similarity %.2f", by[r.Kind], r.Similarity)
}

// A renamer matches what only one version has. A declaration that has no counterpart yet is
// spelled as unknown, so that one rename does not hide another; each match makes the rest more
// precise, until nothing more is found.
type renamer struct {
	names    *Names
	old, new []*declaration // of packages that type-check in both versions or exist in one only
	unknown  [2]map[string]bool
	found    []Rename
	byName   [2]map[string]*declaration // by old's names

	fieldNames map[string][]FieldRename // by old's type
}

// renames finds what was renamed, beside what is known.
func renames(old, new *Target, known []Override) *renamer {
	r := &renamer{names: newNames(old.Module, new.Module), fieldNames: map[string][]FieldRename{}}
	leftOut := onlyHalf(old, new)
	r.old, r.new = old.declarations(leftOut), new.declarations(leftOut)
	r.override(known, packageDecl)
	r.packages(old, new)
	r.override(known, typeDecl)
	r.fixedPoint(typeNames, matches, typeDecl)
	r.override(known, fieldDecl, function, variable, constDec)
	r.types(old, new)
	r.receivers()
	r.fixedPoint(otherNames, matches, function, variable, constDec)
	r.fixedPoint(otherNames, reshaped, function)
	r.fixedPoint(otherNames, matches, function, variable, constDec)
	r.weigh()
	return r
}

// onlyHalf tells which packages can't be compared, because one version of them is broken.
func onlyHalf(old, new *Target) func(path string) bool {
	broken := map[string]bool{}
	for _, t := range []*Target{old, new} {
		for _, b := range t.Broken {
			broken[symbol.Rebase(b.Package, t.Module, old.Module)] = true
		}
	}
	return func(path string) bool {
		return broken[symbol.Rebase(path, old.Module, old.Module)] || broken[symbol.Rebase(path, new.Module, old.Module)]
	}
}

// receivers matches methods whose receiver became a pointer, or ceased to be one.
func (r *renamer) receivers() {
	r.index()
	for _, name := range sortedKeys(r.unknown[0]) {
		old := r.byName[0][name]
		if old.kind != function || !isMethod(old) {
			continue
		}
		other := otherReceiver(name)
		if new := r.byName[1][other]; new != nil && r.unknown[1][other] {
			r.names.add(otherNames, name, other)
			r.found = append(r.found, Rename{Old: spectra.Symbol(name), New: spectra.Symbol(new.name), Kind: "receiver", shaped: true})
		}
	}
}

func isMethod(d *declaration) bool {
	return len(d.slots) > 0 && d.slots[0].Kind == spectra.Receiver
}

// otherReceiver gives a method with a pointer for its receiver, or without.
func otherReceiver(method string) string {
	if start := strings.LastIndex(method, ".(*"); start >= 0 {
		return method[:start] + "." + strings.Replace(method[start+len(".(*"):], ").", ".", 1)
	}
	dot := strings.LastIndexByte(method, '.')
	start := strings.LastIndexByte(method[:dot], '.')
	return method[:start] + ".(*" + method[start+1:dot] + ")" + method[dot:]
}

// fixedPoint matches declarations of some kinds until nothing more is found.
func (r *renamer) fixedPoint(step int, matches func(olds, news []*candidate) []match, kinds ...declKind) {
	for {
		r.index()
		olds, news := r.candidates(0, kinds), r.candidates(1, kinds)
		if len(olds) == 0 || len(news) == 0 {
			return
		}
		found := matches(olds, news)
		if len(found) == 0 {
			return
		}
		for _, m := range found {
			r.names.add(step, m.old.declaration.name, r.names.Old(m.new.declaration.name))
			r.found = append(r.found, Rename{
				Old: spectra.Symbol(m.old.declaration.name), New: spectra.Symbol(m.new.declaration.name),
				Kind: string(m.old.declaration.kind), shaped: m.shaped, by: m.by,
			})
		}
	}
}

// index finds what one version has and the other doesn't, as far as is known.
func (r *renamer) index() {
	for i, list := range [][]*declaration{r.old, r.new} {
		r.byName[i] = map[string]*declaration{}
		for _, d := range list {
			r.byName[i][r.inOld(i, d.name)] = d
		}
	}
	for i := range r.unknown {
		r.unknown[i] = map[string]bool{}
		for name := range r.byName[i] {
			if r.byName[1-i][name] == nil {
				r.unknown[i][name] = true
			}
		}
	}
}

func (r *renamer) inOld(side int, name string) string {
	if side == 0 {
		return name
	}
	return r.names.Old(name)
}

// candidates lists the declarations of some kinds that only one version has.
func (r *renamer) candidates(side int, kinds []declKind) []*candidate {
	var list []*candidate
	for _, name := range sortedKeys(r.unknown[side]) {
		if d := r.byName[side][name]; slices.Contains(kinds, d.kind) && !generated(d.short()) {
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

// spell gives the tokens of a declaration as they are compared: what is local without its number,
// what has no counterpart as unknown.
func (r *renamer) spell(side int, d *declaration) []string {
	var tokens []string
	for _, p := range slices.Concat(d.tokens, d.methods) {
		switch {
		case p.close:
		case p.local > 0:
			tokens = append(tokens, "local")
		case p.method != "":
			tokens = append(tokens, r.methodName(side, d, p.method)+r.hide(side, p.text))
		case p.named:
			tokens = append(tokens, r.hide(side, p.text))
		default:
			tokens = append(tokens, p.text)
		}
	}
	return tokens
}

// methodName gives the name that old has for a method of a type.
func (r *renamer) methodName(side int, d *declaration, method string) string {
	path, rest, _ := cutPackage(d.name)
	for _, symbol := range []string{d.name + "." + method, path + ".(*" + rest + ")." + method} {
		if old := r.byName[0][r.inOld(side, symbol)]; old != nil {
			return old.short()
		}
	}
	return method
}

// hide translates the names in a text to old's and makes those without a counterpart unknown.
func (r *renamer) hide(side int, text string) string {
	return hideNames(r.inOld(side, text), r.unknown[side])
}

// hideNames replaces the names in a text that only one version has.
func hideNames(text string, unknown map[string]bool) string {
	if len(unknown) == 0 {
		return text
	}
	if unknown[text] {
		return "?"
	}
	hidden := map[string]string{}
	for _, name := range namesIn(text) {
		for part := name; part != ""; part = part[:max(strings.LastIndexByte(part, '.'), 0)] {
			if unknown[part] {
				hidden[part] = "?.?"
			}
		}
	}
	return replaceNames(text, hidden)
}

// users lists for each declaration, by its own name, the common names of what mentions it.
func (r *renamer) users(side int) map[string][]string {
	list := r.old
	if side == 1 {
		list = r.new
	}
	users := map[string][]string{}
	for _, d := range list {
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

// mention notes the names in a text, and the types that methods and fields belong to.
func mention(text string, seen map[string]bool) {
	seen[text] = true
	for _, name := range namesIn(text) {
		seen[name] = true
	}
}

// weigh computes how alike the matched declarations are, now that all names are known, and drops
// those that turn out to have different signatures: they looked alike while a type was unknown.
func (r *renamer) weigh() {
	r.index()
	r.unknown = [2]map[string]bool{}
	r.found = slices.DeleteFunc(r.found, func(f Rename) bool {
		if f.Kind == "package" || f.shaped {
			return false
		}
		old, new := r.byName[0][string(f.Old)], r.byName[1][string(f.Old)]
		if old.sort == r.names.Old(new.sort) || old.kind == typeDecl {
			return false
		}
		r.names.remove(otherNames, old.name)
		return true
	})
	r.index()
	r.unknown = [2]map[string]bool{}
	for i := range r.found {
		f := &r.found[i]
		if old, new := r.byName[0][string(f.Old)], r.byName[1][string(f.Old)]; f.Kind != "package" {
			f.Similarity = dice(old.bag(r.spell(0, old)), new.bag(r.spell(1, new)))
		}
	}
	slices.SortFunc(r.found, func(x, y Rename) int { return strings.Compare(string(x.Old), string(y.Old)) })
}

// same reports whether a function of both versions, by its old name, differs in names alone.
func (r *renamer) same(symbol string) bool {
	old, new := r.byName[0][symbol], r.byName[1][symbol]
	if old == nil || new == nil || old.kind != new.kind || old.sort != r.names.Old(new.sort) {
		return false
	}
	return slices.EqualFunc(old.tokens, new.tokens, func(one, other piece) bool {
		return one.plain() == r.undone(other).plain()
	})
}

// undone gives a piece of new with old's names.
func (r *renamer) undone(p piece) piece {
	if p.named {
		p.text = r.names.Old(p.text)
	}
	return p
}

// plain is a piece without its place.
func (p piece) plain() piece {
	p.line = 0
	return p
}
