package value

import (
	"go/types"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/spectradiff/spectradiff/internal/replay/sequence"
)

// A Comparison is an observed comparison of two texts, or of two numbers in Go syntax. A parameter has one side only.
// All texts that one place compared with others have no sides.
type Comparison struct {
	Number, Alone bool
	Left, Right   string
	Together      []string
}

// maxAnswers is the maximum number of answers of one text to one comparison.
const maxAnswers = 24

// Answers returns texts that may change the outcome of a comparison if the text, or a part derived from it, was
// compared. The text itself is not among them.
func (c Comparison) Answers(text string) []string {
	var list []string
	switch {
	case c.Together != nil:
		list = exchanged(text, c.Together)
	case c.Alone && c.Number:
		list = resized(text, c.Left, "0")
	case c.Alone:
		list = replacedAll(text, c.Left, reduced(c.Left))
	case c.Number:
		list = slices.Concat(numbers(text, c.Left, c.Right), numbers(text, c.Right, c.Left))
	default:
		list = slices.Concat(texts(text, c.Left, c.Right), texts(text, c.Right, c.Left))
	}
	list = slices.DeleteFunc(list, func(s string) bool { return s == text || len(s) > maxText })
	return list[:min(len(list), maxAnswers)]
}

// Words returns the sides of a comparison that are worth remembering as texts.
func (c Comparison) Words() []string {
	if c.Number || c.Alone || c.Together != nil {
		return nil
	}
	return []string{c.Left, c.Right}
}

// texts answers if a text contains one side, in any case of letters.
func texts(text, side, other string) []string {
	if side == "" {
		return []string{other} // for an empty text the answer is the whole other text
	}
	if strings.Contains(text, side) {
		return replacedAll(text, side, append(neighbours(other), other+side, side+other))
	}
	lower, part := strings.ToLower(text), strings.ToLower(side) // lower may be longer or shorter than the text
	if at := strings.Index(lower, part); at >= 0 && len(lower) == len(text) {
		return []string{text[:at] + other + text[at+len(part):]}
	}
	return nil
}

// exchanged puts each of the other words where a text has one of them, the longest.
func exchanged(text string, words []string) []string {
	longest := ""
	for _, w := range words {
		if len(w) > len(longest) && strings.Contains(text, w) {
			longest = w
		}
	}
	return replacedAll(text, longest, words)
}

// neighbours returns a text and similar ones.
func neighbours(text string) []string {
	list := []string{text}
	if _, size := utf8.DecodeLastRuneInString(text); size > 0 {
		last := text[len(text)-size:]
		list = append(list, text[:len(text)-size], text+last, text+"x", "x"+text)
	}
	return list
}

// reduced returns parts of a text, and a few unusual ones.
func reduced(text string) []string {
	list := []string{"", text + text}
	if _, first := utf8.DecodeRuneInString(text); first > 0 {
		_, last := utf8.DecodeLastRuneInString(text)
		list = append(list, text[:first], text[len(text)-last:], text[:len(text)-last], text[first:],
			text[:first]+text[len(text)-last:])
	}
	return append(list, "\x00", " ", "\n", "\\", "é", "\xff")
}

// replacedAll replaces the first and the last occurrence of a part of a text by each of the others.
func replacedAll(text, part string, others []string) []string {
	first, last := strings.Index(text, part), strings.LastIndex(text, part)
	if part == "" || first < 0 {
		return nil
	}
	var list []string
	for _, other := range others {
		list = append(list, text[:first]+other+text[first+len(part):])
		if last != first {
			list = append(list, text[:last]+other+text[last+len(part):])
		}
	}
	return list
}

// numbers answers if one side is the length of a text, a character in it, or written in it.
func numbers(text, side, other string) []string {
	list := resized(text, side, other)
	from, whole1 := whole(side)
	to, whole2 := whole(other)
	if !whole1 || !whole2 {
		return append(list, replacedAll(text, side, []string{other})...)
	}
	side = strconv.FormatInt(from, 10)
	for delta := range int64(3) {
		to := to + delta - 1
		if isCharacter(from) && isCharacter(to) {
			list = append(list, replacedAll(text, character(from), []string{character(to)})...)
		}
		list = append(list, replacedAll(text, side, []string{strconv.FormatInt(to, 10)})...)
	}
	return list
}

// whole returns the value of a number without a fraction.
func whole(number string) (int64, bool) {
	if n, err := strconv.ParseInt(number, 10, 64); err == nil {
		return n, true
	}
	x, err := strconv.ParseFloat(number, 64)
	return int64(x), err == nil && x == math.Trunc(x) && math.Abs(x) < 1<<53
}

