package match_test

import (
	"flag"
	"fmt"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/spectradiff/spectradiff/internal/spectra/goldentest"
	"github.com/spectradiff/spectradiff/internal/spectra/match"
	"github.com/spectradiff/spectradiff/internal/spectra/match/matchtest"
)

var update = flag.Bool("update", false, "write the golden files anew")

// TestVersions matches the versions in each fixture and compares a listing of the whole match with the golden
// one. The archive's comment is the reason for the case.
func TestVersions(t *testing.T) {
	goldentest.Compare(t, "testdata/*.txtar", *update, func(t *testing.T, archive *txtar.Archive) string {
		old, new := matchtest.Versions(t, archive)
		m, err := match.Versions(old, new, nil)
		if err != nil {
			t.Fatal(err)
		}
		got := listing(m)
		return got
	})
}

// listing writes the content of a match as text.
func listing(m *match.Match) string {
	var b strings.Builder
	fmt.Fprintln(&b, "packages", m.Packages(), "old only", m.OldOnly(), "new only", m.NewOnly())
	for _, c := range m.Structural() {
		fmt.Fprintln(&b, strings.TrimSpace(fmt.Sprintln("structural", c.Symbol, c.Change, c.Detail)))
	}
	for _, shape := range m.Shapes() {
		fmt.Fprintln(&b, "shape", shape.Type, "skip", shape.Skip, "added", shape.Added, "removed", shape.Removed,
			"retyped", shape.Retyped, "renamed", shape.Renamed, "reordered", shape.Reordered)
	}
	for _, rename := range m.Renames() {
		fmt.Fprintf(&b, "renamed %s %s now %s, matched by %s\n", rename.Kind, rename.Old, rename.New, rename.By())
	}
	fmt.Fprintln(&b, "variables", m.Variables())
	return b.String()
}

// TestCallersCannotChangeAMatch overwrites everything that a match returned, and checks that it returns the
// same as before.
func TestCallersCannotChangeAMatch(t *testing.T) {
	archive, err := txtar.ParseFile("testdata/versions.txtar")
	if err != nil {
		t.Fatal(err)
	}
	old, new := matchtest.Versions(t, archive)
	m, err := match.Versions(old, new, nil)
	if err != nil {
		t.Fatal(err)
	}
	want := fmt.Sprint(listing(m), m.Renamed(), m.Skips(), m.Unset(), m.OwnVariables())
	for _, list := range [][]string{m.Packages(), m.OldOnly(), m.NewOnly(), m.Variables(), m.OwnVariables().Old} {
		clear(list)
	}
	for _, shape := range m.Shapes() {
		clear(shape.Skip)
		clear(shape.Added)
		clear(shape.Removed)
		clear(shape.Retyped)
	}
	for _, fields := range m.Skips() {
		clear(fields)
	}
	for _, fields := range m.Unset() {
		clear(fields)
	}
	clear(m.Shapes())
	clear(m.Structural())
	clear(m.Renames())
	clear(m.Renamed())
	if got := fmt.Sprint(listing(m), m.Renamed(), m.Skips(), m.Unset(), m.OwnVariables()); got != want {
		t.Errorf("the match says\n%s\nafter it said\n%s", got, want)
	}
}
