package diff_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/diff"
	"github.com/spectradiff/spectradiff/diff/difftest"
	"github.com/spectradiff/spectradiff/diff/noise"
	"github.com/spectradiff/spectradiff/spectra"
)

// render lists what a comparison says: its deviations, then what exposes it.
func render(c *diff.Comparison) string {
	var lines []string
	for _, d := range c.Deviations {
		lines = append(lines, fmt.Sprintf("%s %s %s: %s | %s", d.Kind, d.Function.Short(), d.Path, d.Old, d.New))
	}
	x := ""
	for _, s := range []struct {
		name string
		on   bool
	}{{"hit", c.Exposure.Hit}, {"count", c.Exposure.Count}, {"trace", c.Exposure.Trace}, {"output", c.Exposure.Output}} {
		if s.on {
			x += " " + s.name
		}
	}
	lines = append(lines, "exposed by"+x)
	if c.Incomparable != "" {
		lines = append(lines, c.Incomparable)
	}
	return strings.Join(lines, "\n")
}

// Only these functions are common.
var identity = map[spectra.Symbol]spectra.Symbol{"m.F": "m.F", "m.G": "m.G", "m.H": "m.H"}

var compareCases = []struct {
	reason, old, new string
	common           map[spectra.Symbol]spectra.Symbol
	want             string
}{
	{"nothing differs", "m.F(a=1) -> ret0=2", "m.F(a=1) -> ret0=2", nil, "exposed by"},
	{"a container", "m.F(a=1) -> ret0=2", "m.F(a=1) -> ret0=3", nil,
		"container F ret0: 2 | 3\nexposed by hit count trace"},
	{"a follower inside a caller that does not deviate", "m.F(a=1) -> ret0=2\n  m.G(x=1) -> ret0=1", "m.F(a=1) -> ret0=2\n  m.G(x=2) -> ret0=1", nil,
		"follower G x: 1 | 2\nexposed by hit count trace"},
	{"one more call of another function", "m.F(a=1) -> ret0=2", "m.F(a=1) -> ret0=2\n  m.G(x=2) -> ret0=1", nil,
		"new-only G : (none) | executed\nexposed by hit count trace"},
	{"what a new-only execution calls is not listed again", "m.F(a=1) ->", "m.F(a=1) ->\n  m.G(x=2) ->\n    m.H(y=1) ->", nil,
		"new-only G : (none) | executed\nexposed by hit count trace"},
	{"one more call of the same: only the count", "m.F(a=1) ->\n  m.G(x=2) ->", "m.F(a=1) ->\n  m.G(x=2) ->\n  m.G(x=2) ->", nil,
		"exposed by count trace"},
	{"a call elsewhere: only the trace", "m.F(a=1) ->\n  m.G(x=2) ->\n    m.H(y=1) ->", "m.F(a=1) ->\n  m.G(x=2) ->\n  m.H(y=1) ->", nil,
		"exposed by trace"},
	{"callees in another order: only the trace", "m.F(a=1) ->\n  m.G(x=2) ->\n  m.G(x=3) ->", "m.F(a=1) ->\n  m.G(x=3) ->\n  m.G(x=2) ->", nil,
		"exposed by trace"},
	{"one more goroutine is left", "m.F(a=1) -> left:m.G", "m.F(a=1) -> left:m.G left:m.G", nil,
		"exit F goroutines left: 1 × G (waits) | 2 × G (waits)\nexposed by hit count trace"},
	{"another goroutine is left, and what it began with is not compared", "m.F(a=1) -> left:m.G", "m.F(a=1) -> left:m.new", identity,
		"exit F goroutines left: 1 × G (waits) | 1 × goroutine (waits)\nexposed by hit count trace"},
	{"goroutines that one version's function left count with its caller", "m.F(a=1) -> left:m.G", "m.F(a=1) ->\n  m.new(x=1) -> left:m.G", identity,
		"exposed by"},
	{"which of two equal calls left it is a matter of order", "m.F(a=1) -> left:m.G\n--\nm.F(a=1) ->", "m.F(a=1) ->\n--\nm.F(a=1) -> left:m.G", nil,
		"exposed by trace"},
	{"goroutines in another order: nothing", "m.F(a=1) ->\n  go m.G(x=2) ->\n  go m.G(x=3) ->", "m.F(a=1) ->\n  go m.G(x=3) ->\n  go m.G(x=2) ->", nil,
		"exposed by"},
	{"goroutines in another order, one deviates: it finds its counterpart",
		"m.F(a=1) ->\n  go m.G(x=2) -> ret0=1\n  go m.G(x=3) -> ret0=1", "m.F(a=1) ->\n  go m.G(x=3) -> ret0=9\n  go m.G(x=2) -> ret0=1", nil,
		"container G ret0: 1 | 9\nexposed by hit count trace"},
	{"a panic in place of a return", "m.F(a=1) -> ret0=2", "m.F(a=1) -> panic=boom !panic", nil,
		"panic F panic: returned | panic: \"boom\"\nexposed by hit count trace"},
	{"another panic", "m.F(a=1) -> panic=bang !panic", "m.F(a=1) -> panic=boom !panic", nil,
		"panic F panic: panic: \"bang\" | panic: \"boom\"\nexposed by hit count trace"},
	{"the process ends inside", "m.F(a=1) -> ret0=2", "m.F(a=1) -> !open\nend exited", nil,
		"exit F end: returned | still running\nexposed by hit count trace output"},
	{"the process ends and nothing recorded shows where", "m.F(a=1) ->", "m.F(a=1) ->\nend crashed", nil,
		"exit  end: ran to its end | crashed\nexposed by output"},
	{"same values, another output", "m.F(a=1) ->\nstdout one", "m.F(a=1) ->\nstdout two", nil,
		"container  stdout: one\n | two\n\nexposed by output"},
	{"truncated entries are neither equal nor different", "m.F(a=1) -> ~entry", "m.F(a=2) -> ~entry", nil, "exposed by"},
	{"truncated exits neither", "m.F(a=1) -> ret0=1 ~exit", "m.F(a=1) -> ret0=2", nil, "exposed by"},
	{"a panic is seen behind a truncated entry", "m.F(a=1) -> ~entry", "m.F(a=1) -> !panic ~entry", nil,
		"panic F panic: returned | panicked\nexposed by"},
	{"an added helper is transparent", "m.F(a=1) ->\n  m.G(x=1) ->", "m.F(a=1) ->\n  m.new(z=9) ->\n    m.G(x=1) ->", identity, "exposed by"},
	{"a removed helper is transparent", "m.F(a=1) ->\n  m.old(z=9) ->\n    m.G(x=1) ->", "m.F(a=1) ->\n  m.G(x=1) ->", identity, "exposed by"},
	{"a renamed function is the same", "m.F(a=1) ->\n  m.before(x=1) -> ret0=1", "m.F(a=1) ->\n  m.after(x=1) -> ret0=2",
		map[spectra.Symbol]spectra.Symbol{"m.F": "m.F", "m.after": "m.before"}, "container after ret0: 1 | 2\nexposed by hit count trace"},
	{"recursion: every level is compared", "m.F(a=2) -> ret0=2\n  m.F(a=1) -> ret0=1", "m.F(a=2) -> ret0=3\n  m.F(a=1) -> ret0=2", nil,
		"container F ret0: 2 | 3\ncontainer F ret0: 1 | 2\nexposed by hit count trace"},
	{"digests alone tell the class, not the values", "m.F(a=1) -> ret0=2 #digests", "m.F(a=1) -> ret0=3 #digests", nil,
		"container F :  | \nexposed by hit count trace"},
	{"the topmost difference comes first", "m.F(a=1) -> recv=[1,2] ret0=2", "m.F(a=1) -> recv=[1,3] ret0=3", nil,
		"container F ret0: 2 | 3\nexposed by hit count trace"},
	{"a list's length", "m.F(l=[1,2]) ->", "m.F(l=[1]) ->", nil,
		"follower F len(l): 2 | 1\nexposed by hit count trace"},
	{"no answer in time is no deviation", "m.F(a=1) -> ret0=2", "m.F(a=1) -> ret0=3\nend timeout", nil,
		"exposed by\nthe new version did not end within the time limit"},
	{"renamed parameters are the same", "m.F(a=1) -> a=2", "m.F(b=1) -> b=2", nil, "exposed by"},
	{"a goroutine that nobody started", "stray\ngo m.G(x=1) -> x=1", "stray\ngo m.G(x=1) -> x=2", nil,
		"container G x: 1 | 2\nexposed by hit count trace"},
}

