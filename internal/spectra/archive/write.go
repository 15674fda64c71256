package archive

import (
	"bufio"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/klauspost/compress/zstd"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// Writer writes an archive. After an error it writes nothing more.
type Writer struct {
	body      *bufio.Writer
	zip       *zstd.Encoder
	record    wire.Writer
	sequences uint64
	err       error
}

// NewWriter begins an archive with its header, points and variables.
func NewWriter(to io.Writer, h Header, points []*spectra.Point, variables []string) (*Writer, error) {
	if _, err := io.WriteString(to, magic); err != nil {
		return nil, fmt.Errorf("begin archive: %w", err)
	}
	zip, err := zstd.NewWriter(to, zstd.WithEncoderConcurrency(1), zstd.WithWindowSize(windowSize),
		zstd.WithLowerEncoderMem(true))
	if err != nil {
		return nil, fmt.Errorf("begin archive: %w", err)
	}
	w := &Writer{zip: zip, body: bufio.NewWriterSize(zip, pieceSize)}
	writeHeader(&w.record, &h)
	w.end(recordHeader)
	for _, p := range points {
		writePoint(&w.record, p)
		w.end(recordPoint)
	}
	for _, name := range variables {
		w.record.Text(name)
		w.end(recordVariable)
	}
	return w, w.err
}

// Sequence adds a sequence with the events of its recording.
func (w *Writer) Sequence(s *Sequence, events []byte) error {
	w.record.Uint(uint64(s.Index))
	w.record.Text(s.Text)
	writeOutcome(&w.record, s.Outcome)
	w.end(recordSequence)
	for rest := events; len(rest) > 0; {
		piece := rest[:min(len(rest), pieceSize)]
		rest = rest[len(piece):]
		w.record = append(w.record, piece...)
		w.end(recordEvents)
	}
	w.record.Uint(uint64(len(events)))
	w.record.Uint(uint64(crc32.Checksum(events, checkTable)))
	w.end(recordEnd)
	w.sequences++
	return w.err
}

// Close ends the archive. An archive whose Writer was not closed is incomplete.
func (w *Writer) Close() error {
	w.record.Uint(w.sequences)
	w.end(recordFinish)
	if err := w.body.Flush(); err != nil && w.err == nil {
		w.err = fmt.Errorf("end archive: %w", err)
	}
	if err := w.zip.Close(); err != nil && w.err == nil {
		w.err = fmt.Errorf("end archive: %w", err)
	}
	return w.err
}

// end writes the bytes gathered so far as one record of the given kind.
func (w *Writer) end(kind byte) {
	record := w.record
	w.record = w.record[:0]
	if w.err == nil && len(record) > maxRecord {
		w.err = fmt.Errorf("write archive: a record of %d bytes is longer than %d", len(record), maxRecord)
	}
	if w.err != nil {
		return
	}
	var head wire.Writer
	head.Byte(kind)
	head.Count(len(record))
	for _, b := range []wire.Writer{head, record} {
		if _, err := w.body.Write(b); err != nil && w.err == nil {
			w.err = fmt.Errorf("write archive: %w", err)
		}
	}
}
