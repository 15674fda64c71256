package sequence

import (
	"encoding/binary"
	"encoding/hex"
	"math"
	"testing"
)

func TestAppendWire(t *testing.T) {
	float := func(f float64) string {
		return hex.EncodeToString(binary.LittleEndian.AppendUint64(nil, math.Float64bits(f)))
	}
	cases := []struct{ line, want, reason string }{
		{`v0 := F(-1, 300u, "ab")`, "01" + "63" + "0146" + "03" + "6901" + "75ac02" + "73026162",
			"call: name, count, values"},
		{`v0 := v1.2(nil)`, "01" + "66" + "02" + "720102" + "6e", "the function value is the first of the values"},
		{`v3.F = zero`, "01" + "73" + "0146" + "720300" + "7a", "field, target, value"},
		{`var v0 T = true`, "01" + "6c" + "0154" + "6201", "type, value"},
		{`v0 := F(1.5, (1+2i))`, "01" + "63" + "0146" + "02" + "66" + float(1.5) + "63" + float(1) + float(2),
			"floats are bits"},
		{`v0 := F(T(1), &T{A: 2})`, "01" + "63" + "0146" + "02" + "7401546902" + "26" + "7b01014169" + "04",
			"display types are left out, Typed's is not"},
		{`v0 := F({1, 2}, {3: 4}, func returns(5), chan(6))`,
			"01" + "63" + "0146" + "04" + "5b0269026904" + "6d0169066908" + "4601690a" + "4306",
			"counts are of elements, of a map of pairs"},
	}
	for _, c := range cases {
		s, err := Parse(Header + "\n" + c.line)
		if err != nil {
			t.Fatal(err)
		}
		if got := hex.EncodeToString(AppendWire(nil, s)); got != c.want {
			t.Errorf("%s (%s)\n got %s\nwant %s", c.line, c.reason, got, c.want)
		}
	}
}

func TestKeyIgnoresDisplay(t *testing.T) {
	cases := []struct {
		first, second string
		equal         bool
		reason        string
	}{
		{`v0 := F(T{A: 1})`, `v0 := F({A: 1})`, true, "a struct's type is given by its slot"},
		{`v0 := F(T(1))`, `v0 := F(U(1))`, false, "the type of a typed value is not"},
		{`v0 := F(1)`, `v0 := F(1u)`, false, "the driver reads them differently"},
		{`v0 := F("1")`, `v0 := F(1)`, false, "kinds count"},
	}
	for _, c := range cases {
		first, second := parsed(t, c.first), parsed(t, c.second)
		if equal := first.Key() == second.Key(); equal != c.equal {
			t.Errorf("%s and %s: equal keys %t, want %t (%s)", c.first, c.second, equal, c.equal, c.reason)
		}
	}
}
