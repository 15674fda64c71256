package markdown

import (
	"fmt"
	"strings"

	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/report/text"
)

// since says with which commits a finding came.
func (p *printer) since(root *report.Root) (sentences []string) {
	lines, word := p.words.Since(root), "since "
	for _, line := range lines[:min(len(lines), maxProof)] {
		sentences = append(sentences, word+line)
		word = "then "
	}
	return sentences
}

// commits lists the commits, the most surprising first, each with its findings.
func (p *printer) commits() string {
	list := p.words.Brought()
	var items []string
	for i := range list[:min(len(list), maxLines)] {
		items = append(items, commit(&list[i], p.words))
	}
	blocks := []string{listed(items, len(list)-len(items))}
	if asked := p.words.Asked(); asked != "" {
		blocks = append(blocks, rich(upper(asked), maxSentence)+".", outline(p.words.Unasked()))
	}
	return joinBlocks(blocks)
}

// commit names a commit, and below it its findings.
func commit(of *text.Brought, words *text.Wording) string {
	var parts []string
	for _, part := range []string{of.Who, of.Subject, of.Says, of.Note} {
		if part != "" {
			parts = append(parts, rich(part, maxLine))
		}
	}
	lines := []string{strings.Join(parts, ", ")}
	for _, e := range of.Roots[:min(len(of.Roots), maxLines)] {
		line := fmt.Sprintf("  - %d, %s", e.Root.Rank, cutSpan(words.Short(e.Root.Function)))
		if did := rich(e.Text, maxLine); did != "" {
			line += ": " + did
		}
		lines = append(lines, line)
	}
	if more := len(of.Roots) - maxLines; more > 0 {
		lines = append(lines, fmt.Sprintf("  - … and %d more", more))
	}
	return strings.Join(lines, "\n")
}
