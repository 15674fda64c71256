package archive

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"reflect"
	"runtime"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

var (
	samplePoints = []*spectra.Point{
		{Symbol: "example.com/m.F", Package: "example.com/m", File: "f.go", Line: 3, EndLine: 9, Body: "abc",
			Slots: []spectra.SlotDecl{{Kind: spectra.Parameter, Name: "x", Type: "int"},
				{Kind: spectra.Result, Name: "ret0", Type: "int"}}},
		{Symbol: "example.com/m.(*T).G", Package: "example.com/m", Index: 1, File: "g.go", Line: 1, EndLine: 1},
	}
	sampleVariables = []string{"example.com/m.v"}
	sampleHeader    = Header{Module: "example.com/m", Side: "old", Commit: "0123", Go: "go1.26.0", Seed: 1,
		Values: true}
)

// stream returns a recording of n calls of F, each of which calls G.
func stream(n int, random *rand.Rand) []byte {
	var b []byte
	state := func(values ...byte) {
		b = append(b, wire.StateValues)
		b = binary.LittleEndian.AppendUint64(binary.LittleEndian.AppendUint64(b, random.Uint64()), random.Uint64())
		b = append(binary.AppendUvarint(b, uint64(len(values))), values...)
	}
	b = append(b, wire.EventGoroutine, 7, 1, 0, wire.EventStep, 0)
	for i := range n {
		b = append(b, wire.EventEnter, 0)
		state(0, wire.ValueInt, byte(i%64*2))
		b = append(b, wire.EventEnter, 1)
		state()
		b = append(b, wire.EventExit, wire.ExitPanic)
		state()
		b = append(b, wire.EventExit, wire.ExitReturn)
		state(0, wire.ValueInt, byte(i%64*2), 1, wire.ValueInt, 2)
	}
	return b
}

func sampleOutcome(i int) *spectra.Spectrum {
	return &spectra.Spectrum{
		Steps: []spectra.StepOutcome{{Ran: true, Panic: "boom",
			Results: []spectra.Output{{Digest: spectra.Digest{1, uint64(i)}, Text: "one"}}}, {}},
		Stdout:    "out\n",
		Files:     []spectra.FileOutput{{Name: "a", Size: 3, Digest: spectra.Digest{4, 5}}},
		StubCalls: []spectra.StubCall{{Output: spectra.Output{Text: "stub"}, Step: -1}},
		End:       spectra.End{Kind: wire.EndExited, Detail: "3"},
		Leaked:    i,
	}
}

