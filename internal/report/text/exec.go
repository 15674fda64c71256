package text

import (
	"fmt"
	"strings"

	"github.com/spectradiff/spectradiff/internal/report"
)

const (
	maxPrinted = 8             // lines that a command printed
	commandEnd = "the command" // what a value is called that says how it ended
)

// byCommand reports whether a command told commits apart.
func (p *printer) byCommand() bool { return p.report.Settings.Exec != "" }

// ran prints what is known of a change that makes a command end otherwise: the proof, the lines, what is printed.
func (p *printer) ran(root *report.Root) {
	deeper := findingIndent[len(rootIndent):]
	indented := newPrinter(p.report, Options{Width: p.width - len(deeper), Color: p.color})
	indented.proof(root)
	if root.Why != "" {
		indented.prose(rootIndent, rootIndent, clean(root.Why))
	}
	indented.places(root.Places)
	indented.change(root)
	indented.printed(root)
	for line := range strings.Lines(indented.out.String()) {
		if strings.TrimSpace(line) != "" {
			p.out.WriteString(deeper)
		}
		p.out.WriteString(line)
	}
}

// printed prints the first lines that the command prints with the change.
func (p *printer) printed(root *report.Root) {
	for _, v := range root.Values {
		if v.Path != "stdout" || v.New == "" {
			continue
		}
		lines := strings.Split(v.New, "\n")
		p.blank()
		p.line(rootIndent, "it prints")
		for _, line := range lines[:min(len(lines), maxPrinted)] {
			p.line(rootIndent+"  ", p.paint(faint, cut(clean(line), 0, p.width-len(rootIndent)-2)))
		}
		p.more(rootIndent+"  ", len(lines)-maxPrinted, "lines")
	}
}

// provenByRuns says how a change was proven to make the command end otherwise.
func (p *printer) provenByRuns(of *report.Proof) string {
	with := ""
	if names := p.names(of.With); len(names) > 0 {
		with = ", together with " + strings.Join(names, ", ")
	}
	return fmt.Sprintf("proven in %s: the version before ends so with this change%s, the one after does not without it",
		plural(of.Trials, "run"), with)
}

// names returns the short names of functions.
func (p *printer) names(of []string) (names []string) {
	for _, name := range of {
		names = append(names, p.short(clean(name)))
	}
	return names
}

// askedByCommand says how many commits there are, and on how many the command ran.
func (p *printer) askedByCommand(c *report.Commits) string {
	return fmt.Sprintf("%s, %s of them %s files; the command ran on %s", plural(c.Count, "commit"), count(c.Distinct),
		verb(c.Distinct, "changes", "change"), plural(c.Asked, "version"))
}
