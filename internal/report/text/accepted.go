package text

import (
	"fmt"
	"io"
	"strings"

	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// Root prints one root as Write does.
func Root(w io.Writer, r *report.Report, rank int, options Options) error {
	p := newPrinter(r, options)
	p.root(&r.Roots[rank-1])
	if _, err := io.WriteString(w, p.safe(p.out.String())); err != nil {
		return fmt.Errorf("write root %d: %w", rank, err)
	}
	return nil
}

// acceptedLoud counts the accepted roots of which some value differs.
func (p *printer) acceptedLoud() int {
	n := 0
	for i := range p.report.Roots {
		if r := &p.report.Roots[i]; r.Accepted != nil && !r.Quiet() {
			n++
		}
	}
	return n
}

// besides says how many roots were accepted, behind a first line that is about the others; "" if none was.
func (p *printer) besides() string {
	if n := p.acceptedLoud(); n > 0 {
		return fmt.Sprintf("; %s %s accepted", plural(n, "finding"), verb(n, "is", "are"))
	}
	return ""
}

// allAccepted returns the first line where somebody accepted all roots of which a value differs.
func (p *printer) allAccepted() string {
	const text = "%s and %s deviate: %s, all accepted"
	line := fmt.Sprintf(text, name(p.report.Old), name(p.report.New), plural(p.acceptedLoud(), "finding"))
	if len(report.Open(p.report.Roots)) > 0 {
		line += "; others show in calls alone, or from inside the packages"
	}
	return line
}

// accepted lists the accepted roots, a line each, and the acceptances of what did not show again.
func (p *printer) accepted() {
	var roots, stale []acceptance
	for i := range p.report.Roots {
		if r := &p.report.Roots[i]; r.Accepted != nil {
			columns := []string{fmt.Sprint(r.Rank), clean(string(tierOf(r))), p.rootName(r)}
			roots = append(roots, acceptance{columns, *r.Accepted})
		}
	}
	for _, s := range p.report.AcceptedStale {
		columns := []string{clean(s.Fingerprint), tail(p.short(clean(s.Function)), widestFunction)}
		stale = append(stale, acceptance{columns, s.Acceptance})
	}
	p.acceptances("accepted", roots)
	p.acceptances("accepted earlier, but not found although the function ran", stale)
	if len(stale) > 0 {
		p.line("  ", p.paint(faint, "spectradiff accept --prune REPORT.json removes them"))
	}
}

// rootName returns the name of a root in a list.
func (p *printer) rootName(r *report.Root) string {
	name := tail(p.short(clean(r.Function)), widestFunction)
	if more := len(r.Places); more > 0 {
		name += fmt.Sprintf(" and %s more", count(more))
	}
	return name
}

// because returns why something was accepted, by whom and when. The reason is cut to the width, then all of it.
func because(a report.Acceptance, width int) string {
	end := ""
	if by := By(a); by != "" {
		end = " (" + by + ")"
	}
	reason := max(width-textWidth(end), shortestEffect)
	return spectra.Shorten(spectra.Shorten(clean(a.Reason), reason)+end, max(width, shortestEffect))
}

// An acceptance is a line in a list: what was accepted, and why.
type acceptance struct {
	columns []string
	how     report.Acceptance
}

// acceptances prints a list, one line each.
func (p *printer) acceptances(title string, list []acceptance) {
	if len(list) == 0 {
		return
	}
	p.heading(fmt.Sprintf("%s: %s", title, plural(len(list), "finding")))
	shown := list[:min(len(list), maxRows)]
	widths := make([]int, len(list[0].columns))
	for _, a := range shown {
		for c, text := range a.columns {
			widths[c] = max(widths[c], textWidth(text))
		}
	}
	for _, a := range shown {
		line := ""
		for c, text := range a.columns {
			line += text + strings.Repeat(" ", widths[c]-textWidth(text)+columnGap)
		}
		p.line(tableIndent, line+because(a.how, p.width-len(tableIndent)-textWidth(line)))
	}
	p.more(tableIndent, len(list)-maxRows, "findings")
}
