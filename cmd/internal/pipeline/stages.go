package pipeline

import (
	"github.com/spectradiff/spectradiff/cmd/internal/env"
	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/replay/fleet"
	"github.com/spectradiff/spectradiff/internal/report"
)

// costs says what the stages of the run took.
func costs(e *env.Environment) []report.Stage {
	list := e.Stages()
	for _, s := range list {
		e.Detailf("%-9s %6.1f s, %6.1f s of processors, %5d MB, %5d MB in what was started",
			s.Name, s.Elapsed.Seconds(), s.CPU.Seconds(), s.Peak>>20, s.Started>>20)
	}
	return inReport(list)
}

// Measure measures a stage that follows a comparison, until the returned function says what it took.
func Measure(stage string) (costs func() []report.Stage) {
	clock := &replay.Workers{}
	clock.Measure()
	clock.Stage(stage)
	return func() []report.Stage {
		defer clock.StopMeasuring()
		return inReport(clock.Stages())
	}
}

// inReport returns what stages took as a report has it.
func inReport(of []replay.Stage) (list []report.Stage) {
	for _, s := range of {
		list = append(list, report.Stage{
			Name: s.Name, Seconds: report.Seconds(s.Elapsed), CPUSeconds: report.Seconds(s.CPU),
			PeakBytes: s.Peak, StartedPeakBytes: s.Started,
		})
	}
	return list
}

// workers says what other machines did of the run; nil: nothing.
func workers(e *env.Environment) *report.Workers {
	shares, redone, retried := e.Shares()
	for _, s := range shares {
		e.Detailf("worker %s did %d tasks in %.1f s", s.Worker, s.Tasks, s.Busy.Seconds())
	}
	if redone > 0 {
		e.Detailf("%d tasks were done here, because no worker managed them", redone)
	}
	if retried > 0 {
		e.Detailf("%d tasks were given to workers more than once", retried)
	}
	return Shares(shares, redone, retried)
}

// Shares returns what workers did as a report has it; nil: nothing.
func Shares(of []fleet.Share, redone, retried int) *report.Workers {
	if len(of) == 0 && redone == 0 && retried == 0 {
		return nil
	}
	all := &report.Workers{List: []report.Worker{}, Redone: redone, Retried: retried}
	for _, s := range of {
		all.List = append(all.List, report.Worker{
			Name: s.Worker, Tasks: s.Tasks, Seconds: report.Seconds(s.Busy),
		})
	}
	return all
}
