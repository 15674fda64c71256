package pipeline

// This file leaves out packages that a step can't work on, so that the others are compared all the same.

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spectradiff/spectradiff/cmd/internal/env"
	"github.com/spectradiff/spectradiff/cmd/internal/leftout"
	"github.com/spectradiff/spectradiff/replay/fault"
	"github.com/spectradiff/spectradiff/replay/load"
	"github.com/spectradiff/spectradiff/spectra"
)

// mostRounds is how often a stage is tried, each time without the packages that it failed on the time before.
const mostRounds = 6

// buildVersions instruments and builds both versions, without the packages for which that is not possible.
func buildVersions(ctx context.Context, t *task, p *plan) (*built, error) {
	for round := 1; ; round++ {
		b, err := buildOnce(ctx, t, p)
		var faults fault.List
		if !errors.As(err, &faults) || round == mostRounds {
			return b, err
		}
		fewer := *p
		fewer.warnings = slices.Clone(p.warnings)
		if !fewer.leave(t, faults) {
			return nil, err
		}
		switch again := fewer.findCommon(t); {
		case errors.Is(again, errOver):
			return nil, fmt.Errorf("nothing that can be called is left without the packages that are left out: %w", err)
		case again != nil:
			return nil, again
		}
		p = &fewer
	}
}

// findCommon finds what both versions have of the loaded packages, without those for which that is not possible.
func (p *plan) findCommon(t *task) error {
	for round := 1; ; round++ {
		err := p.matchVersions(t)
		var faults fault.List
		if !errors.As(err, &faults) || round == mostRounds || !p.leave(t, faults) {
			return err
		}
	}
}

// leave leaves packages out of both versions, each with a warning. It reports whether any is gone by that.
func (p *plan) leave(t *task, faults fault.List) (gone bool) {
	left, warnings := leftout.Packages(p.targets(), p.common, faults, t.env.Detailf)
	p.sides.Old.target, p.sides.New.target = left.Old, left.New
	p.warn(warnings...)
	return len(warnings) > 0
}

// targets returns both versions.
func (p *plan) targets() spectra.Pair[*load.Version] {
	return spectra.MakePair(func(s spectra.Side) *load.Version { return p.sides.Of(s).target })
}

// both does something for both versions. Packages that one can't be worked on with are found in the other, too.
func both[T any](ctx context.Context, p *plan, do func(s spectra.Side) (T, error)) (spectra.Pair[T], error) {
	var faults spectra.Pair[fault.List]
	done, err := env.Both(ctx, func(_ context.Context, s spectra.Side) (T, error) {
		result, err := do(s)
		if errors.As(err, faults.Of(s)) {
			return result, nil
		}
		return result, p.failed(s, err)
	})
	if err == nil {
		err = fault.Together(faults)
	}
	return done, err
}

// failed says in which version something failed.
func (p *plan) failed(s spectra.Side, err error) error { return p.given.Failed(s, err) }
