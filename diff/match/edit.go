package match

import "github.com/spectradiff/spectradiff/spectra"

// This file keeps renames out of what the text of two versions says of changes. There a declaration
// with another name is a removed and an added one. Such a change goes by the name in the version that
// has it, new where both do.

// An Edit is what differs in a function that both versions have, renames and layout undone.
type Edit struct {
	Renamed  spectra.Symbol // its name in old where the text says that it was added, else ""
	Old, New Lines          // where the function is
	Hunks    []Hunk         // in the order of the lines
}

// Elsewhere reports whether a declaration that the text says was removed is in new under another name.
func (m *Match) Elsewhere(declaration spectra.Symbol, change Change) bool {
	return change == Removed && m.inBoth(declaration)
}

// OnlyRenamed reports whether a changed variable, constant or type differs in its name alone, or is a
// removed one whose new name stands for it.
func (m *Match) OnlyRenamed(declaration spectra.Symbol, change Change) bool {
	if change == Removed {
		return m.inBoth(declaration)
	}
	return m.Same(m.symbolInOld(declaration))
}

// Edit returns what really changed in a function of which the text says that it changed: nil if that is
// what the text says. changed is false where nothing changed but names, or another change stands for
// this one: a function that new has under another name is one, not a removed and an added one.
func (m *Match) Edit(function spectra.Symbol, change Change) (edit *Edit, changed bool) {
	old := function
	if change != Removed {
		old = m.symbolInOld(function)
	}
	switch {
	case m.Same(old):
		return nil, false
	case change == Modified && len(m.renames) == 0, !m.inBoth(old):
		return nil, true
	case change == Removed:
		return nil, false // its new name stands for it
	}
	before, after, hunks, ok := m.hunks(old)
	if !ok {
		return nil, true
	}
	edit = &Edit{Old: before, New: after, Hunks: hunks}
	if change == Added {
		edit.Renamed = old
	}
	return edit, true
}

func (m *Match) symbolInOld(name spectra.Symbol) spectra.Symbol {
	return spectra.Symbol(m.Old(string(name)))
}
