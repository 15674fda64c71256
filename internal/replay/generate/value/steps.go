package value

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/spectradiff/spectradiff/internal/replay/sequence"
)

// Bounds of the steps within texts.
const (
	stepLengths   = 10 // up to 2 to the power of that many characters more or less
	stepPositions = 12 // replaced characters from each end of a text
	stepNumbers   = 3  // numbers in a text that are changed
)

// Steps calls found with values that differ from v in one step of one literal. Wanted texts are put into other texts.
// For a number, t is its type.
func Steps(v sequence.Value, t Type, wanted []string, found func(sequence.Value)) {
	text := func(text string) {
		other := v
		if other.Text = text; text != v.Text {
			found(other)
		}
	}
	switch v.Kind {
	case sequence.Bool:
		text(strconv.FormatBool(v.Text != "true"))
	case sequence.Int, sequence.Uint:
		integers(v.Text, func(n string) {
			if fits(n, v.Kind, t) {
				text(n)
			}
		})
	case sequence.Float:
		floats(v.Text, text)
	case sequence.String:
		lengths(v.Text, text)
		contents(v.Text, wanted, text)
		numbersIn(v.Text, text)
	case sequence.List:
		elements(v, found)
	}
	each(v, func(inner sequence.Value, put func(sequence.Value)) { Steps(inner, Type{}, wanted, put) }, found)
}

// integers makes steps from an integer of 64 bits, up to a few times its distance from 0. Larger steps mislead: where a
// product overflows, distant numbers seem near.
func integers(text string, found func(string)) {
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		return
	}
	for power := range 63 {
		step := int64(1) << power
		if step > 16 && step/4 > n && step/4 > -n {
			break
		}
		if n+step > n {
			found(strconv.FormatInt(n+step, 10))
		}
		if n-step < n {
			found(strconv.FormatInt(n-step, 10))
		}
	}
	if n != 0 && n != math.MinInt64 {
		found(strconv.FormatInt(-n, 10))
	}
}

// floats makes steps from a number.
func floats(text string, found func(string)) {
	x, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(x) || math.IsInf(x, 0) {
		return
	}
	for power := -10; power <= 40; power++ {
		for _, step := range []float64{math.Ldexp(1, power), -math.Ldexp(1, power)} {
			found(strconv.FormatFloat(x+step, 'g', -1, 64))
		}
	}
	found(strconv.FormatFloat(-x, 'g', -1, 64))
}

// lengths makes a text longer and shorter.
func lengths(text string, found func(string)) {
	last := "x"
	if r, size := utf8.DecodeLastRuneInString(text); size > 0 && r < utf8.RuneSelf {
		last = text[len(text)-size:]
	}
	for power := range stepLengths + 1 {
		n := 1 << power
		if len(text)+n <= maxText {
			found(text + strings.Repeat(last, n))
		}
		if n <= len(text) {
			found(text[:len(text)-n])
			found(text[n:])
		}
	}
}

// contents replaces and adds characters, by similar ones and by wanted texts.
func contents(text string, wanted []string, found func(string)) {
	for i := range len(text) + 1 {
		if i >= stepPositions && i <= len(text)-stepPositions {
			continue
		}
		for _, w := range wanted {
			if len(text)+len(w) > maxText {
				continue
			}
			found(text[:i] + w + text[i:])
			if i < len(text) {
				found(text[:i] + w + text[i+1:])
			}
		}
		if i == len(text) || text[i] >= utf8.RuneSelf {
			continue
		}
		for power := range 7 {
			for _, c := range []byte{text[i] + 1<<power, text[i] - 1<<power} {
				if c < utf8.RuneSelf {
					found(text[:i] + string(rune(c)) + text[i+1:])
				}
			}
		}
	}
}

// numbersIn makes steps from the first numbers in a text.
func numbersIn(text string, found func(string)) {
	digit := func(i int) bool { return i < len(text) && '0' <= text[i] && text[i] <= '9' }
	for start, count := 0, 0; start < len(text) && count < stepNumbers; start++ {
		if !digit(start) {
			continue
		}
		end := start
		for digit(end) {
			end++
		}
		integers(text[start:end], func(n string) { found(text[:start] + n + text[end:]) })
		start, count = end, count+1
	}
}

// elements makes a list longer and shorter.
func elements(v sequence.Value, found func(sequence.Value)) {
	n := len(v.Elems)
	for power := range 5 {
		other, count := v, 1<<power
		if n > 0 {
			other.Elems = append([]sequence.Value(nil), v.Elems...)
			for range count {
				other.Elems = append(other.Elems, v.Elems[n-1])
			}
			found(other)
		}
		if count <= n {
			other.Elems = v.Elems[: n-count : n-count]
			found(other)
		}
	}
}
