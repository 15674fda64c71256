package replay

// This file decodes outcomes and encodes the configuration: the driver's side is package
// spectra/rt/driver.

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"slices"

	"github.com/spectradiff/spectradiff/spectra"
)

// How a sequence ended as the driver saw it; the numbers are the driver's.
const (
	endDone    = 0
	endGoexit  = 1
	endBlocked = 2
	endInvalid = 3
	endExited  = 4
	endCrashed = 5
	endLimit   = 6
)

// outcome decodes the outcome frame of the sequence with that index.
func (s *session) outcome(body []byte, index int) (Played, error) {
	r := &reader{b: body}
	if got := r.uint(); got != uint64(index) {
		return Played{}, fmt.Errorf("outcome of sequence %d where that of %d is expected", got, index)
	}
	spectrum := &spectra.Spectrum{}
	p := Played{Spectrum: spectrum}
	end, detail := r.byte(), r.string()
	for range r.count() {
		step, results := readStep(r)
		spectrum.Steps = append(spectrum.Steps, step)
		p.Results = append(p.Results, results)
	}
	for range r.count() {
		spectrum.StubCalls = append(spectrum.StubCalls, readOutput(r))
	}
	spectrum.Stdout, spectrum.Stderr = r.string(), r.string()
	for range r.count() {
		spectrum.Files = append(spectrum.Files, spectra.FileOutput{Name: r.string(), Size: int64(r.uint()), Digest: r.digest()})
	}
	p.Steps = int64(r.uint())
	spectrum.Truncated = r.bool()
	for range r.count() {
		if id := r.uint(); id < uint64(len(s.block)) {
			p.Coverage = append(p.Coverage, s.block[id])
		}
	}
	stream := r.bytes()
	if r.err != nil {
		return Played{}, fmt.Errorf("outcome of sequence %d: %w", index, r.err)
	}
	switch end {
	case endGoexit:
		spectrum.End = spectra.End{Kind: spectra.Done, Detail: "goroutine exited"}
	case endBlocked:
		spectrum.End = spectra.End{Kind: spectra.Blocked, Detail: "waits for ever"}
	case endInvalid:
		p.Invalid = detail
	case endExited:
		spectrum.End = spectra.End{Kind: spectra.Exited, Detail: "exit status " + detail}
	case endCrashed:
		spectrum.End = spectra.End{Kind: spectra.Crashed, Detail: detail}
	case endLimit:
		spectrum.End = spectra.End{Kind: spectra.StepLimit, Detail: fmt.Sprintf("more than %d steps", s.p.Limits.Steps)}
	}
	if end == endGoexit || end == endBlocked { // the step that never returned
		spectrum.Steps = append(spectrum.Steps, spectra.StepOutcome{Ran: true})
	}
	p.naming, p.variables = s.naming(), s.p.Compare.Vars
	if len(stream) > 0 {
		p.stream = stream
		p.trace(stream, s.number)
	} else {
		p.traced = true
	}
	return p, nil
}

func (s *session) naming() spectra.Naming {
	return spectra.Naming{
		Point: func(id uint32) *spectra.Point {
			if int(id) >= len(s.points) {
				return nil
			}
			return s.points[id]
		},
		Global: func(i int) string {
			if i >= len(s.p.Compare.Vars) {
				return "?"
			}
			return s.p.Compare.Vars[i]
		},
	}
}

func readStep(r *reader) (spectra.StepOutcome, StepResults) {
	step := spectra.StepOutcome{Ran: true}
	panicked, text := r.bool(), r.string()
	if panicked {
		step.Panic = text
	}
	results := StepResults{State: r.digest()}
	for range r.count() {
		results.Results = append(results.Results, Result{
			Digest: r.digest(), Nil: r.bool(), Failed: r.bool(), Huge: r.bool(), Dynamic: r.string(),
		})
		step.Results = append(step.Results, readOutput(r))
	}
	return step, results
}

func readOutput(r *reader) spectra.Output {
	return spectra.Output{Digest: r.digest(), Text: r.string()}
}

