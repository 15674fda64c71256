package diff

import (
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// A place is a part of a state. Paths are written only when they are needed, because states are large and most of their
// parts are equal.
type place struct {
	up    *place // nil: a slot
	slot  string
	of    *spectra.Value // the value that holds the part, and its index there
	i     int
	depth int // steps below the slot
	// general is the path with [*] for every index and key. It is set only where live is: where something
	// masked may lie at the place or below it.
	general spectra.Path
	live    bool
}

// path returns the path as a reader knows it.
func (p *place) path() spectra.Path { return spectra.Path(p.appendPath(nil)) }

// appendPath appends the path. It writes each step once: in a list of nodes that refer to each other, the paths of all
// together are much longer than the state.
func (p *place) appendPath(path []byte) []byte {
	if p == nil {
		return path
	}
	var few [32]*place
	steps := few[:0] // from p up, without the slot
	for ; p.up != nil; p = p.up {
		steps = append(steps, p)
	}
	path = append(path, p.slot...)
	for i := len(steps) - 1; i >= 0; i-- {
		path = steps[i].of.AppendStep(path, steps[i].i)
	}
	return path
}

// generalPath returns the path as a mask has it.
func (p *place) generalPath() spectra.Path {
	switch {
	case p == nil:
		return ""
	case p.up == nil:
		return spectra.Path(p.slot)
	}
	return generalStep(p.up.generalPath(), p.of, p.i)
}

func generalStep(path spectra.Path, v *spectra.Value, i int) spectra.Path {
	switch v.Kind {
	case wire.ValueStruct:
		return path.Field(v.Items[i].Name)
	case wire.ValuePointer, wire.ValueInterface:
		return path
	}
	return path.Any()
}

// A masker knows the masked places of one state. The nil masker masks nothing.
type masker struct {
	paths    map[spectra.Path]string
	prefixes map[spectra.Path]bool // the paths and all that leads to them
}

func newMasker(paths map[spectra.Path]string) *masker {
	if len(paths) == 0 {
		return nil
	}
	m := &masker{paths: paths, prefixes: map[spectra.Path]bool{}}
	for path := range paths {
		m.prefixes[path] = true
		for i := range len(path) {
			if path[i] == '.' || path[i] == '[' {
				m.prefixes[path[:i]] = true
			}
		}
	}
	return m
}

func (m *masker) slot(name string) *place {
	general := spectra.Path(name)
	return &place{slot: name, general: general, live: m != nil && m.prefixes[general]}
}

// item returns the place of v's i-th item when v stands at p.
func (m *masker) item(p *place, v *spectra.Value, i int) *place {
	next := &place{up: p, of: v, i: i, depth: p.depth}
	if v.Kind != wire.ValuePointer && v.Kind != wire.ValueInterface {
		next.depth++
	}
	if p.live {
		next.general = generalStep(p.general, v, i)
		next.live = m.prefixes[next.general]
	}
	return next
}

// hides reports whether the part at p is masked.
func (m *masker) hides(p *place) bool {
	if !p.live {
		return false
	}
	_, ok := m.paths[p.general]
	return ok
}

// within reports whether p lies in anything masked. The masker has made the place.
func (m *masker) within(p *place) bool {
	for ; m != nil && p != nil; p = p.up {
		if m.hides(p) {
			return true
		}
	}
	return false
}

// places returns the first place of each numbered node of a state.
func (m *masker) places(slots []spectra.Slot) map[int32]*place {
	at := map[int32]*place{}
	var visit func(p *place, v *spectra.Value)
	visit = func(p *place, v *spectra.Value) {
		if v == nil {
			return
		}
		if v.ID > 0 && v.Kind != wire.ValueRef && v.Kind != wire.ValueInside {
			at[v.ID] = p
		}
		if node := v.Rare().Node; node > 0 {
			at[node] = p
		}
		for i, item := range v.Items {
			visit(p, item.Key)
			visit(m.item(p, v, i), item.Value)
		}
	}
	for _, s := range slots {
		visit(m.slot(s.Name), s.Value)
	}
	return at
}
