// Package decision folds roots that one decision of the author led to: an error library that was replaced everywhere, a
// letter of all messages.
//
// In: roots in their order, each with its deviations and one value that differs. Out: findings in the same order; what
// changes in one way, in the same kind of declaration, with the same harm, is one of them, and the others are its
// places; what no output shows is one harm. So is what has the same code for several types, and changes alike; so are
// constants that are counted on, and changes that lead to something only together. Nothing is lost: every root is a
// finding or a place of one. The package is pure.
package group

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// A Finding is a root with the deviations that it explains.
type Finding struct {
	Root       report.Root
	Deviations []report.Deviation
	Own        report.Difference // how its own value differs; without texts if that is not known
	Block      string            // the constants among which a constant is counted on, by their first one; "": none
	Shape      string            // of its code in new, as in spectra.Point; "": not known
	Reverse    bool              // old did the harm, and new does not
}

// Compare orders findings by their harm; what new does comes before what old did, and what was proven before what is
// likely.
func Compare(x, y Finding) int {
	return cmp.Or(
		report.CompareHarm(x.Root, y.Root), truth(x.Reverse)-truth(y.Reverse),
		truth(y.Root.Confidence == spectra.Confirmed)-truth(x.Root.Confidence == spectra.Confirmed),
	)
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Join adds a finding to a list, to the one of the same change where there is one: the worse one leads.
func Join(list []Finding, f Finding) []Finding {
	i := slices.IndexFunc(list, func(other Finding) bool {
		return other.Root.Function == f.Root.Function && other.Root.Change == f.Root.Change
	})
	if i < 0 {
		return append(list, f)
	}
	one, lead := &list[i], f
	if report.CompareHarm(one.Root, f.Root) <= 0 {
		lead = *one
	}
	lead.Deviations = slices.Concat(one.Deviations, f.Deviations)
	lead.Root.Sequences = max(one.Root.Sequences, f.Root.Sequences)
	*one = lead
	return list
}

// Fold returns the findings of some roots.
func Fold(list []Finding) []Finding {
	var folded []Finding
	first := map[reason]int{}
	for _, f := range list {
		reasons := f.reasons()
		i := slices.IndexFunc(reasons, func(r reason) bool { _, ok := first[r]; return ok })
		at := len(folded)
		if i >= 0 {
			at = first[reasons[i]]
			folded[at].take(f)
		} else {
			folded = append(folded, f)
		}
		for _, r := range reasons {
			if _, ok := first[r]; !ok {
				first[r] = at
			}
		}
	}
	return folded
}

// A reason is why roots are one finding: all that have it in common are.
type reason struct {
	block  string // constants that are counted on
	set    string // changes that lead to something only together
	change spectra.Change
	tier   spectra.Tier
	effect string // as Pattern or Turn says
	shape  string // with Turn
}

// reasons returns the reasons for which a finding is one with others, the strongest first.
func (f *Finding) reasons() (reasons []reason) {
	if f.Block != "" {
		return []reason{{block: f.Block}}
	}
	r := reason{change: f.Root.Change, tier: harm(f.Root.Tier), effect: Pattern(f.Own)}
	if r.effect == "" && f.Shape != "" {
		r.effect, r.shape = Turn(f.Own), f.Shape
	}
	if r.effect != "" {
		reasons = append(reasons, r)
	}
	if set := together(f.Root); set != "" {
		reasons = append(reasons, reason{set: set})
	}
	return reasons
}

// harm returns the tier as far as it tells decisions apart: whether what no output shows outlives a call is up to
// callers.
func harm(t spectra.Tier) spectra.Tier {
	if t == spectra.TierInternal {
		return spectra.TierLatent
	}
	return t
}

// take adds what another finding of the same decision tells.
func (f *Finding) take(other Finding) {
	f.Root.Places = append(f.Root.Places, report.Place{
		Function: other.Root.Function, Position: other.Root.Position,
		Confidence: other.Root.Confidence, Proof: other.Root.Proof,
	})
	f.Root.Sequences = max(f.Root.Sequences, other.Root.Sequences)
	f.Deviations = append(f.Deviations, other.Deviations...)
}

// together names the changes that lead to a root only together, "" if it is one alone.
func together(r report.Root) string {
	if r.Proof == nil || len(r.Proof.With) == 0 {
		return ""
	}
	return strings.Join(slices.Sorted(slices.Values(append([]string{r.Function}, r.Proof.With...))), " ")
}

// Pattern returns in which way a value changed, if that is a way that a decision leads to; else "". Values that change
// so differ in the same kind of place, by the type of what they hold, or by the same piece of a text; or they are
// tables that have another length.
func Pattern(d report.Difference) string {
	at := place(d)
	if name, _, _ := strings.Cut(d.Path, "["); strings.Contains(name, "/") { // the path of a package
		at = "variable"
	}
	if at == "variable" && strings.HasPrefix(d.Path, "len(") {
		return "length of a variable"
	}
	old, new := head.FindStringSubmatch(d.Old), head.FindStringSubmatch(d.New)
	if old != nil && new != nil && old[1] != new[1] {
		return at + ": " + old[1] + " → " + new[1]
	}
	removed, added := edit(d.Old, d.New)
	if !strings.HasPrefix(d.Old, `"`) || !strings.HasPrefix(d.New, `"`) || max(len(removed), len(added)) > widestEdit {
		return ""
	}
	if strings.EqualFold(removed, added) {
		removed, added = "a letter", "its other case"
	}
	return at + ": " + removed + " → " + added
}

// place returns the kind of place in which a value stands.
func place(d report.Difference) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return -1
		}
		return r
	}, d.Path[strings.LastIndexByte(d.Path, '/')+1:])
}

// Turn returns which sort of value became which, "" if that says nothing. It tells only of code that is alike that it
// changed for one reason.
func Turn(d report.Difference) string {
	old, new := sortOf(d.Old), sortOf(d.New)
	if old == "" || new == "" {
		return ""
	}
	return place(d) + ": " + old + " → " + new
}

// sortOf returns what sort of value a text shows, "" if that is not known.
func sortOf(text string) string {
	switch {
	case text == "nil", text == "true", text == "false", text == "[]", text == "map[]", text == `""`:
		return text
	case strings.HasPrefix(text, "error "), strings.HasPrefix(text, "&errors."), strings.HasPrefix(text, "&fmt.wrap"):
		return "error"
	case strings.HasPrefix(text, `"`):
		return "text"
	case number.MatchString(text):
		return "number"
	}
	return ""
}

var number = regexp.MustCompile(`^-?[0-9]`)

// head matches the type at the beginning of a value's text.
var head = regexp.MustCompile(`^(&?[\pL\pN_./*-]+)\{`)

// widestEdit bounds the piece of a text that two messages have in common as what changed in them.
const widestEdit = 24

// edit returns the pieces in which two texts differ, without what they begin and end with in common.
func edit(old, new string) (removed, added string) {
	from := 0
	for from < len(old) && from < len(new) && old[from] == new[from] {
		from++
	}
	to := 0
	for to < min(len(old), len(new))-from && old[len(old)-1-to] == new[len(new)-1-to] {
		to++
	}
	return cmp.Or(old[from:len(old)-to], "nothing"), cmp.Or(new[from:len(new)-to], "nothing")
}
