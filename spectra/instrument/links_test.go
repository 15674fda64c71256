package instrument

import (
	"slices"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/spectra"
)

var linkSources = map[string]string{
	"go.mod": "module m\n\ngo 1.24\n",
	"p/p.go": `package p

import _ "unsafe"

var behind, mentioned, aliased int

//go:linkname far m/q.near
func far() int

func assembled() int

func CallsFar() int { return far() }
func CallsAssembly() int { return assembled() }
func write() { behind++; mentioned++; aliased++ }
`,
	"p/p.s": "TEXT ·assembled(SB), 4, $0-8\n\tMOVQ ·mentioned(SB), AX\n\tMOVQ AX, ret+0(FP)\n\tRET\n",
	"q/q.go": `package q

import _ "unsafe"

var counter int

func near() int { counter++; return counter }

//go:linkname alias m/p.aliased
var alias int

func ThroughAlias() int { return alias }
`,
	"q/q.s":      "",
	"r/r.go":     "package r\n\nvar x undefined\n\nfunc F() { x++ }\n",
	"r/s/use.go": "package s\n\nimport \"m/r\"\n\nfunc G() { r.F() }\n",
}

// What linker names and assembly connect counts, and packages that do not compile hinder no other.
func TestTouchesLinked(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, linkSources)
	got := touches(t, load(t, dir, "./..."))
	for _, test := range []struct{ symbol, want, reason string }{
		{"m/p.CallsFar", "m/q.counter", "a function of another package by its linker name"},
		{"m/p.CallsAssembly", "m/p.mentioned", "a name in an assembly source"},
		{"m/q.ThroughAlias", "m/p.aliased m/q.alias", "a variable with two names"},
	} {
		if list := got[spectra.Symbol(test.symbol)]; strings.Join(list, " ") != test.want {
			t.Errorf("%s (%s): %v, want %s", test.symbol, test.reason, list, test.want)
		}
	}
	if _, ok := got["m/r.F"]; ok {
		t.Error("a function that does not compile has an entry")
	}
}

// Where nothing is known, everything is touched, and the caller learns why.
func TestTouchesUnknown(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, linkSources)
	pkgs := load(t, dir, "./p", "./q")
	pkgs[0].TypesInfo.Uses = nil // the builder can't stand that
	variables := []string{"m/p.a", "m/p.b"}
	if _, err := newProgram(pkgs); err == nil || !strings.HasPrefix(err.Error(), "build the SSA form: ") {
		t.Errorf("error %v", err)
	}
	for symbol, list := range touchAll(pkgs, variables) {
		if !slices.Equal(list, variables) {
			t.Errorf("%s: %v", symbol, list)
		}
	}
	if n := len(touchAll(pkgs, variables)); n != 7 {
		t.Errorf("%d functions have an entry", n)
	}
}
