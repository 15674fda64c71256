package archive

import (
	"bufio"
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/klauspost/compress/zstd"

	"github.com/spectradiff/spectradiff/spectra"
)

// Writer writes an archive. After an error it writes nothing more.
type Writer struct {
	body      *bufio.Writer
	zip       *zstd.Encoder
	record    []byte
	sequences uint64
	err       error
}

// NewWriter begins an archive with what its sequences have in common.
func NewWriter(to io.Writer, h Header, points []*spectra.Point, variables []string) (*Writer, error) {
	if _, err := io.WriteString(to, magic); err != nil {
		return nil, fmt.Errorf("begin archive: %w", err)
	}
	zip, err := zstd.NewWriter(to, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(windowSize), zstd.WithLowerEncoderMem(true))
	if err != nil {
		return nil, fmt.Errorf("begin archive: %w", err)
	}
	w := &Writer{zip: zip, body: bufio.NewWriterSize(zip, pieceSize)}
	w.text(h.Module, h.Side, h.Commit, h.Go)
	w.number(h.Seed)
	w.flag(h.Values)
	w.end(recordHeader)
	for _, p := range points {
		w.point(p)
	}
	for _, name := range variables {
		w.text(name)
		w.end(recordVariable)
	}
	return w, w.err
}

// Sequence adds a sequence with the events of its recording.
func (w *Writer) Sequence(s *Sequence, events []byte) error {
	w.number(uint64(s.Index))
	w.text(s.Text)
	w.outcome(s.Outcome)
	w.end(recordSequence)
	for rest := events; len(rest) > 0; {
		piece := rest[:min(len(rest), pieceSize)]
		rest = rest[len(piece):]
		w.record = append(w.record, piece...)
		w.end(recordEvents)
	}
	w.number(uint64(len(events)))
	w.number(uint64(crc32.Checksum(events, checkTable)))
	w.end(recordEnd)
	w.sequences++
	return w.err
}

// Close ends the archive. One that was not closed is incomplete.
func (w *Writer) Close() error {
	w.number(w.sequences)
	w.end(recordFinish)
	if err := w.body.Flush(); err != nil && w.err == nil {
		w.err = fmt.Errorf("end archive: %w", err)
	}
	if err := w.zip.Close(); err != nil && w.err == nil {
		w.err = fmt.Errorf("end archive: %w", err)
	}
	return w.err
}

func (w *Writer) point(p *spectra.Point) {
	w.text(string(p.Symbol), p.Package, p.File, p.Body)
	w.number(uint64(p.Index), uint64(p.Line), uint64(p.EndLine), uint64(len(p.Slots)))
	for _, s := range p.Slots {
		w.number(uint64(s.Kind))
		w.text(s.Name, s.Type)
	}
	w.end(recordPoint)
}

func (w *Writer) outcome(s *spectra.Spectrum) {
	w.number(uint64(s.End.Kind))
	w.text(s.End.Detail, s.Stdout, s.Stderr)
	w.number(uint64(s.Leaked))
	w.flag(s.Truncated)
	w.number(uint64(len(s.Steps)))
	for _, step := range s.Steps {
		w.flag(step.Ran)
		w.text(step.Panic)
		w.outputs(step.Results)
	}
	w.outputs(s.StubCalls)
	w.number(uint64(len(s.Files)))
	for _, f := range s.Files {
		w.text(f.Name)
		w.number(uint64(f.Size))
		w.digest(f.Digest)
	}
}

func (w *Writer) outputs(list []spectra.Output) {
	w.number(uint64(len(list)))
	for _, o := range list {
		w.text(o.Text)
		w.digest(o.Digest)
	}
}

func (w *Writer) number(list ...uint64) {
	for _, x := range list {
		w.record = binary.AppendUvarint(w.record, x)
	}
}

func (w *Writer) text(list ...string) {
	for _, s := range list {
		w.record = append(binary.AppendUvarint(w.record, uint64(len(s))), s...)
	}
}

func (w *Writer) flag(x bool) {
	if x {
		w.record = append(w.record, 1)
		return
	}
	w.record = append(w.record, 0)
}

func (w *Writer) digest(d spectra.Digest) {
	w.record = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(w.record, d[0]), d[1])
}

// end writes what was gathered as a record of that kind.
func (w *Writer) end(kind byte) {
	record := w.record
	w.record = w.record[:0]
	if w.err == nil && len(record) > maxRecord {
		w.err = fmt.Errorf("write archive: a record of %d bytes is longer than %d", len(record), maxRecord)
	}
	if w.err != nil {
		return
	}
	var head [1 + binary.MaxVarintLen64]byte
	head[0] = kind
	n := 1 + binary.PutUvarint(head[1:], uint64(len(record)))
	for _, b := range [][]byte{head[:n], record} {
		if _, err := w.body.Write(b); err != nil && w.err == nil {
			w.err = fmt.Errorf("write archive: %w", err)
		}
	}
}
