package replay

// This file reads the values of package variables before any sequence has run.

import (
	"context"
	"fmt"

	"github.com/spectradiff/spectradiff/spectra"
	"github.com/spectradiff/spectradiff/spectra/rt/wire"
)

// A Variable is a compared package variable after the initialisation of all packages.
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
	if err := s.pipe.send(wire.FrameVariables, wire.NewFrame()); err != nil {
		return nil, err
	}
	kind, body, err := s.pipe.receive()
	if err == nil && kind != wire.FrameVariables {
		err = errCorrupted
	}
	if err != nil {
		return nil, fmt.Errorf("variables of the %s version: %w%s", p.Side, err, complaint(content(s.stderr)))
	}
	r := wire.NewReader(body)
	var list []Variable
	for i := range r.Items() {
		v := Variable{Present: r.Bool()}
		if v.Present {
			v.State.Truncated, v.State.Digest = r.Bool(), r.Digest()
			name := func(int) string { return p.Compare.Vars[i] }
			if v.State.Slots, err = spectra.DecodeSlots(r.Bytes(), name); err != nil {
				return nil, fmt.Errorf("variable %s of the %s version: %w", p.Compare.Vars[i], p.Side, err)
			}
		}
		list = append(list, v)
	}
	return list, r.Err()
}
