package noise_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/diff/noise"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// mask makes a mask of sites written as "F exit ret0.x", separated by commas.
func mask(text string) *noise.Mask {
	m := &noise.Mask{}
	for site := range strings.SplitSeq(text, ",") {
		if words := strings.Fields(site); len(words) > 0 {
			words = append(words, "")
			function, state, path := spectra.Symbol(words[0]), noise.State(words[1]), spectra.Path(words[2])
			m.Add(noise.Site{Function: function, State: state, Path: path}, "seen")
		}
	}
	return m
}

// spell writes a mask as mask reads it, in order.
func spell(m *noise.Mask) string {
	var sites []string
	for _, s := range m.Sites() {
		sites = append(sites, strings.TrimSpace(fmt.Sprint(s.Function, " ", s.State, " ", s.Path)))
	}
	return strings.Join(sites, ",")
}

// common maps the functions of both versions by their new names to their old ones. H was renamed to H2, and J
// to K. Another K and Gone are in the old version only, Fresh is in the new one only.
var common = map[spectra.Symbol]spectra.Symbol{"F": "F", "G": "G", "H2": "H", "K": "J"}

var scopes = map[string]noise.Scope{
	"sequence": noise.Sequence, "suspects": noise.Suspects, "calibration": noise.Calibration,
}

// learn returns k after the steps of a history, such as "sequence old: F exit ret0" and "doubt: G exit".
func learn(k noise.Known, history ...string) noise.Known {
	for _, step := range history {
		what, sites, _ := strings.Cut(step, ": ")
		if scope, side, found := strings.Cut(what, " "); found {
			k = k.With(scopes[scope], spectra.Side(side), mask(sites))
		} else {
			k = k.Doubt(mask(sites))
		}
	}
	return k
}

type knownCase struct {
	reason            string
	history           string
	expected, further string
	hidden            string
	elsewhere         string
	brought           string
}

var knownCases = []knownCase{
	{reason: "nothing was seen"},
	{
		reason:  "what the old version shows in the sequence is hidden, and not brought",
		history: "sequence old: F exit ret0",
		hidden:  "F exit ret0",
	},
	{
		reason:  "what only the new one shows is hidden and brought",
		history: "sequence new: F exit ret0",
		hidden:  "F exit ret0",
		brought: "F exit ret0",
	},
	{
		reason:  "what both show is not brought",
		history: "sequence old: F exit ret0; sequence new: F exit ret0,F entry a",
		hidden:  "F entry a,F exit ret0",
		brought: "F entry a",
	},
	{
		reason:    "what the old version shows in any other sequence was there before",
		history:   "suspects old: F exit ret0; calibration old: G exit; sequence new: F exit ret0,G exit,F entry a",
		hidden:    "F entry a,F exit ret0,G exit",
		elsewhere: "F exit ret0,G exit",
		brought:   "F entry a",
	},
	{
		reason:    "what the new version shows elsewhere is neither hidden nor brought here",
		history:   "suspects new: F exit ret0; calibration new: G exit ret0",
		elsewhere: "F exit ret0,G exit ret0",
	},
	{
		reason:  "a part of what was unstable before is not brought",
		history: "sequence old: F exit ret0; sequence new: F exit ret0.x",
		hidden:  "F exit ret0,F exit ret0.x",
	},
	{
		reason:  "nor is what has a part that was",
		history: "sequence old: F exit ret0.x; sequence new: F exit ret0",
		hidden:  "F exit ret0,F exit ret0.x",
	},
	{
		reason:  "a state that is unstable as a whole has all parts in common",
		history: "sequence old: F exit; sequence new: F exit ret0,F entry a",
		hidden:  "F entry a,F exit,F exit ret0",
		brought: "F entry a",
	},
	{
		reason:  "names that only begin alike have nothing in common",
		history: "sequence old: F exit ret1; sequence new: F exit ret10",
		hidden:  "F exit ret1,F exit ret10",
		brought: "F exit ret10",
	},
	{
		reason:  "a callee whose name begins like another one's is another one",
		history: "sequence old: F calls G.func1; sequence new: F calls G",
		hidden:  "F calls G,F calls G.func1",
		brought: "F calls G",
	},
	{
		reason:  "doubts about something leave it hidden; it is not brought",
		history: "sequence new: F exit ret0,G exit ret0; doubt: F exit ret0",
		hidden:  "F exit ret0,G exit ret0",
		brought: "G exit ret0",
	},
	{
		reason:  "doubts alone hide nothing",
		history: "doubt: F exit ret0",
	},
	{
		reason:   "what is expected is hidden and never counts as shown",
		history:  "sequence new: F exit ret0",
		expected: "F calls G",
		hidden:   "F calls G,F exit ret0",
		brought:  "F exit ret0",
	},
	{
		reason:   "what the caller adds is hidden too",
		history:  "sequence old: F exit ret0",
		expected: "F calls G",
		further:  "G entry a",
		hidden:   "F calls G,F exit ret0,G entry a",
	},
	{
		reason:  "old sites go by the new names, callees too",
		history: "sequence old: H exit ret0,F calls H; sequence new: H2 exit ret0,F calls H2",
		hidden:  "F calls H2,H2 exit ret0",
	},
	{
		reason:  "a function of the old version does not hide the one that has its name now",
		history: "sequence old: K exit ret0,F calls K; sequence new: K exit ret0",
		hidden:  "K exit ret0",
		brought: "K exit ret0",
	},
	{
		reason:  "what that one was called hides it",
		history: "sequence old: J exit ret0; sequence new: K exit ret0",
		hidden:  "K exit ret0",
	},
	{
		reason:  "functions of one version alone keep their names",
		history: "sequence old: Gone exit ret0; sequence new: Fresh exit ret0",
		hidden:  "Fresh exit ret0,Gone exit ret0",
		brought: "Fresh exit ret0",
	},
}

