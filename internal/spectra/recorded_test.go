package spectra

import (
	"fmt"
	"slices"
	"strconv"
	"testing"

	"github.com/spectradiff/spectradiff/internal/spectra/rt"
)

var samplePoints = make([]rt.Point, 3)

func init() { rt.Register(rt.Package{Path: "main", Points: samplePoints}) }

var sampleNaming = Naming{Point: func(id uint32) *Point {
	return map[uint32]*Point{
		0: {Symbol: "main.main",
			Slots: []SlotDecl{{Parameter, "argc", "int"}, {Parameter, "argv1", "string"},
				{Parameter, "argv2", "string"}, {Result, "", "int"}}},
		1: {Symbol: "main.max",
			Slots: []SlotDecl{{Parameter, "x", "int"}, {Parameter, "y", "int"}, {Result, "", "int"}}},
		2: {Symbol: "main.(*list).push",
			Slots: []SlotDecl{{Receiver, "l", "*main.list"}, {Parameter, "m", "map[string]any"}}},
	}[id]
}}

// sampleMain is the program of table 7.1 as the instrumentation would write it.
func sampleMain(argc int, argv1, argv2 string) (r int) {
	if rt.On {
		a, b, c := argc, argv1, argv2
		f := rt.Enter(&samplePoints[0], &a, &b, &c)
		defer f.Exit(&a, &b, &c, &r)
	}
	i, _ := strconv.Atoi(argv1)
	j, _ := strconv.Atoi(argv2)
	if sampleMax(i, j) >= 0 {
		_ = fmt.Sprint(sampleMax(i, j))
	}
	return 0
}

func sampleMax(x, y int) (r int) {
	if rt.On {
		a, b := x, y
		f := rt.Enter(&samplePoints[1], &a, &b)
		defer f.Exit(&a, &b, &r)
	}
	return max(x, y)
}

type list struct {
	next  *list
	items []*int
	any   any
}

func (l *list) push(m map[string]any) {
	if rt.On {
		a, b := l, m
		f := rt.Enter(&samplePoints[2], &a, &b)
		defer f.Exit(&a, &b)
	}
	n := len(m)
	l.items = append(l.items, &n, &n)
	l.next = l
	panic("full")
}

// record runs a statement and decodes what the runtime recorded of it.
func record(t *testing.T, values bool, statement func()) *Spectrum {
	t.Helper()
	const limit = 1 << 16
	rt.Begin(make([]byte, 2*limit), limit, values, 1<<20)
	rt.Mark(0)
	statement()
	stream, full := rt.End()
	if full {
		t.Fatal("no room for the events")
	}
	events, err := Decode(stream, sampleNaming)
	if err != nil {
		t.Fatal(err)
	}
	s := &Spectrum{Steps: []StepOutcome{{Ran: true}}}
	events.Attach(s)
	return s
}

func TestTable71Recorded(t *testing.T) {
	run := func() { sampleMain(3, "0", "1") }
	s := record(t, true, run)
	legend := s.Legend(Recorded)
	const main, max = `main(entry(3, "0", "1"),exit(3, "0", "1", 0))`, `max(entry(0, 1),exit(0, 1, 1))`
	if got, want := legend.Trace(s.Trace(Recorded)), []string{main, max, "v", max, "v", "v"}; !slices.Equal(got, want) {
		t.Errorf("trace %q, want %q", got, want)
	}
	if got, want := legend.Count(s.Count(Recorded)), []string{main + "*1", max + "*2"}; !slices.Equal(got, want) {
		t.Errorf("count %q, want %q", got, want)
	}
	if !slices.Equal(s.Hit(Recorded), record(t, false, run).Hit(Recorded)) {
		t.Error("with and without values the digests differ")
	}
}

func TestRecordedValues(t *testing.T) {
	s := record(t, true, func() {
		defer func() { _ = recover() }()
		(&list{any: [2]float64{1, 2}}).push(map[string]any{"b": 1, "a": []byte("x")})
	})
	push := s.Steps[0].Calls[0]
	const entry = `[{recv.any[0] 1.0} {recv.any[1] 2.0} {recv.items nil} {recv.next nil} ` +
		`{m["a"] []byte("x")} {m["b"] 1}]`
	if got := fmt.Sprint(slices.Collect(Leaves(push.Entry.Slots()))); got != entry {
		t.Errorf("entry %s\nwant  %s", got, entry)
	}
	// Outside of a target the runtime can't see the panic value.
	const exit = `[{recv.any[0] 1.0} {recv.any[1] 2.0} {recv.items[0] 2} {recv.items[1] ref#3} {recv.next ref#1} ` +
		`{m["a"] []byte("x")} {m["b"] 1} {panic nil}]`
	if got := fmt.Sprint(slices.Collect(Leaves(push.Exit.Slots()))); got != exit || push.How != Panicked {
		t.Errorf("exit %s\nwant %s", got, exit)
	}
}
