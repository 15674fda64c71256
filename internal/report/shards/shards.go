// Package shards puts the shards of a run together: what is known of each, as a value that can be written to a file,
// and the one report of all.
//
// In: a Part for each shard that was played. Out: the report of one of them, or of all together; or the bytes of a
// part, and a part of such bytes. Merging the parts that one run played one after the other, and those that machines
// wrote to files, is the same function of the same values: so both reports are the same but for durations. The order in
// which parts are given does not matter. Parts of other runs, and a part that is there twice, are refused; for a part
// that is missing the report is partial. A file that was cut or changed is refused. That keeps mistakes out, and no
// forgery: whoever writes a part can write any.
//
// The package never reads a repository, a clock or a name of a file, and plays nothing.
package shards

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/replay/coverage"
	"github.com/spectradiff/spectradiff/internal/replay/shard"
	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/report/accepted"
)

// A Part is what was found by one shard of a run, or by a run that is not divided.
type Part struct {
	Shard    shard.Shard     `json:"shard"`
	Run      Run             `json:"run"`
	Accepted []Acceptance    `json:"accepted,omitempty"` // that the new version lists
	Modules  []Module        `json:"modules"`            // in the order in which they were compared
	Warnings []string        `json:"warnings,omitempty"` // beside those of the modules
	Lacks    []report.Lack   `json:"lacks,omitempty"`    // of modules that were not compared
	Stages   []report.Stage  `json:"stages,omitempty"`
	Workers  *report.Workers `json:"workers,omitempty"`

	Name string `json:"-"` // of its file, for errors
}

// A Run is what all parts of a run have in common.
type Run struct {
	Tool     report.Tool     `json:"tool"`
	Old      string          `json:"old"` // commit
	New      string          `json:"new"`
	Folder   string          `json:"folder"`             // of the repository, where the user was
	Settings report.Settings `json:"settings"`           // Shard and Sandbox left out
	Packages []string        `json:"packages,omitempty"` // patterns
	Outside  []string        `json:"outside,omitempty"`  // folders outside of the repository that builds may read
	Opaque   []string        `json:"opaque,omitempty"`   // types that the project does not compare
	NoProof  bool            `json:"no_proof,omitempty"`
}

// An Acceptance is an entry of the list of accepted findings.
type Acceptance struct {
	Fingerprint string `json:"fingerprint"`
	Function    string `json:"function"`
	report.Acceptance
}

// A Module is what was found of a module.
type Module struct {
	Folder string         `json:"folder,omitempty"` // "": that where the user was
	Failed string         `json:"failed,omitempty"` // why there is no report
	Report *report.Report `json:"report,omitempty"` // finished

	// What the report says in numbers alone, so that it can be united. Extent is nil if nothing was played.
	Extent   *coverage.Extent `json:"extent,omitempty"`
	Called   []string         `json:"called,omitempty"` // operations
	Recorded Recorded         `json:"recorded"`

	// The tests, and the lines of commands, that are the shard's own.
	Tests    []string `json:"tests,omitempty"`
	NewTests []string `json:"new_tests,omitempty"`
	Commands []string `json:"commands,omitempty"`
}

// Recorded is how much of what sequences ran on old was recorded, in function entries and loop bodies.
type Recorded struct {
	Recorded int64 `json:"recorded"`
	All      int64 `json:"all"`
}

// Accept sets the findings that the new version accepts.
func (p *Part) Accept(list accepted.List) {
	for i := range list {
		e := &list[i]
		p.Accepted = append(p.Accepted, Acceptance{e.Fingerprint, e.Function, e.Acceptance()})
	}
}

// accepts returns the findings that the new version accepts.
func (p *Part) accepts() (list accepted.List) {
	for _, a := range p.Accepted {
		list = list.With(accepted.Entry{
			Fingerprint: a.Fingerprint, Function: a.Function, Reason: a.Reason, Author: a.Author, Date: a.Date,
		})
	}
	return list
}

// Report returns the report of a part alone. The part is not used afterwards.
func (p *Part) Report() (*report.Report, error) {
	var modules []report.Part
	failed := []string{"nothing was compared"}
	compared := false
	for _, m := range p.Modules {
		modules = append(modules, report.Part{Folder: m.Folder, Report: m.Report, Failed: m.Failed})
		failed, compared = append(failed, m.Failed), compared || m.Report != nil
	}
	if !compared {
		return nil, errors.New(strings.Join(failed, ": "))
	}
	r, accepts := (*report.Report)(nil), p.accepts()
	if len(modules) == 1 && modules[0].Folder == "" {
		r = modules[0].Report
		r.Warnings = append(r.Warnings, p.Warnings...)
	} else {
		for _, m := range modules { // each has a verdict of its own
			if m.Report == nil {
				continue
			}
			if _, err := accepted.Apply(m.Report, accepts); err != nil {
				return nil, err
			}
		}
		var err error
		if r, err = report.Merge(modules, p.Warnings); err != nil {
			return nil, err
		}
	}
	r.Lacks = append(r.Lacks, p.Lacks...)
	if p.Shard.Of > 1 {
		const text = "this is shard %s of a run: spectradiff merge makes the report of all"
		r.Warnings = append(r.Warnings, fmt.Sprintf(text, p.Shard))
	}
	if _, err := accepted.Apply(r, accepts); err != nil {
		return nil, err
	}
	r.Stages, r.Workers = p.Stages, p.Workers
	return r, nil
}

// Shown returns the part with the texts of its reports as others may read them. Shown returns for some reports others
// with other texts.
func (p *Part) Shown(shown func([]*report.Report) []*report.Report) *Part {
	beside := &report.Report{
		Old: report.Revision{Commit: p.Run.Old}, New: report.Revision{Commit: p.Run.New},
		Warnings: slices.Clone(p.Warnings),
	}
	reports := []*report.Report{beside}
	for _, m := range p.Modules {
		beside.Warnings = append(append(beside.Warnings, m.Failed), m.Commands...)
		if m.Report != nil {
			reports = append(reports, m.Report)
		}
	}
	reports = shown(reports)
	texts, own := reports[0].Warnings, *p
	next := func(n int) []string {
		first := texts[:n:n]
		texts = texts[n:]
		return first
	}
	own.Warnings, own.Modules = next(len(p.Warnings)), slices.Clone(p.Modules)
	for i := range own.Modules {
		m := &own.Modules[i]
		m.Failed, m.Commands = next(1)[0], next(len(m.Commands))
		if m.Report != nil {
			reports = reports[1:]
			m.Report = reports[0]
		}
	}
	return &own
}
