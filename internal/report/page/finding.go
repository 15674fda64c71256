package page

import (
	"bytes"
	"fmt"
	"html/template"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/report/text"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// A row is the line of a finding in the overview.
type row struct {
	Rank                 int
	Tier, Class, Meaning string
	Function             string
	More                 int // further places
	Effect, Position     string
	Reach, Confidence    string
	Linked               bool // there is a card
}

// A group has findings of one kind, as cards.
type group struct {
	Heading, Short string
	Cards          []template.HTML
	Left           int // findings without a card
}

// A finding is what the template of a card shows.
type finding struct {
	row
	Open                    bool
	Accepted                *acceptance // nil: it is not
	Anchor                  string      // stable across runs; "" if the report has none
	Reasons                 []string
	Meta                    []fact
	Hunk                    []hunkLine
	Values                  []value
	MoreValues              int
	Stations                []fact // each with its place
	Swallowed               string
	Tree                    *tree
	Places                  table
	Calls                   string   // the shortest sequence as text
	Raw                     string   // likewise, to be copied
	Shown                   []string // the test or command
	Command                 string   // to be copied
	Reproducer, Fingerprint string
	Deviations              []deviation
	Rest                    [][]string // further ones, which the script adds where they are looked at
	MoreDeviations          int
}

// Listed is how many deviations are shown.
func (f *finding) Listed() int { return len(f.Deviations) + len(f.Rest) }

// Total is how many deviations there are.
func (f *finding) Total() int { return f.Listed() + f.MoreDeviations }

// A deviation is a line in the table of a finding's deviations.
type deviation struct{ Kind, Tier, Class, Value, Old, New string }

// groups returns the cards of open findings: those of which some value differs, those of other calls, and those that
// only calls from inside their packages show. They stand in the report in this order.
func (v *viewer) groups(room *int) ([]group, error) {
	all := []group{
		{Heading: "Findings", Short: "Findings"},
		{Heading: "Other functions are called, no value differs", Short: "Other calls"},
		{
			Heading: "Functions that differ when they are called from inside their packages",
			Short:   "Calls from inside",
		},
	}
	for i := range v.open {
		root := &v.open[i]
		g := &all[0]
		switch {
		case root.Tier == spectra.TierPotential:
			g = &all[2]
		case root.Quiet():
			g = &all[1]
		}
		if err := v.card(g, root, i < openFindings, room); err != nil {
			return nil, err
		}
	}
	return slices.DeleteFunc(all, func(g group) bool { return len(g.Cards)+g.Left == 0 }), nil
}

// card adds the card of a finding to a group, or counts it where there is no room left.
func (v *viewer) card(g *group, root *report.Root, open bool, room *int) error {
	if *room < 0 {
		g.Left++
		return nil
	}
	var out bytes.Buffer
	if err := v.templates.ExecuteTemplate(&out, "finding", v.finding(root, open)); err != nil {
		return fmt.Errorf("lay out finding %d: %w", root.Rank, err)
	}
	*room -= out.Len()
	v.carded[root.Rank] = true
	g.Cards = append(g.Cards, template.HTML(out.String())) // a template made it
	return nil
}

// overview returns the lines of the open findings.
func (v *viewer) overview() []row {
	rows := make([]row, min(len(v.open), maxOverview))
	for i := range rows {
		rows[i] = v.row(&v.open[i])
	}
	return rows
}

func (v *viewer) row(root *report.Root) row {
	tier := text.Tier(root)
	return row{
		Rank: root.Rank, Tier: v.name(string(tier)), Class: classOf(tier), Meaning: meanings[tier],
		Function: v.name(root.Function), More: len(root.Places), Effect: v.prose(v.words.Effect(root)),
		Position: cut(text.Position(root.Position), nameRoom), Reach: v.name(string(root.Reach)),
		Confidence: v.name(string(root.Confidence)),
	}
}

func (v *viewer) finding(root *report.Root, open bool) *finding {
	f := &finding{
		row: v.row(root), Open: open, Reasons: v.lines(v.words.Reasons(root)), Meta: v.meta(root),
		Hunk: hunk(cut(text.Readable(root.Diff), blockRoom)), Tree: v.tree(root), Places: v.places(root.Places),
		Reproducer: v.prose(v.words.Reproducer(root)), Shown: v.lines(v.words.Shown(root)),
	}
	if root.Accepted != nil {
		f.Accepted = v.acceptance(*root.Accepted)
	}
	if of := root.Fingerprint; isHex(of) && len(of) <= 64 && !v.anchors[of] {
		f.Anchor, v.anchors[of] = of, true
	}
	f.Fingerprint = v.name(root.Fingerprint)
	f.Values, f.MoreValues = v.values(root)
	for _, s := range v.words.Way(root.Chain) {
		f.Stations = append(f.Stations, fact{cut(s.Text, nameRoom), cut(s.Position, nameRoom)})
		if len(f.Stations) == maxPlaces {
			break
		}
	}
	if root.Chain != nil {
		f.Swallowed = v.name(root.Chain.Swallowed)
	}
	sequence := v.words.SequenceText(root)
	f.Raw = cut(text.Readable(sequence), blockRoom)
	f.Calls = cut(strings.Join(v.words.Calls(sequence), "\n"), blockRoom)
	if root.Test != nil && root.Test.Command != nil {
		f.Command = cut(text.Readable(root.Test.Command.Line), blockRoom)
	}
	v.deviations(f, root)
	return f
}

// meta returns the facts about a finding.
func (v *viewer) meta(root *report.Root) (list []fact) {
	add := func(name, text string) {
		if text != "" {
			list = append(list, fact{name, cut(text, proseRoom)})
		}
	}
	add("where", text.Position(root.Position))
	add("change", v.words.Short(string(root.Change)))
	add("tier", explained(v.name(string(root.Tier)), meanings[root.Tier]))
	add("reach", explained(v.name(string(root.Reach)), reaches[root.Reach]))
	add("cause", v.cause(root))
	add("seen in", v.seen(root))
	for i, line := range v.words.Since(root) {
		name := "since"
		if i > 0 {
			name = "then"
		}
		if i < maxPlaces {
			add(name, line)
		}
	}
	if len(root.Drivers) > 0 {
		add("shown by", v.words.Short(strings.Join(root.Drivers, ", ")))
	}
	return list
}

// explained adds a meaning to a word.
func explained(word, meaning string) string {
	if word == "" || meaning == "" {
		return word
	}
	return word + ": " + meaning
}

// cause says whether the cause was proven, and how.
func (v *viewer) cause(root *report.Root) string {
	word := v.name(string(root.Confidence))
	if root.Proof == nil {
		return word
	}
	of := root.Proof
	trials := " (" + text.Plural(of.Trials, "trial") + text.Amid(of) + ")"
	switch {
	case root.Confidence == spectra.Confirmed && len(of.Also) > 0:
		with := ""
		if n := len(of.With); n > 0 {
			with = " and " + text.Plural(n, "other")
		}
		const how = ": old with this change%s shows the same; new without that does, too, but not without %s as well"
		return word + fmt.Sprintf(how, with, text.Plural(len(of.Also), "further change")) + trials
	case len(of.With) > 0 && of.Sufficient && of.Necessary:
		const how = ": old with this change and %s shows the same, new without them does not"
		return word + fmt.Sprintf(how, text.Plural(len(of.With), "other")) + trials
	case root.Confidence == spectra.Confirmed && of.Sufficient && of.Necessary:
		return word + ": old with this change alone shows the same, new without it does not" + trials
	case of.Sufficient && !of.Necessary:
		return word + ": old with this change shows the same, and so does new without it" + trials
	case of.Necessary && !of.Sufficient:
		return word + ": new without this change does not show it, old with it alone does not either" + trials
	}
	return word + trials
}

// seen says how many sequences show a finding.
func (v *viewer) seen(root *report.Root) string {
	if root.Sequences == 0 {
		return "the state before any call"
	}
	seen := text.Plural(root.Sequences, "sequence")
	if all := v.report.Replay.Sequences; all >= root.Sequences {
		seen = fmt.Sprintf("%s of %s", text.Count(root.Sequences), text.Plural(all, "sequence"))
	}
	return seen
}

func (v *viewer) places(list []report.Place) table {
	t := table{
		Caption: "In the same way " + text.Plural(len(list), "other declaration"),
		Head:    []string{"function", "where", "cause"}, Code: []bool{true, true, false},
	}
	for _, p := range list[:min(len(list), maxPlaces)] {
		t.Rows = append(t.Rows, []string{
			v.name(p.Function), cut(text.Position(p.Position), nameRoom), v.name(string(p.Confidence)),
		})
	}
	t.More = len(list) - len(t.Rows)
	return t
}

// deviations lists the deviations of a finding.
func (v *viewer) deviations(f *finding, root *report.Root) {
	for _, id := range root.Deviations[:min(len(root.Deviations), maxDeviations)] {
		d := v.report.Deviation(id)
		if d == nil {
			continue
		}
		before, after := v.pair(d.Old, d.New, shortRoom)
		of := deviation{
			Kind: v.name(string(d.Kind)), Tier: v.name(string(d.Tier)), Class: classOf(d.Tier),
			Value: strings.TrimSpace(v.name(d.Function) + " " + v.name(d.Path)), Old: plain(before), New: plain(after),
		}
		if len(f.Deviations) < firstOnes {
			f.Deviations = append(f.Deviations, of)
		} else {
			f.Rest = append(f.Rest, []string{of.Kind, of.Tier, of.Class, of.Value, of.Old, of.New})
		}
	}
	f.MoreDeviations = len(root.Deviations) - len(f.Deviations) - len(f.Rest)
}
