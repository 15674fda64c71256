package text

import (
	"fmt"
	"io"
	"slices"

	"github.com/spectradiff/spectradiff/internal/report"
)

// findingIndent is in front of what is said of a finding below its name.
const findingIndent = "     "

// Bisected prints which commits brought in the roots: the verdict, then each commit with its roots, the most surprising
// first, and how to see it; what was asked, and what could not be; warnings.
func Bisected(w io.Writer, r *report.Report, options Options) error {
	p := newPrinter(r, options)
	p.prose("", "", p.paint(bold, p.verdict()))
	p.partial()
	switch {
	case len(r.Roots) == 0:
		p.compared()
	case r.Commits == nil:
		p.prose("", "", "no commit was tried, so it is not known which one brought this in")
	default:
		p.bisected()
	}
	p.warnings()
	return p.write(w, "commits")
}

func (p *printer) bisected() {
	for _, b := range p.brought() {
		p.blank()
		p.heads(&b, "")
		for _, root := range p.roots(b.ranks) {
			p.blank()
			p.finding(root, b.of(root))
		}
		p.blank()
		p.line(tableIndent, p.paint(faint, b.command()))
	}
	p.blank()
	p.prose("", "", p.asked())
	p.unasked()
	if p.detail {
		p.untestable()
	}
}

// finding prints what a commit did: the root, its place, its sentence, and the value before and after.
func (p *printer) finding(root *report.Root, in *report.Introduction) {
	head := fmt.Sprintf("%*d  %s", len(findingIndent)-2, root.Rank, p.rootName(root))
	where := position(root.Position)
	if where != "" {
		where += ", "
	}
	where += p.tier(tierOf(root))
	if root.Accepted != nil {
		where += ", accepted"
	}
	if textWidth(head+"  "+where) <= p.width {
		p.line("", p.paint(bold, head)+"  "+where)
	} else {
		p.line("", p.paint(bold, head))
		p.line(findingIndent, where)
	}
	if root.Summary != "" {
		p.prose(findingIndent, findingIndent, p.short(clean(root.Summary)))
	}
	if in != nil && in.Before != in.After {
		p.value(findingIndent, p.place(root, in), in.Before, in.After)
	}
	if p.byCommand() {
		p.ran(root)
	}
}

// place says where a value becomes another one.
func (p *printer) place(root *report.Root, in *report.Introduction) string {
	switch values := p.differences(root); {
	case in.Path != "" && in.Function != "" && in.Function != root.Function:
		return p.short(clean(in.Function)) + " " + clean(in.Path)
	case in.Path != "":
		return clean(in.Path)
	case len(values) > 0:
		return p.label(root, values[0])
	}
	return "value"
}

// of returns what the commit, or those of which it is one, made of what a root shows.
func (b *brought) of(root *report.Root) *report.Introduction {
	for i := range root.Introduced {
		in := &root.Introduced[i]
		if b.commit != nil && in.Commit == b.commit.Hash || b.commit == nil && slices.Equal(in.Among, b.among) {
			return in
		}
	}
	return nil
}

// command returns the command that shows a commit, or all of which it is one.
func (b *brought) command() string {
	switch {
	case b.commit == nil:
		first, last := b.among[0], b.among[len(b.among)-1]
		return "git log --patch " + word(gitName(first)+"^.."+gitName(last))
	case b.commit.Hash == report.Worktree:
		return "git diff HEAD"
	}
	return "git show " + word(gitName(b.commit.Hash))
}

// gitName returns what git takes for a commit of the way.
func gitName(hash string) string {
	if hash == report.Worktree {
		return "HEAD"
	}
	return hash[:min(len(hash), shortCommit)]
}
