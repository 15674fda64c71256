package text

import (
	"strings"
	"unicode/utf8"

	"github.com/sergi/go-diff/diffmatchpatch"
)

// A part is a run of runes that is equal on both sides, or differs.
type part struct {
	text   string
	differ bool
}

const (
	leadContext = 12 // runes kept before the first difference where a value is cut
	markedFrom  = 12 // shorter values are not marked: the reader sees the difference
)

// value prints a label and the two values. Short ones stand side by side. Long ones stand one above the other, with the
// differing parts marked. Of very long ones only the beginnings are kept, which may be equal.
func (p *printer) value(indent, label, oldValue, newValue string) {
	oldValue, newValue = p.short(clean(oldValue)), p.short(clean(newValue))
	before, after := orNothing(oldValue), orNothing(newValue)
	if oldValue == newValue && oldValue != "" {
		p.line(indent, label+"  differs after the part of the values that is kept")
		return
	}
	if textWidth(indent+label+"  "+before+" → "+after) <= p.width {
		p.line(indent, label+"  "+p.paint(red, before)+" → "+p.paint(green, after))
		return
	}
	p.line(indent, label)
	room := max(minWidth/2, p.width-textWidth(indent)-4)
	oldCut, newCut := window(oldValue, newValue, room)
	oldParts, newParts := parts(oldCut, newCut)
	if oldCut != oldValue || newCut != newValue {
		unmarkEnds(oldParts, newParts)
	}
	p.side(indent+"  ", "- ", red, oldParts)
	p.side(indent+"  ", "+ ", green, newParts)
}

// nothing stands for an absent value.
const nothing = "(none)"

// orNothing makes an absent value visible.
func orNothing(value string) string {
	if value == "" {
		return nothing
	}
	return value
}

// side prints one value. On a terminal the parts that differ are coloured. Elsewhere they are underlined
// with carets, unless the whole line differs.
func (p *printer) side(indent, sign, color string, parts []part) {
	var text, carets strings.Builder
	length, differing := 0, 0
	for _, part := range parts {
		width := textWidth(part.text)
		length += width
		if part.differ {
			differing += width
			text.WriteString(p.paint(color, part.text))
			carets.WriteString(strings.Repeat("^", width))
			continue
		}
		text.WriteString(part.text)
		carets.WriteString(strings.Repeat(" ", width))
	}
	p.line(indent, p.paint(color, sign)+orNothing(text.String()))
	if !p.color && length >= markedFrom && differing > 0 && differing*2 <= length {
		p.line(indent+"  ", strings.TrimRight(carets.String(), " "))
	}
}

// window cuts both values to room columns around their first difference.
func window(oldValue, newValue string, room int) (string, string) {
	if textWidth(oldValue) <= room && textWidth(newValue) <= room {
		return oldValue, newValue
	}
	longest := max(utf8.RuneCountInString(oldValue), utf8.RuneCountInString(newValue))
	start := max(0, min(commonPrefix(oldValue, newValue)-leadContext, longest-room+1))
	return cut(oldValue, start, room), cut(newValue, start, room)
}

// commonPrefix counts the runes at the start that are equal.
func commonPrefix(oldValue, newValue string) int {
	n := 0
	for oldValue != "" && newValue != "" {
		oldRune, oldSize := utf8.DecodeRuneInString(oldValue)
		newRune, newSize := utf8.DecodeRuneInString(newValue)
		if oldRune != newRune {
			break
		}
		oldValue, newValue = oldValue[oldSize:], newValue[newSize:]
		n++
	}
	return n
}

// cut returns at most room columns of a value, beginning with the rune at start. It puts … where
// something is missing.
func cut(value string, start, room int) string {
	if start <= 1 {
		start = 0
	}
	for range start {
		_, size := utf8.DecodeRuneInString(value)
		value = value[size:]
	}
	lead := ""
	if start > 0 {
		lead = "…"
	}
	whole, width := 0, textWidth(lead) // bytes that leave room for another …, and columns so far
	for i, r := range value {
		width += runeWidth(r)
		if width > room {
			return lead + value[:whole] + "…"
		}
		if width < room {
			whole = i + utf8.RuneLen(r)
		}
	}
	return lead + value
}

// unmarkEnds makes the ends of two values that were cut equal, unless they differ nowhere else: they end where their
// room does, which says nothing of them.
func unmarkEnds(oldParts, newParts []part) {
	var ends []*part
	others := 0
	for _, side := range [][]part{oldParts, newParts} {
		for i := range side {
			switch {
			case !side[i].differ:
			case i == len(side)-1:
				ends = append(ends, &side[i])
			default:
				others++
			}
		}
	}
	for _, end := range ends {
		end.differ = others == 0
	}
}

// parts splits both values into parts that are equal and parts that differ.
func parts(oldValue, newValue string) (oldParts, newParts []part) {
	matcher := diffmatchpatch.New()
	matcher.DiffTimeout = 0 // no clock in results; the values are cut, so it is quick
	for _, diff := range matcher.DiffCleanupSemantic(matcher.DiffMain(oldValue, newValue, false)) {
		switch diff.Type {
		case diffmatchpatch.DiffEqual:
			oldParts = append(oldParts, part{diff.Text, false})
			newParts = append(newParts, part{diff.Text, false})
		case diffmatchpatch.DiffDelete:
			oldParts = append(oldParts, part{diff.Text, true})
		case diffmatchpatch.DiffInsert:
			newParts = append(newParts, part{diff.Text, true})
		}
	}
	return oldParts, newParts
}
