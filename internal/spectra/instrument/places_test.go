package instrument

import (
	"testing"

	"github.com/spectradiff/spectradiff/internal/spectra/moduletest"
)

// TestPlaces: a literal says what it is a value of.
func TestPlaces(t *testing.T) {
	dir := t.TempDir()
	moduletest.Write(t, dir, map[string]string{"go.mod": mainSources["go.mod"], "p/p.go": `package p

type command struct{ Run func() }

var (
	add       = &command{Run: func() {}}
	one, two  = func() {}, func() {}
	both      = run(func() {}, map[string]func(){"a": func() {}})
	failed, _ = func() (int, error) { return 0, nil }()
)

func run(func(), map[string]func()) *command { return add }

func F() func() {
	c := &command{}
	c.Run = func() { defer func() {}() }
	return func() {}
}
`})
	want := map[string]string{
		"m/p.glob..func1": "add Run", "m/p.glob..func2": "one", "m/p.glob..func3": "two",
		"m/p.glob..func4": "both run", "m/p.glob..func5": `both run "a"`, "m/p.glob..func6": "failed",
		"m/p.F.func1": "c.Run", "m/p.F.func1.1": "", "m/p.F.func2": "", "m/p.F": "", "m/p.run": "",
	}
	for _, p := range instrumentAll(t, dir, moduletest.Load(t, dir, "./p"))[0].Points {
		place, known := want[string(p.Symbol)]
		if !known || p.Place != place {
			t.Errorf("%s has the place %q, want %q", p.Symbol, p.Place, place)
		}
		delete(want, string(p.Symbol))
	}
	for name := range want {
		t.Errorf("%s is not recorded", name)
	}
}
