package page

import (
	"bytes"
	"fmt"
	"io"
	"slices"

	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/report/series"
	"github.com/spectradiff/spectradiff/internal/report/text"
)

// Limits of a page of a series.
const (
	maxPairs     = 500
	maxPairRoots = 100 // of one pair
)

// A seriesPage is what the template of a series shows.
type seriesPage struct {
	*frame

	Title, Module string
	Old, New      revision
	Verdict       report.Verdict // of all pairs, for its colour
	Sentence      string
	Table         table
	Pairs         []pairView // that have something to say, the newest first
	TierWords     []fact
}

// A pairView is a section of the change-log.
type pairView struct {
	Name, Note, Report string
	Rows               []rootView
	Left, Accepted     int
}

// A rootView is a root in the change-log.
type rootView struct {
	Rank                              int
	Tier, Class, Meaning              string
	Function, Effect, Position, Marks string
}

// WriteSeries prints the page of a series: a table with a row for each pair, and the change-log. It has no script.
func WriteSeries(w io.Writer, s *series.Series) error {
	var out bytes.Buffer
	if err := frameOf().templates.ExecuteTemplate(&out, "series", seriesPageOf(s)); err != nil {
		return fmt.Errorf("write HTML series: %w", err)
	}
	if _, err := out.WriteTo(w); err != nil {
		return fmt.Errorf("write HTML series: %w", err)
	}
	return nil
}

func seriesPageOf(s *series.Series) *seriesPage {
	words := text.NewSeriesWording(s)
	p := &seriesPage{
		frame: frameOf(), Module: cut(text.Clean(s.Module), nameRoom), Verdict: worst(s),
		Sentence: cut(words.Verdict(), proseRoom), Title: "spectradiff: " + cut(words.Verdict(), proseRoom),
		TierWords: tierWords(),
	}
	if n := len(s.Pairs); n > 0 {
		v := &viewer{report: &report.Report{}, words: text.NewWording(&report.Report{})}
		p.Old, p.New = v.revision(s.Pairs[0].Old), v.revision(s.Pairs[n-1].New)
	}
	rows := words.Table(false)
	p.Table = table{Head: rows[0], Code: make([]bool, len(rows[0])), Rows: rows[1:min(len(rows), maxPairs+1)]}
	p.Table.More = len(rows) - 1 - len(p.Table.Rows)
	for _, row := range p.Table.Rows {
		for i := range row {
			row[i] = cut(row[i], nameRoom)
		}
	}
	for i := range s.Pairs[:min(len(s.Pairs), maxPairs)] {
		if view := pairViewOf(words, &s.Pairs[i]); view.Note != "" || len(view.Rows) > 0 || view.Accepted > 0 {
			p.Pairs = append(p.Pairs, view)
		}
	}
	slices.Reverse(p.Pairs)
	return p
}

// worst returns the verdict that says most: a deviation, then what is not known.
func worst(s *series.Series) report.Verdict {
	for _, verdict := range []report.Verdict{report.Deviates, report.Incomplete, report.NotReached} {
		if slices.ContainsFunc(s.Pairs, func(p series.Pair) bool { return p.Verdict == verdict }) {
			return verdict
		}
	}
	return report.Same
}

func pairViewOf(words *text.SeriesWording, p *series.Pair) pairView {
	open := words.Open(p)
	view := pairView{
		Name: cut(words.Pair(p), nameRoom), Note: cut(words.Note(p), proseRoom),
		Report: cut(text.Clean(p.Report), nameRoom), Accepted: len(p.Roots) - len(open),
	}
	for i := range open[:min(len(open), maxPairRoots)] {
		r := &open[i]
		view.Rows = append(view.Rows, rootView{
			Rank: r.Rank,
			Tier: cut(text.Clean(string(r.Tier)), nameRoom), Class: classOf(r.Tier), Meaning: meanings[r.Tier],
			Function: cut(words.Function(p, r), nameRoom), Effect: cut(words.Effect(p, r), proseRoom),
			Position: cut(text.Position(r.Position), nameRoom), Marks: cut(words.Mark(r), nameRoom),
		})
	}
	view.Left = len(open) - len(view.Rows)
	return view
}
