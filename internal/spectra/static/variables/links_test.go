package variables

import (
	"slices"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/moduletest"
	"github.com/spectradiff/spectradiff/internal/spectra/static"
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

// TestTouchesLinked checks that links by linker names and assembly count, and that packages that do not
// compile don't affect others.
func TestTouchesLinked(t *testing.T) {
	dir := t.TempDir()
	moduletest.Write(t, dir, linkSources)
	got := touches(t, moduletest.Load(t, dir, "./..."))
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

// TestTouchesUnknown checks that every function touches everything if the analysis fails, and that the
// caller gets the reason.
func TestTouchesUnknown(t *testing.T) {
	dir := t.TempDir()
	moduletest.Write(t, dir, linkSources)
	pkgs := moduletest.Load(t, dir, "./p", "./q")
	pkgs[0].TypesInfo.Uses = nil // makes the builder fail
	program := static.New(pkgs, nil)
	got, err := Variables(program)
	if err == nil || !strings.Contains(err.Error(), "not known: build the SSA form: ") {
		t.Errorf("error %v", err)
	}
	for symbol, list := range got {
		if !slices.Equal(list, program.Variables()) {
			t.Errorf("%s: %v", symbol, list)
		}
	}
	if len(got) != 7 || len(program.Variables()) == 0 {
		t.Errorf("%d functions have an entry, %d variables change", len(got), len(program.Variables()))
	}
}
