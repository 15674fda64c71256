package symbol

import (
	"go/parser"
	"go/token"
	"testing"
)

// TestImported: a path suggests what its package is called.
func TestImported(t *testing.T) {
	for _, c := range []struct {
		reason, imports string
		want            map[string]string // some of the names
		not             string            // no name
	}{
		{"the last element", `"math/rand"`, map[string]string{"rand": "math/rand"}, "math"},
		{"a name", `r "math/rand"`, map[string]string{"r": "math/rand"}, "rand"},
		{"no name", `_ "math/rand"`, nil, "_"},
		{"a version", `"math/rand/v2"`, map[string]string{"rand": "math/rand/v2", "v2": "math/rand/v2"}, "math"},
		{"a version that is none of a module", `"k8s.io/core/v1"`, map[string]string{"v1": "k8s.io/core/v1"}, "io"},
		{"a version behind a dot", `"gopkg.in/yaml.v3"`, map[string]string{"yaml": "gopkg.in/yaml.v3"}, "v3"},
		{"a suffix", `"github.com/a/nats.go"`, map[string]string{"nats": "github.com/a/nats.go"}, "a"},
		{
			"several words", `"a/go-one-two"`,
			map[string]string{"one_two": "a/go-one-two", "onetwo": "a/go-one-two", "two": "a/go-one-two"}, "a",
		},
		{
			"a likelier one", "\"a/go-two\"; \"b/go\"",
			map[string]string{"two": "a/go-two", "go": "b/go"}, "a",
		},
	} {
		file, err := parser.ParseFile(token.NewFileSet(), "", "package p\nimport ("+c.imports+")\n", parser.ImportsOnly)
		if err != nil {
			t.Fatal(err)
		}
		got := Imported(file)
		for name := range c.want {
			if got[name] != c.want[name] {
				t.Errorf("%s: %s is %q", c.reason, name, got[name])
			}
		}
		if got[c.not] != "" {
			t.Errorf("%s: %s is %q", c.reason, c.not, got[c.not])
		}
	}
}
