package text

import (
	"fmt"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// tree prints the call tree with its marks in one column, if the width allows that. A tree of one line says nothing
// that the finding doesn't.
func (p *printer) tree(lines []report.TreeLine) {
	lines = folded(toRoot(lines))
	if len(lines) < 2 {
		return
	}
	p.blank()
	shown := lines[:min(len(lines), maxTree)]
	texts := make([]string, len(shown))
	column := 0
	for i, line := range shown {
		texts[i] = strings.Repeat("  ", max(0, min(line.Depth, maxDepth))) + p.short(clean(line.Text))
		if width := textWidth(texts[i]); mark(line) != "" && len(rootIndent)+width+2+len(mark(line)) <= p.width {
			column = max(column, width)
		}
	}
	for i, line := range shown {
		text := texts[i]
		if m := mark(line); m != "" {
			text += strings.Repeat(" ", max(0, column-textWidth(text))) + "  " + p.paintMark(line, m)
		}
		p.line(rootIndent, text)
	}
	p.more(rootIndent, len(lines)-len(shown), "lines")
}

// toRoot returns a tree without the calls that deviate somewhere else than on the way to a root, or below one.
func toRoot(lines []report.TreeLine) (kept []report.TreeLine) {
	if !rooted(lines) {
		return lines
	}
	elsewhere := 0
	for i := 0; i < len(lines); {
		end := i + 1 // of what stands below the line
		for end < len(lines) && lines[end].Depth > lines[i].Depth {
			end++
		}
		part := lines[i:end]
		switch {
		case lines[i].Root:
			kept, i = append(kept, part...), end
		case !rooted(part) && (len(part) > 1 && lines[i].Mark == "" || lines[i].Mark == string(spectra.KindContainer)):
			elsewhere, i = elsewhere+1, end
			if i < len(lines) && lines[i].Depth == part[0].Depth && strings.HasPrefix(lines[i].Text, "…") {
				i++ // what is unchanged between such calls
			}
		default:
			kept, i = append(kept, lines[i]), i+1
		}
	}
	if elsewhere > 0 {
		text := fmt.Sprintf("… %s that %s", plural(elsewhere, "more call"), verb(elsewhere, "deviates", "deviate"))
		kept = append(kept, report.TreeLine{Text: text})
	}
	return kept
}

// rooted reports whether a root is among lines.
func rooted(lines []report.TreeLine) bool {
	return slices.ContainsFunc(lines, func(l report.TreeLine) bool { return l.Root })
}

// siblings is how many calls below each other are shown that only follow.
const siblings = 4

// folded returns a tree without what follows from what it shows: the calls of an execution that is a follower, and more
// than a few followers of one call.
func folded(lines []report.TreeLine) (kept []report.TreeLine) {
	const none = -1
	below, hidden, in := none, 0, 0 // depth of the follower whose calls are left out; how many; followers in a row
	flush := func() {
		if hidden > 0 {
			text := fmt.Sprintf("… %s that %s", plural(hidden, "more call"), verb(hidden, "follows", "follow"))
			kept = append(kept, report.TreeLine{Depth: below, Text: text})
		}
		hidden = 0
	}
	for _, line := range lines {
		follows := !line.Root && line.Mark != "" && line.Mark != string(spectra.KindContainer)
		switch {
		case below != none && line.Depth > below && !line.Root:
			if line.Mark != "" {
				hidden++
			}
			continue
		case follows && line.Depth == below && in >= siblings:
			hidden++
			continue
		}
		if !follows || line.Depth != below {
			flush()
			below, in = none, 0
		}
		if follows {
			below, in = line.Depth, in+1
		}
		kept = append(kept, line)
	}
	flush()
	return kept
}

func mark(line report.TreeLine) string {
	var marks []string
	if line.Mark != "" {
		marks = append(marks, "["+line.Mark+"]")
	}
	if line.Root {
		marks = append(marks, "<- root")
	}
	return strings.Join(marks, " ")
}

func (p *printer) paintMark(line report.TreeLine, text string) string {
	if line.Root {
		return p.paint(red, text)
	}
	return p.paint(yellow, text)
}