func isCharacter(n int64) bool { return 0 <= n && n <= utf8.MaxRune }

// character returns the text of one code point.
func character(n int64) string { return string(rune(n)) }

// resized answers if a number is the length of a text: with texts of the other length, one less and one more.
func resized(text, length, other string) []string {
	from, err1 := strconv.Atoi(length)
	to, err2 := strconv.Atoi(other)
	if err1 != nil || err2 != nil || to > maxText || from != len(text) && from != utf8.RuneCountInString(text) {
		return nil
	}
	var list []string
	for n := to - 1; n <= to+1; n++ {
		switch {
		case n < 0:
		case n <= len(text):
			list = append(list, text[:n], text[len(text)-n:])
		case text == "":
			list = append(list, strings.Repeat("x", n))
		default:
			list = append(list, strings.Repeat(text, n/len(text)+1)[:n])
		}
	}
	return list
}

// Numbers returns numbers that may change the outcome of a comparison if the number is one of its sides.
func (c Comparison) Numbers(number string) []string {
	if !c.Number {
		return nil
	}
	var list []string
	near := func(text string) {
		if n, err := strconv.ParseInt(text, 10, 64); err == nil && n-1 < n && n < n+1 {
			list = append(list, text, strconv.FormatInt(n-1, 10), strconv.FormatInt(n+1, 10))
		} else {
			list = append(list, text)
		}
	}
	switch {
	case c.Alone && number == c.Left:
		list = []string{"0", "1", "-1", "2"}
		near(c.Left)
	case number == c.Left:
		near(c.Right)
	case number == c.Right:
		near(c.Left)
	}
	return slices.DeleteFunc(list, func(s string) bool { return s == number || s == "" })
}

// Floats returns floating-point numbers that may change the outcome of a comparison if the number is one of its sides.
func (c Comparison) Floats(number string) (list []string) {
	is, err := strconv.ParseFloat(number, 64)
	if err != nil || !c.Number {
		return nil
	}
	near := func(side, other string) {
		from, err1 := strconv.ParseFloat(side, 64)
		to, err2 := strconv.ParseFloat(other, 64)
		if err1 == nil && err2 == nil && from == is {
			for _, x := range []float64{to, to - 1, to + 1} {
				list = append(list, sequence.FloatText(x, 64))
			}
		}
	}
	if c.Alone {
		near(c.Left, "0")
	}
	near(c.Left, c.Right)
	near(c.Right, c.Left)
	return slices.DeleteFunc(list, func(s string) bool { return s == number })
}

// Each calls found with every value in which one literal is replaced by an answer. For a number, t is its type; it is
// empty for values inside others.
func (c Comparison) Each(v sequence.Value, t Type, found func(sequence.Value)) {
	switch v.Kind {
	case sequence.String:
		for _, text := range c.Answers(v.Text) {
			other := v
			other.Text = text
			found(other)
		}
	case sequence.Float:
		for _, text := range c.Floats(v.Text) {
			other := v
			other.Text = text
			found(other)
		}
	case sequence.Int, sequence.Uint:
		for _, text := range c.Numbers(v.Text) {
			if fits(text, v.Kind, t) {
				other := v
				other.Text = text
				found(other)
			}
		}
	}
	each(v, func(inner sequence.Value, put func(sequence.Value)) { c.Each(inner, Type{}, put) }, found)
}

// each visits the exchangeable values directly inside another one. It passes replacements on as parts of the whole.
func each(
	v sequence.Value, visit func(inner sequence.Value, put func(sequence.Value)), found func(sequence.Value),
) {
	for i := range v.Elems {
		visit(v.Elems[i], func(elem sequence.Value) {
			other := v
			other.Elems = append([]sequence.Value(nil), v.Elems...)
			other.Elems[i] = elem
			if other.Kind != sequence.Map || i%2 == 1 { // keys stay distinct
				found(other)
			}
		})
	}
	for i := range v.Fields {
		if !v.Fields[i].Exported() {
			continue
		}
		visit(v.Fields[i].Value, func(field sequence.Value) {
			other := v
			other.Fields = append([]sequence.Field(nil), v.Fields...)
			other.Fields[i].Value = field
			found(other)
		})
	}
}

// fits reports whether an integer has the type of a literal. Small ones have every type.
func fits(text string, kind sequence.ValueKind, t Type) bool {
	n, err := strconv.ParseInt(text, 10, 64)
	switch {
	case err != nil || kind == sequence.Uint && n < 0:
		return false
	case -100 <= n && n <= 100:
		return true
	}
	return t.Basic != nil && t.Basic.Info()&types.IsInteger != 0 && t.Fits(n)
}
