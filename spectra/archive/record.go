package archive

import (
	"encoding/binary"
	"math"

	"github.com/spectradiff/spectradiff/spectra"
)

// A record is the body of one that was read. After an error all is zero.
type record struct {
	rest []byte
	bad  bool
}

func (b *record) fail() { b.rest, b.bad = nil, true }

func (b *record) take(n uint64) []byte {
	if n > uint64(len(b.rest)) {
		b.fail()
		return nil
	}
	x := b.rest[:n]
	b.rest = b.rest[n:]
	return x
}

func (b *record) number() uint64 {
	x, n := binary.Uvarint(b.rest)
	if n <= 0 {
		b.fail()
		return 0
	}
	b.rest = b.rest[n:]
	return x
}

// small reads a number that fits an int32.
func (b *record) small() int {
	x := b.number()
	if x > math.MaxInt32 {
		b.fail()
		return 0
	}
	return int(x)
}

// count reads how many things of at least one byte follow.
func (b *record) count() int {
	n := b.number()
	if n > uint64(len(b.rest)) {
		b.fail()
		return 0
	}
	return int(n)
}

func (b *record) text() string { return string(b.take(b.number())) }

func (b *record) flag() bool {
	x := b.take(1)
	if x != nil && x[0] > 1 {
		b.fail()
	}
	return x != nil && x[0] == 1
}

func (b *record) digest() spectra.Digest {
	x := b.take(16)
	if x == nil {
		return spectra.Digest{}
	}
	return spectra.Digest{binary.LittleEndian.Uint64(x), binary.LittleEndian.Uint64(x[8:])}
}

func (b *record) point() *spectra.Point {
	p := &spectra.Point{Symbol: spectra.Symbol(b.text()), Package: b.text(), File: b.text(), Body: b.text()}
	p.Index, p.Line, p.EndLine = b.small(), b.small(), b.small()
	for range b.count() {
		kind := b.number()
		if kind > uint64(spectra.Result) {
			b.fail()
		}
		p.Slots = append(p.Slots, spectra.SlotDecl{Kind: spectra.SlotKind(kind), Name: b.text(), Type: b.text()})
	}
	return p
}

func (b *record) outcome() *spectra.Spectrum {
	s := &spectra.Spectrum{}
	kind := b.number()
	if kind > math.MaxUint8 {
		b.fail()
	}
	s.End = spectra.End{Kind: spectra.EndKind(kind), Detail: b.text()}
	s.Stdout, s.Stderr = b.text(), b.text()
	s.Leaked, s.Truncated = b.small(), b.flag()
	for range b.count() {
		s.Steps = append(s.Steps, spectra.StepOutcome{Ran: b.flag(), Panic: b.text(), Results: b.outputs()})
	}
	s.StubCalls = b.outputs()
	for range b.count() {
		s.Files = append(s.Files, spectra.FileOutput{Name: b.text(), Size: int64(b.number()), Digest: b.digest()})
	}
	return s
}

func (b *record) outputs() (list []spectra.Output) {
	for range b.count() {
		list = append(list, spectra.Output{Text: b.text(), Digest: b.digest()})
	}
	return list
}
