package static

import (
	"fmt"
	"testing"

	"github.com/spectradiff/spectradiff/internal/spectra"
)

const usersSource = `package m

import (
	"sort"
	"strings"
)

const limit = 3
const twice = 2 * limit

var table = map[string]int{"x": twice}
var fold = strings.ToUpper

type T struct{ next *T }
type U struct{ T }

func (t *T) Method() int { return limit }
func Table() int         { return table["x"] }
func Caller() int        { return Table() }
func Made() any          { return func() *U { return nil } }
func Sorts(x []string)   { sort.Strings(x) }
func Folds() string      { return fold("x") + strings.ToLower("X") }
func Declared(strings.Builder) {}
`

func TestUsers(t *testing.T) {
	program := loadOne(t, usersSource)
	for _, c := range []struct {
		reason string
		name   spectra.Symbol
		want   string
	}{
		{"a constant, by what is initialised with it too", "limit", "[(*T).Method Table]"},
		{"who calls a user is none", "table", "[Table]"},
		{"a type, by its methods and by types that are made of it", "T", "[(*T).Method Made]"},
		{"unknown", "nothing", "[]"},
	} {
		name := "example.com/m." + c.name
		got := []string{}
		for _, user := range program.Users(map[spectra.Symbol]bool{name: true})[name] {
			got = append(got, user.Short())
		}
		if fmt.Sprint(got) != c.want {
			t.Errorf("%s: %v, want %s", c.reason, got, c.want)
		}
	}
}

func TestCallers(t *testing.T) {
	got := loadOne(t, usersSource).Callers([]string{"strings", "sort", "string", "fmt"})
	want := map[string][]spectra.Symbol{
		"sort":    {"example.com/m.Sorts"},
		"strings": {"example.com/m.Folds"}, // a signature calls nothing, and an initialiser is no function
	}
	if fmt.Sprint(got) != fmt.Sprint(want) {
		t.Errorf("%v, want %v", got, want)
	}
}