// configuration encodes what the driver's configure reads.
func (s *session) configuration(key uint64) []byte {
	c := &s.p.Compare
	w := writer{binary.LittleEndian.AppendUint64(nil, key)}
	w.texts(c.Renames)
	w.uint(uint64(len(c.Skips)))
	for _, name := range slices.Sorted(maps.Keys(c.Skips)) {
		w.string(name)
		w.strings(c.Skips[name])
	}
	w.uint(uint64(len(c.Fields)))
	for _, name := range slices.Sorted(maps.Keys(c.Fields)) {
		w.string(name)
		w.texts(c.Fields[name])
	}
	w.strings(c.Opaque)
	w.strings(c.Vars)
	s.pointConfigs(&w)
	w.uint(uint64(s.p.Limits.WalkNodes))
	w.uint(uint64(s.p.Limits.Steps))
	w.uint(uint64(s.p.Limits.Nodes))
	w.bool(c.Bubbles)
	var watched []uint64
	for _, path := range slices.Sorted(maps.Keys(c.Watch)) {
		base, ok := s.blocks[path]
		for _, i := range c.Watch[path] {
			if ok {
				watched = append(watched, uint64(base)+uint64(i))
			}
		}
	}
	w.uint(uint64(len(watched)))
	for _, id := range watched {
		w.uint(id)
	}
	return w.b
}

// pointConfigs encodes the points whose states are not just all their slots.
func (s *session) pointConfigs(w *writer) {
	c := &s.p.Compare
	w.uint(uint64(len(s.p.Table)))
	for _, table := range s.p.Table {
		w.string(table.Path)
		var special []*spectra.Point
		for i := range table.Points {
			p := &table.Points[i]
			if c.Slots[p.Symbol] != nil || len(c.Touches[p.Symbol]) > 0 {
				special = append(special, p)
			}
		}
		w.uint(uint64(len(special)))
		for _, p := range special {
			w.uint(uint64(p.Index))
			w.slots(c.Slots[p.Symbol])
			w.uint(uint64(len(c.Touches[p.Symbol])))
			for _, v := range c.Touches[p.Symbol] {
				w.uint(uint64(v))
			}
		}
	}
}

type writer struct{ b []byte }

func (w *writer) uint(x uint64) { w.b = binary.AppendUvarint(w.b, x) }
func (w *writer) string(s string) {
	w.uint(uint64(len(s)))
	w.b = append(w.b, s...)
}
func (w *writer) strings(list []string) {
	w.uint(uint64(len(list)))
	for _, s := range list {
		w.string(s)
	}
}
func (w *writer) texts(m map[string]string) {
	w.uint(uint64(len(m)))
	for _, key := range slices.Sorted(maps.Keys(m)) {
		w.string(key)
		w.string(m[key])
	}
}
func (w *writer) slots(list []Slot) {
	w.bool(list != nil)
	w.uint(uint64(len(list)))
	for _, s := range list {
		w.uint(uint64(s.Index))
		w.bool(s.Pointee)
	}
}
func (w *writer) bool(x bool) {
	if x {
		w.b = append(w.b, 1)
	} else {
		w.b = append(w.b, 0)
	}
}

var errShort = errors.New("frame too short")

// reader reads a frame; after an error everything is zero.
type reader struct {
	b   []byte
	err error
}

func (r *reader) take(n uint64) []byte {
	if n > uint64(len(r.b)) {
		r.b, r.err = nil, errShort
		return nil
	}
	x := r.b[:n]
	r.b = r.b[n:]
	return x
}

func (r *reader) uint() uint64 {
	x, n := binary.Uvarint(r.b)
	if n <= 0 {
		r.b, r.err = nil, errShort
		return 0
	}
	r.b = r.b[n:]
	return x
}

// count reads a number of things that follow, of at least one byte each.
func (r *reader) count() int {
	n := r.uint()
	if n > uint64(len(r.b)) {
		r.b, r.err = nil, errShort
		return 0
	}
	return int(n)
}

func (r *reader) byte() byte {
	if x := r.take(1); x != nil {
		return x[0]
	}
	return 0
}

func (r *reader) bool() bool     { return r.byte() != 0 }
func (r *reader) bytes() []byte  { return r.take(r.uint()) }
func (r *reader) string() string { return string(r.bytes()) }

func (r *reader) digest() spectra.Digest {
	x := r.take(16)
	if x == nil {
		return spectra.Digest{}
	}
	return spectra.Digest{binary.LittleEndian.Uint64(x), binary.LittleEndian.Uint64(x[8:])}
}
