package replay

import (
	"context"
	"errors"
	"fmt"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// A Variable is the state of a package variable after initialisation.
type Variable struct {
	Present bool
	State   spectra.State
}

// An Initialised is what initialisation leaves.
type Initialised struct {
	Variables []Variable // those in Compare.Vars, in their order
	Ran       []uint32   // the blocks that ran
}

// Initialised returns what initialisation leaves before any call.
func (p *Player) Initialised(ctx context.Context, seed uint64) (of Initialised, err error) {
	s, err := p.start(ctx, seed)
	if err != nil {
		return of, fmt.Errorf("variables of the %s version: %w", p.Side, err)
	}
	defer s.close()
	var body []byte
	if err = s.pipe.send(ctx, wire.FrameVariables, wire.NewFrame()); err == nil {
		body, err = s.pipe.receive(ctx, wire.FrameVariables, variablesSize)
	}
	if err != nil {
		return of, fmt.Errorf("variables of the %s version: %w%s", p.Side, err, complaint(content(s.stderr)))
	}
	r := wire.NewReader(body)
	if of.Variables, err = readVariables(&r, p.Compare.Vars); err != nil {
		return of, fmt.Errorf("variables of the %s version: %w", p.Side, err)
	}
	for range r.ItemsUpTo(len(s.block)) {
		if id := r.Uint(); id < uint64(len(s.block)) {
			of.Ran = append(of.Ran, s.block[id])
		}
	}
	return of, r.Err()
}

// variablesSize is the maximum size of the values of all variables, in bytes.
const variablesSize = 64 << 20

// readVariables decodes the driver's answer: one state for each name. If the values are too large in total, the last
// variables have none.
func readVariables(r *wire.Reader, names []string) ([]Variable, error) {
	if got := r.Count(); r.Err() == nil && got != len(names) {
		return nil, fmt.Errorf("the driver answered with %d, %d were asked for", got, len(names))
	}
	list, budget := make([]Variable, 0, len(names)), spectra.Budget(spectra.MaxNodes)
	for _, name := range names {
		v := Variable{Present: r.Bool()}
		if v.Present {
			v.State.Truncated, v.State.Digest = r.Bool(), r.Digest()
			slots, err := spectra.DecodeSlots(r.Bytes(), &budget, func(int) string { return name })
			if err != nil && !errors.Is(err, spectra.ErrLarge) {
				return nil, fmt.Errorf("%s: %w", name, err)
			}
			v.State = v.State.WithSlots(slots)
		}
		list = append(list, v)
	}
	return list, r.Err()
}
