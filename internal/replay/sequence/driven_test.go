package sequence

import "testing"

// TestDriven: a text may call what no statement before has made.
func TestDriven(t *testing.T) {
	for _, test := range []struct{ line, want string }{
		{"v1 := v0()", "m.F()"},
		{"v1 := v0.1(2)", "m.F()"},
		{"v1 := v1()", ""},
		{"v1 := v2()", ""},
		{"v1 := (nil)()", ""},
		{"v1 := m.G()", "m.G"},
	} {
		q, err := Parse(Header + "\nv0 := m.F()\n" + test.line + "\nv2 := v1()\n")
		if err != nil {
			t.Fatal(err)
		}
		if got := q.Driven(1); got != test.want {
			t.Errorf("%s calls %q, want %q", test.line, got, test.want)
		}
	}
	if got := (Sequence{Statements: []Statement{{Kind: CallValue}}}).Driven(0); got != "" {
		t.Errorf("a call of nothing calls %q", got)
	}
}
