package archive

import (
	"bufio"
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/klauspost/compress/zstd"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// Reader reads an archive.
type Reader struct {
	Header    Header
	Points    []*spectra.Point
	Variables []string

	body      *bufio.Reader
	zip       *zstd.Decoder
	kind      byte // of the next record, whose kind is read already
	record    wire.Reader
	buffer    bytes.Buffer
	records   int
	sequences uint64
	inside    bool // of a sequence
	size      uint64
	sum       uint32
	err       error
}

// NewReader reads the header, the points and the variables of an archive.
func NewReader(from io.Reader) (*Reader, error) {
	head := make([]byte, len(magic))
	if _, err := io.ReadFull(from, head); err != nil {
		return nil, fmt.Errorf("read archive: no header: %w", errors.Join(ErrFormat, err))
	}
	last := len(magic) - 1
	switch {
	case string(head[:last]) != magic[:last]:
		return nil, fmt.Errorf("read archive: it begins with %q, so it is something else: %w", head, ErrFormat)
	case head[last] != magic[last]:
		return nil, fmt.Errorf(
			"read archive: its format has version %d, this program knows %d; use the release that wrote it: %w",
			head[last], magic[last], ErrFormat)
	}
	zip, err := zstd.NewReader(from,
		zstd.WithDecoderConcurrency(1), zstd.WithDecoderLowmem(true), zstd.WithDecoderMaxWindow(2*windowSize))
	if err != nil {
		return nil, fmt.Errorf("read archive: %w", err)
	}
	r := &Reader{zip: zip, body: bufio.NewReaderSize(zip, pieceSize)}
	r.preamble()
	if r.err != nil {
		r.Close()
		return nil, r.err
	}
	return r, nil
}

// Close frees what the Reader holds. It does not close the source of the archive.
func (r *Reader) Close() { r.zip.Close() }

func (r *Reader) preamble() {
	if r.next(); r.err == nil && r.kind != recordHeader {
		r.damaged("it does not begin with a header")
	}
	b := &r.record
	r.Header = readHeader(b)
	r.whole()
	size := 0
	for r.next(); r.err == nil && r.kind == recordPoint; r.next() {
		size += b.Len()
		p := readPoint(b)
		r.named(&size, 1+len(p.Slots))
		r.Points = append(r.Points, p)
		r.whole()
	}
	for ; r.err == nil && r.kind == recordVariable; r.next() {
		size += b.Len()
		r.named(&size, 1)
		r.Variables = append(r.Variables, b.Text())
		r.whole()
	}
}

// named adds things with names to the memory that they all take.
func (r *Reader) named(size *int, n int) {
	if *size += n * perNamed; *size > maxNamed {
		r.damaged(fmt.Sprintf("functions and variables that take more than %d bytes", maxNamed))
	}
}

// Next returns the next sequence, and io.EOF after the last one. It skips those events of the previous
// sequence that were not read.
func (r *Reader) Next() (*Sequence, error) {
	if r.inside {
		if _, err := io.Copy(io.Discard, r.Events()); err != nil {
			return nil, err
		}
	}
	switch {
	case r.err != nil:
		return nil, r.err
	case r.kind == recordFinish:
		return nil, r.finish()
	case r.kind != recordSequence:
		r.damaged(fmt.Sprintf("a record %q where a sequence is expected", r.kind))
		return nil, r.err
	}
	s := &Sequence{Index: r.record.Number(), Text: r.record.Text(), Outcome: readOutcome(&r.record)}
	r.whole()
	r.inside, r.size, r.sum = true, 0, 0
	r.sequences++
	r.next()
	return s, r.err
}

// finish checks the end of the archive.
func (r *Reader) finish() error {
	if n := r.record.Uint(); n != r.sequences {
		r.damaged(fmt.Sprintf("it has %d sequences, not %d", r.sequences, n))
		return r.err
	}
	r.whole()
	if r.err == nil {
		r.err = io.EOF
		if _, err := r.body.ReadByte(); err != io.EOF { // also checks the sum of all
			r.err = nil
			r.damaged("something follows its end")
		}
	}
	return r.err
}

// Events returns the event stream of the sequence that Next returned. It must be read before Next is
// called again.
func (r *Reader) Events() io.Reader { return (*events)(r) }

type events Reader

func (e *events) Read(p []byte) (int, error) {
	r := (*Reader)(e)
	for r.err == nil && r.inside {
		switch {
		case r.kind == recordEvents && r.record.Len() > 0:
			n := copy(p, r.record.Take(uint64(min(len(p), r.record.Len()))))
			r.size += uint64(n)
			r.sum = crc32.Update(r.sum, checkTable, p[:n])
			return n, nil
		case r.kind == recordEvents:
			r.next()
		case r.kind == recordEnd:
			r.endSequence()
		default:
			r.damaged(fmt.Sprintf("a record %q where events are expected", r.kind))
		}
	}
	if r.err != nil {
		return 0, r.err
	}
	return 0, io.EOF
}

func (r *Reader) endSequence() {
	size, sum := r.record.Uint(), r.record.Uint()
	r.whole()
	if r.err == nil && (size != r.size || sum != uint64(r.sum)) {
		r.damaged(fmt.Sprintf("the events of its sequence number %d do not add up", r.sequences))
	}
	r.inside = false
	if r.err == nil {
		r.next()
	}
}

// next reads a record.
func (r *Reader) next() {
	if r.err != nil {
		return
	}
	r.records++
	kind, err := r.body.ReadByte()
	if err != nil {
		r.broken(err)
		return
	}
	length, err := binary.ReadUvarint(r.body)
	if err != nil {
		r.broken(err)
		return
	}
	if length > maxRecord {
		r.damaged(fmt.Sprintf("a record of %d bytes", length))
		return
	}
	r.buffer.Reset()
	if _, err := io.CopyN(&r.buffer, r.body, int64(length)); err != nil { // grows only as far as there is input
		r.broken(err)
		return
	}
	r.kind, r.record = kind, wire.NewReader(r.buffer.Bytes())
}

// whole checks that a record was read to its end.
func (r *Reader) whole() {
	if r.err == nil && (r.record.Err() != nil || r.record.Len() > 0) {
		r.damaged(fmt.Sprintf("a record %q of another form", r.kind))
	}
}

func (r *Reader) damaged(what string) {
	if r.err == nil {
		r.err = fmt.Errorf("read archive: damaged at record %d: %s: %w", r.records, what, ErrFormat)
	}
}

func (r *Reader) broken(err error) {
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		r.err = fmt.Errorf(
			"read archive: it ends at record %d, the run that wrote it did not finish: %w", r.records, ErrFormat)
		return
	}
	r.err = fmt.Errorf("read archive: damaged at record %d: %w", r.records, errors.Join(ErrFormat, err))
}
