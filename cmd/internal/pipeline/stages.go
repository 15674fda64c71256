package pipeline

import (
	"github.com/spectradiff/spectradiff/cmd/internal/env"
	"github.com/spectradiff/spectradiff/internal/report"
)

// costs says what the stages of the run took.
func costs(e *env.Environment) (list []report.Stage) {
	for _, s := range e.Stages() {
		list = append(list, report.Stage{
			Name: s.Name, Seconds: report.Seconds(s.Elapsed), CPUSeconds: report.Seconds(s.CPU),
			PeakBytes: s.Peak, StartedPeakBytes: s.Started,
		})
		e.Detailf("%-9s %6.1f s, %6.1f s of processors, %5d MB, %5d MB in what was started",
			s.Name, s.Elapsed.Seconds(), s.CPU.Seconds(), s.Peak>>20, s.Started>>20)
	}
	return list
}

// workers says what other machines did of the run; nil: nothing.
func workers(e *env.Environment) *report.Workers {
	shares, redone := e.Shares()
	if len(shares) == 0 && redone == 0 {
		return nil
	}
	all := &report.Workers{List: []report.Worker{}, Redone: redone}
	for _, s := range shares {
		all.List = append(all.List, report.Worker{
			Name: s.Worker, Tasks: s.Tasks, Seconds: report.Seconds(s.Busy),
		})
		e.Detailf("worker %s did %d tasks in %.1f s", s.Worker, s.Tasks, s.Busy.Seconds())
	}
	if redone > 0 {
		e.Detailf("%d tasks were done here, because no worker managed them", redone)
	}
	return all
}
