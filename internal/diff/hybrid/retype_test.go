package hybrid_test

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/spectradiff/spectradiff/internal/diff/hybrid"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/goldentest"
)

// TestRetype puts a type of old in the place of new's in each fixture, and makes a hybrid of what that gives. It was
// type-checked. The archive's comment is the reason for the case; the file "type" names the type.
func TestRetype(t *testing.T) {
	goldentest.Compare(t, "testdata/retype/*.txtar", *update, retyped)
}

func retyped(t *testing.T, archive *txtar.Archive) string {
	t.Helper()
	cfg, name := config(t, archive, spectra.New), spectra.Symbol("")
	for _, f := range archive.Files {
		if f.Name == "type" {
			name = spectra.Symbol(strings.TrimSpace(string(f.Data)))
		}
	}
	of, sources, err := hybrid.Retype(cfg, name, name)
	if err != nil {
		return err.Error() + "\n"
	}
	var b strings.Builder
	for _, file := range slices.Sorted(maps.Keys(sources)) {
		fmt.Fprintf(&b, "file %s\n", file)
		for line := range strings.Lines(string(sources[file])) {
			b.WriteString("\t" + line)
		}
	}
	h, err := hybrid.Make(of)
	if err != nil {
		t.Fatal(err)
	}
	for i, unit := range h.Units {
		fmt.Fprintln(&b, "unit", i, []spectra.Symbol(unit))
	}
	for _, left := range h.Unswitchable {
		fmt.Fprintln(&b, "left", left.Symbol, "because", left.Reason)
	}
	return b.String()
}
