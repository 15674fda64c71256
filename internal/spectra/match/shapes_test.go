package match_test

import (
	"fmt"
	"testing"

	"github.com/spectradiff/spectradiff/internal/spectra/match/matchtest"
)

func TestFieldsThatAreNotCompared(t *testing.T) {
	m := matchtest.Match(t, `-- old/go.mod --
module example.com/m
-- old/m.go --
package m

var first int

type Renamed struct{ Depth, hidden int }

func (r Renamed) Sum() int { return r.Depth + r.Depth*2 }
func (r Renamed) Hidden() int { return r.hidden - first }

type Changed struct {
	gone, same int
	retyped    string
}

type Order struct{ a, b int }
-- new/go.mod --
module example.com/m/v2
-- new/m.go --
package m

var first int

type Renamed struct{ levels, Shown int }

func (r Renamed) Sum() int { return r.levels + r.levels*2 }
func (r Renamed) Hidden() int { return r.Shown - first }

type Changed struct {
	same    int
	retyped []string
	fresh   bool
}

type Order struct{ b, a int }
`)
	for _, c := range []struct {
		reason    string
		got, want any
	}{
		{"skipped by either version's names", m.Skips(),
			"map[example.com/m.Changed:[fresh gone retyped] example.com/m.Order:[] example.com/m.Renamed:[]]"},
		{"old goes by new's name where only new hides the field", m.FieldNames().Old,
			"map[example.com/m.Renamed:map[Depth:levels]]"},
		{"else new goes by old's", m.FieldNames().New, "map[example.com/m.Renamed:map[Shown:hidden]]"},
		{"what can't be set in new: not even what only new hides", m.Unset(),
			"map[example.com/m.Changed:[fresh gone retyped] example.com/m.Renamed:[Depth]]"},
		{"variables as old has them", m.OwnVariables().Old, "[example.com/m.first]"},
		{"variables as new has them", m.OwnVariables().New, "[example.com/m/v2.first]"},
	} {
		if got := fmt.Sprint(c.got); got != c.want {
			t.Errorf("%s: %s, want %s", c.reason, got, c.want)
		}
	}
}
