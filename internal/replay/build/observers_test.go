package build

import (
	"path/filepath"
	"testing"

	"golang.org/x/tools/txtar"
)

// TestObserversSource compares the generated source for a generic type, one result of several, an
// iterator, and a package that redefines predeclared names.
func TestObserversSource(t *testing.T) {
	version := typeCheck(t, extract(t, txtar.Parse([]byte(`-- go.mod --
module example.com/m

go 1.24
-- m.go --
package m

type int struct{}
type any string
const true = "?"

type Set[K comparable, V bool] struct{ items map[K]V }

func (s *Set[K, V]) Peek() (k K, ok V)      { return k, ok }
func (s Set[K, V]) All() func(func(K) bool) { return nil }
`)), ""))
	surface := self(version)
	h, err := Write(Config{Target: version, Operations: surface.Operations.Old, Types: surface.Types.Old,
		Packages: paths(version), Observed: []Observed{{
			Name: "example.com/old.Set", Package: "example.com/m", Type: "Set", TypeParams: 2, Observers: []Observer{
				{Method: "Peek", Name: "Peek().1", Result: 1, Results: 2},
				{Method: "All", Name: "All()", Results: 1, Elements: 1, Unordered: true},
			},
		}}})
	if err != nil {
		t.Fatal(err)
	}
	const want = head + `package m

import zspectra_table "zspectra"

func init() {
	zspectra_table.RegisterObserved("example.com/old.Set", ` +
		`func(pointer zspectra_table.Any, observer zspectra_table.Index) zspectra_table.Any {
		return pointer.(interface {
			zspectra_observe(zspectra_table.Index) zspectra_table.Any
		}).zspectra_observe(observer)
	}, zspectra_table.Observer{Name: "Peek().1"}, zspectra_table.Observer{Name: "All()", Unordered: 0 == 0})
}

func (zspectra_x *Set[zspectra_t0, zspectra_t1]) zspectra_observe(zspectra_i zspectra_table.Index) zspectra_table.Any {
	switch zspectra_i {
	case 0:
		_, zspectra_r := zspectra_x.Peek()
		return &zspectra_r
	case 1:
		zspectra_r := zspectra_table.Collect(zspectra_x.All())
		return &zspectra_r
	}
	var none zspectra_table.Any
	return none
}
`
	if got := string(h.Files[filepath.Join(version.Dir, "zspectra_observers.go")]); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
