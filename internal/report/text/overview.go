package text

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// loud returns the roots of which some value differs, and which nobody accepted. Others may come between them.
func (p *printer) loud() []report.Root { return p.open(false) }

// open returns the roots that nobody accepted, and of which some value differs, or none does.
func (p *printer) open(quiet bool) []report.Root {
	return slices.DeleteFunc(slices.Clone(report.Open(p.report.Roots)), func(r report.Root) bool {
		return r.Quiet() != quiet
	})
}

// overview lists the roots, if there are many.
func (p *printer) overview(roots []report.Root) {
	if len(roots) < overviewFrom {
		return
	}
	p.blank()
	p.rows(roots)
}

// quietRoots lists roots that no exported call shows to deviate in a value: those that call other functions, and those
// that differ only where they are called from inside their package.
func (p *printer) quietRoots(roots []report.Root) {
	calls := slices.IndexFunc(roots, func(r report.Root) bool { return r.Tier == spectra.TierPotential })
	if calls < 0 {
		calls = len(roots)
	}
	if calls > 0 {
		p.heading("other functions are called, no value differs")
		p.rows(roots[:calls])
	}
	if potential := roots[calls:]; len(potential) > 0 {
		p.heading("functions that differ when they are called from inside their packages")
		p.overview(potential)
		for i := range potential[:min(len(potential), fullRoots)] {
			p.root(&potential[i])
		}
	}
}

// widestFunction bounds the column of the functions.
const widestFunction = 40

// rows prints a line for each root: rank, tier, function, whether it was proven if that is known of one, and the effect
// as far as there is room.
func (p *printer) rows(roots []report.Root) {
	proven := slices.ContainsFunc(roots, func(r report.Root) bool { return r.Confidence == spectra.Confirmed })
	columns := make([][]string, len(roots))
	var widths [4]int
	for i := range roots {
		r := &roots[i]
		columns[i] = []string{fmt.Sprint(r.Rank), clean(string(tierOf(r))), p.rootName(r), ""}
		if proven {
			columns[i][3] = clean(string(r.Confidence))
		}
		for c, text := range columns[i] {
			widths[c] = max(widths[c], textWidth(text))
		}
	}
	for i := range roots {
		r, texts := &roots[i], columns[i]
		line := strings.Repeat(" ", widths[0]-len(texts[0])) + texts[0]
		line += "  " + p.tier(tierOf(r)) + strings.Repeat(" ", widths[1]-textWidth(texts[1]))
		room := p.width - len(tableIndent) - widths[0] - widths[1] - 4
		for c := 2; c < len(texts) && widths[c] > 0; c++ {
			line += "  " + texts[c] + strings.Repeat(" ", widths[c]-textWidth(texts[c]))
			room -= widths[c] + 2
		}
		if room -= 2; room >= shortestEffect {
			line += "  " + spectra.Shorten(p.effect(r), room)
		}
		p.line(tableIndent, strings.TrimRight(line, " "))
	}
}

// effect returns the sentence about a root without its function in front.
func (p *printer) effect(r *report.Root) string {
	return p.short(clean(strings.TrimPrefix(r.Summary, spectra.Symbol(r.Function).Short()+" ")))
}

// shortestEffect is from how many columns on an effect is printed.
const shortestEffect = 16

// tierOf returns the tier of a root, or its reach in a report of an earlier version.
func tierOf(r *report.Root) spectra.Tier { return cmp.Or(r.Tier, spectra.Tier(r.Reach)) }

// tier paints a tier.
func (p *printer) tier(t spectra.Tier) string {
	color := yellow
	switch t {
	case spectra.TierCrash, spectra.TierError, spectra.TierValue:
		color = red
	case spectra.TierCalls, spectra.TierPotential:
		color = faint
	}
	return p.paint(color, clean(string(t)))
}

// tail returns the end of a text of at most so many columns.
func tail(text string, width int) string {
	if textWidth(text) <= width {
		return text
	}
	runes := []rune(text)
	for len(runes) > 0 && textWidth(string(runes)) >= width {
		runes = runes[1:]
	}
	return "…" + string(runes)
}
