package hybrid_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/spectradiff/spectradiff/internal/diff/hybrid"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// TestDerivedChain makes a hybrid in which each of many constants mentions the one before twice, as the offsets of an
// aligned layout do: going through each mention would not end.
func TestDerivedChain(t *testing.T) {
	const length = 60
	version := func(word int) []byte {
		text := &strings.Builder{}
		fmt.Fprintf(text, "package m\n\nconst c0 = %d\n", word)
		for i := range length {
			fmt.Fprintf(text, "const c%d = c%d + (8-c%d%%8)%%8 + 1\n", i+1, i, i)
		}
		fmt.Fprintf(text, "func Last() int { return c%d }\n", length)
		return []byte(text.String())
	}
	archive := &txtar.Archive{Files: []txtar.File{
		{Name: "values", Data: []byte("m.c0\n")},
		{Name: "old/go.mod", Data: []byte("module m\n")}, {Name: "old/old.go", Data: version(4)},
		{Name: "new/go.mod", Data: []byte("module m\n")}, {Name: "new/new.go", Data: version(9)},
	}}
	h, err := hybrid.Make(config(t, archive, spectra.New))
	if err != nil {
		t.Fatal(err)
	}
	if len(h.Units) != 1 || !slices.Equal(h.Units[0], hybrid.Unit{"m.c0"}) || h.Switches["m.Last"].To == "" {
		t.Errorf("units %v, switches %v", h.Units, h.Switches)
	}
}
