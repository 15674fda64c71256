package archive

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// printed returns an archive as text.
func printed(t *testing.T, from io.Reader, index int) (string, error) {
	t.Helper()
	r, err := NewReader(from)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var text strings.Builder
	err = Print(&text, r, index)
	return text.String(), err
}

const printedSample = `module example.com/m, old version, commit 0123
recorded with go1.26.0 and seed 1: the values of states
2 functions and literals, 1 package variables

sequence 0
v0 := F(0)

step 0 boom
  example.com/m.F returned
    entry x = 0
    exit x = 0
    exit ret0 = 1
    example.com/m.(*T).G panicked
  result 0 = one
step 1 did not run
stub call 0 stub
standard output "out\n"
file a of 3 bytes 00000000000000040000000000000005
end ended the process: 3

sequence 10
v0 := F(1)

step 0 boom
  result 0 = one
step 1 did not run
stub call 0 stub
standard output "out\n"
file a of 3 bytes 00000000000000040000000000000005
goroutines left behind 1
end ended the process: 3
`

func TestPrint(t *testing.T) {
	file := sample(t, 1, 0)
	text, err := printed(t, bytes.NewReader(file), All)
	if err != nil || text != printedSample {
		t.Errorf("printed, %v:\n%s", err, text)
	}
	one, err := printed(t, bytes.NewReader(file), 10)
	if err != nil || strings.Contains(one, "sequence 0") ||
		!strings.HasSuffix(text, one[strings.Index(one, "sequence 10"):]) {
		t.Errorf("sequence 10 alone, %v:\n%s", err, one)
	}
	if none, err := printed(t, bytes.NewReader(file), 1); !errors.Is(err, ErrNoSequence) ||
		strings.Contains(none, "sequence") {
		t.Errorf("a sequence that isn't there, %v:\n%s", err, none)
	}
}

// TestPrintDigests prints states that have no values: their digests stand for them.
func TestPrintDigests(t *testing.T) {
	p := &strings.Builder{}
	out := printer{out: bufio.NewWriter(p)}
	out.state(1, "entry", spectra.State{Digest: spectra.Digest{1, 0xabc}, Truncated: true})
	_ = out.out.Flush()
	want := "  entry 00000000000000010000000000000abc\n  entry is larger than what is recorded of a state\n"
	if p.String() != want {
		t.Errorf("printed %q, want %q", p, want)
	}
}

// TestPrintDamaged prints a damaged archive: what stands before the damage is printed.
func TestPrintDamaged(t *testing.T) {
	const header = "H\x06\x00\x00\x00\x00\x01\x00"
	const sequence = "S\x0b\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"
	text, err := printed(t, bytes.NewReader(archived(header, sequence, "Z\x02\x00\x00", sequence, "E\x01x")), All)
	if !errors.Is(err, ErrFormat) || strings.Count(text, "sequence 0") != 2 {
		t.Errorf("printed, %v:\n%s", err, text)
	}
}

// TestHalfAnEvent prints a sequence that ended its process while an event was written. That is no damage
// of the file, and what came before is shown.
func TestHalfAnEvent(t *testing.T) {
	cases := []struct {
		end    wire.End
		fails  bool
		reason string
	}{
		{wire.EndCrashed, false, "the process ended while it wrote"},
		{wire.EndDone, true, "the process went on, so all events are whole"},
	}
	events := stream(2, rand.New(rand.NewPCG(1, 1)))
	for _, c := range cases {
		var file bytes.Buffer
		w, err := NewWriter(&file, sampleHeader, samplePoints, sampleVariables)
		if err == nil {
			outcome := &spectra.Spectrum{Steps: make([]spectra.StepOutcome, 1), End: spectra.End{Kind: c.end}}
			err = errors.Join(w.Sequence(&Sequence{Outcome: outcome}, events[:len(events)-3]), w.Close())
		}
		if err != nil {
			t.Fatal(err)
		}
		text, err := printed(t, &file, All)
		if (err != nil) != c.fails || strings.Count(text, "example.com/m.F ") != 2 {
			t.Errorf("%v, fails: %t (%s):\n%s", err, c.fails, c.reason, text)
		}
	}
}

func TestBegins(t *testing.T) {
	cases := map[string]bool{magic + "x": true, "spectra\x07": true, `{"schema": "spectradiff/1"`: false, "": false}
	for text, want := range cases {
		from := bufio.NewReader(strings.NewReader(text))
		if got := Begins(from); got != want {
			t.Errorf("%q begins an archive: %t, want %t", text, got, want)
		}
		if rest, err := io.ReadAll(from); err != nil || string(rest) != text {
			t.Errorf("%q: %q is left to read, %v", text, rest, err)
		}
	}
}

// TestPrintMemory shows that printing many sequences takes no more memory than printing few.
func TestPrintMemory(t *testing.T) {
	events := stream(2_000, rand.New(rand.NewPCG(1, 2)))
	from, to := io.Pipe()
	go func() {
		w, err := NewWriter(to, sampleHeader, samplePoints, sampleVariables)
		for i := 0; i < 60 && err == nil; i++ {
			err = w.Sequence(&Sequence{i, "", &spectra.Spectrum{Steps: make([]spectra.StepOutcome, 1)}}, events)
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
	seen := &watched{before: heapSize()}
	if err := Print(seen, r, All); err != nil {
		t.Fatal(err)
	}
	if seen.sequences != 60 {
		t.Errorf("%d sequences were printed", seen.sequences)
	}
	if limit := seen.before + 32<<20; seen.most > limit {
		t.Errorf("%d bytes of memory at work, want at most %d", seen.most, limit)
	}
}

// A watched writer counts sequences, and measures the memory in use at each.
type watched struct {
	sequences    int
	before, most uint64
}

func (w *watched) Write(p []byte) (int, error) {
	if n := bytes.Count(p, []byte("\nend ")); n > 0 {
		w.sequences += n
		w.most = max(w.most, heapSize())
	}
	return len(p), nil
}

// failing is a writer that fails.
type failing struct{}

func (failing) Write([]byte) (int, error) { return 0, io.ErrShortWrite }

func TestPrintFails(t *testing.T) {
	r, err := NewReader(bytes.NewReader(sample(t, 1)))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	if err := Print(failing{}, r, All); !errors.Is(err, io.ErrShortWrite) ||
		!strings.Contains(fmt.Sprint(err), "print archive") {
		t.Errorf("a full disk: %v", err)
	}
}
