// Package group merges findings that one decision of the author led to, such as an error library that was replaced
// everywhere, or another first letter in all messages.
//
// In: findings in their order. Out: findings in the same order, of which some have become places of others. Findings
// are merged if they have the same kind of change, the same harm, and values that change in the same way; everything
// that no output shows is one harm. Merged are also functions with the same code for several types that change alike,
// constants that are counted on, and changes that have an effect only together. Nothing is lost: each finding stays
// one, or becomes a place of one. Shown puts the findings of all sources together. The package is pure.
package group

import (
	"cmp"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/replay/plan"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/source"
)

// Compare orders findings by their harm. Behind all others are those that need a method of a nil pointer, which callers
// rarely call, and then those that only tests show which came with the change: they are intended. Where the harm is the
// same, those that need a negative integer come last; what was proven comes before what is likely, and what new does
// before what old did.
func Compare(x, y *diff.Finding) int {
	return cmp.Or(
		truth(x.Only)-truth(y.Only), truth(x.OnNil)-truth(y.OnNil), cmp.Compare(x.Harm(), y.Harm()),
		truth(x.OnNegative)-truth(y.OnNegative),
		truth(y.Confirmed())-truth(x.Confirmed()), truth(x.Effect.Reverse)-truth(y.Effect.Reverse),
	)
}

func truth(b bool) int {
	if b {
		return 1
	}
	return 0
}

// Join makes one finding of those with the same cause: the worst one leads, of equals one that is proven. Where the
// worst is not, the finding knows one that is.
func Join(findings []*diff.Finding) (list []*diff.Finding) {
	for _, f := range findings {
		i := slices.IndexFunc(list, func(other *diff.Finding) bool { return other.Cause.Same(f.Cause) })
		if i < 0 {
			list = append(list, f)
			continue
		}
		one, lead, other := list[i], *f, list[i]
		if leads(one, f) {
			lead, other = *one, f
		}
		if !lead.Confirmed() {
			lead.Proven = provenOf(&lead, other)
		}
		lead.Deviations = slices.Concat(one.Deviations, f.Deviations)
		lead.Sequences = max(one.Sequences, f.Sequences)
		lead.Intended, lead.Only = cmp.Or(one.Intended, f.Intended), one.Only && f.Only
		list[i] = &lead
	}
	return list
}

// provenOf returns the first finding that is proven or knows one, nil if none is.
func provenOf(list ...*diff.Finding) *diff.Finding {
	for _, f := range list {
		if f.Confirmed() {
			return f
		}
		if f.Proven != nil {
			return f.Proven
		}
	}
	return nil
}

// leads reports whether a finding says more of a cause than a later one with the same.
func leads(one, later *diff.Finding) bool {
	return cmp.Or(
		truth(one.OnNil)-truth(later.OnNil), cmp.Compare(one.Harm(), later.Harm()),
		truth(one.OnNegative)-truth(later.OnNegative), truth(later.Confirmed())-truth(one.Confirmed()),
	) <= 0
}

// Settles reports whether proofs of further findings could tell nothing new: nothing but declarations changed, each is
// the proven cause of a finding, and each further finding is blamed on one of them and says no more of it. Whichever of
// them a proof would name, it is known.
func Settles(p *plan.Plan, known, further []*diff.Finding) bool {
	causes := proven(known)
	settled := func(f *diff.Finding) bool {
		return slices.ContainsFunc(causes, func(one *diff.Finding) bool {
			return one.Cause.Same(f.Cause) && leads(one, f)
		})
	}
	return Open(p, known) == 0 && !slices.ContainsFunc(further, func(f *diff.Finding) bool { return !settled(f) })
}

// Open returns the share of what changed that is not the proven cause of a finding of values. All that is no
// declaration counts as one that is never proven.
func Open(p *plan.Plan, known []*diff.Finding) float64 {
	changed := p.ChangedDeclarations()
	open := unexplained(proven(known), changed)
	all := len(changed)
	if !p.Changes.OnlyDeclarations() {
		open, all = open+1, all+1
	}
	if all == 0 {
		return 1
	}
	return float64(open) / float64(all)
}

func proven(findings []*diff.Finding) (list []*diff.Finding) {
	for _, f := range findings {
		if f.Confirmed() {
			list = append(list, f)
		}
	}
	return list
}

