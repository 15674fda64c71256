package proof

import (
	"context"
	"errors"
	"slices"
	"sync"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/diff/judge"
	"github.com/spectradiff/spectradiff/internal/diff/root"
	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// A Place is one of several changed places of a function.
type Place struct {
	Position root.Position
	Of       int // changed places
}

// Sufficient returns which of some roots show their effect on a program whose base has but a part of their function's
// change, while everything else is old.
func Sufficient(
	ctx context.Context, e *replay.Workers, s *Subject, proofs []Proof, roots []int,
) (map[int]bool, error) {
	return parts(ctx, e, s, proofs, roots, func(p *prover) (bool, error) {
		return p.shows(ctx, p.only([]int{p.unit}), fully)
	})
}

// Necessary returns which of some roots do not show their effect on a program whose base lacks a part of their
// function's change, while everything else is new.
func Necessary(
	ctx context.Context, e *replay.Workers, s *Subject, proofs []Proof, roots []int,
) (map[int]bool, error) {
	return parts(ctx, e, s, proofs, roots, func(p *prover) (bool, error) { return p.lacks(ctx) })
}

// parts returns the roots of which a trial says so, and counts the trials.
func parts(
	ctx context.Context, e *replay.Workers, s *Subject, proofs []Proof, roots []int, says func(*prover) (bool, error),
) (map[int]bool, error) {
	var lock sync.Mutex
	found := map[int]bool{}
	err := e.Each(ctx, len(roots), "proving", func(ctx context.Context, worker, n int) error {
		i := roots[n]
		p := &prover{Subject: s, env: e, worker: worker, root: s.Roots[i], seen: map[string]*diff.Comparison{}}
		p.unit = slices.IndexFunc(s.Units, func(unit []spectra.Symbol) bool {
			return slices.Contains(unit, p.root.Found.Function)
		})
		if p.unit < 0 {
			return nil
		}
		is, err := says(p)
		if errors.Is(err, errUntold) || errors.Is(err, judge.ErrTimeUp) {
			is, err = false, nil
		}
		lock.Lock()
		defer lock.Unlock()
		found[i] = is
		proofs[i].Trials += p.Trials
		return err
	})
	return found, err
}