func TestKnown(t *testing.T) {
	for _, test := range knownCases {
		history := strings.Split(test.history, "; ")
		k := learn(noise.For(common, mask(test.expected)), history...)
		if got := spell(k.Hidden(mask(test.further))); got != test.hidden {
			t.Errorf("%s: hidden %q, want %q", test.reason, got, test.hidden)
		}
		if got := spell(k.Elsewhere()); got != test.elsewhere {
			t.Errorf("%s: elsewhere %q, want %q", test.reason, got, test.elsewhere)
		}
		if got := spell(k.Introduced()); got != test.brought {
			t.Errorf("%s: brought %q, want %q", test.reason, got, test.brought)
		}
		again := slices.Concat(history, history)
		slices.Reverse(again)
		backwards := learn(noise.For(common, mask(test.expected)), again...)
		if whole(backwards) != whole(k) {
			t.Errorf("%s: learned backwards and twice it knows\n%s\nwant\n%s", test.reason, whole(backwards), whole(k))
		}
	}
}

// whole spells what all methods of a Known return.
func whole(k noise.Known) string {
	hidden, elsewhere, brought := spell(k.Hidden()), spell(k.Elsewhere()), spell(k.Introduced())
	text := fmt.Sprintf("hidden %s\nelsewhere %s\nbrought %s\n", hidden, elsewhere, brought)
	for _, scope := range []noise.Scope{noise.Sequence, noise.Suspects, noise.Calibration} {
		old, new := spell(k.Of(scope, spectra.Old)), spell(k.Of(scope, spectra.New))
		either := spell(k.Shown(scope))
		text += fmt.Sprintf("%d: %d, old %s, new %s, either %s\n", scope, k.Size(scope), old, new, either)
	}
	return text
}

func TestZero(t *testing.T) {
	var k noise.Known
	if got, want := whole(k), whole(noise.For(nil, nil)); got != want || spell(k.Hidden()) != "" {
		t.Errorf("the zero Known says\n%s\nwant nothing, as\n%s", got, want)
	}
	k = k.With(noise.Sequence, spectra.Old, nil).With(noise.Sequence, spectra.New, nil).Doubt(nil)
	if got, want := whole(k), whole(noise.Known{}); got != want {
		t.Errorf("the nil mask taught it\n%s", got)
	}
	k = k.With(noise.Sequence, spectra.Old, mask("H exit ret0"))
	if got := spell(k.Hidden()); got != "H exit ret0" {
		t.Errorf("without common names H is hidden as %q", got)
	}
	var none *noise.Mask
	if none.Size() != 0 || none.Sites() != nil || none.Has(noise.Site{}) || spell(none.Without(mask("F exit"))) != "" {
		t.Error("the nil mask is not empty")
	}
	if spell(none.Renamed(common)) != "" || spell(mask("F exit").Without(none)) != "F exit" {
		t.Error("the nil mask is not empty where it is renamed or taken away")
	}
}

// TestKnownIsAValue changes all that went in and came out.
func TestKnownIsAValue(t *testing.T) {
	expected, own, doubts := mask("F calls G"), mask("F exit ret0"), mask("G exit ret0")
	more := noise.Site{Function: "G", State: noise.Exit}
	k := noise.For(common, expected).Doubt(doubts)
	k = k.With(noise.Sequence, spectra.New, own).With(noise.Sequence, spectra.Old, own)
	before := whole(k)
	for _, side := range spectra.Sides() {
		k.Of(noise.Sequence, side).Add(more, "changed")
	}
	answers := []*noise.Mask{k.Hidden(), k.Shown(noise.Sequence), k.Elsewhere(), k.Introduced()}
	for _, m := range append(answers, expected, own, doubts) {
		m.Add(more, "changed")
	}
	k.With(noise.Sequence, spectra.Old, mask("G exit")).Doubt(mask("F exit")).Adopt(noise.Calibration)
	if got := whole(k); got != before {
		t.Errorf("was\n%s\nis\n%s", before, got)
	}
}

