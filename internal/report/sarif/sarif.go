// Package sarif writes a report as SARIF 2.1.0, which code hosts and editors read.
//
// In: a finished report. Out: a log with one run; it has one result for each root, in the order of rank, under the rule
// of its tier. The same report leads to the same bytes. Texts are printable, cut where they are long, and hold no
// links. Places in the old version point at the old file and say so. A run that ended early, or that is incomplete, is
// no successful execution. Nothing that the report does not know is in the log.
//
// Some readers refuse a whole log for one location without a place in a file. So a station of a code flow that has none
// is told at the station before it, as is what the same function does next; and a root that has none stands at go.mod,
// if the report is about one module.
package sarif

import (
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/report/finding"
	"github.com/spectradiff/spectradiff/internal/report/json"
	"github.com/spectradiff/spectradiff/internal/report/text"
)

const (
	version = "2.1.0"
	schema  = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"
	base    = "%SRCROOT%"

	fingerprint = "spectradiff/v1"

	maxStations = 100 // of a code flow
	maxRelated  = 100 // further places of a root
	maxCommits  = 100 // with which a root came
	maxMessage  = 4000
)

// A writer makes the objects of a log.
type writer struct {
	report  *report.Report
	phrases *text.Phrases
	folder  string // of the module
}

// Write prints a report.
func Write(w io.Writer, r *report.Report) error {
	named := r.FromRepository()
	of := &writer{named, text.NewPhrases(named), r.Subject.Folder}
	if err := json.Encode(w, log{Schema: schema, Version: version, Runs: []run{of.run()}}); err != nil {
		return fmt.Errorf("write SARIF report: %w", err)
	}
	return nil
}

func (w *writer) run() run {
	r := w.report
	where := plain("the root of module " + w.phrases.Line(r.Subject.Module))
	if len(r.Modules) > 0 || w.folder != "" {
		where = plain("the root of the repository")
	}
	results := make([]result, len(r.Roots))
	for i := range r.Roots {
		results[i] = w.result(&r.Roots[i])
	}
	return run{
		Tool: tool{driver{
			Name: finding.Tool, Version: w.phrases.Line(r.Tool.Version), URI: finding.URL, Rules: rules(),
		}},
		Invocations: []invocation{w.invocation()},
		Bases:       map[string]artifactLocation{base: {Description: &where}},
		Results:     results,
		Properties: runProperties{
			Verdict: w.phrases.Line(string(r.Verdict)), Module: w.phrases.Line(r.Subject.Module),
			OldRevision: w.phrases.Line(r.Old.Revision), OldCommit: w.phrases.Line(r.Old.Commit),
			NewRevision: w.phrases.Line(r.New.Revision), NewCommit: w.phrases.Line(r.New.Commit),
		},
	}
}

func rules() []rule {
	var list []rule
	for _, of := range finding.Rules() {
		list = append(list, rule{
			ID: string(of.Tier), Short: message{of.Short}, Full: message{of.Full},
			Configuration: configuration{levelName(of.Level)},
		})
	}
	return list
}

func levelName(level finding.Level) string {
	switch level {
	case finding.Error:
		return "error"
	case finding.Warning:
		return "warning"
	}
	return "note"
}

// invocation says how the run ended, and what it warns of.
func (w *writer) invocation() invocation {
	r := w.report
	of := invocation{Successful: r.Verdict != report.Incomplete && r.Partial == nil, ExitCode: r.Exit}
	note := func(level, text string) {
		of.Notifications = append(of.Notifications, notification{level, plain(text)})
	}
	switch r.Verdict {
	case report.Incomplete:
		note("error", w.phrases.Verdict())
	case report.NotReached:
		note("warning", w.phrases.Verdict())
	}
	if ended := w.phrases.Ended(); ended != "" {
		note("error", ended)
	}
	for _, warning := range r.Warnings {
		note("warning", w.phrases.Line(warning))
	}
	return of
}

// plain returns a text as a message that holds no links.
func plain(text string) message { return message{strings.ReplaceAll(text, "](", "] (")} }

