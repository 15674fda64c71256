package archive

import (
	"errors"
	"math"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

var errKind = errors.New("unknown kind")

// readKind reads the number of a kind, at most last.
func readKind(r *wire.Reader, last uint64) uint64 {
	kind := r.Uint()
	if kind > last {
		r.Fail(errKind)
		return 0
	}
	return kind
}

func writeHeader(w *wire.Writer, h *Header) {
	w.Text(h.Module)
	w.Text(h.Side)
	w.Text(h.Commit)
	w.Text(h.Go)
	w.Uint(h.Seed)
	w.Bool(h.Values)
}

func readHeader(r *wire.Reader) Header {
	return Header{
		Module: r.Text(), Side: r.Text(), Commit: r.Text(), Go: r.Text(), Seed: r.Uint(), Values: r.Bool(),
	}
}

func writePoint(w *wire.Writer, p *spectra.Point) {
	w.Text(string(p.Symbol))
	w.Text(p.Package)
	w.Text(p.File)
	w.Text(p.Body)
	w.Uint(uint64(p.Index))
	w.Uint(uint64(p.Line))
	w.Uint(uint64(p.EndLine))
	w.Count(len(p.Slots))
	for _, s := range p.Slots {
		w.Uint(uint64(s.Kind))
		w.Text(s.Name)
		w.Text(s.Type)
	}
}

func readPoint(r *wire.Reader) *spectra.Point {
	p := &spectra.Point{Symbol: spectra.Symbol(r.Text()), Package: r.Text(), File: r.Text(), Body: r.Text()}
	p.Index, p.Line, p.EndLine = r.Number(), r.Number(), r.Number()
	for range r.ItemsUpTo(maxList) {
		kind := spectra.SlotKind(readKind(r, uint64(spectra.Result)))
		p.Slots = append(p.Slots, spectra.SlotDecl{Kind: kind, Name: r.Text(), Type: r.Text()})
	}
	return p
}

func writeOutcome(w *wire.Writer, s *spectra.Spectrum) {
	w.Uint(uint64(s.End.Kind))
	w.Text(s.End.Detail)
	w.Text(s.Stdout)
	w.Text(s.Stderr)
	w.Uint(uint64(s.Leaked))
	w.Bool(s.Truncated)
	w.Count(len(s.Steps))
	for _, step := range s.Steps {
		w.Bool(step.Ran)
		w.Text(step.Panic)
		writeOutputs(w, step.Results)
	}
	w.Count(len(s.StubCalls))
	for _, call := range s.StubCalls {
		w.Text(call.Text)
		w.Digest(call.Digest)
		w.Uint(uint64(call.Step + 1))
	}
	w.Count(len(s.Files))
	for _, f := range s.Files {
		w.Text(f.Name)
		w.Uint(uint64(f.Size))
		w.Digest(f.Digest)
	}
}

func readOutcome(r *wire.Reader) *spectra.Spectrum {
	s := &spectra.Spectrum{End: spectra.End{Kind: wire.End(readKind(r, math.MaxUint8)), Detail: r.Text()}}
	s.Stdout, s.Stderr = r.Text(), r.Text()
	s.Leaked, s.Truncated = r.Number(), r.Bool()
	for range r.ItemsUpTo(maxList) {
		s.Steps = append(s.Steps, spectra.StepOutcome{Ran: r.Bool(), Panic: r.Text(), Results: readOutputs(r)})
	}
	for range r.ItemsUpTo(maxList) {
		call := spectra.StubCall{Output: spectra.Output{Text: r.Text(), Digest: r.Digest()}}
		call.Step = r.Number() - 1
		s.StubCalls = append(s.StubCalls, call)
	}
	for range r.ItemsUpTo(maxList) {
		s.Files = append(s.Files, spectra.FileOutput{Name: r.Text(), Size: int64(r.Uint()), Digest: r.Digest()})
	}
	return s
}

func writeOutputs(w *wire.Writer, list []spectra.Output) {
	w.Count(len(list))
	for _, o := range list {
		w.Text(o.Text)
		w.Digest(o.Digest)
	}
}

func readOutputs(r *wire.Reader) (list []spectra.Output) {
	for range r.ItemsUpTo(maxList) {
		list = append(list, spectra.Output{Text: r.Text(), Digest: r.Digest()})
	}
	return list
}
