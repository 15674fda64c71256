package source

import (
	"maps"
	"path"
	"slices"
	"strconv"

	"github.com/spectradiff/spectradiff/internal/spectra"
)

// declarations compares the folders whose Go files changed.
func (c *comparison) declarations() {
	folders, changed := map[string]bool{}, map[string]bool{}
	for _, f := range c.changes.Files {
		if f.Kind == GoFile {
			folders[path.Dir(f.Path)] = true
			changed[f.Path] = true
		}
	}
	for _, dir := range slices.Sorted(maps.Keys(folders)) {
		old, problems := c.Old.folder(dir, changed)
		c.changes.Problems = append(c.changes.Problems, problems...)
		new, problems := c.New.folder(dir, changed)
		c.changes.Problems = append(c.changes.Problems, problems...)
		c.match(group(old), group(new))
		c.order(dir, old, new)
	}
}

// key is equal for the same declaration in two versions, even if the module's path differs. Files that are
// not built on this host, or not with each toolchain, may declare the same names as other files, so for these the file
// is a part of the key.
type key struct {
	kind           DeclKind
	name           string
	test, external bool
	file           string
}

func keyOf(d declaration) key {
	k := key{kind: d.change.Kind, name: d.name, test: d.change.Test, external: d.external}
	if d.apart {
		k.file = d.span.File
	}
	return k
}

// group groups declarations by key. Most keys have one declaration. Init functions and blank declarations may
// have several, which are numbered. Of equal imports and directives in several files only the first is kept:
// whether a file has another import than before, FileChange.Imports says.
func group(all []declaration) map[key][]declaration {
	groups := map[key][]declaration{}
	for i := range all {
		d := &all[i]
		k := keyOf(*d)
		if (d.change.Kind == Import || d.change.Kind == Directive) && has(groups[k], d.tokens) {
			continue
		}
		if d.name == "_" || d.name == "init" && d.change.Kind == Function {
			d.change.Symbol += spectra.Symbol("." + strconv.Itoa(len(groups[k])))
		}
		groups[k] = append(groups[k], *d)
	}
	return groups
}

func has(list []declaration, tokens string) bool {
	for _, d := range list {
		if d.tokens == tokens {
			return true
		}
	}
	return false
}

// match records what differs. It need not follow an order, because changes are sorted at the end.
func (c *comparison) match(old, new map[key][]declaration) {
	for k, before := range old {
		before, after := withoutEqual(before, new[k])
		for i := range max(len(before), len(after)) {
			switch {
			case i >= len(after):
				c.record(&before[i], nil)
			case i >= len(before):
				c.record(nil, &after[i])
			default:
				c.record(&before[i], &after[i])
			}
		}
	}
	for k, after := range new {
		if _, known := old[k]; known {
			continue
		}
		for i := range after {
			c.record(nil, &after[i])
		}
	}
}

// withoutEqual returns the declarations of each side without those that are equal on both. So an init
// function that is put in front of others doesn't change these.
func withoutEqual(old, new []declaration) (oldLeft, newLeft []declaration) {
	free := map[string]int{}
	for _, d := range new {
		free[d.tokens]++
	}
	matched := map[string]int{}
	for _, d := range old {
		if free[d.tokens] > 0 {
			free[d.tokens]--
			matched[d.tokens]++
			continue
		}
		oldLeft = append(oldLeft, d)
	}
	for _, d := range new {
		if matched[d.tokens] > 0 {
			matched[d.tokens]--
			continue
		}
		newLeft = append(newLeft, d)
	}
	return oldLeft, newLeft
}

func (c *comparison) record(old, new *declaration) {
	var change Change
	switch {
	case old == nil:
		change = new.change
		change.What = spectra.ChangeAdded
	case new == nil:
		change = old.change
		change.What = spectra.ChangeRemoved
	default:
		change = new.change
		change.What = spectra.ChangeModified
		change.Signature = old.signature != new.signature
		change.Directed = old.directed != new.directed
		if new.name == "init" && change.Kind == Function {
			change.Before = old.change.Symbol
		}
	}
	change.Starts = old != nil && old.starts() || new != nil && new.starts()
	if old != nil {
		change.Old = old.span
		change.File = old.span.File
	}
	if new != nil {
		change.New = new.span
		change.File = new.span.File
	}
	c.changes.Declarations = append(c.changes.Declarations, change)
}
