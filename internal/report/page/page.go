// Package page writes a report as one HTML file, for people who read it in a browser.
//
// In: a finished report. Out: a page that needs nothing but itself: no network, no other file, no font; it works from
// the disk, in light and dark, without JavaScript and on paper. The verdict comes first, then the open findings by
// rank, then those that somebody accepted, then the commits with which they came, then what else the report holds;
// times and memory are left out, so that the same report, and another run with the same seed, lead to the same bytes.
// What always holds: only the scripts and styles of this package run, because the page names their hashes in its
// Content-Security-Policy; a recorded value is text, whatever it holds; the page stays below 20 MB, whatever the
// report's size. What it never does: to decide anything, which is the report's.
package page

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/report/text"
)

// Limits of what is shown. Findings beyond maxDetails bytes have their line in the overview only.
const (
	openFindings  = 3 // cards that are open at first
	maxDetails    = 14 << 20
	maxOverview   = 2000 // lines of it
	maxValues     = 12   // of one finding
	maxDeviations = 200  // likewise, of which JavaScript adds those beyond the first ones
	firstOnes     = 5
	maxPlaces     = 50   // likewise
	maxRows       = 200  // of any other table
	maxTree       = 200  // lines of a call tree as text
	valueRoom     = 1500 // columns of a value
	shortRoom     = 160  // columns of a value in a table of deviations
	nameRoom      = 400  // columns of a name
	proseRoom     = 4000 // columns of a sentence
	blockRoom     = 40_000
)

// Write prints the page.
func Write(w io.Writer, r *report.Report) error {
	v := &viewer{frame: frameOf(), report: r, words: text.NewWording(r)}
	v.anchors, v.carded = map[string]bool{}, map[int]bool{}
	v.open = report.Open(r.Roots)
	p, err := v.page()
	if err != nil {
		return fmt.Errorf("write HTML report: %w", err)
	}
	var out bytes.Buffer
	if err := v.templates.ExecuteTemplate(&out, "page", p); err != nil {
		return fmt.Errorf("write HTML report: %w", err)
	}
	if _, err := out.WriteTo(w); err != nil {
		return fmt.Errorf("write HTML report: %w", err)
	}
	return nil
}

// A viewer turns a report into what the templates show.
type viewer struct {
	*frame

	report  *report.Report
	open    []report.Root // those that nobody accepted
	words   *text.Wording
	anchors map[string]bool // fingerprints that a link can name
	carded  map[int]bool    // ranks of the findings that have a card
}

// A page is what the template of the page shows.
type page struct {
	*frame

	Title, Module           string
	Old, New                revision
	Verdict                 report.Verdict
	Sentence, Partial       string
	Figures                 []fact
	Tiers                   []tierCount // of the findings
	Overview                []row
	Left                    int // open findings that are not in the overview
	Groups                  []group
	Accepted                *accepted
	Commits                 []commit
	MoreCommits             int
	Asked                   []string // how commits were asked, and of which findings none was
	Unreached               []fact
	MoreUnreached           int
	Missed, Lost            []string
	Modules, Contracts      table
	Structural, Noise       table
	NoiseSentence           string
	Exposure                table
	Early, Warnings         []string
	MoreEarly, MoreWarnings int
	Facts, Settings         []fact
	Stages                  []string
	Next                    []fact
	TierWords, Words        []fact
}

// A revision is one of the two versions.
type revision struct{ Name, Commit string }

// A fact has a name.
type fact struct{ Name, Text string }

// A tierCount is the number of findings of a tier.
type tierCount struct {
	Name, Class, Meaning string
	Count                int
}

// A table has a heading for each column; Code says which columns hold code.
type table struct {
	Caption string
	Head    []string
	Code    []bool
	Rows    [][]string
	More    int // rows that are left out
}

func (v *viewer) page() (*page, error) {
	r := v.report
	p := &page{
		frame:  v.frame,
		Title:  v.name(v.brief(fmt.Sprintf("%s: %s → %s", verdictOf(r), nameOf(r.Old), nameOf(r.New)))),
		Module: v.name(r.Subject.Module), Old: v.revision(r.Old), New: v.revision(r.New),
		Verdict: verdictOf(r), Sentence: v.prose(v.brief(v.words.Verdict())), Partial: v.prose(v.words.Partial()),
		Figures: v.figures(), Tiers: v.tiers(), Overview: v.overview(),
		Missed: v.lines(v.words.Missed()), Lost: v.lines(v.words.Lost()),
		Modules: v.modules(), Contracts: v.contracts(), Structural: v.structural(), Noise: v.noise(),
		NoiseSentence: v.masked(), Exposure: v.exposure(),
		Facts: v.facts(), Settings: v.settings(), Stages: v.stages(), Next: v.next(),
		TierWords: tierWords(), Words: words,
	}
	p.Left = len(v.open) - len(p.Overview)
	p.Unreached, p.MoreUnreached = v.unreached()
	p.Early, p.MoreEarly = cutList(v.lines(v.words.Ended()))
	p.Warnings, p.MoreWarnings = cutList(v.lines(r.Warnings))
	if err := v.cards(p); err != nil {
		return nil, err
	}
	v.commits(p)
	return p, nil
}

// verdictOf returns the verdict, which is also the name of a colour: one of those that the package knows.
func verdictOf(r *report.Report) report.Verdict {
	switch r.Verdict {
	case report.Deviates, report.NotReached, report.Incomplete:
		return r.Verdict
	}
	return report.Same
}

// nameOf returns the name of a revision.
func nameOf(of report.Revision) string {
	if of.Commit == report.Worktree {
		return "the working tree"
	}
	return of.Revision
}

// shortCommit is how many digits of a commit are shown.
const shortCommit = 12

func (v *viewer) revision(of report.Revision) revision {
	out := revision{Name: v.name(v.brief(nameOf(of)))}
	if isHex(of.Commit) && !strings.HasPrefix(of.Commit, out.Name) {
		out.Commit = cut(of.Commit[:min(len(of.Commit), shortCommit)], shortCommit)
	}
	return out
}

// brief shortens the commits that name the versions in a sentence. The settings have them in full.
func (v *viewer) brief(sentence string) string {
	for _, name := range []string{v.report.Old.Revision, v.report.New.Revision} {
		if isHex(name) && len(name) > shortCommit {
			sentence = strings.ReplaceAll(sentence, name, name[:shortCommit])
		}
	}
	return sentence
}

// isHex reports whether a text has hex digits alone.
func isHex(text string) bool {
	for _, c := range text {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') {
			return false
		}
	}
	return text != ""
}
