package text

import (
	"fmt"
	"strings"

	"github.com/olekukonko/tablewriter"
	"github.com/olekukonko/tablewriter/renderer"
	"github.com/olekukonko/tablewriter/tw"

	"github.com/spectradiff/spectradiff/internal/report"
)

func (p *printer) structural() {
	changes := p.report.Structural
	if len(changes) == 0 {
		return
	}
	p.heading("structural changes")
	rows := make([][]string, 0, maxRows)
	for _, change := range changes[:min(len(changes), maxRows)] {
		function, detail := p.short(clean(change.Function)), p.short(clean(change.Detail))
		rows = append(rows, []string{function, clean(string(change.Change)), detail})
	}
	p.table(rows, nil)
	p.more("  ", len(changes)-len(rows), "structural changes")
}

func (p *printer) noise() {
	noise := p.report.Noise
	if noise.Masked == 0 {
		return
	}
	p.heading("noise: " + p.noiseText())
	rows := make([][]string, 0, maxRows)
	for _, site := range noise.Sites[:min(len(noise.Sites), maxRows)] {
		rows = append(rows, []string{p.short(clean(site.Function)), clean(site.Path), clean(site.Reason)})
	}
	p.table(rows, nil)
	p.more("  ", len(noise.Sites)-len(rows), "places")
}

// noiseText says which share of the values is masked.
func (p *printer) noiseText() string {
	noise := p.report.Noise
	return fmt.Sprintf("%s of %s values masked (%s)", count(noise.Masked), count(noise.Values), share(noise))
}

// share returns the share of the values that is masked.
func share(noise report.Noise) string { return percent(float64(noise.Masked) / float64(noise.Values)) }

// exposure shows in how many of the replayed sequences each spectrum differs.
func (p *printer) exposure() {
	exposure := p.report.Exposure
	all := p.report.Replay.Sequences
	if exposure.Covering == 0 || all == 0 {
		return
	}
	p.heading("exposure")
	var rows [][]string
	for _, spectrum := range []struct {
		name string
		n    int
	}{
		{"sequences that run changed code", exposure.Covering},
		{"output differs", exposure.Output},
		{"value hit spectrum differs", exposure.Hit},
		{"value count spectrum differs", exposure.Count},
		{"value trace spectrum differs", exposure.Trace},
	} {
		rows = append(rows, []string{spectrum.name, count(spectrum.n), percent(float64(spectrum.n) / float64(all))})
	}
	p.table(rows, []tw.Align{tw.AlignLeft, tw.AlignRight, tw.AlignRight})
}

// facts prints the facts about the run.
func (p *printer) facts() {
	p.heading("compared")
	p.table(p.factRows(), nil)
}

// factRows are the facts about the run: packages, sequences, settings.
func (p *printer) factRows() [][]string {
	r := p.report
	rows := [][]string{
		{"code", fmt.Sprintf("%s in %s, %d changed",
			plural(r.Subject.Functions, "function"), plural(r.Subject.Packages, "package"),
			len(r.Subject.ChangedFunctions))},
		{"sequences", fmt.Sprintf("%s kept of %s, seed %d",
			count(r.Generation.Kept), count(r.Generation.Sequences), r.Settings.Seed)},
	}
	if g := r.Generation; g.Redundant+g.Unplayed > 0 {
		rows = append(rows, []string{"redundant", redundant(&g, r.Settings.Redundancy)})
	}
	for _, e := range r.Generation.Explored {
		rows = append(rows, []string{"explored", explored(e)})
	}
	if t := r.Tests; t != nil {
		text := fmt.Sprintf("%s, %s may run the change, %s of them", plural(t.Found, "test"), count(t.Reaching),
			plural(t.Variants, "variant"))
		if t.Handed > 0 {
			text += fmt.Sprintf(", %s of what they hand over", plural(t.Handed, "call"))
		}
		if t.NotRun > 0 {
			text += fmt.Sprintf("; %s not run in time", count(t.NotRun))
		}
		if n := len(t.LeftOut); n > 0 {
			text += fmt.Sprintf("; those of %s left out", plural(n, "package"))
		}
		if t.New > 0 {
			text += fmt.Sprintf("; %s of the new version", count(t.New))
		}
		rows = append(rows, []string{"tests", text})
	}
	if c := r.Commands; c != nil {
		rows = append(rows, []string{"commands", fmt.Sprintf("%s: %s, %s of them; %s may run the change",
			strings.Join(c.Names, ", "), plural(c.Lines, "line"), plural(c.Variants, "variant"), count(c.Reaching))})
	}
	rows = append(rows, [][]string{
		{"operations",
			fmt.Sprintf("%s of %s reached", count(r.Generation.OperationsReached), count(r.Subject.Operations))},
		{"executions", fmt.Sprintf("%s on both sides%s; %s crashed, %s timed out", count(r.Replay.FunctionExecutions),
			p.recorded(), count(r.Replay.Crashes), count(r.Replay.Timeouts))},
	}...)
	if n := r.Subject.Beyond; n > 0 {
		rows = append(rows, []string{"not recorded", plural(n, "package") + " further from the change"})
	}
	if equal := r.Replay.EqualByReach; equal > 0 {
		rows = append(rows, []string{
			"not recorded", plural(equal, "sequence") + " that ran nothing that the change may touch",
		})
	}
	if n := r.Replay.OutcomesOnly; n > 0 {
		text := plural(n, "sequence") + " of which only the results were compared, since others had shown enough"
		if different := r.Replay.OutcomesDifferent; different > 0 {
			text += fmt.Sprintf("; %s of them differ, as others do that were recorded", count(different))
		}
		rows = append(rows, []string{"outcomes only", text})
	}
	if r.Replay.Unpruned != "" {
		rows = append(rows, []string{"all recorded", clean(r.Replay.Unpruned)})
	}
	if coverage := p.coverage(); coverage != "" {
		rows = append(rows, []string{"coverage", coverage})
	}
	if r.Settings.Sandbox != "" {
		rows = append(rows, []string{"sandbox", clean(r.Settings.Sandbox)})
	}
	return rows
}

