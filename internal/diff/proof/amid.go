package proof

import (
	"context"
	"slices"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// Amid tries once more to prove findings that a program on the base of new could not tell of: with every change undone
// the example still differs from old, because types and dependencies stay new's, but not where the effect shows. What
// is proven holds amid these. Other findings keep what was said of them.
func Amid(ctx context.Context, e *replay.Workers, s *Subject, findings []*diff.Finding) ([]*diff.Finding, error) {
	if s.Base != spectra.New || !slices.ContainsFunc(s.Lacks, func(l Lack) bool { return l.Outer }) {
		return findings, nil
	}
	var some []int
	for i, f := range findings {
		if p := f.Proof; p != nil && p.Unfit && !p.Outside && p.Reason == untold {
			some = append(some, i)
		}
	}
	return each(ctx, e, findings, some, func(ctx context.Context, worker, i int) (*diff.Proof, error) {
		before := findings[i].Proof
		if e.Over() {
			return before, nil
		}
		p := newProver(e, s, worker, findings[i])
		p.amid, p.Amid = true, true
		err := p.prove(ctx)
		if err != nil && !untellable(err) {
			return nil, err
		}
		e.Detailf("%s, amid what else is new: %+v, %v", p.of.Blamed.Symbol, p.Proof, err)
		if err != nil || !p.Confirmed() {
			return before, nil
		}
		s.tell(p)
		return &p.Proof, nil
	})
}

// faithfulThere reports whether the program, where the effect shows, is old while every unit is, and new while none is.
func (p *prover) faithfulThere(ctx context.Context) (bool, error) {
	old, err := p.try(ctx, p.all(spectra.Old), fully)
	if err != nil || old.DiffersAt(p.of.Example.Effect) {
		return false, err
	}
	return p.shows(ctx, p.all(spectra.New), fully)
}
