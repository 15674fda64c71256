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
