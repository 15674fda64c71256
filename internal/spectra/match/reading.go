package match

import (
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/spectra"
	rtnames "github.com/spectradiff/spectradiff/internal/spectra/rt/names"
)

// A reading holds the declarations of both versions under old's names, as far as renames were found so far.
type reading struct {
	*names
	byName  spectra.Pair[map[string]*declaration] // by name in old
	unknown spectra.Pair[map[string]bool]         // names of declarations without a counterpart
	inits   spectra.Pair[map[string][]piece]      // all init functions of a package together, by name in old
}

// index fills in the maps of a reading for the renames found so far.
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

// both returns the declarations of both versions by their name in old; nil where a version has none.
func (r *reading) both(name string) (old, new *declaration) {
	return r.byName.Old[name], r.byName.New[name]
}

// likeness returns how similar two declarations are under the names found so far, from 0 to 1.
func (r *reading) likeness(old, new *declaration) float64 {
	return dice(old.bag(r.spell(spectra.Old, old)), new.bag(r.spell(spectra.New, new)))
}

// inOld translates a name of one version to old's.
func (r *reading) inOld(side spectra.Side, name string) string {
	if side == spectra.Old {
		return name
	}
	return r.Old(name)
}

// spell returns the tokens of a declaration as they are compared for similarity: local variables without
// their numbers, and names without a counterpart as unknown.
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

// methodName returns the name of a type's method in old.
func (r *reading) methodName(side spectra.Side, d *declaration, method string) string {
	path, rest, _ := cutPackage(d.name)
	for _, symbol := range []string{d.name + "." + method, path + ".(*" + rest + ")." + method} {
		if old := r.byName.Old[r.inOld(side, symbol)]; old != nil {
			return old.short()
		}
	}
	return method
}

// hide translates the names in a text to old's, and replaces those without a counterpart by question marks.
func (r *reading) hide(side spectra.Side, text string) string {
	return hideNames(r.inOld(side, text), *r.unknown.Of(side))
}

// hideNames replaces the unknown names in a text by question marks.
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
	return rtnames.Replace(text, hidden)
}

// same reports whether both versions have a function, by its name in old, that is the same but for layout and
// renames.
func (r *reading) same(symbol string) bool {
	old, new := r.both(symbol)
	if old == nil && new == nil {
		before, was := r.inits.Old[symbol]
		after, is := r.inits.New[symbol]
		return was && is && r.sameTokens(before, after)
	}
	if old == nil || new == nil || old.kind != new.kind || old.sort != r.Old(new.sort) {
		return false
	}
	return r.sameTokens(old.tokens, new.tokens)
}

// forget drops the tokens of functions that are the same in both versions: in a large program they take more memory
// than its syntax. Without any they are the same still.
func (r *reading) forget() {
	for name, old := range r.byName.Old {
		if new := r.byName.New[name]; old.kind == function && r.same(name) {
			old.tokens, new.tokens = nil, nil
		}
	}
}

// sameTokens reports whether tokens of old and new are the same but for renames.
func (r *reading) sameTokens(old, new []piece) bool {
	return slices.EqualFunc(old, new, func(one, other piece) bool {
		return one.plain() == r.undone(other).plain()
	})
}

// indexInits fills in the init functions, when all renames are found.
func (r *reading) indexInits(found spectra.Pair[map[string][]piece]) {
	found.Each(func(side spectra.Side, of map[string][]piece) {
		byName := map[string][]piece{}
		for name, tokens := range of {
			byName[r.inOld(side, name)] = tokens
		}
		*r.inits.Of(side) = byName
	})
}

// undone returns a piece of new under old's names.
func (r *reading) undone(p piece) piece {
	if p.named {
		p.text = r.Old(p.text)
	}
	return p
}

// plain returns a piece without its line.
func (p piece) plain() piece {
	p.line = 0
	return p
}
