package inducing

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/spectradiff/spectradiff/internal/replay/predicate"
	"github.com/spectradiff/spectradiff/internal/spectra/deltas"
)

// A world says how a command ends on the version before with some changes, by their names.
type world func(has func(names ...string) bool) predicate.Result

var (
	passing = predicate.Result{Passes: true}
	failing = predicate.Result{End: "exit status 1"}
)

func broken(text string) predicate.Result {
	return predicate.Result{End: "exit status 1", Broken: "./m.go:3:1: " + text}
}

// changed has changes of all kinds, and one comment.
const changed = `
-- old/m.go --
package m

func F() int { return 1 }

func G() int { return 1 }

func H() int { return 1 }

func gone() {}
-- new/m.go --
package m

// F is F.
func F() int { return helper() }

func G() int { return 2 }

func H() int { return 2 }

func helper() int { return 2 }
-- old/m_test.go --
package m

func TestF() {}
-- new/m_test.go --
package m

func TestF() { F() }
-- old/README --
old
-- new/README --
new
`

// narrowed returns a search among changes in a world.
func narrowed(t *testing.T, archive string, after predicate.Result, w world) *narrowing {
	t.Helper()
	files := map[string]*deltas.File{}
	n := &narrowing{byCommand: &byCommand{run: &run{}}, after: after}
	var names []string
	for _, f := range txtar.Parse([]byte(archive)).Files {
		side, name, _ := strings.Cut(f.Name, "/")
		if files[name] == nil {
			files[name], names = &deltas.File{Name: name}, append(names, name)
		}
		content := &deltas.Content{Text: f.Data, Mode: 0o644}
		if side == "old" {
			files[name].Old = content
		} else {
			files[name].New = content
		}
	}
	for _, name := range names {
		n.files = append(n.files, *files[name])
	}
	n.deltas = deltas.Of(n.files, func(string) string { return "m" })
	n.try = func(_ context.Context, some []int) (predicate.Result, error) {
		taken := n.names(some)
		return w(func(names ...string) bool {
			return !slices.ContainsFunc(names, func(name string) bool { return !slices.Contains(taken, name) })
		}), nil
	}
	return n
}

func (n *narrowing) names(some []int) (names []string) {
	for _, i := range some {
		if names = append(names, n.deltas.List[i].File); !n.deltas.List[i].Whole {
			names[len(names)-1] = n.deltas.List[i].Symbol.Short()
		}
	}
	return names
}

func TestCause(t *testing.T) {
	failsWith := func(names ...string) world {
		return func(has func(...string) bool) predicate.Result {
			if has(names...) {
				return failing
			}
			return passing
		}
	}
	for _, c := range []struct {
		reason        string
		after         predicate.Result
		world         world
		changes, with string
		needed        bool
		why           string
	}{
		{reason: "one change", after: failing, world: failsWith("G"), changes: "G", needed: true},
		{reason: "two that are only wrong together", after: failing, world: failsWith("G", "README"),
			changes: "G README", needed: true},
		{
			reason: "one that does not compile without what is added", after: failing,
			world: func(has func(...string) bool) predicate.Result {
				switch {
				case has("F") && !has("helper"):
					return broken("undefined: helper")
				case has("F"):
					return failing
				}
				return passing
			},
			changes: "F", with: "helper", needed: true,
		},
		{reason: "an addition", after: failing, world: failsWith("helper"), changes: "helper", needed: true},
		{reason: "a test and the code that it tests", after: failing, world: failsWith("TestF", "H"),
			changes: "H TestF", needed: true},
		{
			reason: "either of two is enough", after: failing,
			world: func(has func(...string) bool) predicate.Result {
				if has("G") || has("H") {
					return failing
				}
				return passing
			},
			changes: "G", why: "the commit without it ends in the same way",
		},
		{
			reason: "the commit without it needs what is gone", after: failing,
			world: func(has func(...string) bool) predicate.Result {
				switch {
				case !has("G") && has("gone"):
					return broken("undefined: gone")
				case has("G"):
					return failing
				}
				return passing
			},
			changes: "G", needed: true,
		},
		{
			reason: "what the command passes with", after: passing,
			world: func(has func(...string) bool) predicate.Result {
				if has("H") {
					return passing
				}
				return failing
			},
			changes: "H", needed: true,
		},
		{
			reason: "the commit does not compile, and others would not for another reason",
			after:  broken("H is wrong"),
			world: func(has func(...string) bool) predicate.Result {
				switch {
				case has("F") && !has("helper"):
					return broken("undefined: helper")
				case has("H"):
					r := broken("H is wrong")
					r.Broken = strings.Replace(r.Broken, ":3:1:", ":9:1:", 1)
					return r
				}
				return passing
			},
			changes: "H", needed: true,
		},
		{
			reason: "only comments are wrong", after: failing,
			world: failsWith("m.go"), changes: "m.go", needed: true,
		},
		{
			reason: "it ends differently each time", after: failing, world: failsWith("nothing"),
			changes: "README m.go m_test.go", why: "the command does not end in the same way each time",
		},
	} {
		n := narrowed(t, changed, c.after, c.world)
		got, err := n.search(t.Context())
		if err != nil {
			t.Fatalf("%s: %v", c.reason, err)
		}
		changes, with := n.names(got.changes), n.names(got.with)
		slices.Sort(changes)
		if strings.Join(changes, " ") != c.changes || strings.Join(with, " ") != c.with || got.needed != c.needed ||
			!strings.Contains(got.reason, c.why) || c.why == "" && got.reason != "" {
			t.Errorf("%s: got %q with %q, %+v", c.reason, changes, with, got)
		}
	}
}

// TestCauseOfMany: the search ends after so many trials, with what is known to be enough by then.
func TestCauseOfMany(t *testing.T) {
	var archive strings.Builder
	for _, side := range []string{"old", "new"} {
		fmt.Fprintf(&archive, "-- %s/m.go --\npackage m\n", side)
		for i := range 200 {
			fmt.Fprintf(&archive, "\nfunc F%d() string { return %q }\n", i, side)
		}
	}
	runs := 0
	n := narrowed(t, archive.String(), failing, func(has func(...string) bool) predicate.Result {
		if runs++; has("F3", "F50", "F120", "F199") {
			return failing
		}
		return passing
	})
	got, err := n.search(t.Context())
	names := n.names(got.changes)
	for _, name := range []string{"F3", "F50", "F120", "F199"} {
		if !slices.Contains(names, name) {
			t.Errorf("%s is not among %v", name, names)
		}
	}
	if err != nil || !got.cut || !got.needed || runs > mostTrials+2 || len(names) > 100 {
		t.Errorf("got %d changes after %d runs, cut %v, needed %v, %v", len(names), runs, got.cut, got.needed, err)
	}
}
