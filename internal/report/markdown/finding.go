package markdown

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/report/text"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// meanings has a few words for the words of a report that readers of a comment may not know.
var meanings = map[string]string{
	string(spectra.TierCrash):     "a panic, exit, hang or deadlock where there was none, or the reverse",
	string(spectra.TierError):     "an error where there was none, or the reverse",
	string(spectra.TierValue):     "a result, an argument, an output or a file differs",
	string(spectra.TierLatent):    "a value differs that outlives the call, and that no output shows",
	string(spectra.TierInternal):  "every call begins and ends alike; inside, values differ",
	string(spectra.TierText):      "only the wording of an error, of a panic or of a log line differs",
	string(spectra.TierCalls):     "no value differs, other functions are called",
	string(spectra.TierPotential): "seen only by calling an unexported function directly",

	string(spectra.TierNondeterminism): "new varies from run to run where old does not",

	string(spectra.Confirmed): "old with this change alone shows it, and new without it does not",
	string(spectra.Likely):    "the recorded values point to this change; no trial proved it",
}

// Limits of a finding's details.
const (
	maxDiff       = 60 // lines
	maxStatements = 30
	maxStations   = 10
	maxPlaces     = 6
	valueWidth    = 100 // columns of the values
	firstWidth    = 40  // columns of a value in the sentence
	maxProof      = 4   // lines
)

// glossedWord returns a word in bold, with its meaning where it is used first.
func (p *printer) glossedWord(word string) string {
	meaning := meanings[word]
	if meaning == "" {
		return rich(word, maxName)
	}
	if p.glossed[word] {
		return "**" + word + "**"
	}
	p.glossed[word] = true
	return "**" + word + "** (" + meaning + ")"
}

// headline says in one paragraph what a finding is.
func (p *printer) headline(root *report.Root) string {
	tier := cmp.Or(string(root.Tier), string(root.Reach)) // of an earlier version
	line := fmt.Sprintf("**%d.** %s, %s", root.Rank, p.glossedWord(tier), p.glossedWord(string(root.Confidence)))
	if at := p.words.Position(root.Position); at != "" {
		line += ", " + cutSpan(at)
	}
	line += ": " + p.effect(root)
	if only := text.Needs(root); only != "" {
		line += "; " + only
	}
	return line
}

// effect says what a root does, with the first value that differs where the summary has none.
func (p *printer) effect(root *report.Root) string {
	summary := p.words.Short(root.Summary)
	if summary == "" {
		summary = spectra.Symbol(p.words.Short(root.Function)).Short() + " deviates"
	}
	sentence := rich(summary, maxSentence)
	if strings.Contains(summary, " where it ") {
		return sentence
	}
	if d := p.words.First(root, firstWidth); d != nil {
		sentence += "; " + cutSpan(d.Label) + ": " + cutSpan(d.Old) + " → " + cutSpan(d.New)
	}
	return sentence
}

// details are what is needed to judge a finding, in this order: the change, how to see it, what differs, the way there,
// how sure it is.
func (p *printer) details(root *report.Root) string {
	blocks := []string{
		cutSpan(p.words.Short(root.Function)) + ", " + rich(string(root.Change), maxName) + ":",
		p.diff(root),
		p.example(root),
		p.values(root),
		p.chain(root),
		p.seen(root),
	}
	if blocks[1] == "" {
		blocks[0] = strings.TrimSuffix(blocks[0], ":") + "."
	}
	return joinBlocks(blocks)
}

// joinBlocks puts blocks below each other, empty ones left out.
func joinBlocks(blocks []string) string {
	var shown []string
	for _, block := range blocks {
		if block != "" {
			shown = append(shown, block)
		}
	}
	return strings.Join(shown, "\n\n")
}

// diff shows the lines that changed. A line that is none of a hunk is shown as one that did not change.
func (p *printer) diff(root *report.Root) string {
	if root.Diff == "" {
		return ""
	}
	lines := strings.Split(strings.TrimSuffix(root.Diff, "\n"), "\n")
	var shown []string
	for _, line := range lines[:min(len(lines), maxDiff)] {
		if line == "" || !strings.ContainsAny(line[:1], " +-@\\") {
			line = " " + line
		}
		shown = append(shown, line)
	}
	if more := len(lines) - maxDiff; more > 0 {
		shown = append(shown, fmt.Sprintf("… %s", text.Plural(more, "more line")))
	}
	return fence("diff", shown)
}

