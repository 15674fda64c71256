package names

import (
	"reflect"
	"testing"
)

type (
	list[T any]     struct{ First T }
	pairs[K, V any] struct {
		Key   K
		Value V
	}
	fresh     struct{ N int }
	unchanged struct{ N int }
)

// TestRenames: a renamed declaration has the name on which both versions agreed wherever it is mentioned.
func TestRenames(t *testing.T) {
	const here = "github.com/spectradiff/spectradiff/internal/spectra/rt/names"
	Configure(Config{Renames: map[string]string{
		here + ".fresh": "m/p.old", here + ".list": "m/p.queue", "m/v2/p.(*T).N": "m/p.(*T).M",
		"m/v2/p.U": "m/p.T", "m/v2/p": "m/p", "m/v2/p.F": "m/p.G",
	}})
	defer Configure(Config{})
	type local struct{ N int }
	for _, test := range []struct {
		reason string
		typ    reflect.Type
		want   string
	}{
		{"the type", reflect.TypeFor[fresh](), "m/p.old"},
		{"a pointer to it", reflect.TypeFor[[]*fresh](), "[]*m/p.old"},
		{"a type argument", reflect.TypeFor[pairs[string, *fresh]](), here + ".pairs[string,*m/p.old]"},
		{"a type and its argument", reflect.TypeFor[list[fresh]](), "m/p.queue[m/p.old]"},
		{"an argument of an argument", reflect.TypeFor[list[list[fresh]]](), "m/p.queue[m/p.queue[m/p.old]]"},
		{"others keep their names", reflect.TypeFor[unchanged](), here + ".unchanged"},
		{"a predeclared one", reflect.TypeFor[string](), "string"},
	} {
		if got := Type(test.typ); got != test.want {
			t.Errorf("%s: %s, want %s", test.reason, got, test.want)
		}
	}
	for _, test := range []struct{ reason, name, want string }{
		{"a function", "m/v2/p.F", "m/p.G"},
		{"its literal", "m/v2/p.F.func", "m/p.G.func"},
		{"a method", "m/v2/p.(*T).N", "m/p.(*T).M"},
		{"a method value", "m/v2/p.(*T).N-fm", "m/p.(*T).M-fm"},
		{"a literal in a method", "m/v2/p.(*T).N.func", "m/p.(*T).M.func"},
		{"a method of a renamed type", "m/v2/p.(*U).Same", "m/p.(*T).Same"},
		{"a method value of a renamed type", "m/v2/p.U.Same-fm", "m/p.T.Same-fm"},
		{"a literal in a method of a renamed type", "m/v2/p.(*U).Same.func", "m/p.(*T).Same.func"},
		{"a literal of a package variable in a moved package", "m/v2/p.glob..func", "m/p.glob..func"},
		{"a function of it that was not renamed", "m/v2/p.Other", "m/p.Other"},
		{"a package below it is another one", "m/v2/p/q.F", "m/v2/p/q.F"},
	} {
		if got := renamed(test.name); got != test.want {
			t.Errorf("%s: %s, want %s", test.reason, got, test.want)
		}
	}
	Configure(Config{Renames: map[string]string{here: "m/p"}})
	if got := Type(reflect.TypeFor[local]()); got != "m/p.local" {
		t.Errorf("a type of a function in a moved package is %s", got)
	}
	if got := Type(reflect.TypeFor[list[local]]()); got != "m/p.list[m/p.local·1]" {
		t.Errorf("a type with one as its argument is %s", got)
	}
}
