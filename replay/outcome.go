package replay

// This file decodes outcomes and encodes the configuration of a driver. The driver's side is package
// spectra/rt/driver.

import (
	"fmt"
	"maps"
	"slices"

	"github.com/spectradiff/spectradiff/spectra"
	"github.com/spectradiff/spectradiff/spectra/rt/wire"
)

// outcome decodes the outcome frame of the sequence with the given index.
func (s *session) outcome(body []byte, index int) (Played, error) {
	r := wire.NewReader(body)
	if got := r.Uint(); got != uint64(index) {
		return Played{}, fmt.Errorf("outcome of sequence %d where that of %d is expected", got, index)
	}
	spectrum := &spectra.Spectrum{}
	p := Played{Spectrum: spectrum}
	end, goexit, rejected := wire.End(r.Byte()), r.Bool(), r.Bool()
	spectrum.Burst = r.Bool()
	detail := r.Text()
	for range r.Items() {
		step, results := readStep(&r)
		spectrum.Steps = append(spectrum.Steps, step)
		p.Results = append(p.Results, results)
	}
	for range r.Items() {
		spectrum.StubCalls = append(spectrum.StubCalls, readOutput(&r))
	}
	spectrum.Stdout, spectrum.Stderr = r.Text(), r.Text()
	for range r.Items() {
		file := spectra.FileOutput{Name: r.Text(), Size: int64(r.Uint()), Digest: r.Digest()}
		spectrum.Files = append(spectrum.Files, file)
	}
	p.Steps = int64(r.Uint())
	spectrum.Truncated = r.Bool()
	for range r.Items() {
		if id := r.Uint(); id < uint64(len(s.block)) {
			p.Coverage = append(p.Coverage, s.block[id])
		}
	}
	stream := r.Bytes()
	if r.Err() != nil {
		return Played{}, fmt.Errorf("outcome of sequence %d: %w", index, r.Err())
	}
	if rejected {
		p.Invalid = detail
	} else {
		spectrum.End = s.describe(end, goexit, detail)
	}
	if goexit || end == wire.EndBlocked { // the statement that never returned
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

// describe returns in words how a sequence ended, if the driver answered.
func (s *session) describe(end wire.End, goexit bool, detail string) spectra.End {
	switch {
	case goexit:
		detail = "goroutine exited"
	case end == wire.EndBlocked:
		detail = "waits for ever"
	case end == wire.EndExited:
		detail = "exit status " + detail
	case end == wire.EndStepLimit:
		detail = fmt.Sprintf("more than %d steps", s.p.Limits.Steps)
	}
	return spectra.End{Kind: end, Detail: detail}
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

func readStep(r *wire.Reader) (spectra.StepOutcome, StepResults) {
	step := spectra.StepOutcome{Ran: true}
	panicked, text := r.Bool(), r.Text()
	if panicked {
		step.Panic = text
	}
	results := StepResults{State: r.Digest()}
	for range r.Items() {
		results.Results = append(results.Results, Result{
			Digest: r.Digest(), Nil: r.Bool(), Failed: r.Bool(), Huge: r.Bool(), Dynamic: r.Text(),
		})
		step.Results = append(step.Results, readOutput(r))
	}
	return step, results
}

func readOutput(r *wire.Reader) spectra.Output {
	return spectra.Output{Digest: r.Digest(), Text: r.Text()}
}

// configuration returns the frame that the driver's configure reads.
func (s *session) configuration(key uint64) wire.Writer {
	c := &s.p.Compare
	w := wire.NewFrame()
	w.Word(key)
	texts(&w, c.Renames)
	w.Count(len(c.Skips))
	for _, name := range slices.Sorted(maps.Keys(c.Skips)) {
		w.Text(name)
		w.Texts(c.Skips[name])
	}
	w.Count(len(c.Fields))
	for _, name := range slices.Sorted(maps.Keys(c.Fields)) {
		w.Text(name)
		texts(&w, c.Fields[name])
	}
	w.Texts(c.Opaque)
	w.Texts(c.Vars)
	s.pointConfigs(&w)
	w.Uint(uint64(s.p.Limits.WalkNodes))
	w.Uint(uint64(s.p.Limits.Steps))
	w.Uint(uint64(s.p.Limits.Nodes))
	w.Bool(c.Bubbles)
	var watched []uint64
	for _, path := range slices.Sorted(maps.Keys(c.Watch)) {
		base, ok := s.blocks[path]
		for _, i := range c.Watch[path] {
			if ok {
				watched = append(watched, uint64(base)+uint64(i))
			}
		}
	}
	w.Numbers(watched)
	return w
}

// pointConfigs encodes the points of which not simply all slots are compared.
func (s *session) pointConfigs(w *wire.Writer) {
	c := &s.p.Compare
	w.Count(len(s.p.Table))
	for _, table := range s.p.Table {
		w.Text(table.Path)
		var special []*spectra.Point
		for i := range table.Points {
			p := &table.Points[i]
			if c.Slots[p.Symbol] != nil || len(c.Touches[p.Symbol]) > 0 {
				special = append(special, p)
			}
		}
		w.Count(len(special))
		for _, p := range special {
			w.Uint(uint64(p.Index))
			slots(w, c.Slots[p.Symbol])
			w.Count(len(c.Touches[p.Symbol]))
			for _, v := range c.Touches[p.Symbol] {
				w.Uint(uint64(v))
			}
		}
	}
}

// texts encodes pairs of texts.
func texts(w *wire.Writer, m map[string]string) {
	w.Count(len(m))
	for _, key := range slices.Sorted(maps.Keys(m)) {
		w.Text(key)
		w.Text(m[key])
	}
}

// slots encodes the slots of a function that are compared. Nil means all of its slots.
func slots(w *wire.Writer, list []Slot) {
	w.Bool(list != nil)
	w.Count(len(list))
	for _, s := range list {
		w.Uint(uint64(s.Index))
		w.Bool(s.Pointee)
	}
}
