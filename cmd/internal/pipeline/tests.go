package pipeline

import (
	"context"
	"errors"

	"github.com/spectradiff/spectradiff/internal/diff/judge"
	"github.com/spectradiff/spectradiff/internal/diff/proof"
	"github.com/spectradiff/spectradiff/internal/replay/drivers"
	"github.com/spectradiff/spectradiff/internal/replay/search"
)

// tests runs the tests of the module on both versions, and judges and proves what deviates.
func (f *flow) tests(ctx context.Context) error {
	if !f.drives(DriveTests) {
		return nil
	}
	d, err := f.found.Drivers.WithTests(ctx)
	if errors.Is(err, drivers.ErrNoTests) {
		f.env.Detailf("%v", err)
		return nil
	}
	if err != nil {
		return err
	}
	f.env.Stage("tests")
	f.end.plays()
	of := &f.found.Tests
	of.Drivers = d
	if of.Generated, err = (search.Input{Drivers: d, Settings: f.cfg.search()}).Tests(ctx); err != nil {
		return err
	}
	if len(of.Generated.Selected) == 0 {
		return nil
	}
	if left, limited := f.timeLeft(); limited {
		f.env.Limit(left)
	}
	subject := judge.NewSubject(d, of.Generated, judge.Options{Whole: f.cfg.All, Budget: f.cfg.budget()})
	if of.Played, err = judge.Play(ctx, f.env.Workers, subject); err != nil {
		return err
	}
	if of.Judged, err = judge.Judge(ctx, f.env.Workers, of.Played); err != nil {
		return err
	}
	findings := of.Judged.Findings
	if !f.cfg.NoProof {
		in := proof.Input{Drivers: d, Players: of.Generated.Players, Judged: of.Judged}
		if findings, of.Warnings, err = in.Prove(ctx); err != nil {
			return err
		}
	}
	f.source.Calls = append(f.source.Calls, findings...)
	return nil
}