// TestKnownWithout: what a function does beside another version's files is hidden, and nothing is brought in.
func TestKnownWithout(t *testing.T) {
	chosen := func(of noise.Site) bool { return of.Function == "F" && of.State == noise.Exit }
	sites := mask("F exit ret0,G exit ret0,F calls G")
	k := noise.For(common, nil).Without(spectra.New, sites, chosen)
	if hidden, brought := spell(k.Hidden()), spell(k.Introduced()); hidden != "F exit ret0" || brought != "" {
		t.Errorf("hidden %q, brought %q", hidden, brought)
	}
	of := noise.For(common, nil).Without(spectra.Old, mask("H exit ret0"), func(noise.Site) bool { return true })
	if got, want := spell(of.Hidden()), spell(mask("H exit ret0").Renamed(common)); got != want {
		t.Errorf("hidden %q, want %q: old's sites go by the new names", got, want)
	}
}

func TestAdopt(t *testing.T) {
	k := learn(noise.For(common, nil),
		"calibration old: H exit ret0", "suspects new: G exit ret0", "sequence new: F exit ret0")
	for _, test := range []struct {
		reason  string
		from    []noise.Scope
		hidden  string
		brought string
	}{
		{"of no scope: nothing changes", nil, "F exit ret0", "F exit ret0"},
		{"what the others showed in new is new here too", []noise.Scope{noise.Suspects},
			"F exit ret0,G exit ret0", "F exit ret0,G exit ret0"},
		{"old sites go by the new names in comparisons alone", []noise.Scope{noise.Calibration},
			"F exit ret0,H2 exit ret0", "F exit ret0"},
		{"all of them", []noise.Scope{noise.Calibration, noise.Suspects},
			"F exit ret0,G exit ret0,H2 exit ret0", "F exit ret0,G exit ret0"},
	} {
		adopted := k.Adopt(test.from...)
		if got := spell(adopted.Hidden()); got != test.hidden {
			t.Errorf("%s: hidden %q, want %q", test.reason, got, test.hidden)
		}
		if got := spell(adopted.Introduced()); got != test.brought {
			t.Errorf("%s: brought %q, want %q", test.reason, got, test.brought)
		}
		if got, want := spell(adopted.Elsewhere()), spell(k.Elsewhere()); got != want {
			t.Errorf("%s: elsewhere %q, want %q", test.reason, got, want)
		}
	}
}

// TestReasons checks the reason for which a site is masked: the first one that was given, and old's where
// both versions show the site.
func TestReasons(t *testing.T) {
	site := noise.Site{Function: "H2", State: noise.Exit}
	var old, new noise.Mask
	old.Add(noise.Site{Function: "H", State: noise.Exit}, "old")
	old.Add(noise.Site{Function: "H", State: noise.Exit}, "said later")
	new.Add(site, "new")
	k := noise.For(common, nil).With(noise.Sequence, spectra.New, &new).With(noise.Sequence, spectra.Old, &old)
	if got := k.Shown(noise.Sequence).Sites(); len(got) != 1 || got[0] != (noise.Masked{Site: site, Reason: "old"}) {
		t.Errorf("got %v", got)
	}
}

func TestTally(t *testing.T) {
	var none noise.Tally
	once := none.With(mask("F exit ret0,G exit"))
	twice := once.With(mask("F exit ret0"))
	k := learn(noise.For(common, nil), "sequence new: F exit ret0,G exit,H2 exit", "sequence old: H exit")
	for _, test := range []struct {
		reason string
		tally  noise.Tally
		times  string         // of F exit ret0 and of G exit
		unsure map[int]string // by how often it takes
	}{
		{"nothing was tried", none, "0 0", map[int]string{0: "", 1: "F exit ret0,G exit"}},
		{"both were seen once", once, "1 1", map[int]string{1: "", 2: "F exit ret0,G exit"}},
		{"one was not seen again", twice, "2 1", map[int]string{1: "", 2: "G exit", 3: "F exit ret0,G exit"}},
	} {
		one := test.tally.Times(noise.Site{Function: "F", State: noise.Exit, Path: "ret0"})
		other := test.tally.Times(noise.Site{Function: "G", State: noise.Exit})
		if times := fmt.Sprint(one, other); times != test.times {
			t.Errorf("%s: %s times, want %s", test.reason, times, test.times)
		}
		for least, want := range test.unsure {
			if got := spell(k.Unsure(test.tally, least)); got != want {
				t.Errorf("%s: below %d times unsure is %q, want %q", test.reason, least, got, want)
			}
		}
	}
}
