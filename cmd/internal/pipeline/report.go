package pipeline

// This file starts and finishes the report.

import (
	"runtime"

	"github.com/spectradiff/spectradiff/report"
)

func newReport(cfg Config) *report.Report {
	return &report.Report{
		Tool: report.Tool{Version: cfg.Tool, Go: runtime.Version()},
		Settings: report.Settings{
			Seed: cfg.Seed, Sequences: cfg.Sequences, BudgetSeconds: cfg.Budget.Seconds(),
			Drive: cfg.Drive, Sandbox: "none", All: cfg.All, Renames: cfg.Renames,
		},
	}
}

// finish puts the report in order and decides its verdict.
func (r *run) finish() (*report.Report, error) {
	if r.new != nil && r.new.target != nil {
		r.report.Tool.Go = r.new.target.GoVersion
	}
	if err := r.report.Finish(report.FailOn(r.cfg.FailOn)); err != nil {
		return nil, err
	}
	return r.report, nil
}