// Explains reports whether every changed function is the cause of a finding of values; where no function changed,
// whether whatever else did is. What acts only through others that changed does not count.
func Explains(p *plan.Plan, findings []*diff.Finding) bool {
	changed := p.ChangedDeclarations()
	if slices.ContainsFunc(changed, isFunction) {
		changed = slices.DeleteFunc(changed, func(c source.Change) bool { return !isFunction(c) })
	}
	return len(changed) > 0 && unexplained(findings, changed) == 0
}

func isFunction(c source.Change) bool { return c.Kind == source.Function }

// unexplained counts the changes that are not the cause of a finding of values.
func unexplained(findings []*diff.Finding, changed []source.Change) (n int) {
	causes := map[spectra.Symbol]bool{}
	for _, f := range findings {
		causes[f.Cause.Symbol] = causes[f.Cause.Symbol] || f.Tier() != spectra.TierCalls
	}
	for _, c := range changed {
		if !causes[c.Symbol] {
			n++
		}
	}
	return n
}

// JoinInitial adds package variables that differ before any call, each to the finding of its change if there is one.
func JoinInitial(findings []*diff.Finding, variables []*diff.Finding) []*diff.Finding {
	list := slices.Clone(findings)
	for _, v := range variables {
		i := slices.IndexFunc(list, func(f *diff.Finding) bool { return f.Cause.Same(v.Cause) })
		if i < 0 {
			list = append(list, v)
			continue
		}
		one := *list[i]
		one.Deviations = slices.Concat(one.Deviations, v.Deviations)
		one.Only, one.OnNil, one.OnNegative = false, false, false
		if v.Cause.Symbol == v.Initial.Variable { // else it is one of what the change leads to
			one.Initial, one.Own = v.Initial, v.Own
		}
		if one.Initially() && v.Confirmed() && !one.Confirmed() { // else it would prove another effect than is shown
			one.Proof = v.Proof
		}
		one.Cause.Position = cmp.Or(one.Cause.Position, v.Cause.Position)
		list[i] = &one
	}
	return list
}

// Fold returns the findings, each with others of the same decision as its places.
func Fold(findings []*diff.Finding) (folded []*diff.Finding) {
	first := map[reason]int{}
	for _, f := range findings {
		reasons := reasonsOf(f)
		i := slices.IndexFunc(reasons, func(r reason) bool { _, ok := first[r]; return ok })
		at := len(folded)
		if i >= 0 {
			at = first[reasons[i]]
			lead := *folded[at]
			lead.Places = append(slices.Clone(lead.Places), f)
			lead.Sequences = max(lead.Sequences, f.Sequences)
			folded[at] = &lead
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

// reasonsOf returns the reasons for which a finding is one with others, the strongest first.
func reasonsOf(f *diff.Finding) (reasons []reason) {
	if f.Identity.Block != "" {
		return []reason{{block: f.Identity.Block}}
	}
	r := reason{change: f.Cause.Change, tier: harm(f.Tier()), effect: Pattern(f.Own)}
	if r.effect == "" && f.Identity.Shape != "" {
		r.effect, r.shape = Turn(f.Own), f.Identity.Shape
	}
	if r.effect != "" {
		reasons = append(reasons, r)
	}
	if set := together(f); set != "" {
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

// together names the changes that lead to a finding only together, "" if it is one alone.
func together(f *diff.Finding) string {
	with := f.With()
	if len(with) == 0 {
		return ""
	}
	return fmt.Sprint(slices.Sorted(slices.Values(append([]spectra.Symbol{f.Cause.Symbol}, with...))))
}

// Pattern returns in which way a value changed, if that is a way that a decision leads to; else "". Values that change
// so differ in the same kind of place, by the type of what they hold, or by the same piece of a text; or they are
// tables that have another length.
func Pattern(d diff.Difference) string {
	at := place(d)
	if name, _, _ := strings.Cut(string(d.Path), "["); strings.Contains(name, "/") { // the path of a package
		at = "variable"
	}
	if at == "variable" && strings.HasPrefix(string(d.Path), "len(") {
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
func place(d diff.Difference) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsDigit(r) {
			return -1
		}
		return r
	}, string(d.Path[strings.LastIndexByte(string(d.Path), '/')+1:]))
}

// Turn returns which sort of value became which, "" if that says nothing. It tells only of code that is alike that it
// changed for one reason.
func Turn(d diff.Difference) string {
	old, new := sortOf(d.Old), sortOf(d.New)
	if old == "" || new == "" {
		return ""
	}
	return place(d) + ": " + old + " → " + new
}

// sortOf returns the sort of value that a text shows, "" if that is not known.
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
