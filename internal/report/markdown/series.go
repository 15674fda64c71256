package markdown

import (
	"fmt"
	"io"
	"strings"

	"github.com/spectradiff/spectradiff/internal/report/series"
	"github.com/spectradiff/spectradiff/internal/report/text"
)

// WriteSeries prints a series as a change-log of behaviour: the outcome, a table with a row for each pair, then a
// section for each newer version in which something deviates or that was not compared, the newest first. Durations are
// not shown.
func WriteSeries(w io.Writer, s *series.Series) error {
	words := text.NewSeriesWording(s)
	parts := []string{"**spectradiff: " + rich(words.Verdict(), maxSentence) + "**", seriesTable(words.Table(false))}
	for i := range s.Pairs {
		p := &s.Pairs[len(s.Pairs)-1-i]
		if section := seriesSection(words, p); section != "" {
			parts = append(parts, "## "+rich(words.Pair(p), maxName), section)
		}
	}
	if _, err := io.WriteString(w, text.Printable(strings.Join(parts, "\n\n"))+"\n"); err != nil {
		return fmt.Errorf("write Markdown series: %w", err)
	}
	return nil
}

// seriesTable writes rows as a table, the first one as its head.
func seriesTable(rows [][]string) string {
	var lines []string
	for i, row := range rows {
		cells := make([]string, len(row))
		for c, cell := range row {
			cells[c] = strings.ReplaceAll(rich(cell, maxName), "|", `\|`)
		}
		lines = append(lines, "| "+strings.Join(cells, " | ")+" |")
		if i == 0 {
			lines = append(lines, "|"+strings.Repeat("---|", len(row)))
		}
	}
	return strings.Join(lines, "\n")
}

// seriesSection lists the roots of a pair, or says why there are none.
func seriesSection(words *text.SeriesWording, p *series.Pair) string {
	var parts []string
	if note := words.Note(p); note != "" {
		parts = append(parts, rich(upper(note), maxSentence)+".")
	}
	open := words.Open(p)
	var items []string
	for i := range open[:min(len(open), maxFurther)] {
		items = append(items, seriesItem(words, p, &open[i]))
	}
	if list := listed(items, len(open)-len(items)); list != "" {
		parts = append(parts, list)
	}
	if n := len(p.Roots) - len(open); n > 0 {
		parts = append(parts, text.Plural(n, "root")+" accepted.")
	}
	return strings.Join(parts, "\n\n")
}

// seriesItem says in a line what a root is.
func seriesItem(words *text.SeriesWording, p *series.Pair, r *series.Root) string {
	line := "**" + rich(string(r.Tier), maxName) + "** " + span(words.Function(p, r))
	if effect := words.Effect(p, r); effect != "" {
		line += " " + rich(effect, maxLine)
	}
	if at := text.Position(r.Position); at != "" {
		line += ", " + cutSpan(at)
	}
	if mark := words.Mark(r); mark != "" {
		line += "; " + rich(mark, maxName)
	}
	return line
}
