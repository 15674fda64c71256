package text

import (
	"cmp"
	"fmt"
	"math/bits"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

const (
	sinceFirst   = "since   " // in front of the first commit of a root
	sinceNext    = "then    " // and of those at which its value changed once more
	widestTitle  = 72         // columns of a subject where no width says less
	widestAuthor = 48         // columns of an author with the day
	narrowest    = 24         // likewise, at least
	lackingNote  = "taken back: old has it, new does not"
	uncommitted  = "uncommitted changes"
	valueColumns = 32 // of each value in a line
)

// since prints the commits with which a root came.
func (p *printer) since(root *report.Root) {
	label := sinceFirst
	rest := rootIndent + strings.Repeat(" ", len(sinceFirst))
	for i := range root.Introduced[:min(len(root.Introduced), maxRows)] {
		in := &root.Introduced[i]
		if c := p.report.Commit(in.Commit); c == nil {
			p.prose(rootIndent+label, rest, p.among(in.Among))
		} else {
			p.commit(rootIndent+label, rest, c)
		}
		if values := p.flip(in, valueColumns); values != "" && len(root.Introduced) > 1 {
			p.line(rest, values)
		}
		label = sinceNext
	}
	p.more(rest, len(root.Introduced)-maxRows, "commits")
}

// commit prints who made a commit and when, and its subject, in one line if there is room.
func (p *printer) commit(first, rest string, c *report.Commit) {
	line := who(c)
	if subject := titled(c, p.width-textWidth(first+line)-2); subject == titled(c, widestTitle) {
		p.line(first, line+strings.TrimRight("  "+subject, " "))
	} else {
		p.line(first, line)
		p.line(rest, titled(c, p.width-textWidth(rest)))
	}
	if c.Lacking {
		p.line(rest, lackingNote)
	}
}

// who names a commit by its hash, its author and the day.
func who(c *report.Commit) string {
	if c.Hash == report.Worktree {
		return uncommitted
	}
	text := shortHash(c.Hash)
	if by := cut(By(report.Acceptance{Author: c.Author, Date: day(c.Date)}), 0, widestAuthor); by != "" {
		text += "  " + by
	}
	return text
}

// shortHash returns the beginning of a commit's hash.
func shortHash(hash string) string {
	if hash == report.Worktree {
		return uncommitted
	}
	return clean(hash[:min(len(hash), shortCommit)])
}

// day returns the day of a time.
func day(date string) string {
	date, _, _ = strings.Cut(date, "T")
	return date
}

// titled returns the subject of a commit in quotes, of at most so many columns, and its pull request.
func titled(c *report.Commit, room int) string {
	subject := clean(c.Subject)
	if c.Hash == report.Worktree { // it has a name, and no subject
		return ""
	}
	request := fmt.Sprintf(" (#%d)", c.PullRequest)
	if c.PullRequest == 0 || strings.HasSuffix(subject, request) {
		request = ""
	}
	if subject == "" {
		return strings.TrimSpace(request)
	}
	room = min(max(room, narrowest), widestTitle) - len(request) - len(`""`)
	return `"` + cut(subject, 0, room) + `"` + request
}

// says returns what a commit says of itself that makes its roots a surprise; "" if it says nothing of that kind.
func says(c *report.Commit) string {
	if c.Purpose == "" {
		return ""
	}
	return `says "` + clean(string(c.Purpose)) + `"`
}

// among says that one of several commits brought in a root, and why no more is known.
func (p *printer) among(hashes []string) string {
	if len(hashes) == 0 {
		return "a commit that is not named"
	}
	untestable := func(u report.Untestable) bool { return slices.Contains(hashes, u.Hash) }
	why := "some of them could not be built or run"
	if c := p.report.Commits; p.report.Partial != nil && c != nil && !slices.ContainsFunc(c.Untestable, untestable) {
		why = "the run ended before all that tell were asked"
	}
	text := fmt.Sprintf("one of %s, %s to %s: %s", plural(len(hashes), "commit"),
		shortHash(hashes[0]), shortHash(hashes[len(hashes)-1]), why)
	if reason := p.commonReason(hashes); reason != "" {
		text += " (" + reason + ")"
	}
	return text
}

// commonReason returns why commits could not be asked, if all have one reason.
func (p *printer) commonReason(hashes []string) string {
	reason := ""
	if p.report.Commits == nil {
		return ""
	}
	for _, u := range p.report.Commits.Untestable {
		switch {
		case !slices.Contains(hashes, u.Hash):
		case reason != "" && reason != u.Reason:
			return ""
		default:
			reason = u.Reason
		}
	}
	return spectra.Shorten(clean(reason), widestTitle)
}

// flip returns what a commit made of a value, cut to where both differ; "" if that is not known.
func (p *printer) flip(in *report.Introduction, width int) string {
	before, after := window(p.short(clean(in.Before)), p.short(clean(in.After)), width)
	if before == after {
		return ""
	}
	return p.paint(red, orNothing(before)) + " → " + p.paint(green, orNothing(after))
}

// A brought has the roots that came with one commit, or with one of several.
type brought struct {
	commit *report.Commit // nil: it is one of among
	among  []string
	ranks  []int
}

// brought returns the commits with their roots, the most surprising first.
func (p *printer) brought() (list []brought) {
	if p.report.Commits == nil {
		return nil
	}
	for i := range p.report.Commits.List {
		c := &p.report.Commits.List[i]
		list = append(list, brought{commit: c, ranks: c.Roots})
	}
	for i := range p.report.Roots {
		for _, in := range p.report.Roots[i].Introduced {
			if in.Commit != "" || len(in.Among) == 0 {
				continue
			}
			same := func(b brought) bool { return b.commit == nil && slices.Equal(b.among, in.Among) }
			at := slices.IndexFunc(list, same)
			if at < 0 {
				at = len(list)
				list = append(list, brought{among: in.Among})
			}
			list[at].ranks = append(list[at].ranks, i+1)
		}
	}
	slices.SortStableFunc(list, func(x, y brought) int {
		return cmp.Or(cmp.Compare(x.expected(), y.expected()), slices.Compare(x.ranks, y.ranks))
	})
	return list
}

// expected is 0 for a commit that says that it leaves behaviour as it is.
func (b *brought) expected() int {
	if b.commit != nil && b.commit.Purpose != "" {
		return 0
	}
	return 1
}

// roots returns the roots of their ranks.
func (p *printer) roots(ranks []int) (list []*report.Root) {
	for _, rank := range ranks {
		if rank >= 1 && rank <= len(p.report.Roots) {
			list = append(list, &p.report.Roots[rank-1])
		}
	}
	return list
}

// commits lists the commits, each with its roots.
func (p *printer) commits() {
	list := p.brought()
	if p.report.Commits == nil || len(p.report.Roots) == 0 {
		return
	}
	p.heading("the commits that brought this in, the most surprising first")
	shown := list
	if !p.detail {
		shown = list[:min(len(list), maxRows)]
	}
	for i := range shown {
		if i > 0 {
			p.blank()
		}
		p.heads(&shown[i], tableIndent)
		p.effects(&shown[i])
	}
	p.more(tableIndent, len(list)-len(shown), "commits")
	p.blank()
	p.prose("", "", p.asked())
	if p.detail {
		p.untestable()
		p.unasked()
	}
}

// heads prints what is known of a commit, or of several of which it is one.
func (p *printer) heads(b *brought, indent string) {
	if b.commit == nil {
		p.prose(indent, indent+"  ", p.paint(bold, p.among(b.among)))
		return
	}
	line := p.paint(bold, who(b.commit))
	if said := says(b.commit); said != "" {
		line += "  " + p.paint(yellow, said)
	}
	p.line(indent, line)
	if subject := titled(b.commit, p.width-len(indent)); subject != "" {
		p.line(indent, subject)
	}
	if b.commit.Lacking {
		p.line(indent, lackingNote)
	}
}

// effects prints a line for each root of a commit: its rank, its function, and what the commit did as far as there is
// room.
func (p *printer) effects(b *brought) {
	roots := p.roots(b.ranks)
	shown := roots[:min(len(roots), maxRows)]
	ranks, names := 0, 0
	for _, r := range shown {
		ranks, names = max(ranks, len(fmt.Sprint(r.Rank))), max(names, textWidth(p.rootName(r)))
	}
	const indent = tableIndent + "  "
	for _, r := range shown {
		name := p.rootName(r)
		line := fmt.Sprintf("%*d  %s", ranks, r.Rank, name)
		if room := p.width - len(indent) - ranks - names - 4; room >= shortestEffect {
			line += strings.Repeat(" ", names-textWidth(name)+2) + p.did(b, r, room)
		}
		p.line(indent, line)
	}
	p.more(indent, len(roots)-len(shown), "roots")
}

// did returns what a commit did to a root in at most so many columns: the sentence about the root, or the value that
// the commit changed, if others changed it too.
func (p *printer) did(b *brought, root *report.Root, room int) string {
	if in := b.of(root); in != nil && len(root.Introduced) > 1 {
		if values := p.flip(in, (room-len(" > "))/2); values != "" {
			return values
		}
	}
	return cut(p.effect(root), 0, room)
}

// asked says how many commits there are, and how many had to be asked.
func (p *printer) asked() string {
	c := p.report.Commits
	reach := fmt.Sprintf("%s of them %s", count(c.Distinct), verb(c.Distinct, "changes", "change"))
	if c.Count == 1 {
		reach = "which " + verb(c.Distinct, "changes", "does not change")
	}
	text := fmt.Sprintf("%s, %s what the sequences can reach; %s %s built",
		plural(c.Count, "commit"), reach, count(c.Asked), verb(c.Asked, "was", "were"))
	if p.byCommand() {
		text = p.askedByCommand(c)
	} else if c.Count > 1 {
		text += fmt.Sprintf(", halving %s takes %d", count(c.Count), bits.Len(uint(c.Count-1)))
	}
	if c.Remembered > 0 {
		text += fmt.Sprintf("; %s %s known from an earlier run", count(c.Remembered), verb(c.Remembered, "was", "were"))
	}
	if n := len(c.Untestable); n > 0 {
		text += fmt.Sprintf("; %s can't be asked", count(n))
	}
	if c.FirstParent {
		text += "; merged branches were not looked into"
	}
	if n := len(c.Unasked); n > 0 {
		text += fmt.Sprintf("; for %s no commit was tried", plural(n, "root"))
	}
	if n := p.untold(); n > 0 {
		text += fmt.Sprintf("; for %s the commit is not known", plural(n, "root"))
	}
	return text
}

// untold counts the roots of which nothing is known: neither a commit, nor why none was asked.
func (p *printer) untold() (n int) {
	for i := range p.report.Roots {
		unasked := func(u report.Unasked) bool { return u.Root == i+1 }
		if len(p.report.Roots[i].Introduced) == 0 && !slices.ContainsFunc(p.report.Commits.Unasked, unasked) {
			n++
		}
	}
	return n
}

// untestable lists the commits that could not be asked, with the reasons.
func (p *printer) untestable() {
	for _, u := range p.report.Commits.Untestable {
		p.prose(tableIndent, tableIndent+"  ", shortHash(u.Hash)+" can't be asked: "+clean(u.Reason))
	}
}

// unasked lists the roots of which no commit was asked, with the reasons.
func (p *printer) unasked() {
	for _, u := range p.report.Commits.Unasked {
		for _, r := range p.roots([]int{u.Root}) {
			text := fmt.Sprintf("no commit was asked of root %d, %s: %s", r.Rank, p.rootName(r), clean(u.Reason))
			p.prose(tableIndent, tableIndent+"  ", text)
		}
	}
}
