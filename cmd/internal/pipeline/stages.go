package pipeline

import (
	"github.com/spectradiff/spectradiff/cmd/internal/env"
	"github.com/spectradiff/spectradiff/internal/report"
)

// reportStages says what the run took.
func reportStages(r *report.Report, e *env.Environment) {
	for _, s := range e.Stages() {
		r.Stages = append(r.Stages, report.Stage{
			Name: s.Name, Seconds: report.Seconds(s.Elapsed), CPUSeconds: report.Seconds(s.CPU),
			PeakBytes: s.Peak, StartedPeakBytes: s.Started,
		})
		e.Detailf("%-9s %6.1f s, %6.1f s of processors, %5d MB, %5d MB in what was started",
			s.Name, s.Elapsed.Seconds(), s.CPU.Seconds(), s.Peak>>20, s.Started>>20)
	}
	reportWorkers(r, e)
}

// reportWorkers says what other machines did of the run.
func reportWorkers(r *report.Report, e *env.Environment) {
	shares, redone := e.Shares()
	if len(shares) == 0 && redone == 0 {
		return
	}
	r.Workers = &report.Workers{Redone: redone}
	for _, s := range shares {
		r.Workers.List = append(r.Workers.List, report.Worker{
			Name: s.Worker, Tasks: s.Tasks, Seconds: report.Seconds(s.Busy),
		})
		e.Detailf("worker %s did %d tasks in %.1f s", s.Worker, s.Tasks, s.Busy.Seconds())
	}
	if redone > 0 {
		e.Detailf("%d tasks were done here, because no worker managed them", redone)
	}
}
