package impact

import (
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/static"
)

// TestStarted: what a change does before any call is seen by all that runs later, unless package variables have it all.
func TestStarted(t *testing.T) {
	const file = `package m

import (
	"log"
	"strings"
)

var words = split("a b")

var known map[string]bool

const flags = 1

func split(text string) []string { return strings.Split(text, " ") }

func note(text string) { log.SetPrefix(text) }

func prefix() string { return "m: " }

func other(n int) int { return n }

func init() {
	known = map[string]bool{}
	for i := range words {
		known[words[i]] = true
	}
}

func Say(text string) { log.Print(text) }
`
	for _, c := range []struct {
		reason, old, new string // what is replaced in the file
		ran              string // functions that ran before any call
		unknown          string
		bodies           bool
	}{
		{"a function that did not run", "return n }", "return n + 1 }", "init split", "", true},
		{"an init", "range words", "range words[1:]", "init split", "", false},
		{"what a value is made of", `Split(text, " ")`, `Split(text, "-")`, "init split", "", false},
		{"an init more", "func Say", "func init() { log.SetFlags(0) }\n\nfunc Say", "init", "log.SetFlags", false},
		{
			"through a helper", "func Say", "func init() { note(prefix()) }\n\nfunc Say", "init note prefix",
			"log.SetPrefix", false,
		},
		{
			"several, of which the first name is told", "func Say", "func init() { log.SetFlags(0) }\n\n" +
				"func init() { log.SetPrefix(\"\") }\n\nfunc init() { log.Prefix() }\n\nfunc Say", "init", "log.Prefix",
			false,
		},
		{
			"several blank variables", "func Say", "var _ = log.Writer()\n\nvar _ = log.Prefix()\n\n" +
				"var _ = log.Flags()\n\nfunc Say", "", "log.Flags", false,
		},
		{"a value", `"a b"`, `log.Prefix()`, "init split", "log.Prefix", false},
	} {
		change, recorded := changeOf(t, map[string]string{"a.go": file},
			map[string]string{"a.go": strings.Replace(file, c.old, c.new, 1)})
		for _, s := range spectra.Sides() {
			of := change.Starts.Of(s)
			of.Program, of.Ran = static.New((*change.Versions.Of(s)).Packages, nil), map[uint32]bool{}
			of.Recorded = *recorded.Of(s)
			for i, owner := range owners(of.Recorded) {
				of.Ran[uint32(i)] = strings.Contains(" "+c.ran+" ", " "+string(owner.Short())+" ")
				if !of.Ran[uint32(i)] {
					delete(of.Ran, uint32(i))
				}
			}
		}
		for range 8 { // whatever the order of maps is
			found, unknown := change.Find()
			if found.Bodies != c.bodies || !strings.Contains(unknown, c.unknown) || c.unknown == "" && unknown != "" {
				t.Errorf("%s: only bodies %v, %q", c.reason, found.Bodies, unknown)
			}
			if found.Outward != (c.unknown != "") {
				t.Errorf("%s: left something elsewhere: %v", c.reason, found.Outward)
			}
		}
	}
}
