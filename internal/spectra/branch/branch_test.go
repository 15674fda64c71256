package branch

import "testing"

// TestNearer: of two executions the one that lacks less is nearer to the side that is wanted.
func TestNearer(t *testing.T) {
	number := func(left, right string) Noted { return Noted{7: {{true, left, right}}} }
	text := func(left, right string) Noted { return Noted{7: {{false, left, right}}} }
	leaf := func(op Op) *Condition { return &Condition{Op: op, Site: 7} }
	for _, c := range []struct {
		reason        string
		when          *Condition
		holds         bool
		near, farther Noted
	}{
		{"numbers", leaf(Equal), true, number("4377", "4378"), number("0", "4378")},
		{"the largest of numbers", leaf(Equal), true, number("9223372036854775806", "9223372036854775807"),
			number("9223372036854775805", "9223372036854775807")},
		{"more than an integer", leaf(Less), true, number("18446744073709551615", "1"), number("1e30", "1")},
		{"limits", leaf(Less), true, number("10", "10"), number("11", "10")},
		{"limits, from below", leaf(More), true, number("10", "10"), number("9", "10")},
		{"the other side", leaf(Less), false, number("9", "10"), number("8", "10")},
		{"NaN is far from everything", leaf(Less), true, number("1e300", "1"), number("NaN", "1")},
		{"a longer common prefix", leaf(Equal), true, text("abcx", "abcdef"), text("abx", "abcdef")},
		{"a nearer character", leaf(Equal), true, text("abce", "abcd"), text("abcz", "abcd")},
		{"a length", leaf(Equal), true, text("abcdefgh", "abcdefg"), text("abcdefghi", "abcdefg")},
		{"a longer prefix", leaf(Prefix), true, text("abXYZ", "abc"), text("aXYZ", "abc")},
		{"a longer suffix", leaf(Suffix), true, text("XYZbc", "abc"), text("XYZc", "abc")},
		{"more of a part", leaf(Contains), true, text("..ab..", "abc"), text("..a..", "abc")},
		{"another case", leaf(Fold), true, text("ABX", "abc"), text("AXX", "abc")},
		{"texts in order", leaf(Less), true, text("b", "a"), text("c", "a")},
		{"negated", &Condition{Op: Not, Parts: []*Condition{leaf(Unequal)}}, true,
			number("5", "6"), number("4", "6")},
		{"all parts", &Condition{Op: And, Parts: []*Condition{leaf(More), {}}}, true,
			number("1", "6"), number("0", "6")},
		{"some part", &Condition{Op: Or, Parts: []*Condition{leaf(More), {}}}, true,
			number("1", "6"), number("0", "6")},
		{"one that counts alone", &Condition{Op: Equal, Site: 7, Only: true, Right: "6"}, true,
			Noted{7: {{true, "5", "9"}, {true, "5", "6"}}}, Noted{7: {{true, "9", "9"}, {true, "4", "6"}}}},
		{"the best of several", leaf(Equal), true, Noted{7: {{true, "1", "9"}, {true, "8", "9"}}}, number("7", "9")},
	} {
		near, ok1 := c.when.Distance(c.holds, c.near)
		farther, ok2 := c.when.Distance(c.holds, c.farther)
		if !ok1 || !ok2 || near.Value >= farther.Value || near.Value <= 0 || farther.Value > 1 {
			t.Errorf("%s: %v, farther %v", c.reason, near, farther)
		}
	}
}

// TestTaken: where the side is taken the distance is 0, and what was not seen has none.
func TestTaken(t *testing.T) {
	for _, c := range []struct {
		op    Op
		holds bool
		seen  Seen
	}{
		{Equal, true, Seen{true, "5", "5"}},
		{Equal, false, Seen{true, "5", "6"}},
		{Unequal, true, Seen{false, "a", "b"}},
		{AtMost, true, Seen{true, "5", "5"}},
		{AtLeast, true, Seen{false, "b", "a"}},
		{More, false, Seen{false, "a", "a"}},
		{Prefix, true, Seen{false, "abc", "ab"}},
		{Suffix, false, Seen{false, "abc", "ab"}},
		{Contains, true, Seen{false, "abc", ""}},
		{Fold, true, Seen{false, "ABC", "abc"}},
	} {
		when := &Condition{Op: c.op, Site: 1}
		if d, ok := when.Distance(c.holds, Noted{1: {c.seen}}); !ok || d.Value != 0 {
			t.Errorf("%s %t %v: %v, %t", c.op, c.holds, c.seen, d, ok)
		}
		if d, ok := when.Distance(!c.holds, Noted{1: {c.seen}}); !ok || d.Value == 0 {
			t.Errorf("not %s %t %v: %v, %t", c.op, c.holds, c.seen, d, ok)
		}
		if d, ok := when.Distance(c.holds, Noted{2: {c.seen}}); ok {
			t.Errorf("%s: %v although nothing was seen", c.op, d)
		}
	}
}

// TestWanted: the texts that would help are those with which both sides go on.
func TestWanted(t *testing.T) {
	d, _ := (&Condition{Op: Equal, Site: 1}).Distance(true, Noted{1: {{false, "abX", "abcd"}}})
	if len(d.Wanted) != 3 || d.Wanted[0] != "X" || d.Wanted[1] != "c" || d.Wanted[2] != "cd" {
		t.Errorf("wanted %q", d.Wanted)
	}
}
