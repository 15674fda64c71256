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

// Variables returns the states of the variables in Compare.Vars, in their order.
func (p *Player) Variables(ctx context.Context, seed uint64) ([]Variable, error) {
	s, err := p.start(ctx, seed)
	if err != nil {
		return nil, fmt.Errorf("variables of the %s version: %w", p.Side, err)
	}
	defer s.close()
	var body []byte
	if err = s.pipe.send(ctx, wire.FrameVariables, wire.NewFrame()); err == nil {
		body, err = s.pipe.receive(ctx, wire.FrameVariables, variablesSize)
	}
	if err != nil {
		return nil, fmt.Errorf("variables of the %s version: %w%s", p.Side, err, complaint(content(s.stderr)))
	}
	list, err := readVariables(body, p.Compare.Vars)
	if err != nil {
		return nil, fmt.Errorf("variables of the %s version: %w", p.Side, err)
	}
	return list, nil
}

// variablesSize is the maximum size of the values of all variables, in bytes.
const variablesSize = 64 << 20

// readVariables decodes the driver's answer: one state for each name. If the values are too large in total, the last
// variables have none.
func readVariables(body []byte, names []string) ([]Variable, error) {
	r := wire.NewReader(body)
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
