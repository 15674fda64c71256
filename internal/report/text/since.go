package text

import (
	"fmt"
	"strings"

	"github.com/spectradiff/spectradiff/internal/report"
)

// A Brought is a commit, or several of which it is one, with the roots that came with it.
type Brought struct {
	Who     string // its hash, its author and the day; of several, how many, and from which to which
	Subject string // in quotes, with the pull request; "" if it is not known
	Says    string // what it says of itself that makes its roots a surprise; "" if nothing
	Note    string // what else there is to know; "" if nothing
	Roots   []Effect
}

// An Effect is what a commit did: a root, and in a few words what the commit made of it.
type Effect struct {
	Root *report.Root
	Text string
}

// Brought returns the commits with their roots, the most surprising first.
func (w *Wording) Brought() (list []Brought) {
	for _, b := range w.p.brought() {
		var of Brought
		for _, root := range w.p.roots(b.ranks) {
			of.Roots = append(of.Roots, Effect{root, w.p.did(&b, root, effectWidth)})
		}
		if c := b.commit; c == nil {
			of.Who = w.p.among(b.among)
		} else {
			of.Who, of.Subject, of.Says = who(c), titled(c, widestTitle), says(c)
			if c.Lacking {
				of.Note = lackingNote
			}
		}
		list = append(list, of)
	}
	return list
}

// Asked says how many commits there are between old and new, and how many had to be asked; "" if nobody asked.
func (w *Wording) Asked() string {
	if w.p.report.Commits == nil {
		return ""
	}
	return w.p.asked()
}

// Unasked are lines about roots of which no commit was asked, and why.
func (w *Wording) Unasked() []string {
	if w.p.report.Commits == nil {
		return nil
	}
	return w.said((*printer).unasked)
}

// Since says with which commits a root came, a line for each.
func (w *Wording) Since(root *report.Root) (lines []string) {
	for i := range root.Introduced {
		in := &root.Introduced[i]
		line := ""
		if c := w.p.report.Commit(in.Commit); c == nil {
			line = w.p.among(in.Among)
		} else {
			line = who(c)
			if subject := titled(c, widestTitle); subject != "" {
				line += ": " + subject
			}
			if c.Lacking {
				line += "; " + lackingNote
			}
		}
		if values := w.p.flip(in, valueColumns); values != "" && len(root.Introduced) > 1 {
			line += "; " + values
		}
		lines = append(lines, line)
	}
	return lines
}

const (
	effectWidth = 200 // columns of an effect
	maxSince    = 3   // commits in a phrase
)

// Since says in a few words with which commits a root came; "" if that is not known.
func (p *Phrases) Since(root *report.Root) string {
	var parts []string
	for _, in := range root.Introduced[:min(len(root.Introduced), maxSince)] {
		switch c := p.report.Commit(in.Commit); {
		case c != nil:
			said := strings.TrimSpace(shortHash(c.Hash) + " " + titled(c, widestTitle))
			if c.Lacking {
				said += " was taken back"
			}
			parts = append(parts, said)
		case len(in.Among) > 0:
			parts = append(parts, fmt.Sprintf("one of %s, %s to %s", plural(len(in.Among), "commit"),
				shortHash(in.Among[0]), shortHash(in.Among[len(in.Among)-1])))
		}
	}
	if len(parts) == 0 {
		return ""
	}
	text := "since " + strings.Join(parts, ", then ")
	if more := len(root.Introduced) - maxSince; more > 0 {
		text += fmt.Sprintf(", then %d more", more)
	}
	return p.Line(text)
}
