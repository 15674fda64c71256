package rt

import (
	"reflect"
	"slices"
	"strconv"
	"strings"

	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// Noting is true while operands are noted. Operands are noted for the generator: if it knows both sides of a
// comparison, it can make them equal. Only copies of texts and numbers are noted, and they are no part of an event. The
// target may be written in a version of the language that has no type parameters: it calls NamedTagText and TagInteger
// only where it has them.
var Noting bool

// An Operand is a pair of values that was seen at one place: both sides of a comparison, or a parameter.
type Operand struct {
	Site        uint32 // of the place in the source, with wire.SiteChanged
	Number      bool   // the sides are numbers in Go syntax, otherwise texts
	Alone       bool   // a parameter: Right is empty
	Left, Right string
}

// Limits of the operands that are noted of one sequence.
const (
	maxOfSite = 12
	maxOnWay  = wire.Operands / 2 // of all places outside of changed code: what is on the way comes first
	maxKeys   = 64                // of a map; a larger one is not noted
	maxOpen   = 64
)

// Noted are the operands of the running sequence, each once, in the order in which they were seen.
var Noted []Operand

var (
	noted    map[Operand]bool
	ofSite   map[uint32]*place
	onWay    int       // how many of Noted are of places outside of changed code
	unclosed []Operand // left sides whose right ones are still being evaluated, and tags of switches
)

// Note begins or ends noting.
func Note(on bool) {
	Noting, Noted, unclosed = on, nil, nil
	noted, ofSite, onWay = map[Operand]bool{}, map[uint32]*place{}, 0
}

// A place is what was noted there.
type place struct {
	at   []int // in Noted
	more int   // operands that came when there were maxOfSite
}

// add notes operands: of a place in changed code the first ones and, in place of those between, the last, since tests
// set up first what they ask for last.
func add(o Operand) {
	if noted[o] || o.Alone && o.Left == "" || len(o.Left) > wire.OperandText || len(o.Right) > wire.OperandText {
		return
	}
	changed, of := o.Site&wire.SiteChanged != 0, ofSite[o.Site]
	if of == nil {
		of = &place{}
		ofSite[o.Site] = of
	}
	full := len(of.at) == maxOfSite
	switch {
	case full && !changed, !full && len(Noted) == wire.Operands, !changed && onWay == maxOnWay:
		return
	case full:
		at := of.at[maxOfSite/2+of.more%(maxOfSite/2)]
		delete(noted, Noted[at])
		Noted[at] = o.clone()
		noted[Noted[at]] = true
		of.more++
		return
	case !changed:
		onWay++
	}
	o = o.clone()
	noted[o] = true
	of.at = append(of.at, len(Noted))
	Noted = append(Noted, o)
}

// clone returns an operand that keeps nothing of the target alive.
func (o Operand) clone() Operand {
	o.Left, o.Right = strings.Clone(o.Left), strings.Clone(o.Right)
	return o
}

// left notes the left side of a comparison, or the tag of a switch.
func left(site uint32, number bool, text string) {
	if len(unclosed) == maxOpen { // a panic left some behind
		unclosed = unclosed[:0]
	}
	unclosed = append(unclosed, Operand{Site: site, Number: number, Left: text})
}

// right notes the right side of the comparison whose left side was noted last, and closes it unless more may come.
func right(site uint32, text string, more bool) {
	i := len(unclosed) - 1
	for i >= 0 && unclosed[i].Site != site {
		i--
	}
	if i < 0 {
		return
	}
	o := unclosed[i]
	if unclosed = unclosed[:i+1]; !more {
		unclosed = unclosed[:i]
	}
	o.Right = text
	add(o)
}

// Types to which sides are converted. A package may have redefined the predeclared names.
type (
	String   = string
	Signed   = int64
	Unsigned = uint64
	Float    = float64
)

// LeftText, LeftSigned, LeftUnsigned and LeftFloat note the left side of a comparison.
func LeftText(site uint32, v string) string {
	if Noting {
		left(site, false, v)
	}
	return v
}

// RightText, RightSigned, RightUnsigned and RightFloat note its right side.
func RightText(site uint32, v string) string {
	if Noting {
		right(site, v, false)
	}
	return v
}

// LeftSigned notes an integer.
func LeftSigned(site uint32, v int64) int64 {
	if Noting {
		left(site, true, strconv.FormatInt(v, 10))
	}
	return v
}

// RightSigned notes an integer.
func RightSigned(site uint32, v int64) int64 {
	if Noting {
		right(site, strconv.FormatInt(v, 10), false)
	}
	return v
}

// LeftUnsigned notes an unsigned integer.
func LeftUnsigned(site uint32, v uint64) uint64 {
	if Noting {
		left(site, true, strconv.FormatUint(v, 10))
	}
	return v
}

// RightUnsigned notes an unsigned integer.
func RightUnsigned(site uint32, v uint64) uint64 {
	if Noting {
		right(site, strconv.FormatUint(v, 10), false)
	}
	return v
}

// LeftFloat notes a floating-point number.
func LeftFloat(site uint32, v float64) float64 {
	if Noting {
		left(site, true, strconv.FormatFloat(v, 'g', -1, 64))
	}
	return v
}

// RightFloat notes a floating-point number.
func RightFloat(site uint32, v float64) float64 {
	if Noting {
		right(site, strconv.FormatFloat(v, 'g', -1, 64), false)
	}
	return v
}

// TagText, TagInt, TagRune and TagByte note the tag of a switch with its constant cases, which NUL separates.
func TagText(site uint32, v, cases string) string {
	if Noting {
		tag(site, false, v, cases)
	}
	return v
}

// TagInt notes an integer.
func TagInt(site uint32, v int, cases string) int {
	if Noting {
		tag(site, true, strconv.Itoa(v), cases)
	}
	return v
}

// TagRune notes a character.
func TagRune(site uint32, v rune, cases string) rune {
	if Noting {
		tag(site, true, strconv.Itoa(int(v)), cases)
	}
	return v
}

// TagByte notes a byte.
func TagByte(site uint32, v byte, cases string) byte {
	if Noting {
		tag(site, true, strconv.Itoa(int(v)), cases)
	}
	return v
}

// NamedTagText and TagInteger note a tag of any such type, and return it as one.
func NamedTagText[T ~string](site uint32, v T, cases string) T {
	if Noting {
		tag(site, false, string(v), cases)
	}
	return v
}

// TagInteger notes an integer.
func TagInteger[T Integer](site uint32, v T, cases string) T {
	if Noting {
		text := strconv.FormatUint(uint64(v), 10)
		if v < 0 {
			text = strconv.FormatInt(int64(v), 10)
		}
		tag(site, true, text, cases)
	}
	return v
}

// An Integer is of one of the integer types.
type Integer interface {
	~int | ~int8 | ~int16 | ~int32 | ~int64 | ~uint | ~uint8 | ~uint16 | ~uint32 | ~uint64 | ~uintptr
}

func tag(site uint32, number bool, text, cases string) {
	left(site, number, text)
	if cases == "" {
		return
	}
	for _, one := range strings.Split(cases, "\x00") {
		right(site, one, true)
	}
}

// CaseText notes a case of a switch that is no constant.
func CaseText(site uint32, v string) string {
	if Noting {
		right(site, v, true)
	}
	return v
}

// Texts notes the arguments of a function of package strings.
func Texts(site uint32, a, b string) (string, string) {
	if Noting {
		add(Operand{Site: site, Left: a, Right: b})
	}
	return a, b
}

// Bytes notes the arguments of a function of package bytes.
func Bytes(site uint32, a, b []byte) ([]byte, []byte) {
	if Noting {
		add(Operand{Site: site, Left: string(a), Right: string(b)})
	}
	return a, b
}

// Among notes a text that is looked for in a list, with what the list has.
func Among(site uint32, list []string, v string) ([]string, string) {
	if Noting && len(list) <= maxKeys {
		for _, one := range list {
			add(Operand{Site: site, Left: v, Right: one})
		}
	}
	return list, v
}

// Reads notes a text that a function reads in a way of its own, with texts that it reads in different ways. They are
// joined by zeros, and a byte 1 in them stands for the text itself.
func Reads(site uint32, v, samples string) string {
	if Noting && len(v) <= maxRead {
		for _, s := range strings.Split(samples, "\x00") {
			add(Operand{Site: site, Left: v, Right: strings.ReplaceAll(s, "\x01", v)})
		}
	}
	return v
}

// maxRead is the length of a text up to which it is noted as one that is read.
const maxRead = 1 << 10

// Key notes the key of an element of a map with the keys that the map has.
func Key(site uint32, m any, k string) string {
	if Noting {
		keys(site, m, k)
	}
	return k
}

func keys(site uint32, m any, k string) {
	v := reflect.ValueOf(m)
	if v.Len() > maxKeys {
		return
	}
	var list []string
	for _, key := range v.MapKeys() {
		list = append(list, key.String())
	}
	slices.Sort(list)
	for _, key := range list {
		add(Operand{Site: site, Left: k, Right: key})
	}
}

// ParameterText, ParameterBytes and ParameterNumber note a parameter.
func ParameterText(site uint32, v string) {
	if Noting {
		add(Operand{Site: site, Alone: true, Left: v})
	}
}

// ParameterBytes notes a slice of bytes.
func ParameterBytes(site uint32, v []byte) { ParameterText(site, string(v)) }

// ParameterNumber notes an integer.
func ParameterNumber(site uint32, v int64) {
	if Noting {
		add(Operand{Site: site, Alone: true, Number: true, Left: strconv.FormatInt(v, 10)})
	}
}