// explored says how far the values of a type were explored.
func explored(e report.Exploration) string {
	text := fmt.Sprintf("%s, %s deep: %s, %s", clean(e.Type), plural(e.Depth, "call"), plural(e.States, "state"),
		plural(e.Calls, "call"))
	if !e.Ended {
		text += ", not all"
	}
	if e.Literals > 0 {
		text += fmt.Sprintf("; %s of %s valid", count(e.Valid), plural(e.Literals, "literal"))
	}
	return text
}

// recorded returns the recorded share of the code that the sequences run.
func (p *printer) recorded() string {
	if share := p.report.Replay.Recorded; share != nil && *share < 1 {
		return ", " + percent(*share) + " of what the sequences run"
	}
	return ""
}

func (p *printer) coverage() string {
	var parts []string
	if covered := p.report.Generation.ChangedStatementCoverage; covered != nil {
		parts = append(parts, percent(*covered)+" of the changed statements")
	}
	if covered := p.report.Generation.StatementCoverage; covered != nil {
		parts = append(parts, percent(*covered)+" of all statements")
	}
	return strings.Join(parts, ", ")
}

const (
	tableIndent = "  "
	columnGap   = 2
)

// table prints rows below each other. Only the last column is wrapped, at words. If it would need more
// than two lines, each row that is too wide becomes a paragraph that starts with its first cell.
func (p *printer) table(rows [][]string, align []tw.Align) {
	if len(rows) == 0 {
		return
	}
	fixed, last := columns(rows)
	room := p.width - len(tableIndent) - fixed
	if last > room && (room < minWidth/2 || last > 2*room) {
		p.paragraphs(rows)
		return
	}
	var out strings.Builder
	table := tablewriter.NewTable(&out,
		tablewriter.WithRenderer(renderer.NewBlueprint(tw.Rendition{
			Borders:  tw.BorderNone,
			Settings: tw.Settings{Separators: tw.SeparatorsNone, Lines: tw.LinesNone},
		})),
		tablewriter.WithEastAsian(tw.Off), // results don't depend on the locale
		tablewriter.WithRowAutoWrap(tw.WrapNone),
		tablewriter.WithPadding(tw.Padding{Left: "", Right: strings.Repeat(" ", columnGap), Overwrite: true}),
		tablewriter.WithTrimSpace(tw.Off),
		tablewriter.WithRowAlignmentConfig(tw.CellAlignment{Global: tw.AlignLeft, PerColumn: align}),
	)
	for _, row := range rows {
		for _, wrapped := range wrapLast(row, room) {
			p.keep(table.Append(wrapped))
		}
	}
	p.keep(table.Render())
	for line := range strings.Lines(out.String()) {
		p.line(tableIndent, strings.TrimRight(line, "\n"))
	}
}

// keep remembers the first error of the table writer for Write.
func (p *printer) keep(err error) {
	if p.err == nil && err != nil {
		p.err = fmt.Errorf("lay out table: %w", err)
	}
}

// columns returns the width of all columns but the last, including gaps, and the width of the last.
func columns(rows [][]string) (fixed, last int) {
	n := len(rows[0])
	for column := range n {
		width := 0
		for _, row := range rows {
			width = max(width, textWidth(row[column]))
		}
		if column == n-1 {
			return fixed, width
		}
		fixed += width + columnGap
	}
	return fixed, last
}

// wrapLast returns one row for each line of a row's last cell.
func wrapLast(row []string, room int) [][]string {
	var all [][]string
	for i, line := range wrap(row[len(row)-1], room, strings.Fields) {
		wrapped := make([]string, len(row))
		if i == 0 {
			copy(wrapped, row)
		}
		wrapped[len(row)-1] = line
		all = append(all, wrapped)
	}
	return all
}

func (p *printer) paragraphs(rows [][]string) {
	for _, row := range rows {
		if whole := strings.TrimRight(strings.Join(row, "  "), " "); textWidth(tableIndent+whole) <= p.width {
			p.line(tableIndent, whole)
			continue
		}
		p.line(tableIndent, row[0])
		p.prose(tableIndent+"  ", tableIndent+"  ", strings.TrimSpace(strings.Join(row[1:], "  ")))
	}
}

// redundant says how many sequences were redundant.
func redundant(g *report.Generation, by string) string {
	all := g.Redundant + g.Unplayed
	text := plural(all, "sequence") + ", " + percent(float64(all)/float64(g.Sequences+g.Unplayed))
	if g.Unplayed > 0 {
		text += fmt.Sprintf("; %s of them not played", count(g.Unplayed))
	}
	if by != "" {
		text += " (" + by + ")"
	}
	return text
}
