package explain

import (
	"strings"

	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/report/text"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/align"
)

// A Lookup finds the lines of a function in a version. at is where the report places it, on one side; nil: nowhere.
type Lookup func(side spectra.Side, function string, at *report.Position) Source

// A Source is the lines of a function in one version, as they are in the file.
type Source struct {
	File    string
	First   int // line of the file, from 1
	Lines   []string
	Absent  bool   // the version has no such function
	Missing string // why there are no lines
	Note    string // what to know about the lines
}

// A Listing is a function in both versions, one below the other where they differ.
type Listing struct {
	Title string // file and lines in both versions
	Notes []string
	Rows  []Row
}

// A Row is a line of a Listing. A number is 0 where the version does not have the line.
type Row struct {
	Old, New int
	Sign     byte // '-', '+' or ' '
	Text     string
}

// Limits of a listing. Generated functions can have any length.
const (
	mostLines = 20_000 // of one version
	mostEdits = 500
)

// List looks for the function of a step or a call in both versions.
func (s *Story) List(look Lookup, function string, at *report.Position) *Listing {
	l := &Listing{}
	if function == "" || look == nil {
		return l
	}
	of := spectra.Pair[Source]{
		Old: look(spectra.Old, s.OldName(function), at), New: look(spectra.New, function, at),
	}
	if at != nil && at.Side == spectra.Old { // as old calls it
		of.Old = look(spectra.Old, function, at)
	}
	for _, side := range []struct {
		name string
		of   *Source
	}{{"old", &of.Old}, {"new", &of.New}} {
		switch {
		case side.of.Absent:
			l.Notes = append(l.Notes, side.name+": there is no such declaration")
		case side.of.Missing != "":
			l.Notes = append(l.Notes, side.name+": "+text.Clean(side.of.Missing))
		}
		if side.of.Note != "" && len(side.of.Lines) > 0 {
			l.Notes = append(l.Notes, side.name+": "+text.Clean(side.of.Note))
		}
		side.of.Lines = side.of.Lines[:min(len(side.of.Lines), mostLines)]
	}
	if len(l.Notes) == 2 && strings.TrimPrefix(l.Notes[0], "old: ") == strings.TrimPrefix(l.Notes[1], "new: ") {
		l.Notes = []string{strings.TrimPrefix(l.Notes[0], "old: ")}
	}
	l.Title = title(&of.Old, &of.New)
	l.merge(&of)
	return l
}

// title names the place of a function in both versions.
func title(before, after *Source) string {
	a, b := before.place(), after.place()
	switch {
	case a == "" && b == "":
		return ""
	case a == b:
		return a
	case a == "":
		return b + " (new)"
	case b == "":
		return a + " (old)"
	}
	return a + " (old), " + b + " (new)"
}

func (s *Source) place() string {
	if len(s.Lines) == 0 {
		return ""
	}
	return text.Position(&report.Position{File: s.File, Line: s.First, EndLine: s.First + len(s.Lines) - 1})
}

// merge puts the lines of both versions into rows.
func (l *Listing) merge(of *spectra.Pair[Source]) {
	signs := [2]byte{' ', ' '}
	if both := len(of.Old.Lines) > 0 && len(of.New.Lines) > 0; both || of.New.Absent {
		signs[0] = '-'
	}
	if both := len(of.Old.Lines) > 0 && len(of.New.Lines) > 0; both || of.Old.Absent {
		signs[1] = '+'
	}
	o, n := 0, 0
	upTo := func(before, after int) {
		for ; o < before; o++ {
			l.Rows = append(l.Rows, Row{of.Old.First + o, 0, signs[0], sourceLine(of.Old.Lines[o])})
		}
		for ; n < after; n++ {
			l.Rows = append(l.Rows, Row{0, of.New.First + n, signs[1], sourceLine(of.New.Lines[n])})
		}
	}
	for _, p := range align.Equal(of.Old.Lines, of.New.Lines, mostEdits) {
		upTo(p.Old, p.New)
		l.Rows = append(l.Rows, Row{of.Old.First + o, of.New.First + n, ' ', sourceLine(of.New.Lines[n])})
		o, n = o+1, n+1
	}
	upTo(len(of.Old.Lines), len(of.New.Lines))
}

// around is how many rows are kept beside those that differ where a listing is cut.
const around = 3

// Excerpt returns the rows worth printing where there is not room for all: those that differ and a few around them, or
// the first ones. Left is how many are left out; a gap stands before rows whose number is in gaps.
func (l *Listing) Excerpt(room int) (rows []Row, gaps map[int]bool, left int) {
	if len(l.Rows) <= room {
		return l.Rows, nil, 0
	}
	keep := make([]bool, len(l.Rows))
	differ := false
	for i, row := range l.Rows {
		if row.Sign != ' ' {
			differ = true
			for j := max(0, i-around); j <= min(i+around, len(keep)-1); j++ {
				keep[j] = true
			}
		}
	}
	keep[0], gaps = true, map[int]bool{} // the head of the function
	for i, row := range l.Rows {
		if differ && !keep[i] {
			continue
		}
		if len(rows) == room {
			break
		}
		if i > 0 && !(keep[i-1] || !differ) {
			gaps[len(rows)] = true
		}
		rows = append(rows, row)
	}
	return rows, gaps, len(l.Rows) - len(rows)
}
