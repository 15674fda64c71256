package match

import "github.com/spectradiff/spectradiff/internal/spectra"

// An Edit lists the differences in a function that both versions have, apart from renames and layout. A comparison of
// texts, such as that of package source, lists a renamed declaration as a removed one and an added one; an Edit
// corrects that.
type Edit struct {
	Renamed  spectra.Symbol // the function's name in old if it was renamed, else ""
	Old, New spectra.Lines  // where the function is
	Hunks    []spectra.Hunk // in the order of the lines
}

// Elsewhere reports whether a declaration that was removed from the text is in new under another name.
func (m *Match) Elsewhere(declaration spectra.Symbol, change spectra.Change) bool {
	return change == spectra.ChangeRemoved && m.inBoth(declaration)
}

// OnlyRenamed reports whether a changed variable, constant or type is the same but for its name. It also
// reports true for the removed half of a rename: what changed, if anything, is reported for its new name.
func (m *Match) OnlyRenamed(declaration spectra.Symbol, change spectra.Change) bool {
	if change == spectra.ChangeRemoved {
		return m.inBoth(declaration)
	}
	return m.Same(m.symbolInOld(declaration))
}

// Edit returns what really changed in a function that changed in the text; nil if the text is right. It
// reports false if nothing changed but names, and for the removed half of a rename: the whole edit is
// returned for the new name.
func (m *Match) Edit(function spectra.Symbol, change spectra.Change) (edit *Edit, changed bool) {
	old := function
	if change != spectra.ChangeRemoved {
		old = m.symbolInOld(function)
	}
	switch {
	case m.Same(old):
		return nil, false
	case change == spectra.ChangeModified && len(m.renames) == 0, !m.inBoth(old):
		return nil, true
	case change == spectra.ChangeRemoved:
		return nil, false // its new name stands for it
	}
	before, after, hunks, ok := m.hunks(old)
	if !ok {
		return nil, true
	}
	edit = &Edit{Old: before, New: after, Hunks: hunks}
	if change == spectra.ChangeAdded {
		edit.Renamed = old
	}
	return edit, true
}

func (m *Match) symbolInOld(name spectra.Symbol) spectra.Symbol {
	return spectra.Symbol(m.Old(string(name)))
}