// sample returns an archive with one sequence for each of the numbers, which has that many calls.
func sample(t testing.TB, calls ...int) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := NewWriter(&b, sampleHeader, samplePoints, sampleVariables)
	if err != nil {
		t.Fatal(err)
	}
	random := rand.New(rand.NewPCG(1, 1))
	for i, n := range calls {
		if err := w.Sequence(&Sequence{10 * i, fmt.Sprintf("v0 := F(%d)", i), sampleOutcome(i)},
			stream(n, random)); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// read reads and decodes a whole archive.
func read(from io.Reader) (list []*spectra.Spectrum, err error) {
	r, err := NewReader(from)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	for {
		s, err := r.Next()
		if err == io.EOF {
			return list, nil
		}
		if err != nil {
			return list, err
		}
		spectrum, err := r.Spectrum(s)
		if err != nil {
			return list, err
		}
		for e := range spectrum.Executions { // so that equal ones are deeply equal
			e.Entry, e.Exit = e.Entry.WithSlots(e.Entry.Slots()), e.Exit.WithSlots(e.Exit.Slots())
		}
		list = append(list, spectrum)
	}
}

func TestRoundTrip(t *testing.T) {
	calls := []int{0, 1, 5000, 3}
	file := sample(t, calls...)
	r, err := NewReader(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	if r.Header != sampleHeader || !reflect.DeepEqual(r.Points, samplePoints) ||
		!reflect.DeepEqual(r.Variables, sampleVariables) {
		t.Errorf("header %+v, points %v, variables %v", r.Header, r.Points, r.Variables)
	}
	random := rand.New(rand.NewPCG(1, 1))
	for i, n := range calls {
		s, err := r.Next()
		if err != nil {
			t.Fatal(err)
		}
		if want := (&Sequence{10 * i, fmt.Sprintf("v0 := F(%d)", i), sampleOutcome(i)}); !reflect.DeepEqual(s, want) {
			t.Errorf("sequence %+v, want %+v", s, want)
		}
		events := stream(n, random)
		if i == 1 {
			continue // Next skips events that were not read
		}
		if got, err := io.ReadAll(r.Events()); err != nil || !bytes.Equal(got, events) {
			t.Errorf("sequence %d: %d bytes of events, %v; want %d", i, len(got), err, len(events))
		}
	}
	if _, err := r.Next(); err != io.EOF {
		t.Errorf("after the last sequence: %v", err)
	}
	if _, err := r.Next(); err != io.EOF {
		t.Errorf("and again: %v", err)
	}
	if !bytes.Equal(file, sample(t, calls...)) {
		t.Error("the same input gives other bytes")
	}
}

func TestDecodes(t *testing.T) {
	list, err := read(bytes.NewReader(sample(t, 2)))
	if err != nil {
		t.Fatal(err)
	}
	calls := list[0].Steps[0].Calls
	if len(calls) != 2 || calls[1].Symbol != "example.com/m.F" || len(calls[1].Children) != 1 ||
		calls[1].Exit.Slots()[1].Name != "ret0" {
		t.Errorf("decoded calls %+v", calls)
	}
}

// TestDamage cuts an archive at every place and changes every byte. Reading a shortened archive must
// fail. Reading a changed one must fail or return the same.
func TestDamage(t *testing.T) {
	file := sample(t, 3, 0, 2)
	want, err := read(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	seen := 0
	for i := range file {
		if _, err := read(bytes.NewReader(file[:i])); !errors.Is(err, ErrFormat) {
			t.Errorf("cut off at byte %d of %d: %v", i, len(file), err)
		}
		for _, bit := range []byte{1, 0x10, 0x80} {
			damaged := bytes.Clone(file)
			damaged[i] ^= bit
			got, err := read(bytes.NewReader(damaged))
			if err != nil {
				seen++
			} else if !reflect.DeepEqual(got, want) {
				t.Errorf("byte %d of %d changed by %#x: no error", i, len(file), bit)
			}
		}
	}
	if seen < 29*len(file)/10 {
		t.Errorf("only %d of %d damaged files were seen to be so", seen, 3*len(file))
	}
	if _, err := read(bytes.NewReader(append(bytes.Clone(file), 'x'))); !errors.Is(err, ErrFormat) {
		t.Errorf("a byte too many: %v", err)
	}
}

// archived compresses records that are made by hand.
func archived(records ...string) []byte {
	var b bytes.Buffer
	b.WriteString(magic)
	w, _ := zstd.NewWriter(&b)
	_, _ = io.WriteString(w, strings.Join(records, ""))
	_ = w.Close()
	return b.Bytes()
}

func TestErrors(t *testing.T) {
	const header = "H\x06\x00\x00\x00\x00\x01\x00"
	const sequence = "S\x0b\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
	for _, test := range []struct {
		reason string
		file   []byte
		want   string
	}{
		{"nothing", nil, "no header"},
		{"something else", []byte("PK\x03\x04 and so on"), "it is something else"},
		{"a later format", []byte("spectra\x03"),
			"its format has version 3, this program knows 2; use the release that wrote it"},
		{"only the magic", []byte(magic), "it ends at record 1"},
		{"no compressed data", []byte(magic + "some text instead"), "damaged at record 1"},
		{"no header", archived("F\x01\x00"), "it does not begin with a header"},
		{"nothing behind the header", archived(header), "it ends at record 2"},
		{"a record that is too long", archived(header, "P\xff\xff\xff\xff\x7f"), "a record of 34359738367 bytes"},
		{"a record that ends too early", archived(header, "F\x00"), "of another form"},
		{"events of no sequence", archived(header, "E\x01x"), "a record 'E' where a sequence is expected"},
		{"a sequence in another", archived(header, sequence, sequence), "a record 'S' where events are expected"},
		{"too few sequences", archived(header, "F\x01\x01"), "it has 0 sequences, not 1"},
		{"events that are missing", archived(header, sequence, "Z\x02\x01\x00", "F\x01\x01"), "do not add up"},
		{"something behind the end", archived(header, "F\x01\x00", "F\x01\x00"), "something follows its end"},
	} {
		_, err := read(bytes.NewReader(test.file))
		if !errors.Is(err, ErrFormat) || !strings.Contains(fmt.Sprint(err), test.want) {
			t.Errorf("%s: %v, want %q", test.reason, err, test.want)
		}
	}
	if _, err := read(bytes.NewReader(archived(header, sequence, "Z\x02\x00\x00", "F\x01\x01"))); err != nil {
		t.Errorf("an archive made by hand: %v", err)
	}
}

// TestMemory shows that many events take no more memory than few.
func TestMemory(t *testing.T) {
	events := stream(200_000, rand.New(rand.NewPCG(1, 2)))
	from, to := io.Pipe()
	go func() {
		w, err := NewWriter(to, sampleHeader, samplePoints, sampleVariables)
		for i := 0; i < 5 && err == nil; i++ { // 4 million events
			err = w.Sequence(&Sequence{i, "", &spectra.Spectrum{}}, events)
		}
		if err == nil {
			err = w.Close()
		}
		to.CloseWithError(err)
	}()
	r, err := NewReader(from)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	before, most, total := heapSize(), uint64(0), int64(0)
	for {
		if _, err := r.Next(); err == io.EOF {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		n, err := io.Copy(io.Discard, r.Events())
		if err != nil {
			t.Fatal(err)
		}
		total += n
		most = max(most, heapSize())
	}
	if total != 5*int64(len(events)) {
		t.Errorf("%d bytes of events, want %d", total, 5*len(events))
	}
	if limit := before + 32<<20; most > limit {
		t.Errorf("%d bytes of memory at work for %d bytes of events, want at most %d", most, total, limit)
	}
}

func heapSize() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// FuzzReader reads records with arbitrary content.
func FuzzReader(f *testing.F) {
	for _, calls := range [][]int{nil, {0}, {1, 2}} {
		file := sample(f, calls...)
		zip, err := zstd.NewReader(bytes.NewReader(file[len(magic):]))
		if err != nil {
			f.Fatal(err)
		}
		body, err := io.ReadAll(zip)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(body)
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		list, err := read(bytes.NewReader(archived(string(body))))
		if err == nil && len(list) > len(body) {
			t.Errorf("%d sequences in %d bytes", len(list), len(body))
		}
	})
}

// TestTooMuch: an archive may hold more than is decoded, or than is read at all.
func TestTooMuch(t *testing.T) {
	const header = "H\x06\x00\x00\x00\x00\x01\x00"
	point := func(slots int) string {
		var w wire.Writer
		w = append(w, 0, 0, 0, 0, 0, 0, 0)
		w.Count(slots)
		w = append(w, make([]byte, 3*slots)...)
		var record wire.Writer
		record.Byte(recordPoint)
		record.Bytes(w)
		return string(record)
	}
	for _, c := range []struct {
		reason string
		file   []byte
		want   string
	}{
		{"functions with many slots", archived(header, strings.Repeat(point(maxList), maxNamed/maxList/perNamed)),
			"functions and variables that take more than"},
		{"a list that is too long", archived(header, point(maxList+1)), "of another form"},
	} {
		_, err := read(bytes.NewReader(c.file))
		if !errors.Is(err, ErrFormat) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.reason, err, c.want)
		}
	}
	for reason, events := range map[string][]byte{
		"more bytes than are decoded": bytes.Repeat(make([]byte, 1<<20), maxEvents>>20+1),
		"more nodes than are decoded": bytes.Repeat([]byte{wire.EventStep, 0}, spectra.MaxNodes+1),
	} {
		var b bytes.Buffer
		w, err := NewWriter(&b, sampleHeader, samplePoints, sampleVariables)
		if err == nil {
			err = errors.Join(w.Sequence(&Sequence{Outcome: &spectra.Spectrum{}}, events), w.Close())
		}
		if err != nil {
			t.Fatal(err)
		}
		list, err := read(&b)
		if err != nil || len(list) != 1 || !list[0].Truncated {
			t.Errorf("%s: %d sequences, error %v", reason, len(list), err)
		}
	}
}
