package main

import (
	"cmp"
	"fmt"
	"io"
	"math"
	"strings"

	"github.com/spectradiff/spectradiff/internal/report"
)

// printHuntHead prints the head of the table of ranges. Its queries answer for all roots with commits, so next to them
// stands what git bisect needs for these, one after the other, with the same predicate.
func printHuntHead(w io.Writer) {
	fmt.Fprintln(w, "| repository | commits | known | exposed | confirmed | right | right and others | one of several "+
		"| wrong | not told | right, of the confirmed | roots with commits | queries | log2 of the range "+
		"| git bisect, all roots | s a query | whole run, s | changed in the clone |")
	fmt.Fprintln(w, "|"+strings.Repeat("---|", 18))
}

// print prints a row.
func (h *hunted) print(w io.Writer) {
	touched := cmp.Or(strings.Join(h.touched, ", "), "nothing")
	if h.report == nil {
		fmt.Fprintf(w, "| %s | %d | %d | no report: %s; changed in the clone: %s |\n",
			h.name(), len(h.order), len(h.expected), firstLine(h.trouble), touched)
		return
	}
	log := math.Log2(float64(max(len(h.order), 1)))
	fmt.Fprintf(w, "| %s | %d | %s | %.0f | %s |\n", h.name(), len(h.order),
		h.count().cells(fmt.Sprintf("%.1f", log)), h.took.Seconds(), touched)
}

// cells returns the cells of a range, or of all ranges.
func (s huntSum) cells(log string) string {
	each := "–"
	if s.queries > 0 {
		each = fmt.Sprintf("%.1f", s.search.Seconds()/float64(s.queries))
	}
	return fmt.Sprintf("%d | %d | %d | %d | %d | %d | %d | %d | %d | %d | %d | %s | %d | %s",
		s.expected, s.exposed, s.confirmed, s.told[toldRight], s.told[toldMore], s.told[toldSome], s.told[toldWrong],
		s.told[toldNone], s.confirmedTold[toldRight], s.roots, s.queries, log, s.halving, each)
}

// sumUpHunts prints the sum of all rows.
func sumUpHunts(w io.Writer, all []*hunted) {
	var total huntSum
	commits, seconds, touched := 0, 0.0, 0
	for _, h := range all {
		if h.report == nil {
			continue
		}
		total.add(h.count())
		commits, seconds, touched = commits+len(h.order), seconds+h.took.Seconds(), touched+len(h.touched)
	}
	fmt.Fprintf(w, "| all | %d | %s | %.0f | %d |\n", commits, total.cells("–"), seconds, touched)
}

// printFindings prints what is known, and what was told of it; below, what was not told as it should be.
func printFindings(w io.Writer, all []*hunted) {
	fmt.Fprintln(w, "\n| repository | known | how | commit | at | of | rank | confidence | told | git bisect |")
	fmt.Fprintln(w, "|"+strings.Repeat("---|", 10))
	for _, h := range all {
		for _, e := range h.expected {
			rank, confidence, halving, how := "–", "–", "–", "–"
			root := h.root(e)
			if h.report != nil {
				how = told(root, e.commits)
			}
			if root != nil {
				rank, confidence = fmt.Sprint(root.Rank), string(root.Confidence)
				halving = fmt.Sprint(h.halving(*root))
			}
			fmt.Fprintf(w, "| %s | %s | %s | %.12s | %d | %d | %s | %s | %s | %s |\n", h.name(), inCell(e.what),
				inCell(e.how), e.commits[0], h.place(e.commits), len(h.order), rank, confidence, how, halving)
		}
	}
	for _, h := range all {
		for _, e := range h.expected {
			h.remark(w, e)
		}
	}
}

// inCell returns a text as it can stand in a cell, cut if it is long.
func inCell(text string) string {
	const most = 70
	if letters := []rune(text); len(letters) > most {
		text = string(letters[:most-1]) + "…"
	}
	return strings.ReplaceAll(text, "|", "\\|")
}

// remark says what was told of a root instead of its commit, or why nothing was.
func (h *hunted) remark(w io.Writer, e expected) {
	root := h.root(e)
	how := told(root, e.commits)
	if h.report == nil || how == toldRight {
		return
	}
	fmt.Fprintf(w, "\n- %s, %s: %s", h.name(), e.what, how)
	if root == nil {
		if why := h.report.Subject.Why[e.what]; why != "" {
			fmt.Fprintf(w, "; not reached: %s", why)
		}
		return
	}
	fmt.Fprintf(w, "; the commit is %.12s", e.commits[0])
	for _, in := range root.Introduced {
		fmt.Fprintf(w, "; %s: %s → %s", h.commitsOf(in), inCell(in.Before), inCell(in.After))
	}
	if h.report.Commits == nil {
		return
	}
	for _, u := range h.report.Commits.Unasked {
		if u.Root == root.Rank {
			fmt.Fprintf(w, "; %s", u.Reason)
		}
	}
}

// commitsOf names the commit of an introduction, or those of which it is one.
func (h *hunted) commitsOf(in report.Introduction) string {
	if in.Commit == "" {
		return fmt.Sprintf("one of %d commits from %.12s on", len(in.Among), in.Among[0])
	}
	subject := ""
	if c := h.report.Commit(in.Commit); c != nil {
		subject = c.Subject
	}
	return fmt.Sprintf("%.12s %q, at %d", in.Commit, subject, h.place([]string{in.Commit}))
}
