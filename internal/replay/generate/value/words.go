package value

import (
	"cmp"
	"go/constant"
	"go/types"
	"slices"
	"strings"
)

// Limits on remembered strings and numbers.
const (
	maxEarned    = 512 // strings for all parameters
	maxEarnedFor = 64  // strings for one parameter
	maxText      = 4096
	changedBonus = 3 // additional list entries for a constant of changed code

	changedShare = 0.2 // share of known texts that are of changed code
)

// NewSource returns a source of literals that draws from random.
func NewSource(random Random, constants []Constant) *Source {
	s := &Source{
		Random: random, texts: map[string][]string{}, numbers: map[string][]float64{}, signs: strings.Split(signs, ""),
	}
	all := sorted(constants)
	for i, c := range all {
		if i > 0 && all[i-1].Package == c.Package && all[i-1].text == c.text {
			continue
		}
		s.add(c.Constant)
		for range changedBonus {
			if c.Changed {
				s.add(c.Constant)
			}
		}
		if c.Changed && c.Value.Kind() == constant.String {
			s.addChanged(constant.StringVal(c.Value))
		}
	}
	return s
}

// A written is a constant with its text, which takes long to make.
type written struct {
	Constant
	text string
}

// sorted returns constants by package, kind and text, those of changed code first.
func sorted(constants []Constant) []written {
	list := make([]written, len(constants))
	for i, c := range constants {
		list[i] = written{c, c.Value.ExactString()}
	}
	slices.SortStableFunc(list, func(x, y written) int {
		return cmp.Or(
			cmp.Compare(x.Package, y.Package), cmp.Compare(x.Value.Kind(), y.Value.Kind()),
			cmp.Compare(x.text, y.text), boolCompare(y.Changed, x.Changed))
	})
	return list
}

// maxJoint is the length of texts that may stand between two others, in bytes.
const maxJoint = 2

func (s *Source) addChanged(text string) {
	switch {
	case text == "" || len(text) > maxText:
	case len(text) <= maxJoint:
		s.joints = append(s.joints, text)
	default:
		s.changed = append(s.changed, text)
	}
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

func (s *Source) add(c Constant) {
	switch c.Value.Kind() {
	case constant.String:
		text := constant.StringVal(c.Value)
		s.addText(c.Package, text)
		if decoded, ok := meant(text); ok { // files of test cases often hold escaped texts
			s.addText(c.Package, decoded)
		}
	case constant.Int, constant.Float:
		n, _ := constant.Float64Val(constant.ToFloat(c.Value))
		s.numbers[c.Package] = append(s.numbers[c.Package], n)
		s.allNumbers = append(s.allNumbers, n)
		if isRune(c.Type) {
			s.signs = append(s.signs, string(rune(int32(n))))
		}
	}
}

func (s *Source) addText(pkg, text string) {
	if len(text) <= maxText {
		s.texts[pkg] = append(s.texts[pkg], text)
		s.allTexts = append(s.allTexts, text)
	}
}

func isRune(t types.Type) bool {
	basic, ok := t.(*types.Basic)
	return ok && (basic.Kind() == types.Int32 || basic.Kind() == types.UntypedRune)
}

// Learn remembers a string that led to something new, for its parameter and for all parameters. Empty and
// very long strings are ignored.
func (s *Source) Learn(op *Operation, param int, text string) {
	if text == "" || len(text) > maxText {
		return
	}
	if op != nil && param < len(op.earned) && !slices.Contains(op.earned[param], text) {
		op.earned[param] = put(s.Random, op.earned[param], text, maxEarnedFor)
	}
	if !slices.Contains(s.earned, text) {
		s.earned = put(s.Random, s.earned, text, maxEarned)
	}
}

// put adds to a list. A full list loses a random entry.
func put(random Random, list []string, text string, limit int) []string {
	if len(list) < limit {
		return append(list, text)
	}
	list[random.IntN(limit)] = text
	return list
}

// number draws a numeric constant of the module, preferably of the operation's own package. It returns false if there
// is none.
func (s *Source) number(op *Operation) (float64, bool) {
	list := s.allNumbers
	if op != nil && len(s.numbers[op.pkg]) > 0 && s.Chance(0.7) {
		list = s.numbers[op.pkg]
	}
	if len(list) == 0 {
		return 0, false
	}
	return Pick(s.Random, list), true
}

// known draws a string that is a constant of the module or led to something new.
func (s *Source) known(op *Operation, param int) string {
	if len(s.changed) > 0 && s.Chance(changedShare) {
		return Pick(s.Random, s.changed)
	}
	if op != nil && param < len(op.earned) && len(op.earned[param]) > 0 && s.Chance(0.4) {
		return Pick(s.Random, op.earned[param])
	}
	if len(s.earned) > 0 && s.Chance(0.2) {
		return Pick(s.Random, s.earned)
	}
	if op != nil && len(s.texts[op.pkg]) > 0 && s.Chance(0.7) {
		return Pick(s.Random, s.texts[op.pkg])
	}
	if len(s.allTexts) > 0 {
		return Pick(s.Random, s.allTexts)
	}
	return Pick(s.Random, fallbackTexts())
}

// fallbackTexts are used if the module has no strings.
func fallbackTexts() []string {
	return []string{
		"a", "abc", "key", "Hello, World", "a.b.c", "1.2.3", "x=1", "/a/b", "foo_bar", "fooBar", "true", "42",
	}
}

// text returns a string for a parameter.
func (s *Source) text(op *Operation, param int) string {
	switch s.Weighted(55, 30, 15) {
	case 0:
		return s.known(op, param)
	case 1:
		text := s.known(op, param)
		for range 1 + s.IntN(3) {
			text = s.mutated(text, op)
		}
		return text
	default:
		switch n := s.IntN(14); n {
		case 0, 1, 2:
			return ""
		case 3:
			return " "
		case 4:
			return strings.Repeat(Pick(s.Random, []string{"a", "0", "ab ", "é"}), 20+s.IntN(100))
		case 5:
			return s.short()
		case 6, 7, 8:
			return Pick(s.Random, fallbackTexts())
		default:
			return s.randomText()
		}
	}
}

// signs are characters that parsers and printers often treat specially.
const signs = " \t\n\r\"'`[](){}<>.,;:=/\\|&*+-_#!?%$@^~0123456789aAzZeExX\x00éß世İ😀"

func (s *Source) sign() string { return Pick(s.Random, s.signs) }

func (s *Source) randomText() string {
	var b strings.Builder
	for range 1 + s.IntN(8) {
		if s.Chance(0.5) {
			b.WriteByte(byte('a' + s.IntN(26)))
		} else {
			b.WriteString(s.sign())
		}
	}
	return b.String()
}