func (p *printer) values(root *report.Root) string {
	lines := p.words.Values(root, valueWidth)
	if len(lines) == 0 {
		return ""
	}
	return "What differs, old → new:\n\n" + fence("text", lines)
}

// chain shows the way from the root to what is noticed.
func (p *printer) chain(root *report.Root) string {
	stations := p.words.Stations(root)
	if len(stations) == 0 {
		return ""
	}
	var spans []string
	for i, station := range stations {
		switch {
		case i < maxStations/2 || i >= len(stations)-maxStations/2:
			spans = append(spans, cutSpan(station))
		case i == maxStations/2:
			spans = append(spans, "…")
		}
	}
	line := "From the root to its effect: " + strings.Join(spans, " → ")
	if swallowed := root.Chain.Swallowed; swallowed != "" {
		line += ", swallowed by " + cutSpan(p.words.Short(swallowed)) + ", which ends alike in both versions"
	}
	return line + "."
}

// example shows how to see a finding: the calls, the test or the command.
func (p *printer) example(root *report.Root) string {
	statements, as := p.words.Sequence(root)
	switch {
	case as > 0:
		return fmt.Sprintf("The example is that of finding %d.", as)
	case root.Test != nil:
		lines := p.words.Test(root.Test)
		return upper(strings.TrimSpace(lines[0])) + ":\n\n" + fence("text", trimmed(lines[1:]))
	case len(statements) == 0:
		return ""
	}
	if more := len(statements) - maxStatements; more > 0 {
		statements = append(statements[:maxStatements], fmt.Sprintf("… %s", text.Plural(more, "more statement")))
	}
	return "The shortest calls that show it:\n\n" + fence("go", statements)
}

// trimmed takes from lines what stands before the first of them, and cuts a long list of them.
func trimmed(lines []string) []string {
	if len(lines) == 0 {
		return nil
	}
	indent := lines[0][:len(lines[0])-len(strings.TrimLeft(lines[0], " "))]
	var cut []string
	for _, line := range lines[:min(len(lines), maxStatements)] {
		cut = append(cut, strings.TrimPrefix(line, indent))
	}
	if more := len(lines) - maxStatements; more > 0 {
		cut = append(cut, fmt.Sprintf("… %s", text.Plural(more, "more line")))
	}
	return cut
}

// seen says how often a finding was seen, why this change is its root, how that was proven, and what is there of tests.
func (p *printer) seen(root *report.Root) string {
	often := "Seen in " + text.Plural(root.Sequences, "sequence")
	if root.Sequences == 0 {
		often = "Seen before any call"
	}
	if len(root.Drivers) > 0 {
		often += ", by way of " + rich(strings.Join(root.Drivers, " and "), maxName)
	}
	items := []string{often}
	add := func(sentence string) {
		if sentence = strings.TrimSpace(sentence); sentence != "" {
			items = append(items, rich(upper(sentence), maxSentence))
		}
	}
	add(p.words.Short(root.Why))
	items = append(items, p.proof(root)...)
	for _, line := range p.since(root) {
		add(line)
	}
	add(p.words.Intended(root))
	if root.Reproducer != "" {
		add("a test that shows it: " + p.words.Short(root.Reproducer))
	} else if root.NoReproducer != "" {
		add("no test: " + p.words.Short(root.NoReproducer))
	}
	items = append(items, p.places(root)...)
	return listed(items, 0)
}

// proof says by which trials a root was proven, or why it was not.
func (p *printer) proof(root *report.Root) []string {
	var items []string
	lines := p.words.Proof(root)
	for _, line := range lines[:min(len(lines), maxProof)] {
		items = append(items, rich(upper(strings.TrimSpace(line)), maxSentence))
	}
	return items
}

// places names the further places of the same decision.
func (p *printer) places(root *report.Root) []string {
	if len(root.Places) == 0 {
		return nil
	}
	var names []string
	for i := range root.Places[:min(len(root.Places), maxPlaces)] {
		place := &root.Places[i]
		name := cutSpan(p.words.Short(place.Function))
		if at := p.words.Position(place.Position); at != "" {
			name += " at " + cutSpan(at)
		}
		names = append(names, name)
	}
	if more := len(root.Places) - maxPlaces; more > 0 {
		names = append(names, fmt.Sprintf("and %d more", more))
	}
	return []string{"Changed in the same way: " + strings.Join(names, ", ")}
}

// cutSpan writes a name as code.
func cutSpan(name string) string { return span(spectra.Shorten(name, maxName)) }
