package spectra

import (
	"encoding/binary"
	"fmt"
	"math"
	"slices"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// A stream collects events, written as the runtime writes them.
type stream struct{ b []byte }

func (s *stream) enter(point uint64, slots ...byte) *stream {
	s.b = append(binary.AppendUvarint(append(s.b, wire.EventEnter), point), wire.StateValues|wire.StateSite)
	s.state(slots)
	s.b = append(s.b, 7) // line of the call
	return s
}

func (s *stream) exit(how byte, slots ...byte) *stream {
	s.b = append(s.b, wire.EventExit, how, wire.StateValues)
	s.state(slots)
	return s
}

func (s *stream) state(slots []byte) {
	s.b = append(s.b, make([]byte, 16)...)
	s.b = append(binary.AppendUvarint(s.b, uint64(len(slots))), slots...)
}

func (s *stream) on(goroutine, parent byte) *stream {
	s.b = append(s.b, wire.EventGoroutine, goroutine, parent, 0)
	return s
}

// born adds the first event of a goroutine that was started with a ticket.
func (s *stream) born(goroutine, ticket byte) *stream {
	s.b = append(s.b, wire.EventGoroutine, goroutine, 0, ticket)
	return s
}

func (s *stream) step(n byte) *stream { s.b = append(s.b, wire.EventStep, n); return s }
func (s *stream) start() *stream      { s.b = append(s.b, wire.EventGo, 0); return s }
func (s *stream) take(n byte) *stream { s.b = append(s.b, wire.EventGo, n); return s }

func (s *stream) left(goroutine, ticket byte) *stream {
	s.b = append(s.b, wire.EventLeft, goroutine, ticket, wire.LeftWaiting, 6)
	s.b = append(s.b, "select\x05start"...)
	return s
}

var testPoints = []*Point{
	{Symbol: "m.A",
		Slots: []SlotDecl{{Kind: Receiver, Name: "t"}, {Kind: Parameter, Name: "n"}, {Kind: Result, Name: "out"},
			{Kind: Result, Name: "err"}}},
	{Symbol: "m.B"}, {Symbol: "m.C"}, {Symbol: "m.D"},
}

var testNaming = Naming{
	Point: func(id uint32) *Point {
		if int(id) < len(testPoints) {
			return testPoints[id]
		}
		return nil
	},
	Global: func(int) string { return "m.global" },
}

func shape(list []*Execution) string {
	var parts []string
	for _, e := range list {
		text := e.Symbol.Short()
		if e.Go {
			text = "go " + text
		}
		if e.How != Returned {
			text += "!" + string(rune('0'+e.How))
		}
		for _, l := range e.Goroutines {
			text += "-" + l.Start
		}
		if len(e.Children) > 0 {
			text += "(" + shape(e.Children) + ")"
		}
		parts = append(parts, text)
	}
	return strings.Join(parts, " ")
}

func TestDecodeTrees(t *testing.T) {
	const a, b, c, d = 0, 1, 2, 3
	for _, test := range []struct {
		reason string
		in     *stream
		want   string // the trees of the steps | the stray ones
	}{
		{"calls nest, steps separate",
			new(stream).on(5, 0).step(0).enter(a).enter(b).exit(0).exit(0).step(1).enter(c).exit(1),
			"A(B) / C!1 |"},
		{"what is open at the end stays open", new(stream).on(5, 0).step(0).enter(a).enter(b), "A!3(B!3) |"},
		{"what is open at the next step stays open", new(stream).on(5, 0).step(0).enter(a).step(1).enter(b).exit(0),
			"A!3 / B |"},
		{"a goroutine stands where its go statement stands, though it runs later",
			new(stream).on(5, 0).step(0).enter(a).start().enter(c).exit(0).exit(0).on(6, 5).enter(b).exit(0),
			"A(go B C) |"},
		{"children pair with go statements by id, not by who ran first",
			new(stream).on(5, 0).step(0).enter(a).start().exit(0).enter(d).start().exit(0).on(7, 5).enter(c).exit(0).
				on(6, 5).enter(b).exit(0),
			"A(go B) D(go C) |"},
		{"more children than go statements: under what was open when first seen",
			new(stream).on(5, 0).step(0).enter(a).on(6, 5).enter(b).exit(0).on(5, 0).exit(0), "A(go B) |"},
		{"more go statements than children: the nearest one when nothing is open any more",
			new(stream).on(5, 0).step(0).enter(a).start().start().exit(0).on(6, 5).enter(b).exit(0), "A(go B) |"},
		{"a goroutine of a goroutine",
			new(stream).on(5, 0).step(0).enter(a).start().exit(0).on(6, 5).enter(b).start().exit(0).on(7, 6).enter(c).
				exit(0),
			"A(go B(go C)) |"},
		{"no parent: stray", new(stream).on(5, 0).step(0).enter(a).exit(0).on(9, 0).enter(b).exit(0), "A | go B"},
		{"no go statement and nothing under way: in the step", new(stream).on(5, 0).step(0).on(9, 5).enter(b).exit(0),
			"go B |"},
		{"a goroutine that is still at work does not get the next step",
			new(stream).on(5, 0).step(0).enter(a).start().exit(0).on(6, 5).enter(b).on(5, 0).step(1).on(6, 5).exit(0).
				on(5, 0).enter(c).exit(0), "A(go B) / C |"},
		{"tickets say where a goroutine stands, whoever ran first",
			new(stream).on(5, 0).step(0).enter(a).take(1).enter(d).take(2).exit(0).take(3).born(8, 3).enter(b).exit(0).
				born(7, 2).enter(c).exit(0).born(6, 1).enter(d).exit(0).on(5, 0).exit(0),
			"A(go D D(go C) go B) |"},
		{"several goroutines in one place stand in the order in which they were started",
			new(stream).on(5, 0).step(0).enter(a).take(1).take(2).exit(0).born(7, 2).enter(c).exit(0).born(6, 1).
				enter(b).exit(0), "A(go B go C) |"},
		{"what a goroutine without executions started stands where that one does",
			new(stream).on(5, 0).step(0).enter(a).take(1).enter(b).exit(0).exit(0).born(6, 1).take(2).born(7, 2).
				enter(c).exit(0), "A(go C B) |"},
		{"a goroutine that the driven call itself started stands in the step",
			new(stream).on(5, 0).step(0).take(1).step(1).enter(a).exit(0).born(6, 1).enter(b).exit(0), "go B / A |"},
		{"whoever started them, they stand in the order of the tickets",
			new(stream).on(5, 0).step(0).take(1).take(2).born(6, 1).take(3).take(4).born(7, 2).enter(b).exit(0).
				born(9, 4).enter(d).exit(0).born(8, 3).enter(c).exit(0), "go C go D go B |"},
		{"a ticket that nobody took: stray", new(stream).on(5, 0).step(0).enter(a).exit(0).born(6, 9).enter(b).exit(0),
			"A | go B"},
		{"tickets that go in circles: stray",
			new(stream).on(5, 0).step(0).born(6, 1).take(2).born(7, 2).take(1).enter(b).exit(0), " | go B"},
		{"what is left is noted where it was started",
			new(stream).on(5, 0).step(0).enter(a).take(1).exit(0).left(6, 1), "A-start |"},
		{"what is left and did run is noted by its first function",
			new(stream).on(5, 0).step(0).enter(a).take(1).exit(0).born(6, 1).enter(b).left(6, 1), "A-m.B(go B!3) |"},
		{"before the first step: stray", new(stream).enter(b).exit(0).on(5, 0).step(0).enter(a).exit(0), "A | go B"},
	} {
		events, err := Decode(test.in.b, testNaming)
		if err != nil {
			t.Errorf("%s: %v", test.reason, err)
		}
		var steps []string
		for _, s := range events.Steps {
			steps = append(steps, shape(s.Calls))
		}
		got := strings.Join(steps, " / ") + " | " + shape(events.Stray)
		if strings.TrimSpace(got) != strings.TrimSpace(test.want) {
			t.Errorf("%s:\n got %s\nwant %s", test.reason, got, test.want)
		}
	}
}

func TestDecodeNamesSlots(t *testing.T) {
	slots := []byte{0, wire.ValueNil, 1, wire.ValueInt, 4, 2, wire.ValueBool, 1, 3, wire.ValueNil}
	slots = append(binary.AppendUvarint(slots, wire.SlotPanic), wire.ValueNil)
	slots = append(binary.AppendUvarint(slots, wire.SlotGlobal+3), wire.ValueNil)
	events, err := Decode(new(stream).step(0).enter(0, slots...).exit(0).b, testNaming)
	if err != nil {
		t.Fatal(err)
	}
	e := events.Steps[0].Calls[0]
	var names []string
	for _, s := range e.Entry.Slots() {
		names = append(names, s.Name+"="+s.Value.String())
	}
	if got, want := strings.Join(names, " "), "recv=nil n=2 ret0=true ret1=nil panic=nil m.global=nil"; got != want {
		t.Errorf("slots %s, want %s", got, want)
	}
	if e.Site != 7 {
		t.Errorf("call site %d, want 7", e.Site)
	}
}

func TestDecodeBadInput(t *testing.T) {
	good := new(stream).step(0).enter(1).exit(0).b
	for _, test := range []struct {
		reason string
		in     []byte
		want   string
	}{
		{"cut in the middle", good[:len(good)-3], "too early"},
		{"an event nobody wrote", append(slices.Clone(good), 99), "unknown event 99"},
		{"a point nobody declared", new(stream).enter(77).b, "unknown point 77"},
		{"an end without a beginning", new(stream).step(0).exit(0).b, "never began"},
		{"bad values cost one state", new(stream).step(0).enter(1).exit(0, 0, 'Z').b, "unknown value token"},
		{
			"a length that is a lie",
			new(stream).step(0).enter(1, 0, wire.ValueArray, 0xff, 0xff, 0xff, 0x7f).b, "too early",
		},
	} {
		events, err := Decode(test.in, testNaming)
		if err == nil || !strings.Contains(err.Error(), test.want) {
			t.Errorf("%s: error %v, want %q in it", test.reason, err, test.want)
		}
		if events == nil {
			t.Errorf("%s: no partial result", test.reason)
		}
	}
}

func TestDeepCallsAreListedFlat(t *testing.T) {
	s := new(stream).step(0)
	for range deepest + 10 {
		s.enter(1)
	}
	events, err := Decode(s.b, testNaming)
	if err != nil || events.Executions != deepest+10 {
		t.Fatalf("%d executions, error %v", events.Executions, err)
	}
	depth, e := 1, events.Steps[0].Calls[0]
	for len(e.Children) > 0 {
		depth, e = depth+1, e.Children[0]
	}
	if depth != deepest+2 {
		t.Errorf("depth %d, want %d", depth, deepest+2)
	}
}

func sample() []byte {
	nan := binary.LittleEndian.AppendUint64(nil, math.Float64bits(1.5))
	v := []byte{0, wire.ValuePointer, 1, wire.ValueStruct, 3, 'm', '.', 'T', 2, 1, 'f', wire.ValueFloat}
	v = append(v, nan...)
	v = append(v, 1, 'g', wire.ValueMap, 2, 1, wire.ValueString, 1, 'k', wire.ValueRef, 1)
	return append(v, 1, wire.ValueSlice, 3, 2, wire.ValueInterface, 3, 'i', 'n', 't', wire.ValueInt, 2,
		wire.ValueBytes, 4, 2, 'h', 'i')
}

func FuzzDecodeSlots(f *testing.F) {
	f.Add(sample())
	f.Fuzz(func(t *testing.T, b []byte) {
		read, skimmed := Budget(MaxNodes), Budget(MaxNodes)
		slots, err := DecodeSlots(b, &read, func(int) string { return "s" })
		in := wire.NewReader(b)
		if other := skimSlots(&in, &skimmed); fmt.Sprint(other) != fmt.Sprint(err) || read != skimmed {
			t.Errorf("skimmed: %v, %d nodes left; read: %v, %d", other, skimmed, err, read)
		}
		if err == nil && len(b) > 0 && len(slots) == 0 {
			t.Error("bytes without slots are no error")
		}
		if leaves := slices.Collect(Leaves(slots)); len(leaves) > len(b) {
			t.Errorf("%d leaves from %d bytes", len(leaves), len(b))
		}
		for _, s := range slots {
			if n := len([]rune(s.Value.Short(20))); n > 20 {
				t.Errorf("text of %d characters, want at most 20", n)
			}
		}
	})
}

func FuzzDecode(f *testing.F) {
	f.Add(new(stream).on(5, 0).step(0).enter(0, sample()...).start().exit(0).on(6, 5).enter(1).exit(2).b)
	f.Fuzz(func(t *testing.T, b []byte) {
		events, _ := Decode(b, testNaming)
		var s Spectrum
		s.Steps = make([]StepOutcome, 2)
		events.Attach(&s)
		n := 0
		for range s.Executions {
			n++
		}
		if n != events.Executions || n > len(b) {
			t.Errorf("%d executions in the trees, %d decoded, from %d bytes", n, events.Executions, len(b))
		}
	})
}
