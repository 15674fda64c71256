// Package markdown writes a report as one comment on a pull request, in the Markdown of GitHub and GitLab.
//
// In: a finished report, and the address of a page with all of it if there is one. Out: a hidden mark in the first
// line, by which a later run finds its own comment; the verdict; the worst findings, each with what is needed to judge
// it folded below; folded sections about the commits with which findings came and about the rest; the command that
// makes the report again. A report without findings has two lines, and sections only about what was not reached and
// warnings. The same report leads to the same bytes, and two runs with the same seed and number of sequences do:
// durations are not shown. What always holds: the comment has less than 65,000 bytes, and so fewer characters; sections
// are left out whole until it has, and it says which. What a version recorded stands in code only, so it never becomes
// HTML, a link, an image, a mention, a reference to an issue or a command. The package decides nothing: verdict, order
// and words are those of the report and of the terminal format.
package markdown

import (
	"fmt"
	"io"
	"strings"

	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/report/text"
)

// Mark is the first line of every comment.
const Mark = "<!-- spectradiff -->"

// Options describe where the comment stands.
type Options struct {
	Link string // http or https address of a page with the whole report; "": none
}

// Limits of a comment. GitHub takes 65,536 characters, GitLab more.
const (
	maxBytes     = 65_000
	maxFindings  = 5   // that are shown with details
	maxFurther   = 20  // findings that have a line
	maxLines     = 12  // of a section
	maxSentence  = 600 // characters of a sentence in a finding
	maxLine      = 240 // characters of a line in a section
	maxName      = 160 // characters of a place or function
	maxLink      = 2000
	reservedNote = 1000 // bytes for the line that says what is left out
)

// A part of the comment is shown whole or not at all.
type part struct {
	name string // in the line about what is left out; "": it is short, and always shown
	text string
}

// A printer collects the parts.
type printer struct {
	report   *report.Report
	words    *text.Wording
	link     string // as Markdown, "" without one
	parts    []part
	glossed  map[string]bool // words that were explained
	findings []report.Root   // that have details; those behind them have a line
}

// Write prints the comment.
func Write(w io.Writer, r *report.Report, o Options) error {
	link, err := linked(o.Link)
	if err != nil {
		return fmt.Errorf("write Markdown report: %w", err)
	}
	p := &printer{report: r, words: text.NewWording(r), link: link, glossed: map[string]bool{}}
	p.findings = p.worst()
	p.print()
	if _, err := io.WriteString(w, p.joined()); err != nil {
		return fmt.Errorf("write Markdown report: %w", err)
	}
	return nil
}

// worst returns the findings that are shown with details: those of which a value differs, or all where the verdict says
// that the others deviate as well.
func (p *printer) worst() []report.Root {
	roots := p.words.Loud()
	if len(roots) == 0 && p.report.Verdict == report.Deviates {
		roots = report.Open(p.report.Roots)
	}
	return roots[:min(len(roots), maxFindings)]
}

func (p *printer) print() {
	p.add("", p.head())
	for i := range p.findings {
		root := &p.findings[i]
		p.add("", p.headline(root))
		p.fold(fmt.Sprintf("the details of finding %d", root.Rank), "Change, values, example, proof", p.details(root))
	}
	p.fold("the commits", "Commits", p.commits())
	p.fold("further findings", "Further findings", p.further())
	p.fold("what is accepted", "Accepted", p.accepted())
	p.fold("what was not reached", "What of the change was not reached", p.unreached())
	p.fold("warnings", "Warnings", p.warnings())
	if !p.nothing() {
		p.fold("what was compared", "What was compared", p.compared())
		if command := p.words.Command(); len(command) < maxLink {
			where := ""
			if folder := p.report.Subject.Folder; folder != "" {
				where = ", in the folder " + cutSpan(folder)
			}
			p.add("", "To see it on your machine"+where+":\n\n"+fence("sh", []string{command}))
		}
	}
}

// nothing reports whether there is nothing to do or to decide: nothing was found, and enough was run.
func (p *printer) nothing() bool { return len(p.report.Roots) == 0 && p.report.Verdict == report.Same }

// head is the verdict, and below it the words that it needs.
func (p *printer) head() string {
	verdict := p.words.Verdict()
	lines := []string{Mark, "**spectradiff: " + rich(verdict, maxSentence) + "**"}
	var below []string
	if partial := p.words.Partial(); partial != "" {
		below = append(below, rich(upper(partial), maxSentence)+".")
	}
	if len(p.findings) > 0 {
		below = append(below, "A root is where differences come from. The worst comes first.")
		if strings.HasSuffix(verdict, " masked") {
			below = append(below, "No output shows the effect of one that is masked.")
		}
	} else if compared := p.words.Compared(); compared != "" {
		below = append(below, rich(upper(compared), maxSentence)+".")
	}
	if p.link != "" {
		below = append(below, p.link+".")
	}
	if len(below) > 0 {
		lines = append(lines, "", strings.Join(below, " "))
	}
	return strings.Join(lines, "\n")
}

// add appends a part. No line of it is a command to a build machine that prints it.
func (p *printer) add(name, markdown string) {
	if markdown != "" {
		p.parts = append(p.parts, part{name, text.Printable(markdown)})
	}
}

// fold appends a part that is shown when the reader asks for it.
func (p *printer) fold(name, title, markdown string) {
	if markdown != "" {
		p.add(name, "<details>\n<summary>"+title+"</summary>\n\n"+markdown+"\n\n</details>")
	}
}

// joined returns the parts for which there is room, in their order, and the names of the others before the last one.
func (p *printer) joined() string {
	const gap = "\n\n"
	size := reservedNote
	for _, part := range p.parts {
		if part.name == "" {
			size += len(part.text) + len(gap)
		}
	}
	var shown, left []string
	for _, part := range p.parts {
		switch {
		case part.name == "":
		case size+len(part.text)+len(gap) > maxBytes:
			left = append(left, part.name)
			continue
		default:
			size += len(part.text) + len(gap)
		}
		shown = append(shown, part.text)
	}
	if len(left) > 0 {
		note := "Left out, because a comment has no room for it: " + strings.Join(left, ", ") + "."
		if p.link != "" {
			note += " It is in the whole report: " + p.link + "."
		}
		shown = append(shown, note)
	}
	return strings.Join(shown, gap) + "\n"
}
