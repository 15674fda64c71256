package replay

import (
	"encoding/binary"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/digest"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// An asked describes the request to a driver. An answer with more than that is invalid.
type asked struct {
	index      int // of the sequence, in its batch
	statements int
}

// statementSize is the maximum size of the results of one statement, in bytes.
const statementSize = 1 << 16

// outcomeSize returns the maximum size of an outcome frame, in bytes.
func (s *session) outcomeSize(a asked) int {
	const stub, file = wire.ShownText + 32, wire.LongText + 64
	return int(s.p.Limits.EventBytes) + 4*wire.OutputSize + wire.StubCalls*stub + wire.Files*file +
		a.statements*statementSize + len(s.block)*2*binary.MaxVarintLen32 + wire.Operands*(2*wire.OperandText+32)
}

// outcome decodes the outcome frame of a sequence. Package rt/driver encodes it.
func (s *session) outcome(body []byte, a asked) (Played, error) {
	r := wire.NewReader(body)
	if got := r.Uint(); got != uint64(a.index) {
		return Played{}, errors.New("it is that of another sequence")
	}
	spectrum := &spectra.Spectrum{}
	p := Played{Spectrum: spectrum}
	seen := r.Rest()
	end, goexit, rejected := readEnd(&r), r.Bool(), r.Bool()
	spectrum.Burst = r.Bool()
	spectrum.Outside = r.Bool()
	detail := r.TextUpTo(wire.LongText)
	for range r.ItemsUpTo(a.statements) {
		step, results := readStep(&r)
		spectrum.Steps = append(spectrum.Steps, step)
		p.Results = append(p.Results, results)
	}
	readLeft(&r, spectrum)
	seen = seen[:len(seen)-r.Len()]
	if p.Steps = int64(r.Uint()); p.Steps < 0 || p.Steps/2 > s.p.Limits.Steps {
		r.Fail(wire.ErrNumber)
	}
	if p.Nodes = int64(r.Uint()); p.Nodes < 0 || p.Nodes/2 > s.p.Limits.Nodes+int64(s.p.Limits.WalkNodes) {
		r.Fail(wire.ErrNumber)
	}
	spectrum.Truncated = r.Bool()
	for range r.ItemsUpTo(2 * len(s.block)) {
		if id := r.Uint(); id < uint64(len(s.block)) {
			p.Coverage = append(p.Coverage, s.block[id])
		}
	}
	p.Counted = !r.Bool()
	stream := r.Bytes()
	if int64(len(stream)) > s.p.Limits.EventBytes {
		r.Fail(wire.ErrMany)
	}
	for range r.ItemsUpTo(wire.Operands) {
		p.Operands = append(p.Operands, readOperand(&r))
	}
	for range r.ItemsUpTo(a.statements) {
		p.Entries = append(p.Entries, readEntry(&r))
	}
	if r.Err() != nil {
		return Played{}, r.Err()
	}
	p.OutcomeDigest[0], p.OutcomeDigest[1] = digest.Of(seen)
	if rejected {
		p.Invalid = detail
	} else {
		spectrum.End = s.describe(end, goexit, detail)
	}
	if goexit || end == wire.EndBlocked { // the statement that never returned
		spectrum.Steps = append(spectrum.Steps, spectra.StepOutcome{Ran: true})
	}
	s.record(&p, stream)
	return p, nil
}

// record keeps the events of a sequence.
func (s *session) record(p *Played, stream []byte) {
	if s.p.raw { // who asked decodes it
		p.stream = stream
		return
	}
	p.naming, p.variables = s.naming(), s.p.Compare.Vars
	if len(stream) > 0 {
		p.stream = stream
		p.trace(stream, len(s.points), s.number)
	} else {
		p.traced = true
	}
}

// readEnd reads how a sequence ended. Ends by a clock are not in the frame: the tool knows them.
func readEnd(r *wire.Reader) wire.End {
	end := wire.End(r.Byte())
	if end > wire.EndBlocked || end == wire.EndTimeout {
		r.Fail(wire.ErrNumber)
	}
	return end
}

// readLeft reads the output and side effects of a sequence.
func readLeft(r *wire.Reader, s *spectra.Spectrum) {
	for range r.ItemsUpTo(wire.StubCalls) {
		call := spectra.StubCall{Output: readOutput(r), Step: -1}
		if step := r.Uint(); step < uint64(len(s.Steps)) {
			call.Step = int(step)
		}
		s.StubCalls = append(s.StubCalls, call)
	}
	s.Stdout, s.Stderr = r.TextUpTo(wire.OutputSize), r.TextUpTo(wire.OutputSize)
	for range r.ItemsUpTo(wire.Files) {
		file := spectra.FileOutput{Name: r.TextUpTo(wire.LongText), Size: int64(r.Uint()), Digest: r.Digest()}
		s.Files = append(s.Files, file)
	}
}

// describe puts the end of a sequence into words, for a driver that answered.
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
	points := s.points
	if s.shown != nil {
		points = s.shown
	}
	return spectra.Naming{
		Point: func(id uint32) *spectra.Point {
			if int(id) >= len(points) {
				return nil
			}
			return points[id]
		},
		Global: func(i int) string {
			if i >= len(s.p.Compare.Vars) {
				return "?"
			}
			return s.p.Compare.Vars[i]
		},
	}
}

