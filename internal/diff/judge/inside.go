package judge

import (
	"context"
	"maps"
	"slices"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/drivers"
	"github.com/spectradiff/spectradiff/internal/replay/search"
	"github.com/spectradiff/spectradiff/internal/replay/selection"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// Inside judges sequences that call functions from inside their packages. Its findings are those of functions that no
// exported call showed; nil where there is nothing to judge.
func Inside(
	ctx context.Context, d *drivers.Drivers, j *Judged, sequences []selection.Sequence,
) ([]*diff.Finding, error) {
	workers, operations := d.Tools.Workers, map[spectra.Symbol]*api.Operation{}
	for _, op := range d.Inside.Old {
		operations[spectra.Symbol(d.Plan.NewName(string(op.Symbol)))] = op
	}
	for _, f := range j.Findings {
		delete(operations, f.Blamed.Symbol)
	}
	wanted := slices.Collect(maps.Values(operations))
	own := slices.DeleteFunc(slices.Clone(sequences), func(q selection.Sequence) bool {
		return !search.CallsAny(q, wanted)
	})
	if len(own) == 0 || workers.Over() {
		return nil, nil
	}
	subject := *j.Subject
	subject.Sequences, subject.Keep = own, "" // the raw spectra are those of the run
	played, err := Play(ctx, workers, &subject)
	if err != nil {
		return nil, err
	}
	judged, err := Judge(ctx, workers, played)
	if err != nil {
		return nil, err
	}
	return slices.DeleteFunc(judged.Findings, func(f *diff.Finding) bool {
		return operations[f.Blamed.Symbol] == nil
	}), nil
}
