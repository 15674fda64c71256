// Package series puts the reports of neighbouring versions together: what changed from each release to the next.
//
// In: for each two neighbours a finished report, or why there is none, in the order of the versions. Out: a Series,
// whose JSON form is what other programs rely on: a pair for each two neighbours with its verdict and its roots, marks
// on roots whose effect a later pair takes back, and the exit status of all. What always holds: pairs and roots keep
// their order; every mark has its counterpart, in another pair; the same reports lead to the same value. A field whose
// value was not computed is absent, but for numbers and lists of a pair that was not compared, which are 0 and empty.
// What it never does: read a file or a clock, judge what a report has judged, or format for people.
package series

import (
	"math"

	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// Schema is the version of the JSON form.
const Schema = "spectradiff-series/1"

// A Series is what changed between each two neighbours of a list of versions.
type Series struct {
	Schema   string           `json:"schema"`
	Tool     report.Tool      `json:"tool"`
	Module   string           `json:"module,omitempty"`   // of the newest pair that was compared
	Settings *report.Settings `json:"settings,omitempty"` // likewise; nil: no pair was compared
	Pairs    []Pair           `json:"pairs"`
	Workers  *report.Workers  `json:"workers,omitempty"` // that compared pairs in this run; nil: none did
	Partial  bool             `json:"partial,omitempty"` // the series was interrupted
	Exit     int              `json:"exit"`
}

// A Pair is two neighbours. One that was not compared has the verdict incomplete and the reason; its numbers are 0,
// and its lists empty.
type Pair struct {
	Old     report.Revision `json:"old"`
	New     report.Revision `json:"new"`
	Module  string          `json:"module,omitempty"`
	Verdict report.Verdict  `json:"verdict"`
	Exit    int             `json:"exit"`
	Failed  string          `json:"failed,omitempty"`
	Partial *report.Partial `json:"partial,omitempty"` // nil: the comparison was not ended early

	Changed int     `json:"changed_functions"`
	Ran     int     `json:"changed_functions_run"`
	Tiers   []Tier  `json:"tiers"` // of the roots that nobody accepted, in the order of the roots
	Roots   []Root  `json:"roots"`
	Seconds float64 `json:"seconds"`
	Report  string  `json:"report,omitempty"` // the file with the whole report; "": none was written
}

// A Tier is how many roots a pair has of a tier.
type Tier struct {
	Tier  spectra.Tier `json:"tier"`
	Roots int          `json:"roots"`
}

// A Root is what a series says of a root of a pair's report.
type Root struct {
	Rank        int                `json:"rank"`
	Function    string             `json:"function"`
	Position    *report.Position   `json:"position,omitempty"`
	Tier        spectra.Tier       `json:"tier"`
	Reach       spectra.Reach      `json:"reach"`
	Confidence  spectra.Confidence `json:"confidence"`
	Summary     string             `json:"summary"`
	Fingerprint string             `json:"fingerprint"`
	Accepted    bool               `json:"accepted,omitempty"`

	BackIn   *Mark `json:"back_in,omitempty"`   // the version that takes it back; nil: none is known
	AsBefore *Mark `json:"as_before,omitempty"` // the version that brought what this one takes back

	evidence evidence
}

// A Mark names a root of another pair by the newer version of that pair and its rank.
type Mark struct {
	Revision string `json:"revision"`
	Rank     int    `json:"rank"`
}

// Compared returns the pair of a report. Shown is the same report as others may read it: nothing of the first one is in
// what is written, it only decides which roots take back which.
func Compared(r, shown *report.Report) Pair {
	p := Pair{
		Old: shown.Old, New: shown.New, Module: shown.Subject.Module, Verdict: shown.Verdict, Exit: shown.Exit,
		Partial: shown.Partial, Tiers: []Tier{}, Roots: []Root{},
	}
	p.Ran, p.Changed = shown.FunctionsRun()
	for _, stage := range shown.Stages {
		p.Seconds += stage.Seconds
	}
	p.Seconds = math.Round(p.Seconds*10) / 10
	for i := range shown.Roots {
		root := rootOf(&shown.Roots[i])
		root.evidence = evidenceOf(&r.Roots[i])
		p.Roots = append(p.Roots, root)
		if !root.Accepted {
			p.count(root.Tier)
		}
	}
	return p
}

// Failed returns a pair that was not compared, for a reason.
func Failed(of, other report.Revision, reason string) Pair {
	return Pair{
		Old: of, New: other, Verdict: report.Incomplete, Exit: 2, Failed: reason, Tiers: []Tier{}, Roots: []Root{},
	}
}

func rootOf(r *report.Root) Root {
	return Root{
		Rank: r.Rank, Function: r.Function, Position: r.Position, Tier: r.Tier, Reach: r.Reach,
		Confidence: r.Confidence, Summary: r.Summary, Fingerprint: r.Fingerprint, Accepted: r.Accepted != nil,
	}
}

func (p *Pair) count(tier spectra.Tier) {
	for i := range p.Tiers {
		if p.Tiers[i].Tier == tier {
			p.Tiers[i].Roots++
			return
		}
	}
	p.Tiers = append(p.Tiers, Tier{tier, 1})
}

// Open counts the roots that nobody accepted.
func (p *Pair) Open() (n int) {
	for _, t := range p.Tiers {
		n += t.Roots
	}
	return n
}

// Make makes the series of pairs. It marks their roots.
func Make(tool report.Tool, settings *report.Settings, pairs []Pair, partial bool) *Series {
	s := &Series{Schema: Schema, Tool: tool, Settings: settings, Pairs: pairs, Partial: partial}
	if s.Pairs == nil {
		s.Pairs = []Pair{}
	}
	for _, p := range pairs {
		if p.Module != "" {
			s.Module = p.Module
		}
	}
	s.mark()
	s.Exit = s.exit()
	return s
}

// exit returns 2 if the series was interrupted or no pair was compared, else 1 if a pair has that status.
func (s *Series) exit() int {
	compared, exit := false, 0
	for _, p := range s.Pairs {
		compared = compared || p.Exit < 2
		if p.Exit == 1 {
			exit = 1
		}
	}
	if s.Partial || !compared {
		return 2
	}
	return exit
}
