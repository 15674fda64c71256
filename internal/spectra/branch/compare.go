package branch

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"
)

var opposite = map[Op]Op{
	Equal: Unequal, Unequal: Equal, Less: AtLeast, AtLeast: Less, More: AtMost, AtMost: More,
}

func (s Seen) distance(op Op, holds bool) Distance {
	if other, ok := opposite[op]; ok {
		if !holds {
			op = other
		}
		if s.Number {
			return Distance{Value: numbers(op, s.Left, s.Right)}
		}
		return texts(op, s.Left, s.Right)
	}
	is, d := textual(op, s.Left, s.Right)
	switch {
	case is == holds:
		return Distance{}
	case holds:
		return d
	}
	return one
}

// one is the distance of operands that differ after any step.
var one = Distance{Value: scaled(1)}

func numbers(op Op, left, right string) float64 {
	x, err1 := strconv.ParseFloat(left, 64)
	y, err2 := strconv.ParseFloat(right, 64)
	if err1 != nil || err2 != nil || math.IsNaN(x) || math.IsNaN(y) {
		return scaled(math.MaxFloat64)
	}
	more := difference(left, right, x, y) // how much the left number is larger than the right one
	switch op {
	case Equal:
		return scaled(math.Abs(more))
	case Unequal:
		if more == 0 {
			return scaled(1)
		}
		return 0
	case Less:
		more++
	case More:
		more = 1 - more
	case AtLeast:
		more = -more
	}
	return scaled(max(more, 0))
}

// difference returns the difference of two numbers, exactly where both are integers of 64 bits.
func difference(left, right string, x, y float64) float64 {
	a, err1 := strconv.ParseInt(left, 10, 64)
	b, err2 := strconv.ParseInt(right, 10, 64)
	if err1 != nil || err2 != nil {
		return x - y
	}
	if a >= b {
		return float64(uint64(a) - uint64(b))
	}
	return -float64(uint64(b) - uint64(a))
}

// texts returns how far two texts are from being ordered, or equal.
func texts(op Op, left, right string) Distance {
	order := strings.Compare(left, right)
	if op == Equal && order != 0 {
		return equal(left, right)
	}
	if op == Unequal && order != 0 || op == Less && order < 0 || op == AtMost && order <= 0 ||
		op == More && order > 0 || op == AtLeast && order >= 0 || op == Equal {
		return Distance{}
	}
	if op == Unequal || order == 0 {
		return one
	}
	d := equal(left, right)
	d.Value = scaled(1 + d.Value)
	return d
}

// equal returns how much of two texts lies behind their common prefix. Of two texts that differ in the same place,
// those are nearer whose characters there are.
func equal(left, right string) Distance {
	at := common(left, right)
	x, y := left[at:], right[at:]
	d := Distance{Value: float64(max(len(x), len(y))), Wanted: wanted(x, y)}
	if x != "" && y != "" {
		d.Value -= 1 - (1+math.Abs(float64(x[0])-float64(y[0])))/512
	}
	d.Value = scaled(d.Value)
	return d
}

// wanted returns how two texts go on: with which characters, and as a whole.
func wanted(texts ...string) (list []string) {
	for _, text := range texts {
		if _, size := utf8.DecodeRuneInString(text); size > 0 {
			list = append(list, text[:size])
			if len(text) > size {
				list = append(list, text)
			}
		}
	}
	return list
}

// common returns the length of the common prefix of two texts.
func common(left, right string) int {
	at := 0
	for at < min(len(left), len(right)) && left[at] == right[at] {
		at++
	}
	return at
}

// textual reports whether a text begins with, ends with, contains or is the other one, and how far it is from that.
func textual(op Op, text, part string) (is bool, d Distance) {
	switch op {
	case Prefix:
		return strings.HasPrefix(text, part), equal(text[:min(len(text), len(part))], part)
	case Suffix:
		n := 0
		for n < min(len(text), len(part)) && text[len(text)-1-n] == part[len(part)-1-n] {
			n++
		}
		rest := part[:len(part)-n]
		_, size := utf8.DecodeLastRuneInString(rest)
		return n == len(part), Distance{scaled(float64(len(rest))), []string{rest[len(rest)-size:], rest}}
	case Contains:
		n := len(part)
		for !strings.Contains(text, part[:n]) {
			n--
		}
		return n == len(part), Distance{scaled(float64(len(part) - n)), wanted(part[n:])}
	case Fold:
		return strings.EqualFold(text, part), equal(strings.ToLower(text), strings.ToLower(part))
	}
	return false, Distance{Value: 1}
}
