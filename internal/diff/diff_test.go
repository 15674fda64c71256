package diff_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/diff/difftest"
	"github.com/spectradiff/spectradiff/internal/diff/noise"
	"github.com/spectradiff/spectradiff/internal/spectra"
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
	}{
		{"hit", c.Exposure.Hit},
		{"count", c.Exposure.Count},
		{"trace", c.Exposure.Trace},
		{"output", c.Exposure.Output},
	} {
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

// identity has the only functions that both versions have in some cases; they have the same names in both.
var identity = map[spectra.Symbol]spectra.Symbol{"m.F": "m.F", "m.G": "m.G", "m.H": "m.H"}

var compareCases = []struct {
	reason, old, new string
	common           map[spectra.Symbol]spectra.Symbol
	want             string
}{
	{
		reason: "nothing differs",
		old:    "m.F(a=1) -> ret0=2",
		new:    "m.F(a=1) -> ret0=2",
		want:   "exposed by",
	},
	{
		reason: "a container",
		old:    "m.F(a=1) -> ret0=2",
		new:    "m.F(a=1) -> ret0=3",
		want:   "container F ret0: 2 | 3\nexposed by hit count trace",
	},
	{
		reason: "a follower inside a caller that does not deviate",
		old:    "m.F(a=1) -> ret0=2\n  m.G(x=1) -> ret0=1",
		new:    "m.F(a=1) -> ret0=2\n  m.G(x=2) -> ret0=1",
		want:   "follower G x: 1 | 2\nexposed by hit count trace",
	},
	{
		reason: "one more call of another function",
		old:    "m.F(a=1) -> ret0=2",
		new:    "m.F(a=1) -> ret0=2\n  m.G(x=2) -> ret0=1",
		want:   "new-only G : (none) | executed\nexposed by hit count trace",
	},
	{
		reason: "what a new-only execution calls is not listed again",
		old:    "m.F(a=1) ->",
		new:    "m.F(a=1) ->\n  m.G(x=2) ->\n    m.H(y=1) ->",
		want:   "new-only G : (none) | executed\nexposed by hit count trace",
	},
	{
		reason: "one more call of the same: only the count",
		old:    "m.F(a=1) ->\n  m.G(x=2) ->",
		new:    "m.F(a=1) ->\n  m.G(x=2) ->\n  m.G(x=2) ->",
		want:   "exposed by count trace",
	},
	{
		reason: "a call elsewhere: only the trace",
		old:    "m.F(a=1) ->\n  m.G(x=2) ->\n    m.H(y=1) ->",
		new:    "m.F(a=1) ->\n  m.G(x=2) ->\n  m.H(y=1) ->",
		want:   "exposed by trace",
	},
	{
		reason: "callees in another order: only the trace",
		old:    "m.F(a=1) ->\n  m.G(x=2) ->\n  m.G(x=3) ->",
		new:    "m.F(a=1) ->\n  m.G(x=3) ->\n  m.G(x=2) ->",
		want:   "exposed by trace",
	},
	{
		reason: "one more goroutine is left",
		old:    "m.F(a=1) -> left:m.G",
		new:    "m.F(a=1) -> left:m.G left:m.G",
		want:   "exit F goroutines left: 1 × G (waits) | 2 × G (waits)\nexposed by hit count trace",
	},
	{
		reason: "another goroutine is left, and what it began with is not compared",
		old:    "m.F(a=1) -> left:m.G",
		new:    "m.F(a=1) -> left:m.new",
		common: identity,
		want:   "exit F goroutines left: 1 × G (waits) | 1 × goroutine (waits)\nexposed by hit count trace",
	},
	{
		reason: "goroutines that one version's function left count with its caller",
		old:    "m.F(a=1) -> left:m.G",
		new:    "m.F(a=1) ->\n  m.new(x=1) -> left:m.G",
		common: identity,
		want:   "exposed by",
	},
	{
		reason: "which of two equal calls left it is a matter of order",
		old:    "m.F(a=1) -> left:m.G\n--\nm.F(a=1) ->",
		new:    "m.F(a=1) ->\n--\nm.F(a=1) -> left:m.G",
		want:   "exposed by trace",
	},
	{
		reason: "nobody counts what is left in a process that ends",
		old:    "m.F(a=1) -> left:m.G\n--\nm.H(y=1) -> ret0=1",
		new:    "m.F(a=1) ->\n--\nm.H(y=1) -> !open\nend exited",
		want:   "exit H end: returned | still running\nexposed by hit count trace output",
	},
	{
		reason: "nor where the steps are used up",
		old:    "m.F(a=1) ->\n--\nm.H(y=1) -> !open\nend steps",
		new:    "m.F(a=1) -> left:m.G\n--\nm.H(y=1) -> ret0=1",
		want:   "exit H end: does not end:  | returned\nexposed by hit count trace output",
	},
	{
		reason: "where a statement waits for ever they are counted",
		old:    "m.F(a=1) -> left:m.G\n--\nm.H(y=1) -> !open\nend blocked",
		new:    "m.F(a=1) ->\n--\nm.H(y=1) -> !open\nend blocked",
		want:   "exit F goroutines left: 1 × G (waits) | (none)\nexposed by hit count trace",
	},
	{
		reason: "goroutines in another order: nothing",
		old:    "m.F(a=1) ->\n  go m.G(x=2) ->\n  go m.G(x=3) ->",
		new:    "m.F(a=1) ->\n  go m.G(x=3) ->\n  go m.G(x=2) ->",
		want:   "exposed by",
	},
	{
		reason: "goroutines in another order, one deviates: it finds its counterpart",
		old:    "m.F(a=1) ->\n  go m.G(x=2) -> ret0=1\n  go m.G(x=3) -> ret0=1",
		new:    "m.F(a=1) ->\n  go m.G(x=3) -> ret0=9\n  go m.G(x=2) -> ret0=1",
		want:   "container G ret0: 1 | 9\nexposed by hit count trace",
	},
	{
		reason: "a panic in place of a return",
		old:    "m.F(a=1) -> ret0=2",
		new:    "m.F(a=1) -> panic=boom !panic",
		want:   "panic F panic: returned | panic: \"boom\"\nexposed by hit count trace",
	},
	{
		reason: "another panic",
		old:    "m.F(a=1) -> panic=bang !panic",
		new:    "m.F(a=1) -> panic=boom !panic",
		want:   "panic F panic: panic: \"bang\" | panic: \"boom\"\nexposed by hit count trace",
	},
	{
		reason: "the process ends inside",
		old:    "m.F(a=1) -> ret0=2",
		new:    "m.F(a=1) -> !open\nend exited",
		want:   "exit F end: returned | still running\nexposed by hit count trace output",
	},
	{
		reason: "the process ends and nothing recorded shows where",
		old:    "m.F(a=1) ->",
		new:    "m.F(a=1) ->\nend crashed",
		want:   "exit  end: ran to its end | crashed\nexposed by output",
	},
	{
		reason: "same values, another output",
		old:    "m.F(a=1) ->\nstdout one",
		new:    "m.F(a=1) ->\nstdout two",
		want:   "container  stdout: one\n | two\n\nexposed by output",
	},
	{
		reason: "truncated entries are neither equal nor different",
		old:    "m.F(a=1) -> ~entry",
		new:    "m.F(a=2) -> ~entry",
		want:   "exposed by",
	},
	{
		reason: "truncated exits neither",
		old:    "m.F(a=1) -> ret0=1 ~exit",
		new:    "m.F(a=1) -> ret0=2",
		want:   "exposed by",
	},
	{
		reason: "a panic is seen behind a truncated entry",
		old:    "m.F(a=1) -> ~entry",
		new:    "m.F(a=1) -> !panic ~entry",
		want:   "panic F panic: returned | panicked\nexposed by",
	},
	{
		reason: "an added helper is transparent",
		old:    "m.F(a=1) ->\n  m.G(x=1) ->",
		new:    "m.F(a=1) ->\n  m.new(z=9) ->\n    m.G(x=1) ->",
		common: identity,
		want:   "exposed by",
	},
	{
		reason: "a removed helper is transparent",
		old:    "m.F(a=1) ->\n  m.old(z=9) ->\n    m.G(x=1) ->",
		new:    "m.F(a=1) ->\n  m.G(x=1) ->",
		common: identity,
		want:   "exposed by",
	},
	{
		reason: "a renamed function is the same",
		old:    "m.F(a=1) ->\n  m.before(x=1) -> ret0=1",
		new:    "m.F(a=1) ->\n  m.after(x=1) -> ret0=2",
		common: map[spectra.Symbol]spectra.Symbol{"m.F": "m.F", "m.after": "m.before"},
		want:   "container after ret0: 1 | 2\nexposed by hit count trace",
	},
	{
		reason: "recursion: every level is compared",
		old:    "m.F(a=2) -> ret0=2\n  m.F(a=1) -> ret0=1",
		new:    "m.F(a=2) -> ret0=3\n  m.F(a=1) -> ret0=2",
		want:   "container F ret0: 2 | 3\ncontainer F ret0: 1 | 2\nexposed by hit count trace",
	},
	{
		reason: "values that one run recorded alone: what the other had is not known, and not nothing",
		old:    "m.F(a=1) -> ret0=2\n  m.G(b=7) -> ret0=1",
		new:    "m.F(a=1) -> ret0=2\n  m.G(b=8) -> ret0=1 #digests",
		want:   "follower G :  | \nexposed by hit count trace",
	},
	{
		reason: "digests alone tell the class, not the values",
		old:    "m.F(a=1) -> ret0=2 #digests",
		new:    "m.F(a=1) -> ret0=3 #digests",
		want:   "container F :  | \nexposed by hit count trace",
	},
	{
		reason: "the topmost difference comes first",
		old:    "m.F(a=1) -> recv=[1,2] ret0=2",
		new:    "m.F(a=1) -> recv=[1,3] ret0=3",
		want:   "container F ret0: 2 | 3\nexposed by hit count trace",
	},
	{
		reason: "a list's length",
		old:    "m.F(l=[1,2]) ->",
		new:    "m.F(l=[1]) ->",
		want:   "follower F len(l): 2 | 1\nexposed by hit count trace",
	},
	{
		reason: "no answer in time is no deviation",
		old:    "m.F(a=1) -> ret0=2",
		new:    "m.F(a=1) -> ret0=3\nend timeout",
		want:   "exposed by\nthe new version did not end within the time limit",
	},
	{
		reason: "renamed parameters are the same",
		old:    "m.F(a=1) -> a=2",
		new:    "m.F(b=1) -> b=2",
		want:   "exposed by",
	},
	{
		reason: "a goroutine that nobody started",
		old:    "stray\ngo m.G(x=1) -> x=1",
		new:    "stray\ngo m.G(x=1) -> x=2",
		want:   "container G x: 1 | 2\nexposed by hit count trace",
	},
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
		{
			reason: "a value that changes from run to run hides itself, not its neighbours",
			first:  "m.F(a=1) -> ret0=[5] ret1=2",
			second: "m.F(a=1) -> ret0=[6] ret1=2",
			new:    "m.F(a=1) -> ret0=[7] ret1=3",
			sites:  "F exit ret0[*]",
			want:   "container F ret1: 2 | 3\nexposed by hit count trace",
		},
		{
			reason: "alone it is no deviation",
			first:  "m.F(a=1) -> ret0=[5] ret1=2",
			second: "m.F(a=1) -> ret0=[6] ret1=2",
			new:    "m.F(a=1) -> ret0=[7] ret1=2",
			sites:  "F exit ret0[*]",
			want:   "exposed by",
		},
		{
			reason: "every index is covered",
			first:  "m.F(a=1) -> ret0=[1,5]",
			second: "m.F(a=1) -> ret0=[1,6]",
			new:    "m.F(a=1) -> ret0=[9,5]",
			sites:  "F exit ret0[*]",
			want:   "exposed by",
		},
		{
			reason: "another size covers the whole list",
			first:  "m.F(a=1) -> ret0=[5]",
			second: "m.F(a=1) -> ret0=[5,6]",
			new:    "m.F(a=1) -> ret0=[]",
			sites:  "F exit ret0 F exit ret0[*]",
			want:   "exposed by",
		},
		{
			reason: "executions that come and go",
			first:  "m.F(a=1) ->",
			second: "m.F(a=1) ->\n  m.G(x=1) ->",
			new:    "m.F(a=1) ->\n  m.G(x=5) ->\n    m.H(y=1) ->",
			sites:  "F calls m.G",
			want:   "exposed by",
		},
		{
			reason: "they hide no other callee",
			first:  "m.F(a=1) ->",
			second: "m.F(a=1) ->\n  m.G(x=1) ->",
			new:    "m.F(a=1) ->\n  m.H(y=1) ->",
			sites:  "F calls m.G",
			want:   "new-only H : (none) | executed\nexposed by hit count trace",
		},
		{
			reason: "an order that changes hides only the trace",
			first:  "m.F(a=1) ->\n  m.G(x=1) ->\n  m.G(x=2) ->",
			second: "m.F(a=1) ->\n  m.G(x=2) ->\n  m.G(x=1) ->",
			new:    "m.F(a=1) ->\n  m.G(x=2) ->\n  m.G(x=1) ->",
			sites:  "F order ",
			want:   "exposed by",
		},
		{
			reason: "ends by panic now and then",
			first:  "m.F(a=1) -> ret0=1",
			second: "m.F(a=1) -> panic=x !panic",
			new:    "m.F(a=1) -> panic=y !panic",
			sites:  "F exit ",
			want:   "exposed by",
		},
		{
			reason: "printed text",
			first:  "m.F(a=1) ->\nstdout 1",
			second: "m.F(a=1) ->\nstdout 2",
			new:    "m.F(a=1) ->\nstdout 3",
			sites:  " output stdout",
			want:   "exposed by",
		},
		{
			reason: "without values a state is masked as a whole",
			first:  "m.F(a=1) -> ret0=1 #digests",
			second: "m.F(a=1) -> ret0=2 #digests",
			new:    "m.F(a=1) -> ret0=3 #digests",
			sites:  "F exit ",
			want:   "exposed by",
		},
	} {
		first := difftest.Spectrum(test.first)
		mask := diff.Unstable(first, difftest.Spectrum(test.second), "old", nil)
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
	oldMask := diff.Unstable(old, old, "old", nil)
	newMask := diff.Unstable(new, difftest.Spectrum("m.F(a=1) -> ret0=2"), "new", nil)
	mask := &noise.Mask{}
	mask.Union(oldMask, newMask)
	c := diff.Compare(old, new, diff.Options{Mask: mask, Introduced: newMask.Without(oldMask)})
	const want = "nondeterminism F ret0: the same in every run | different from run to run\nexposed by"
	if got := render(c); got != want {
		t.Errorf("got %s\nwant %s", got, want)
	}
	c = diff.Compare(old, new, diff.Options{Mask: mask, Introduced: newMask.Without(newMask)})
	if len(c.Deviations) > 0 {
		t.Errorf("what was unstable before is no deviation: %s", render(c))
	}
}

// TestBroughtInWhereItCan: what varies in some sequence is not blamed where nothing of it is there.
func TestBroughtInWhereItCan(t *testing.T) {
	brought := &noise.Mask{}
	for _, site := range []noise.Site{
		{Function: "m.F", State: noise.Entry, Path: "a[*]"}, {Function: "m.F", State: noise.Exit, Path: "ret0[*]"},
		{Function: "m.F", State: noise.Outputs, Path: "ret0"},
	} {
		brought.Add(site, "varies")
	}
	const varies = "the same in every run | different from run to run"
	for _, test := range []struct{ reason, old, new, want string }{
		{
			"the driver hands the same to a first call", "m.F(a=[1]) -> ret0=[1]", "m.F(a=[1]) -> ret0=[1]",
			"nondeterminism F ret0[*]: " + varies + "\nexposed by",
		},
		{
			"a later one may be handed what varies",
			"m.F(a=[1]) -> ret0=[1]\n--\nm.F(a=[1]) -> ret0=[1]", "m.F(a=[1]) -> ret0=[1]\n--\nm.F(a=[1]) -> ret0=[1]",
			"nondeterminism F ret0[*]: " + varies + "\nnondeterminism F a[*]: " + varies + "\nexposed by",
		},
		{"no element varies", "m.F(a=[]) -> ret0=[]", "m.F(a=[]) -> ret0=[]", "exposed by"},
		{
			"no element varies, but the result differs", "m.F(a=[]) -> ret0=[]", "m.F(a=[]) -> ret0=nil",
			"container F ret0: [] | nil\nexposed by hit count trace",
		},
	} {
		options := diff.Options{Mask: brought, Introduced: brought}
		c := diff.Compare(difftest.Spectrum(test.old), difftest.Spectrum(test.new), options)
		if got := render(c); got != test.want {
			t.Errorf("%s: got\n%s\nwant\n%s", test.reason, got, test.want)
		}
	}
}

func TestWeigh(t *testing.T) {
	s := difftest.Spectrum("m.F(a=1) -> ret0=[5,6] ret1=2")
	mask := diff.Unstable(s, difftest.Spectrum("m.F(a=1) -> ret0=[5,7] ret1=2"), "old", nil)
	if values, masked := diff.Weigh(s, mask); values != 4 || masked != 2 {
		t.Errorf("%d values, %d masked, want 4 and 2", values, masked)
	}
}