func (w *writer) result(root *report.Root) result {
	of := result{
		RuleID: w.phrases.Line(string(root.Tier)), Level: levelName(finding.LevelOf(root)),
		Message: plain(w.phrases.Summary(root)), Locations: w.locations(root),
		CodeFlows: w.flows(root), Related: w.related(root),
		Properties: properties{
			Change: w.phrases.Line(string(root.Change)), Confidence: w.phrases.Line(string(root.Confidence)),
			Reach: w.phrases.Line(string(root.Reach)), Sequences: root.Sequences,
		},
	}
	for _, driver := range root.Drivers {
		of.Properties.Drivers = append(of.Properties.Drivers, w.phrases.Line(driver))
	}
	of.Properties.Commits, of.Properties.OneOf = w.commits(root)
	if root.Fingerprint != "" {
		of.Fingerprints = map[string]string{fingerprint: w.phrases.Line(root.Fingerprint)}
	}
	if a := root.Accepted; a != nil {
		of.Suppressions = []suppression{{Kind: "external", Status: "accepted", Justification: w.phrases.Line(a.Reason)}}
	}
	return of
}

// commits returns the hashes of the commits with which a root came, and of those of which it is one.
func (w *writer) commits(root *report.Root) (sure, among []string) {
	for _, in := range root.Introduced {
		if in.Commit != "" {
			sure = append(sure, w.phrases.Line(in.Commit))
		}
		for _, hash := range in.Among {
			among = append(among, w.phrases.Line(hash))
		}
	}
	return sure[:min(len(sure), maxCommits)], among[:min(len(among), maxCommits)]
}

// locations returns the place of a root.
func (w *writer) locations(root *report.Root) []location {
	at := physical(root.Position)
	if at == nil && len(w.report.Modules) == 0 {
		at = physical(&report.Position{File: path.Join(w.folder, "go.mod")})
	}
	return []location{{Physical: at, Logical: w.logical(root.Function)}}
}

func (w *writer) logical(function string) []logicalLocation {
	if function == "" {
		return nil
	}
	return []logicalLocation{{w.phrases.Line(function)}}
}

// physical returns a place in a file, or nil.
func physical(at *report.Position) *physicalLocation {
	file, first, last := finding.Place(at)
	if file == "" {
		return nil
	}
	place := &physicalLocation{Artifact: artifactLocation{URI: escaped(file), Base: base}}
	if first > 0 {
		place.Region = &region{first, last}
	}
	return place
}

// escaped returns a path as a relative reference. Colons are escaped, so that no part of it is a scheme.
func escaped(path string) string {
	const unreserved = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-._~/"
	var out strings.Builder
	for i := range len(path) {
		if strings.IndexByte(unreserved, path[i]) >= 0 {
			out.WriteByte(path[i])
		} else {
			fmt.Fprintf(&out, "%%%02X", path[i])
		}
	}
	return out.String()
}

// related returns the further places of a root, as far as they are known.
func (w *writer) related(root *report.Root) (list []location) {
	for i := range root.Places[:min(len(root.Places), maxRelated)] {
		place := &root.Places[i]
		at := physical(place.Position)
		if at == nil {
			continue
		}
		said := plain(w.phrases.Short(place.Function) + " changed in the same way" + inOld(place.Position))
		list = append(list, location{
			ID: len(list) + 1, Physical: at, Logical: w.logical(place.Function), Message: &said,
		})
	}
	return list
}

func inOld(at *report.Position) string {
	if finding.Old(at) {
		return " (old version)"
	}
	return ""
}

// flows returns the way from a root to its effect.
func (w *writer) flows(root *report.Root) []codeFlow {
	first := w.locations(root)[0]
	if root.Chain == nil || len(root.Chain.Links) == 0 || first.Physical == nil {
		return nil
	}
	stations, function := []location{first}, root.Function
	texts := []string{w.phrases.Short(root.Function) + " changed" + inOld(root.Position)}
	links := root.Chain.Links[:min(len(root.Chain.Links), maxStations)]
	for _, link := range links {
		said := w.phrases.Station(link)
		if at := physical(link.Position); at != nil && link.Function != function {
			stations = append(stations, location{Physical: at, Logical: w.logical(link.Function)})
			texts, function = append(texts, said+inOld(link.Position)), link.Function
		} else if last := &texts[len(texts)-1]; len(*last)+len(said) < maxMessage {
			*last += " -> " + said
		}
	}
	if more := len(root.Chain.Links) - len(links); more > 0 {
		texts[len(texts)-1] += fmt.Sprintf(" -> … %d more", more)
	}
	if by := root.Chain.Swallowed; by != "" {
		texts[len(texts)-1] += ", swallowed by " + w.phrases.Short(by) + ", which ends alike in both versions"
	}
	var thread threadFlow
	for i, at := range stations {
		said := plain(texts[i])
		at.Message = &said
		thread.Locations = append(thread.Locations, threadFlowLocation{at})
	}
	return []codeFlow{{[]threadFlow{thread}}}
}
