package match

import (
	"cmp"
	"maps"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/spectra"
)

// A reading is how the declarations of both versions read under the names found so far.
type reading struct {
	*names
	byName  spectra.Pair[map[string]*declaration] // by old's names
	unknown spectra.Pair[map[string]bool]         // what only one version has and no counterpart was found for
}

// index finds what one version has and the other doesn't, as far as is known.
func (r *reading) index(declared spectra.Pair[[]*declaration]) {
	declared.Each(func(side spectra.Side, list []*declaration) {
		byName := map[string]*declaration{}
		for _, d := range list {
			byName[r.inOld(side, d.name)] = d
		}
		*r.byName.Of(side) = byName
	})
	r.unknown.Old, r.unknown.New = onlyIn(r.byName.Old, r.byName.New), onlyIn(r.byName.New, r.byName.Old)
}

// onlyIn returns the names that only the first version has.
func onlyIn(one, other map[string]*declaration) map[string]bool {
	only := map[string]bool{}
	for name := range one {
		if other[name] == nil {
			only[name] = true
		}
	}
	return only
}

// both returns the declarations of both versions by their name in old, nil where one has none.
func (r *reading) both(name string) (old, new *declaration) {
	return r.byName.Old[name], r.byName.New[name]
}

// likeness is how alike two declarations are under the names found so far.
func (r *reading) likeness(old, new *declaration) float64 {
	return dice(old.bag(r.spell(spectra.Old, old)), new.bag(r.spell(spectra.New, new)))
}

// inOld returns a name of one version as old has it.
func (r *reading) inOld(side spectra.Side, name string) string {
	if side == spectra.Old {
		return name
	}
	return r.Old(name)
}

// spell returns the tokens of a declaration as they are compared: what is local without its number,
// what has no counterpart as unknown.
func (r *reading) spell(side spectra.Side, d *declaration) []string {
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

// methodName returns the name that old has for a method of a type.
func (r *reading) methodName(side spectra.Side, d *declaration, method string) string {
	path, rest, _ := cutPackage(d.name)
	for _, symbol := range []string{d.name + "." + method, path + ".(*" + rest + ")." + method} {
		if old := r.byName.Old[r.inOld(side, symbol)]; old != nil {
			return old.short()
		}
	}
	return method
}

// hide translates the names in a text to old's and makes those without a counterpart unknown.
func (r *reading) hide(side spectra.Side, text string) string {
	return hideNames(r.inOld(side, text), *r.unknown.Of(side))
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

// same reports whether a function of both versions, by its old name, differs in names alone.
func (r *reading) same(symbol string) bool {
	old, new := r.both(symbol)
	if old == nil || new == nil || old.kind != new.kind || old.sort != r.Old(new.sort) {
		return false
	}
	return slices.EqualFunc(old.tokens, new.tokens, func(one, other piece) bool {
		return one.plain() == r.undone(other).plain()
	})
}

// undone returns a piece of new with old's names.
func (r *reading) undone(p piece) piece {
	if p.named {
		p.text = r.Old(p.text)
	}
	return p
}

// plain is a piece without its place.
func (p piece) plain() piece {
	p.line = 0
	return p
}

func sortedKeys[K cmp.Ordered, V any](m map[K]V) []K {
	return slices.Sorted(maps.Keys(m))
}
