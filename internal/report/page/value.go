package page

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/report/text"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// A value is a value that differs, as the template shows it.
type value struct {
	Label    string
	Output   bool
	Old, New []text.Part
	Behind   bool // what is kept of the values is equal
}

// values returns the values of a finding, and how many are left out. Of executions of which no value was kept, the
// table of deviations names the functions.
func (v *viewer) values(root *report.Root) (list []value, more int) {
	said := func(d report.Difference) bool { return d.Old != "" || d.New != "" }
	all := slices.DeleteFunc(v.words.Differing(root), func(d report.Difference) bool { return !said(d) })
	for _, d := range all[:min(len(all), maxValues)] {
		of := value{Label: cut(strings.TrimSuffix(v.words.Label(root, d), " (output)"), nameRoom), Output: d.Output}
		before, after := v.pair(d.Old, d.New, valueRoom)
		of.Behind = d.Old != "" && plain(before) == plain(after)
		of.Old, of.New = marked(before), marked(after)
		list = append(list, of)
	}
	return list, len(all) - len(list)
}

// pair returns both values as parts that are equal or differ. An absent value has no part.
func (v *viewer) pair(before, after string, room int) (oldParts, newParts []text.Part) {
	return text.Marked(v.words.Lines(before), v.words.Lines(after), room)
}

// markedFrom is how long a value is in which marks help.
const markedFrom = 12

// marked returns the parts of a value, without marks where they do not help: it is short, or all of it differs.
func marked(parts []text.Part) []text.Part {
	whole := plain(parts)
	alike := slices.ContainsFunc(parts, func(p text.Part) bool { return !p.Differ })
	if whole == "" || alike && utf8.RuneCountInString(whole) >= markedFrom {
		return parts
	}
	return []text.Part{{Text: whole}}
}

// plain returns the text of parts.
func plain(parts []text.Part) string {
	var out strings.Builder
	for _, p := range parts {
		out.WriteString(p.Text)
	}
	return out.String()
}

// name returns a printable text of one line that is short enough for a name.
func (v *viewer) name(of string) string { return v.short(of, nameRoom) }

// short returns a printable text of one line with at most so many columns. What can't be shown is not looked at.
func (v *viewer) short(of string, room int) string {
	return cut(v.words.Short(of[:min(len(of), 8*room)]), room)
}

// prose bounds a sentence that is printable already.
func (v *viewer) prose(sentence string) string { return cut(sentence, proseRoom) }

// lines returns sentences, printable and bounded.
func (v *viewer) lines(list []string) []string {
	out := make([]string, 0, len(list))
	for _, l := range list[:min(len(list), maxRows+1)] {
		out = append(out, v.short(l, proseRoom))
	}
	return append(out, make([]string, len(list)-len(out))...) // they are counted, and not shown
}

// cutList returns the first lines, and how many are left out.
func cutList(list []string) ([]string, int) {
	n := min(len(list), maxRows)
	return list[:n], len(list) - n
}

// cut returns the beginning of a text.
func cut(text string, room int) string { return spectra.Shorten(text, room) }

// count groups the digits of a number.
func count(n int) string { return text.Count(n) }
