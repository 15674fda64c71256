package hybrid_test

import (
	"testing"

	"github.com/spectradiff/spectradiff/internal/diff/hybrid"
	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// TestBesides: code of either version goes by new's names, and what is compared of it is what is compared in its own
// version; what only the other version has keeps its name.
func TestBesides(t *testing.T) {
	slot := func(name string) []spectra.SlotDecl { return []spectra.SlotDecl{{Name: name}} }
	of := func(symbol spectra.Symbol, slots []spectra.SlotDecl) spectra.Point {
		return spectra.Point{Symbol: symbol, Slots: slots}
	}
	// m.old.func1 of old is m.new.func2 of new.
	c := hybrid.Compared{
		Paired: map[spectra.Symbol]spectra.Symbol{"m.new": "m.old", "m.new.func2": "m.old.func1"},
		Of: spectra.Pair[replay.Comparison]{
			Old: replay.Comparison{
				Numbers: map[spectra.Symbol]uint32{"m.old": 3, "m.old.func1": 4},
				Touches: map[spectra.Symbol][]int{"m.old": {1}},
				Slots:   map[spectra.Symbol][]spectra.ComparedSlot{"m.old.func1": {{Index: 2}}},
			},
			New: replay.Comparison{
				Numbers:  map[spectra.Symbol]uint32{"m.new": 3, "m.new.func2": 4},
				Touches:  map[spectra.Symbol][]int{"m.new": {1}},
				Slots:    map[spectra.Symbol][]spectra.ComparedSlot{"m.new.func2": {{Index: 5}}},
				Literals: map[string]string{"m.new.func2": "m.old.func1"},
			},
		},
		Tables: spectra.Pair[replay.Table]{
			Old: replay.Table{{Points: []spectra.Point{of("m.old", slot("a")), of("m.old.func1", slot("x"))}}},
			New: replay.Table{{Points: []spectra.Point{of("m.new", slot("b")), of("m.new.func2", slot("y"))}}},
		},
	}
	for _, test := range []struct {
		base          spectra.Side
		own, literal  spectra.Symbol // of the base, and its literal
		other         spectra.Symbol // what its code of the other version is
		slot, visible string         // of the other's code, and how its literal is called by programs
		index         int
	}{
		{spectra.New, "m.new", "m.new.func2", "m.old", "a", "m.old.func1", 2},
		{spectra.Old, "m.old", "m.old.func1", "m.new", "b", "m.old.func1", 5},
	} {
		beside := test.own + "__other"
		number := map[spectra.Side]spectra.Symbol{spectra.New: ".func1", spectra.Old: ".func2"}[test.base]
		table := replay.Table{{Points: []spectra.Point{
			of(test.own, nil), of(test.literal, nil), of(beside, slot("?")), of(beside+number, slot("?")),
			of(beside+".func9", slot("z")),
		}}}
		got := c.Besides(test.base, table, map[spectra.Symbol]spectra.Symbol{beside: test.other}, nil)
		names := map[spectra.Symbol]spectra.Symbol{
			test.own: "m.new", test.literal: "m.new.func2", beside: "m.new", beside + number: "m.new.func2",
		}
		for symbol, want := range names {
			if got.Names[symbol] != want {
				t.Errorf("base %s: %s goes by %q, want %q", test.base, symbol, got.Names[symbol], want)
			}
		}
		if got.Names[beside+".func9"] != "" || table[0].Points[4].Slots[0].Name != "z" {
			t.Errorf("base %s: a literal of the other version alone is %q", test.base, got.Names[beside+".func9"])
		}
		if got.Numbers[beside] != 3 || got.Numbers[beside+number] != 4 || len(got.Touches[beside]) != 1 {
			t.Errorf("base %s: numbers %v, touches %v", test.base, got.Numbers, got.Touches)
		}
		if table[0].Points[2].Slots[0].Name != test.slot || got.Slots[beside+number][0].Index != test.index {
			t.Errorf("base %s: slots %+v, %+v", test.base, table[0].Points[2].Slots, got.Slots)
		}
		if shown := got.Literals[string(beside+number)]; shown != test.visible {
			t.Errorf("base %s: a literal is shown as %q, want %q", test.base, shown, test.visible)
		}
	}
	if len(c.Of.Old.Numbers) != 2 || len(c.Of.New.Literals) != 1 {
		t.Error("what the versions compare changed")
	}
}

// TestBesidesRenumbered: a literal of the base that has another number goes by the name that it had, also where another
// one had its number before, and one that the base does not have goes by none.
func TestBesidesRenumbered(t *testing.T) {
	const first, second, inside = "m.glob..func1", "m.glob..func2", "m.glob..func1.1"
	c := hybrid.Compared{
		Paired: map[spectra.Symbol]spectra.Symbol{first: first, second: "m.glob..func7"},
		Of: spectra.Pair[replay.Comparison]{New: replay.Comparison{
			Numbers:  map[spectra.Symbol]uint32{first: 3, second: 4},
			Touches:  map[spectra.Symbol][]int{first: {1}},
			Literals: map[string]string{second: "m.glob..func7"},
		}},
	}
	table := replay.Table{{Points: []spectra.Point{{Symbol: first}, {Symbol: inside}, {Symbol: second}}}}
	got := c.Besides(spectra.New, table, nil, map[spectra.Symbol]spectra.Symbol{first: "", inside: first})
	for _, c := range []struct {
		literal, name, shown spectra.Symbol
		number               uint32
		touches              int
	}{
		{first, "", "", 0, 0}, {inside, first, first, 3, 1}, {second, second, "m.glob..func7", 4, 0},
	} {
		if got.Names[c.literal] != c.name || got.Literals[string(c.literal)] != string(c.shown) ||
			got.Numbers[c.literal] != c.number || len(got.Touches[c.literal]) != c.touches {
			t.Errorf("%s goes by %q, is shown as %q, has number %d and touches %v", c.literal, got.Names[c.literal],
				got.Literals[string(c.literal)], got.Numbers[c.literal], got.Touches[c.literal])
		}
	}
}
