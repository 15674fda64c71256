package diff_test

import (
	"fmt"
	"testing"

	"github.com/spectradiff/spectradiff/diff"
	"github.com/spectradiff/spectradiff/spectra"
)

func point(symbol, body string, slots ...spectra.SlotDecl) *spectra.Point {
	return &spectra.Point{Symbol: spectra.Symbol(symbol), Body: body, Slots: slots}
}

func TestCommon(t *testing.T) {
	number := spectra.SlotDecl{Kind: spectra.Parameter, Name: "n", Type: "int"}
	renamedNumber := spectra.SlotDecl{Kind: spectra.Parameter, Name: "count", Type: "int"}
	word := spectra.SlotDecl{Kind: spectra.Parameter, Name: "n", Type: "string"}
	captured := spectra.SlotDecl{Kind: spectra.Captured, Name: "n", Type: "int"}
	for _, test := range []struct {
		reason   string
		old, new []*spectra.Point
		renamed  map[spectra.Symbol]spectra.Symbol
		want     string
	}{
		{"same name and signature, though the parameter is called otherwise", []*spectra.Point{point("m.F", "1", number)}, []*spectra.Point{point("m.F", "2", renamedNumber)}, nil, "map[m.F:m.F]"},
		{"another signature", []*spectra.Point{point("m.F", "1", number)}, []*spectra.Point{point("m.F", "1", word)}, nil, "map[]"},
		{"added and removed", []*spectra.Point{point("m.F", "1")}, []*spectra.Point{point("m.G", "1")}, nil, "map[]"},
		{"renamed, its literals with it", []*spectra.Point{point("m.F", "1"), point("m.F.func1", "2")}, []*spectra.Point{point("m.G", "1"), point("m.G.func1", "2")},
			map[spectra.Symbol]spectra.Symbol{"m.G": "m.F"}, "map[m.G:m.F m.G.func1:m.F.func1]"},
		{"a literal before another moves its number", []*spectra.Point{point("m.F.func1", "2")}, []*spectra.Point{point("m.F.func1", "1"), point("m.F.func2", "2")}, nil, "map[m.F.func2:m.F.func1]"},
		{"a literal that captures something else", []*spectra.Point{point("m.F.func1", "2")}, []*spectra.Point{point("m.F.func1", "2", captured)}, nil, "map[]"},
	} {
		if got := fmt.Sprint(diff.Common(test.old, test.new, test.renamed)); got != test.want {
			t.Errorf("%s: %s, want %s", test.reason, got, test.want)
		}
	}
}
