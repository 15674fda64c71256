package generate

import (
	"slices"
	"strconv"
	"strings"

	"github.com/spectradiff/spectradiff/replay/target"
)

// This file defines the strings and numbers that a run works with: constants of the module, and
// strings that brought something new.

// limits of what is remembered.
const (
	maxEarned    = 512 // strings in all
	maxEarnedFor = 64  // strings for one parameter
	maxText      = 4096
)

type words struct {
	texts     map[string][]string // by package
	numbers   map[string][]float64
	allTexts  []string
	allNumber []float64
	earned    []string
	signs     []string
}

func newWords(pool *target.Pool) words {
	w := words{texts: map[string][]string{}, numbers: map[string][]float64{}, signs: strings.Split(signs, "")}
	if pool == nil {
		return w
	}
	for _, c := range pool.Strings {
		w.allTexts = append(w.allTexts, c.Text)
		for _, path := range c.Packages {
			w.texts[path] = append(w.texts[path], c.Text)
		}
	}
	for _, list := range [][]target.Constant{pool.Ints, pool.Floats, pool.Runes} {
		for _, c := range list {
			w.addNumber(c)
		}
	}
	for _, c := range pool.Runes {
		if r, err := strconv.ParseInt(c.Text, 0, 32); err == nil {
			w.signs = append(w.signs, string(rune(r)))
		}
	}
	return w
}

// addNumber adds a number; what a float64 can't hold exactly is rounded, and no integer then.
func (w *words) addNumber(c target.Constant) {
	n, err := strconv.ParseFloat(c.Text, 64)
	if err != nil {
		i, err := strconv.ParseInt(c.Text, 0, 64)
		if err != nil {
			return
		}
		n = float64(i)
	}
	w.allNumber = append(w.allNumber, n)
	for _, path := range c.Packages {
		w.numbers[path] = append(w.numbers[path], n)
	}
}

// earn remembers a string that brought something new, for its parameter and for all.
func (w *words) earn(g *generator, op *operation, param int, s string) {
	if op != nil && param < len(op.words) && !slices.Contains(op.words[param], s) {
		op.words[param] = put(g, op.words[param], s, maxEarnedFor)
	}
	if !slices.Contains(w.earned, s) {
		w.earned = put(g, w.earned, s, maxEarned)
	}
}

func put(g *generator, list []string, s string, limit int) []string {
	if len(list) < limit {
		return append(list, s)
	}
	list[g.rng.IntN(limit)] = s
	return list
}

// number draws a mined number, rather one of the operation's own package.
func (w *words) number(g *generator, op *operation) (float64, bool) {
	list := w.allNumber
	if op != nil && len(w.numbers[op.pkg]) > 0 && g.chance(0.7) {
		list = w.numbers[op.pkg]
	}
	if len(list) == 0 {
		return 0, false
	}
	return pick(g, list), true
}

// known draws a string that means something: a mined one, or one that brought something new.
func (g *generator) known(op *operation, param int) string {
	if op != nil && param < len(op.words) && len(op.words[param]) > 0 && g.chance(0.4) {
		return pick(g, op.words[param])
	}
	if len(g.words.earned) > 0 && g.chance(0.2) {
		return pick(g, g.words.earned)
	}
	if op != nil && len(g.words.texts[op.pkg]) > 0 && g.chance(0.7) {
		return pick(g, g.words.texts[op.pkg])
	}
	if len(g.words.allTexts) > 0 {
		return pick(g, g.words.allTexts)
	}
	return pick(g, fallbackTexts())
}

// fallbackTexts serve where the module has no strings.
func fallbackTexts() []string {
	return []string{"a", "abc", "key", "Hello, World", "a.b.c", "1.2.3", "x=1", "/a/b", "foo_bar", "fooBar", "true", "42"}
}

// text makes a string for a parameter.
func (g *generator) text(op *operation, param int) string {
	switch g.weighted(55, 30, 15) {
	case 0:
		return g.known(op, param)
	case 1:
		s := g.known(op, param)
		for range 1 + g.rng.IntN(3) {
			s = g.mutatedText(s, op)
		}
		return s
	default:
		switch n := g.rng.IntN(14); n {
		case 0, 1, 2:
			return ""
		case 3:
			return " "
		case 4:
			return strings.Repeat(pick(g, []string{"a", "0", "ab ", "é"}), 20+g.rng.IntN(100))
		case 5:
			return "0"
		case 6, 7, 8:
			return pick(g, fallbackTexts())
		default:
			return g.randomText()
		}
	}
}

// signs are characters that parsers and printers take notice of.
const signs = " \t\n\r\"'`[](){}<>.,;:=/\\|&*+-_#!?%$@^~0123456789aAzZeExX\x00éß世İ😀"

func (g *generator) sign() string { return pick(g, g.words.signs) }

func (g *generator) randomText() string {
	var b strings.Builder
	for range 1 + g.rng.IntN(8) {
		if g.chance(0.5) {
			b.WriteByte(byte('a' + g.rng.IntN(26)))
		} else {
			b.WriteString(g.sign())
		}
	}
	return b.String()
}
