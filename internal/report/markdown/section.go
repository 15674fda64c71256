package markdown

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// further lists the findings that are not shown with details.
func (p *printer) further() string {
	rest := slices.DeleteFunc(slices.Clone(report.Open(p.report.Roots)), func(r report.Root) bool {
		return slices.ContainsFunc(p.findings, func(shown report.Root) bool { return shown.Rank == r.Rank })
	})
	var items []string
	for i := range rest[:min(len(rest), maxFurther)] {
		items = append(items, p.short(&rest[i]))
	}
	return listed(items, len(rest)-len(items))
}

// accepted lists the findings that somebody accepted, and the acceptances that are stale.
func (p *printer) accepted() string {
	var items []string
	all := 0
	add := func(what string, of report.Acceptance) {
		if all++; all > maxFurther {
			return
		}
		by := strings.Trim(of.Author+", "+of.Date, ", ")
		if by != "" {
			by = " (" + by + ")"
		}
		items = append(items, what+": "+rich(p.words.Short(of.Reason+by), maxLine))
	}
	for i := range p.report.Roots {
		if root := &p.report.Roots[i]; root.Accepted != nil {
			add(fmt.Sprintf("%d, %s", root.Rank, rich(p.words.Short(root.Function), maxName)), *root.Accepted)
		}
	}
	for _, of := range p.report.AcceptedStale {
		add(rich(p.words.Short(of.Function), maxName)+", not found any more", of.Acceptance)
	}
	return listed(items, all-len(items))
}

// short says what a finding is in a line of a list.
func (p *printer) short(root *report.Root) string {
	line := fmt.Sprintf("%d, %s, %s", root.Rank, rich(cmp.Or(string(root.Tier), string(root.Reach)), maxName),
		rich(string(root.Confidence), maxName))
	if at := p.words.Position(root.Position); at != "" {
		line += ", " + cutSpan(at)
	}
	summary := p.words.Short(root.Summary)
	if summary == "" {
		summary = p.words.Short(root.Function)
	}
	return line + ": " + rich(summary, maxLine)
}

// unreached lists what of the change did not run, and what was not compared.
func (p *printer) unreached() string { return outline(p.words.Unreached()) }

func (p *printer) warnings() string {
	var items []string
	for _, warning := range p.report.Warnings[:min(len(p.report.Warnings), maxLines)] {
		items = append(items, rich(p.words.Short(warning), maxLine))
	}
	return listed(items, len(p.report.Warnings)-len(items))
}

// compared lists what was compared and how.
func (p *printer) compared() string {
	r := p.report
	items := []string{version("old", r.Old), version("new", r.New)}
	rows := p.words.Facts()
	for _, row := range rows[:min(len(rows), 2*maxLines)] {
		items = append(items, rich(strings.Join(row, ": "), maxLine))
	}
	if noise := p.words.Noise(); noise != "" {
		items = append(items, "noise, values that differ between runs of one version: "+rich(noise, maxLine))
	}
	modules := p.words.Modules()
	for _, row := range modules[:min(len(modules), maxLines)] {
		items = append(items, "module "+cutSpan(row[0])+": "+rich(strings.Join(row[1:], ", "), maxLine))
	}
	if r.Tool.Version != "" {
		built := ", the new version is built with " + cutSpan(r.Tool.Go)
		items = append(items, "spectradiff "+cutSpan(r.Tool.Version)+built)
	}
	return joinBlocks([]string{listed(items, len(modules)-maxLines), outline(p.words.Early())})
}

// version names a version by what the user gave and by its commit.
func version(side string, of report.Revision) string {
	switch of.Commit {
	case report.Worktree:
		return side + ": the working tree"
	case of.Revision:
		return rich(side+": commit "+of.Commit, maxLine)
	}
	return rich(fmt.Sprintf("%s: %s, commit %s", side, spectra.Shorten(of.Revision, maxName), of.Commit), maxLine)
}

// listed writes items below each other, empty ones left out, and how many more there are.
func listed(items []string, more int) string {
	items = slices.DeleteFunc(items, func(item string) bool { return item == "" })
	if len(items) == 0 {
		return ""
	}
	if more > 0 {
		items = append(items, fmt.Sprintf("… and %d more", more))
	}
	return "- " + strings.Join(items, "\n- ")
}

// outline writes lines as a list. Lines that begin with a space belong to the one before.
func outline(lines []string) string {
	var items []string
	for _, line := range lines[:min(len(lines), 2*maxLines)] {
		item := rich(line, maxLine)
		if item == "" {
			continue
		}
		item = "- " + item
		if strings.HasPrefix(line, " ") && len(items) > 0 {
			item = "  " + item
		}
		items = append(items, item)
	}
	if more := len(lines) - 2*maxLines; more > 0 {
		items = append(items, fmt.Sprintf("- … and %d more", more))
	}
	return strings.Join(items, "\n")
}
