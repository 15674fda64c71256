package match_test

import (
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/match"
	"github.com/spectradiff/spectradiff/internal/spectra/match/matchtest"
)

const overridden = `-- old/go.mod --
module example.com/m

go 1.24
-- old/m.go --
package m

type T struct{ a, b, same int }

func (t *T) Get() int { return t.a }

type Open struct{ Get int }

var table = map[string]int{}

func One() int   { return 1 }
func Other() int { return 2 }
func same() int  { return 3 }
-- old/p/p.go --
package p

func One() int { return 1 }
-- new/go.mod --
module example.com/m

go 1.24
-- new/m.go --
package m

type U struct{ c, d, same int }

func (u *U) Fetch(n int) int { return u.c * n }

var lookup = []string{}

func Single() (n int) {
	for range 1 {
		n++
	}
	return n
}
func Other() int { return 2 }
func same() int  { return 3 }
-- new/q/q.go --
package q

func Many() []int { return nil }
`

func TestOverrides(t *testing.T) {
	old, new := matchtest.Versions(t, txtar.Parse([]byte(overridden)))
	for _, c := range []struct{ reason, texts, want string }{
		{"both versions have the old name", "Other=Single", "new version has example.com/m.Other too"},
		{"a full name is meant before a shorter one", "example.com/m.One=Single", ""},
		{"a name in two packages", "One=Single",
			"it may be example.com/m.One=example.com/m.Single or example.com/m/p.One=example.com/m.Single"},
		{"the folder tells them apart", "p.One=Single", ""},
		{"a method without the star", "T.Get=U.Fetch", ""},
		{"a method with the star", "m.(*T).Get=m.(*U).Fetch", ""},
		{"a field", "T.a=U.d", ""},
		{"a variable of another type", "table=lookup", ""},
		{"a package", "m/p=m/q", ""},
		{"several at once, types first or last", "T.a=U.d T=U T.b=U.c", ""},
		{"no such thing in old", "Nothing=Single", "the old version has no Nothing"},
		{"no such thing in new", "m.One=Nothing", "the new version has no Nothing"},
		{"things of two kinds", "T=Single", "is a type and example.com/m.Single a func"},
		{"a field and a method", "T.a=U.Fetch", "is a field and example.com/m.(*U).Fetch a func"},
		{"a field that the type still has", "T=U T.same=U.c", "the new version has example.com/m.U.same too"},
		{"both versions have the new name", "m.One=same", "the old version has example.com/m.same too"},
		{"one for two", "m.One=Single p.One=Single", "given another counterpart before"},
		{"exchanged names", "Other=same same=Other", ""},
		{"half a pair", "Other=", "want OLD=NEW"},
	} {
		_, err := match.Versions(old, new, strings.Fields(c.texts))
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%s: %v", c.reason, err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: error %v, want one with %q", c.reason, err, c.want)
		}
	}
}

// TestApplicable: a version between two that are compared may lack what a rename of theirs names.
func TestApplicable(t *testing.T) {
	old, new := matchtest.Versions(t, txtar.Parse([]byte(overridden)))
	for _, c := range []struct{ reason, texts, want string }{
		{"no renames", "", ""},
		{"both versions have what they name", "p.One=Single T.a=U.d m/p=m/q", "p.One=Single T.a=U.d m/p=m/q"},
		{"new does not have it yet", "m.One=Nothing T.a=U.d", "T.a=U.d"},
		{"old never had it", "Nothing=Single", ""},
		{"what may be two things is left to those who match", "One=Single", "One=Single"},
	} {
		if got := strings.Join(match.Applicable(old, new, strings.Fields(c.texts)), " "); got != c.want {
			t.Errorf("%s: %q, want %q", c.reason, got, c.want)
		}
	}
}

func TestOverridesComeFirst(t *testing.T) {
	m := matchtest.Match(t, overridden, "T.a=U.d", "T=U", "m.One=Single", "T.Get=U.Fetch", "table=lookup",
		"same=Other", "Other=same")
	var got []string
	for _, r := range m.Renames() {
		if r.By() == "--rename" {
			got = append(got, strings.ReplaceAll(string(r.Old+"="+r.New), "example.com/m.", ""))
		}
	}
	if want := "(*T).Get=(*U).Fetch One=Single Other=same T=U same=Other table=lookup"; strings.Join(got, " ") != want {
		t.Errorf("renamed %s, want %s", got, want)
	}
	shapes := m.Shapes()
	if len(shapes) != 1 || len(shapes[0].Renamed) != 2 ||
		shapes[0].Renamed[0] != (match.FieldRename{Old: "a", New: "d", By: "--rename"}) {
		t.Errorf("shapes %+v", shapes)
	}
	for _, c := range m.Structural() {
		if c.Change != spectra.ChangeSignature {
			t.Errorf("%s %s", c.Symbol, c.Change)
		}
	}
}
