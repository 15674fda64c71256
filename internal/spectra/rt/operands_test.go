package rt

import (
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// TestOperands: what is compared is noted with both sides, where noting is on.
func TestOperands(t *testing.T) {
	m := map[string]int{"b": 1, "a": 2}
	type (
		named map[string]bool
		text  string
	)
	for _, c := range []struct {
		reason  string
		compare func()
		want    string // site, number or text, sides
	}{
		{"a comparison", func() { _ = LeftText(1, "x") == RightText(1, "y") }, `1 "x" "y"`},
		{"numbers", func() {
			_ = LeftSigned(1, -1) < RightSigned(1, 2)
			_ = LeftUnsigned(2, 1<<63) < RightUnsigned(2, 2)
			_ = LeftFloat(3, 0.5) < RightFloat(3, 1e100)
		}, `1 -1 2; 2 9223372036854775808 2; 3 0.5 1e+100`},
		{"both sides alike", func() { _ = LeftText(1, "x") == RightText(1, "x") }, `1 "x" "x"`},
		{"the same again", func() {
			for range 3 {
				_ = LeftText(1, "x") == RightText(1, "y")
			}
		}, `1 "x" "y"`},
		{"a comparison within the right side of one", func() {
			_ = LeftText(1, "x") == RightText(1, LeftText(2, "a")+RightText(2, "b"))
		}, `2 "a" "b"; 1 "x" "ab"`},
		{"a left side whose right one panicked", func() {
			LeftText(1, "lost")
			_ = LeftText(2, "x") == RightText(2, "y")
		}, `2 "x" "y"`},
		{"a right side without a left one", func() { RightText(1, "y") }, ``},
		{"a switch", func() {
			TagText(1, "x", "a\x00b")
			CaseText(1, "c"+"d")
		}, `1 "x" "a"; 1 "x" "b"; 1 "x" "cd"`},
		{"switches over integers", func() {
			TagInt(1, 5, "1")
			TagRune(2, 'é', "97\x0098")
			TagByte(3, 0, "")
			TagInteger(4, time.Minute, "-1")
			TagInteger(5, int8(-3), "7")
			TagInteger(6, uint64(math.MaxUint64), "7")
			NamedTagText(7, text("x"), "a")
		}, `1 5 1; 2 233 97; 2 233 98; 4 60000000000 -1; 5 -3 7; 6 18446744073709551615 7; 7 "x" "a"`},
		{"functions", func() {
			Texts(1, "a.b", ".")
			Among(1, []string{"in", "out"}, "on")
			Bytes(2, []byte("a"), nil)
			Reads(3, "a", "/\x01\x00.")
		}, `1 "a.b" "."; 1 "on" "in"; 1 "on" "out"; 2 "a" ""; 3 "a" "/a"; 3 "a" "."`},
		{"the keys of a map", func() {
			Key(1, m, "k")
			Key(2, named{"n": true}, "k")
			Key(3, map[string]int(nil), "k")
		}, `1 "k" "a"; 1 "k" "b"; 2 "k" "n"`},
		{"parameters", func() {
			ParameterText(1, "x")
			ParameterBytes(2, []byte("y"))
			ParameterNumber(3, 7)
			ParameterText(4, "")
		}, `1 "x" alone; 2 "y" alone; 3 7 alone`},
		{"a long text", func() { Texts(1, strings.Repeat("x", wire.OperandText+1), "y") }, ``},
	} {
		c.compare()
		if len(Noted) > 0 {
			t.Fatalf("%s: noted although noting is off", c.reason)
		}
		Note(true)
		c.compare()
		if got := operandText(Noted); got != c.want {
			t.Errorf("%s: noted %s, want %s", c.reason, got, c.want)
		}
		Note(false)
	}
}

func operandText(list []Operand) string {
	var texts []string
	for _, o := range list {
		verb := "%q"
		if o.Number {
			verb = "%s"
		}
		text := fmt.Sprintf("%d "+verb, o.Site, o.Left)
		if o.Alone {
			text += " alone"
		} else {
			text += fmt.Sprintf(" "+verb, o.Right)
		}
		texts = append(texts, text)
	}
	return strings.Join(texts, "; ")
}

// TestOperandsAreBounded: one place does not take the room of others, those on the way not that of changed code, and
// all of them have a limit. Of a place in changed code the first and the last operands are noted.
func TestOperandsAreBounded(t *testing.T) {
	Note(true)
	defer Note(false)
	for i := range 2 * wire.Operands {
		Texts(1, fmt.Sprint(i), "x")
	}
	Texts(2, "a", "b")
	if len(Noted) != maxOfSite+1 {
		t.Errorf("%d operands of two places: want %d of the first and one of the second", len(Noted), maxOfSite)
	}
	for i := range 2 * wire.Operands {
		Texts(uint32(i), "a", "b")
		LeftText(uint32(i), "never compared")
	}
	if len(Noted) != maxOnWay {
		t.Errorf("%d operands on the way: want %d", len(Noted), maxOnWay)
	}
	for i := range 5 * maxOfSite {
		Texts(wire.SiteChanged, fmt.Sprint(i), "x")
	}
	var first, last []string
	for _, o := range Noted[maxOnWay:] {
		if n, _ := strconv.Atoi(o.Left); n < maxOfSite/2 {
			first = append(first, o.Left)
		} else if n >= 5*maxOfSite-maxOfSite/2 {
			last = append(last, o.Left)
		}
	}
	if len(first) != maxOfSite/2 || len(last) != maxOfSite/2 {
		t.Errorf("of a changed place %q and %q are noted: want the first and the last %d", first, last, maxOfSite/2)
	}
	for i := range 2 * wire.Operands {
		Texts(wire.SiteChanged|uint32(i), "a", "b")
	}
	if len(Noted) != wire.Operands || len(unclosed) > maxOpen {
		t.Errorf("%d operands and %d open ones: want %d, and at most %d", len(Noted), len(unclosed), wire.Operands,
			maxOpen)
	}
}

// TestOperandsReturn: what is noted is returned as it came.
func TestOperandsReturn(t *testing.T) {
	for _, on := range []bool{false, true} {
		Note(on)
		a, b := Texts(1, "a", "b")
		x, y := Bytes(1, []byte("x"), nil)
		got := fmt.Sprint(
			LeftText(1, "l"), RightText(1, "r"), LeftSigned(1, -1), RightSigned(1, -2), LeftUnsigned(1, 3),
			RightUnsigned(1, 4), LeftFloat(1, 5), RightFloat(1, 6), TagText(1, "t", "u"), TagInt(1, 7, "8"),
			TagRune(1, 9, ""), TagByte(1, 10, ""), TagInteger(1, int8(-11), ""), NamedTagText(1, json.Number("n"), ""),
			CaseText(1, "c"), Key(1, map[string]bool{"k": true}, "key"), a, b, string(x), y == nil)
		want := fmt.Sprint("l", "r", -1, -2, 3, 4, 5, 6, "t", 7, 9, 10, -11, "n", "c", "key", "a", "b", "x", true)
		if got != want {
			t.Errorf("noting %v: got %s, want %s", on, got, want)
		}
		if slices.ContainsFunc(Noted, func(Operand) bool { return !on }) {
			t.Error("noted although noting is off")
		}
	}
	Note(false)
}
