package proof

import (
	"context"
	"sync"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/replay"
)

// Sufficient returns which of some roots show their effect on a program whose base has but a part of their function's
// change, while everything else is old.
func Sufficient(
	ctx context.Context, e *replay.Workers, s *Subject, findings []*diff.Finding, some []int,
) ([]*diff.Finding, map[int]bool, error) {
	return parts(ctx, e, s, findings, some, func(p *prover) (bool, error) {
		return p.shows(ctx, p.only([]int{p.unit}), fully)
	})
}

// Necessary returns which of some roots do not show their effect on a program whose base lacks a part of their
// function's change, while everything else is new.
func Necessary(
	ctx context.Context, e *replay.Workers, s *Subject, findings []*diff.Finding, some []int,
) ([]*diff.Finding, map[int]bool, error) {
	return parts(ctx, e, s, findings, some, func(p *prover) (bool, error) { return p.lacks(ctx) })
}

// parts returns the findings of which a trial says so, and all findings with the trials counted.
func parts(
	ctx context.Context, e *replay.Workers, s *Subject, findings []*diff.Finding, some []int,
	says func(*prover) (bool, error),
) ([]*diff.Finding, map[int]bool, error) {
	var lock sync.Mutex
	found := map[int]bool{}
	list, err := each(ctx, e, findings, some, func(ctx context.Context, worker, i int) (*diff.Proof, error) {
		p, counted := newProver(e, s, worker, findings[i]), *findings[i].Proof
		if p.unit < 0 {
			return &counted, nil
		}
		is, err := says(p)
		if untellable(err) {
			is, err = false, nil
		}
		counted.Trials += p.Trials
		lock.Lock()
		defer lock.Unlock()
		found[i] = is
		return &counted, err
	})
	return list, found, err
}
