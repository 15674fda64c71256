package spectra

import (
	"crypto/sha256"
	"encoding/binary"
	"maps"
	"slices"
	"testing"

	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

func intValue(n int) *Value       { return &Value{Kind: wire.ValueInt, Bits: uint64(n)} }
func stringValue(s string) *Value { return &Value{Kind: wire.ValueString, Text: s} }

// state builds a state of values, its digest made from their text.
func state(values ...*Value) State {
	s := State{}.WithSlots([]Slot{})
	for _, v := range values {
		s = s.WithSlots(append(s.Slots(), Slot{Name: "x", Value: v}))
	}
	sum := sha256.Sum256([]byte(s.text()))
	s.Digest = Digest{binary.LittleEndian.Uint64(sum[:]), binary.LittleEndian.Uint64(sum[8:])}
	return s
}

// maxMain is the sample program of the dissertation, run on the input "0 1": main(argc, argv) calls max
// twice with the two numbers and prints what it returns.
func maxMain() *Spectrum {
	call := func() *Execution {
		return &Execution{Symbol: "main.max",
			Entry: state(intValue(0), intValue(1)), Exit: state(intValue(0), intValue(1), intValue(1))}
	}
	arguments := []*Value{intValue(3), stringValue("0"), stringValue("1")}
	program := &Execution{Symbol: "main.main",
		Entry: state(arguments...), Exit: state(append(slices.Clone(arguments), intValue(0))...),
		Children: []*Execution{call(), call()}}
	return &Spectrum{Steps: []StepOutcome{{Ran: true, Calls: []*Execution{program}}}, Stdout: "1"}
}

// TestTable71 compares with the value spectra of table 7.1.
func TestTable71(t *testing.T) {
	const main, max = `main(entry(3, "0", "1"),exit(3, "0", "1", 0))`, `max(entry(0, 1),exit(0, 1, 1))`
	s := maxMain()
	legend := s.Legend(Recorded)
	for _, test := range []struct {
		reason    string
		got, want []string
	}{
		{"hit: the distinct executions", legend.Hit(s.Hit(Recorded)), []string{main, max}},
		{"count: main once, max twice", legend.Count(s.Count(Recorded)), []string{main + "*1", max + "*2"}},
		{"trace: in order, with return markers", legend.Trace(s.Trace(Recorded)),
			[]string{main, max, "v", max, "v", "v"}},
	} {
		if !slices.Equal(test.got, test.want) {
			t.Errorf("%s:\n got %q\nwant %q", test.reason, test.got, test.want)
		}
	}
}

func TestSpectraSubsume(t *testing.T) {
	base := maxMain()
	for _, test := range []struct {
		reason            string
		change            func(main *Execution)
		hit, count, trace bool // whether they stay equal
	}{
		{"nothing changed", func(*Execution) {}, true, true, true},
		{"swapped arguments of the second call are another execution", func(e *Execution) {
			e.Children[1].Entry = state(intValue(1), intValue(0))
		}, false, false, false},
		{"one call less: only hit stays", func(e *Execution) { e.Children = e.Children[:1] }, true, false, false},
		{"the second call inside the first: only the trace differs", func(e *Execution) {
			e.Children[0].Children, e.Children = e.Children[1:], e.Children[:1]
		}, true, true, false},
		{"another way out is another execution", func(e *Execution) { e.Children[1].How = Panicked }, false, false,
			false},
	} {
		s := maxMain()
		test.change(s.Steps[0].Calls[0])
		hit, count := Differ(base, s, Recorded, Recorded)
		if hit == slices.Equal(base.Hit(Recorded), s.Hit(Recorded)) ||
			count == maps.Equal(base.Count(Recorded), s.Count(Recorded)) {
			t.Errorf("%s: told apart by hit %v, by count %v, unlike the spectra", test.reason, hit, count)
		}
		if got := slices.Equal(base.Hit(Recorded), s.Hit(Recorded)); got != test.hit {
			t.Errorf("%s: hit equal %v", test.reason, got)
		}
		if got := len(diffCounts(base.Count(Recorded), s.Count(Recorded))) == 0; got != test.count {
			t.Errorf("%s: count equal %v", test.reason, got)
		}
		if got := base.Trace(Recorded).Equal(s.Trace(Recorded)); got != test.trace {
			t.Errorf("%s: trace equal %v", test.reason, got)
		}
	}
}

func diffCounts(old, new Count) []Entity {
	var differ []Entity
	for e, n := range old {
		if new[e] != n {
			differ = append(differ, e)
		}
	}
	for e := range new {
		if old[e] == 0 {
			differ = append(differ, e)
		}
	}
	return differ
}

func TestTraceIgnoresOrderOfGoroutines(t *testing.T) {
	worker := func(n int) *Execution {
		return &Execution{Symbol: "m.worker", Go: true, Entry: state(intValue(n)), Exit: state()}
	}
	spectrum := func(workers ...*Execution) *Spectrum {
		return &Spectrum{Steps: []StepOutcome{{Calls: []*Execution{{Symbol: "m.F", Children: workers}}}}}
	}
	one, two := spectrum(worker(1), worker(2)), spectrum(worker(2), worker(1))
	if !one.Trace(Recorded).Equal(two.Trace(Recorded)) {
		t.Error("goroutines in another order give another trace")
	}
	if one.Trace(Recorded).Equal(spectrum(worker(1)).Trace(Recorded)) {
		t.Error("a goroutine less gives the same trace")
	}
}

func TestTruncatedIsLeftOut(t *testing.T) {
	s := maxMain()
	s.Steps[0].Calls[0].Exit.Truncated = true
	if got := s.Legend(Recorded).Hit(s.Hit(Recorded)); len(got) != 1 {
		t.Errorf("hit spectrum %q, want the two calls of max as one", got)
	}
}