func TestCompare(t *testing.T) {
	for _, test := range compareCases {
		c := diff.Compare(difftest.Spectrum(test.old), difftest.Spectrum(test.new), diff.Options{Common: test.common})
		if got := render(c); got != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.reason, got, test.want)
		}
	}
}

func TestMask(t *testing.T) {
	for _, test := range []struct {
		reason, first, second string // two runs of the old version
		new                   string
		sites, want           string
	}{
		{"a value that changes from run to run hides itself, not its neighbours",
			"m.F(a=1) -> ret0=[5] ret1=2", "m.F(a=1) -> ret0=[6] ret1=2", "m.F(a=1) -> ret0=[7] ret1=3",
			"F exit ret0[*]", "container F ret1: 2 | 3\nexposed by hit count trace"},
		{"alone it is no deviation", "m.F(a=1) -> ret0=[5] ret1=2", "m.F(a=1) -> ret0=[6] ret1=2", "m.F(a=1) -> ret0=[7] ret1=2",
			"F exit ret0[*]", "exposed by"},
		{"every index is covered", "m.F(a=1) -> ret0=[1,5]", "m.F(a=1) -> ret0=[1,6]", "m.F(a=1) -> ret0=[9,5]",
			"F exit ret0[*]", "exposed by"},
		{"another size covers the whole list", "m.F(a=1) -> ret0=[5]", "m.F(a=1) -> ret0=[5,6]", "m.F(a=1) -> ret0=[]",
			"F exit ret0 F exit ret0[*]", "exposed by"},
		{"executions that come and go", "m.F(a=1) ->", "m.F(a=1) ->\n  m.G(x=1) ->", "m.F(a=1) ->\n  m.G(x=5) ->\n    m.H(y=1) ->",
			"F calls m.G", "exposed by"},
		{"they hide no other callee", "m.F(a=1) ->", "m.F(a=1) ->\n  m.G(x=1) ->", "m.F(a=1) ->\n  m.H(y=1) ->",
			"F calls m.G", "new-only H : (none) | executed\nexposed by hit count trace"},
		{"an order that changes hides only the trace", "m.F(a=1) ->\n  m.G(x=1) ->\n  m.G(x=2) ->", "m.F(a=1) ->\n  m.G(x=2) ->\n  m.G(x=1) ->",
			"m.F(a=1) ->\n  m.G(x=2) ->\n  m.G(x=1) ->", "F order ", "exposed by"},
		{"ends by panic now and then", "m.F(a=1) -> ret0=1", "m.F(a=1) -> panic=x !panic", "m.F(a=1) -> panic=y !panic", "F exit ", "exposed by"},
		{"printed text", "m.F(a=1) ->\nstdout 1", "m.F(a=1) ->\nstdout 2", "m.F(a=1) ->\nstdout 3", " output stdout", "exposed by"},
		{"without values a state is masked as a whole", "m.F(a=1) -> ret0=1 #digests", "m.F(a=1) -> ret0=2 #digests", "m.F(a=1) -> ret0=3 #digests",
			"F exit ", "exposed by"},
	} {
		first := difftest.Spectrum(test.first)
		mask := diff.Unstable(first, difftest.Spectrum(test.second), "old")
		var sites []string
		for _, n := range mask.Sites() {
			sites = append(sites, fmt.Sprintf("%s %s %s", n.Function.Short(), n.State, n.Path))
			if n.Reason != "differs between two runs of the old version" {
				t.Errorf("%s: reason %q", test.reason, n.Reason)
			}
		}
		if got := strings.Join(sites, " "); got != test.sites {
			t.Errorf("%s: masked %q, want %q", test.reason, got, test.sites)
		}
		if got := render(diff.Compare(first, difftest.Spectrum(test.new), diff.Options{Mask: mask})); got != test.want {
			t.Errorf("%s:\n got %s\nwant %s", test.reason, got, test.want)
		}
	}
}

