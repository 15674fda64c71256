package pipeline

import (
	"slices"

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

// since returns what stages took after an earlier look at them; peaks are those of all the time.
func since(earlier, all []replay.Stage) []replay.Stage {
	list := slices.Clone(all)
	for i, s := range earlier { // they stand in the order in which they first began
		list[i].Elapsed, list[i].CPU = list[i].Elapsed-s.Elapsed, list[i].CPU-s.CPU
	}
	return list
}

// workers says what other machines did of the run; nil: nothing.
func workers(e *env.Environment) *report.Workers {
	account := e.Account()
	account.Tell(e.Detailf, "tasks")
	return Workers(account)
}

// Workers returns what workers did as a report has it; nil: nothing.
func Workers(did fleet.Account) *report.Workers {
	if len(did.Shares) == 0 && did.Redone == 0 && did.Retried == 0 {
		return nil
	}
	all := &report.Workers{List: []report.Worker{}, Redone: did.Redone, Retried: did.Retried}
	for _, s := range did.Shares {
		all.List = append(all.List, report.Worker{
			Name: s.Worker, Tasks: s.Tasks, Seconds: report.Seconds(s.Busy),
		})
	}
	return all
}
