package text

import (
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/olekukonko/tablewriter/tw"

	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/report/series"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// WriteSeries prints a series: the outcome in a sentence, a row for each pair, then the first roots of each pair.
func WriteSeries(w io.Writer, s *series.Series, options Options) error {
	p := newPrinter(&report.Report{}, options)
	words := NewSeriesWording(s)
	p.prose("", "", p.paint(bold, words.Verdict()))
	p.blank()
	p.table(words.Table(options.Detail), []tw.Align{tw.AlignLeft})
	for i := range s.Pairs {
		p.pair(words, &s.Pairs[i])
	}
	return p.write(w, "text series")
}

// pair prints what a row does not say of a pair: its roots, or why there are none.
func (p *printer) pair(words *SeriesWording, of *series.Pair) {
	note := words.Note(of)
	if len(of.Roots) == 0 && note == "" {
		return
	}
	p.heading(words.Pair(of))
	if note != "" {
		p.prose(tableIndent, tableIndent, note)
	}
	shown := words.Open(of)
	p.rootLines(words, of, shown[:min(len(shown), fullRoots)])
	if n := len(shown) - fullRoots; n > 0 {
		p.line(tableIndent, p.paint(faint, fmt.Sprintf("… and %s more", count(n))))
	}
	if n := len(of.Roots) - len(shown); n > 0 {
		p.line(tableIndent, p.paint(faint, plural(n, "root")+" accepted"))
	}
}

// rootLines prints a line for each root: rank, tier, function, its mark if one has any, and the effect as far as there
// is room.
func (p *printer) rootLines(words *SeriesWording, of *series.Pair, roots []series.Root) {
	if len(roots) == 0 {
		return
	}
	marked := slices.ContainsFunc(roots, func(r series.Root) bool { return words.Mark(&r) != "" })
	var rows [][]string
	for i := range roots {
		r := &roots[i]
		row := []string{fmt.Sprint(r.Rank), p.tier(r.Tier), words.Function(of, r)}
		if marked {
			row = append(row, words.Mark(r))
		}
		rows = append(rows, append(row, words.Effect(of, r)))
	}
	fixed, _ := columns(rows)
	room := p.width - len(tableIndent) - fixed
	for i, row := range rows {
		last := len(row) - 1
		if row[last] = spectra.Shorten(row[last], max(room, 1)); room < shortestEffect {
			rows[i] = row[:last]
		}
	}
	p.table(rows, []tw.Align{tw.AlignRight, tw.AlignLeft})
}

// A SeriesWording has the words for a series. All of it is printable, and no text holds a line break.
type SeriesWording struct{ series *series.Series }

// NewSeriesWording returns the words for a series.
func NewSeriesWording(s *series.Series) *SeriesWording { return &SeriesWording{s} }

// Verdict is the outcome of all pairs in a sentence without a full stop.
func (w *SeriesWording) Verdict() string {
	pairs := w.series.Pairs
	if len(pairs) == 0 {
		return "nothing to compare"
	}
	verdicts, roots := map[report.Verdict]int{}, 0
	for i := range pairs {
		verdicts[pairs[i].Verdict]++
		roots += pairs[i].Open()
	}
	deviate, incomplete := verdicts[report.Deviates], verdicts[report.Incomplete]
	text := fmt.Sprintf("from %s to %s: ", name(pairs[0].Old), name(pairs[len(pairs)-1].New))
	switch {
	case deviate > 0:
		text += fmt.Sprintf("%s of %s %s, %s", count(deviate), plural(len(pairs), "pair"),
			verb(deviate, "deviates", "deviate"), plural(roots, "root"))
	case incomplete < len(pairs):
		text += "no deviations in " + plural(len(pairs)-incomplete, "pair")
	default:
		text += "no deviations found"
	}
	return text + w.besides(verdicts[report.NotReached], incomplete)
}

// besides is what else there is to say of all pairs, each with a semicolon before it.
func (w *SeriesWording) besides(unreached, incomplete int) (text string) {
	back := 0
	for _, p := range w.series.Pairs {
		for _, r := range p.Roots {
			if r.BackIn != nil {
				back++
			}
		}
	}
	if back > 0 {
		text += "; " + plural(back, "root") + verb(back, " was", " were") + " taken back"
	}
	if unreached > 0 {
		text += "; in " + plural(unreached, "pair") + " the change was not reached"
	}
	if incomplete > 0 {
		text += "; " + plural(incomplete, "pair") + " not compared to the end"
	}
	if w.series.Partial {
		text += "; partial: the series was interrupted"
	}
	return text
}

// Pair names the two versions of a pair.
func (w *SeriesWording) Pair(p *series.Pair) string { return name(p.Old) + " → " + name(p.New) }

// Table has a row for each pair, with a head. Details adds how long each took.
func (w *SeriesWording) Table(details bool) [][]string {
	head := []string{"pair", "verdict", "changed, ran", "roots"}
	if details {
		head = slices.Insert(head, 3, "seconds")
	}
	rows := [][]string{head}
	for i := range w.series.Pairs {
		p := &w.series.Pairs[i]
		row := []string{w.Pair(p), outcome(p), ran(p), rootCounts(p)}
		if details {
			row = slices.Insert(row, 3, seconds(p))
		}
		rows = append(rows, row)
	}
	return rows
}

// outcome is the verdict of a pair, and whether it is all that could be known.
func outcome(p *series.Pair) string {
	switch {
	case p.Failed != "":
		return "not compared"
	case p.Partial != nil:
		return clean(string(p.Verdict)) + ", partial"
	}
	return clean(string(p.Verdict))
}

// ran says how many functions changed, and which share of them ran.
func ran(p *series.Pair) string {
	switch {
	case p.Failed != "":
		return ""
	case p.Changed == 0:
		return "none"
	}
	return count(p.Changed) + ", " + percent(float64(p.Ran)/float64(p.Changed))
}

// seconds says how long a pair took.
func seconds(p *series.Pair) string {
	if p.Failed != "" {
		return ""
	}
	return fmt.Sprintf("%.1f", p.Seconds)
}

// maxTiers is how many tiers a row names.
const maxTiers = 3

// rootCounts says how many roots there are of the worst tiers, and how many others.
func rootCounts(p *series.Pair) string {
	var parts []string
	more := p.Open()
	for _, t := range p.Tiers[:min(len(p.Tiers), maxTiers)] {
		parts = append(parts, count(t.Roots)+" "+clean(string(t.Tier)))
		more -= t.Roots
	}
	if more > 0 {
		parts = append(parts, count(more)+" more")
	}
	if n := len(p.Roots) - p.Open(); n > 0 {
		parts = append(parts, count(n)+" accepted")
	}
	if len(parts) == 0 && p.Failed == "" {
		return "none"
	}
	return strings.Join(parts, ", ")
}

// Note says why a pair was not compared, or not to its end; "" if it was.
func (w *SeriesWording) Note(p *series.Pair) string {
	if p.Failed != "" {
		return clean(strings.Join(strings.Fields(p.Failed), " "))
	}
	return (&printer{report: &report.Report{Partial: p.Partial}}).ended()
}

// Open lists the roots of a pair that nobody accepted.
func (w *SeriesWording) Open(p *series.Pair) []series.Root {
	return slices.DeleteFunc(slices.Clone(p.Roots), func(r series.Root) bool { return r.Accepted })
}

// Mark says which version takes a root back, and which one brought what it takes back; "" if none is known.
func (w *SeriesWording) Mark(r *series.Root) string {
	var parts []string
	if r.BackIn != nil {
		parts = append(parts, "back in "+clean(r.BackIn.Revision))
	}
	if r.AsBefore != nil {
		parts = append(parts, "as before "+clean(r.AsBefore.Revision))
	}
	return strings.Join(parts, ", ")
}

// Function is the symbol of a root without the path of its module.
func (w *SeriesWording) Function(p *series.Pair, r *series.Root) string {
	return w.of(p).Short(r.Function)
}

// Effect is what a root does, without the name of its function at the beginning.
func (w *SeriesWording) Effect(p *series.Pair, r *series.Root) string {
	return w.of(p).Short(strings.TrimPrefix(r.Summary, spectra.Symbol(r.Function).Short()+" "))
}

// of returns the words for the reports of a pair's module.
func (w *SeriesWording) of(p *series.Pair) *Wording {
	return NewWording(&report.Report{Subject: report.Subject{Module: p.Module}})
}