func readOperand(r *wire.Reader) Operand {
	site := r.Uint()
	if site > math.MaxUint32 {
		r.Fail(wire.ErrNumber)
	}
	return Operand{
		Site: uint32(site) &^ wire.SiteChanged, Changed: site&wire.SiteChanged != 0, Number: r.Bool(), Alone: r.Bool(),
		Left: r.TextUpTo(wire.OperandText), Right: r.TextUpTo(wire.OperandText),
	}
}

// maxResults is the maximum number of results of a call that are read.
const maxResults = 1 << 10

func readStep(r *wire.Reader) (spectra.StepOutcome, StepResults) {
	step := spectra.StepOutcome{Ran: true}
	panicked, text := r.Bool(), r.TextUpTo(wire.ShownText)
	if panicked {
		step.Panic = text
	}
	results := StepResults{State: r.Digest()}
	for range r.ItemsUpTo(maxResults) {
		results.Results = append(results.Results, Result{
			Digest: r.Digest(), Nil: r.Bool(), Failed: r.Bool(), Huge: r.Bool(), Dynamic: r.TextUpTo(wire.LongText),
		})
		step.Results = append(step.Results, readOutput(r))
	}
	return step, results
}

func readEntry(r *wire.Reader) Entry {
	entry := Entry{State: r.Digest()}
	for range r.ItemsUpTo(maxResults) {
		entry.Arguments = append(entry.Arguments, r.Digest())
	}
	return entry
}

func readOutput(r *wire.Reader) spectra.Output {
	return spectra.Output{Digest: r.Digest(), Text: r.TextUpTo(wire.ShownText)}
}

// configuration returns the frame with the driver's configuration. Package rt/driver decodes it.
func (s *session) configuration(key uint64) wire.Writer {
	w := wire.NewFrame()
	w.Word(key)
	if s.p.setup != nil {
		w = append(w, s.p.setup...)
	} else {
		s.p.encodeSetup(&w)
	}
	var watched []uint64
	for _, path := range slices.Sorted(maps.Keys(s.p.Compare.Watch)) {
		base, ok := s.blocks[path]
		for _, i := range s.p.Compare.Watch[path] {
			if ok {
				watched = append(watched, uint64(base)+uint64(i))
			}
		}
	}
	w.Numbers(watched)
	return w
}

// encodeSetup encodes what of the configuration doesn't depend on the process.
func (p *Player) encodeSetup(w *wire.Writer) {
	c := &p.Compare
	texts(w, c.Renames)
	var shown []string
	literals := slices.Sorted(maps.Keys(c.Literals))
	for _, name := range literals {
		shown = append(shown, c.Literals[name])
	}
	w.Texts(literals)
	w.Texts(shown)
	w.Count(len(c.Skips))
	for _, name := range slices.Sorted(maps.Keys(c.Skips)) {
		w.Text(name)
		w.Texts(c.Skips[name])
	}
	w.Count(len(c.Fields))
	for _, name := range slices.Sorted(maps.Keys(c.Fields)) {
		w.Text(name)
		texts(w, c.Fields[name])
	}
	w.Texts(c.Opaque)
	w.Texts(c.Vars)
	w.Bool(c.Valued != nil)
	p.pointConfigs(w)
	w.Uint(uint64(p.Limits.WalkNodes))
	w.Uint(uint64(p.Limits.Steps))
	w.Uint(uint64(p.Limits.Nodes))
	w.Bool(c.Bubbles)
}

// pointConfigs encodes the points of which something special is recorded.
func (p *Player) pointConfigs(w *wire.Writer) {
	c := &p.Compare
	w.Count(len(p.Table))
	for _, table := range p.Table {
		w.Text(table.Path)
		var special []*spectra.Point
		for i := range table.Points {
			of := &table.Points[i]
			if c.Slots[of.Symbol] != nil || len(c.Touches[of.Symbol]) > 0 || c.Near[of.Symbol] ||
				c.Valued[c.shown(of).Symbol] {
				special = append(special, of)
			}
		}
		w.Count(len(special))
		for _, of := range special {
			w.Uint(uint64(of.Index))
			slots(w, c.Slots[of.Symbol])
			w.Count(len(c.Touches[of.Symbol]))
			for _, v := range c.Touches[of.Symbol] {
				w.Uint(uint64(v))
			}
			w.Bool(c.Valued[c.shown(of).Symbol])
			w.Bool(c.Near[of.Symbol])
		}
	}
}

// shown returns a point under the name of its executions.
func (c *Comparison) shown(p *spectra.Point) *spectra.Point {
	name, ok := c.Names[p.Symbol]
	if !ok {
		return p
	}
	named := *p
	named.Symbol = name
	return &named
}

// texts encodes pairs of texts.
func texts(w *wire.Writer, m map[string]string) {
	w.Count(len(m))
	for _, key := range slices.Sorted(maps.Keys(m)) {
		w.Text(key)
		w.Text(m[key])
	}
}

// slots encodes the slots of a function that are compared. Nil means all slots.
func slots(w *wire.Writer, list []spectra.ComparedSlot) {
	w.Bool(list != nil)
	w.Count(len(list))
	for _, s := range list {
		w.Uint(uint64(s.Index))
		w.Bool(s.Pointee)
	}
}
