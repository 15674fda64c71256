package generate

import (
	"cmp"
	"go/constant"
	"go/types"
	"slices"
	"strings"
)

// This file defines the strings and numbers that a run works with: constants of the module, and
// strings that brought something new.

// limits of what is remembered.
const (
	maxEarned    = 512 // strings in all
	maxEarnedFor = 64  // strings for one parameter
	maxText      = 4096
	changedBonus = 3 // further times that a constant of changed code is in the lists
)

type words struct {
	texts      map[string][]string // by package
	numbers    map[string][]float64
	allTexts   []string
	allNumbers []float64
	earned     []string
	signs      []string
}

func newWords(constants []Constant) words {
	w := words{texts: map[string][]string{}, numbers: map[string][]float64{}, signs: strings.Split(signs, "")}
	constants = slices.Clone(constants)
	slices.SortStableFunc(constants, func(x, y Constant) int {
		return cmp.Or(cmp.Compare(x.Package, y.Package), cmp.Compare(x.Value.Kind(), y.Value.Kind()), cmp.Compare(x.Value.ExactString(), y.Value.ExactString()), boolCompare(y.Changed, x.Changed))
	})
	for i, c := range constants {
		if i > 0 && constants[i-1].Package == c.Package && constants[i-1].Value.ExactString() == c.Value.ExactString() {
			continue
		}
		w.add(c)
		for range changedBonus {
			if c.Changed {
				w.add(c)
			}
		}
	}
	return w
}

func boolCompare(x, y bool) int {
	switch {
	case x == y:
		return 0
	case y:
		return -1
	default:
		return 1
	}
}

func (w *words) add(c Constant) {
	switch c.Value.Kind() {
	case constant.String:
		if s := constant.StringVal(c.Value); len(s) <= maxText {
			w.texts[c.Package] = append(w.texts[c.Package], s)
			w.allTexts = append(w.allTexts, s)
		}
	case constant.Int, constant.Float:
		n, _ := constant.Float64Val(constant.ToFloat(c.Value))
		w.numbers[c.Package] = append(w.numbers[c.Package], n)
		w.allNumbers = append(w.allNumbers, n)
		if basic, ok := c.Type.(*types.Basic); ok && (basic.Kind() == types.Int32 || basic.Kind() == types.UntypedRune) {
			w.signs = append(w.signs, string(rune(int32(n))))
		}
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
	list := w.allNumbers
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