func TestBroughtInNondeterminism(t *testing.T) {
	old, new := difftest.Spectrum("m.F(a=1) -> ret0=1"), difftest.Spectrum("m.F(a=1) -> ret0=1")
	oldMask := diff.Unstable(old, old, "old")
	newMask := diff.Unstable(new, difftest.Spectrum("m.F(a=1) -> ret0=2"), "new")
	mask := &noise.Mask{}
	mask.Union(oldMask, newMask)
	c := diff.Compare(old, new, diff.Options{Mask: mask, Brought: newMask.Without(oldMask)})
	const want = "nondeterminism F ret0: the same in every run | different from run to run\nexposed by"
	if got := render(c); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	c = diff.Compare(old, new, diff.Options{Mask: mask, Brought: newMask.Without(newMask)})
	if len(c.Deviations) > 0 {
		t.Errorf("what was unstable before is no deviation: %s", render(c))
	}
}

func TestWeigh(t *testing.T) {
	s := difftest.Spectrum("m.F(a=1) -> ret0=[5,6] ret1=2")
	mask := diff.Unstable(s, difftest.Spectrum("m.F(a=1) -> ret0=[5,7] ret1=2"), "old")
	if values, masked := diff.Weigh(s, mask); values != 4 || masked != 2 {
		t.Errorf("%d values, %d masked, want 4 and 2", values, masked)
	}
}
