package replay

import (
	"reflect"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

const plainHello = "\x01\x08go1.26.0\x01\x03m/a\x01\x02"

// replied returns a player, sequences, and what a worker gave for them: two answers of one process, and the end of
// another.
func replied(t testing.TB) (p *Player, sequences []sequence.Sequence, given []Played, direct []Played) {
	t.Helper()
	point := spectra.Point{Symbol: "m/a.F", Package: "m/a"}
	p = &Player{
		Table:   Table{{Path: "m/a", Points: []spectra.Point{point}, Blocks: 2}},
		Limits:  Limits{Steps: 1000, EventBytes: 1 << 16, Idle: 1},
		Compare: Comparison{Numbers: map[spectra.Symbol]uint32{"m/a.F": 1}},
	}
	stream := append([]byte{wire.EventStep, 0, wire.EventEnter, 0}, make([]byte, 17)...)
	stream = append(append(stream, wire.EventExit, wire.ExitReturn), make([]byte, 17)...)
	bodies := [][]byte{
		answer{steps: results(1), coverage: many(1, 1), used: 5, events: stream}.body(),
		answer{index: 1, stdout: "out"}.body(),
	}
	end := ending{End: spectra.End{Kind: wire.EndTimeout, Detail: "waits"}, clock: Waiting}
	left := remains{statement: 1, stdout: "o", stderr: "e", salvaged: true, events: stream[:30]}
	for range 3 {
		sequences = append(sequences, sequence.Sequence{Statements: []sequence.Statement{{Op: "m.F"}, {Op: "m.G"}}})
	}
	decode := func(p *Player) (list []Played) {
		s := &session{p: p, greeting: []byte(plainHello)}
		if err := s.hello(s.greeting); err != nil {
			t.Fatal(err)
		}
		for i, body := range bodies {
			played, err := s.outcome(body, asked{index: i, statements: 2})
			if err != nil {
				t.Fatal(err)
			}
			if p.raw {
				played.reply = &reply{hello: s.greeting, index: i, body: body}
			}
			list = append(list, played)
		}
		s = &session{p: p, greeting: []byte(plainHello)}
		if err := s.hello(s.greeting); err != nil {
			t.Fatal(err)
		}
		return append(list, s.cut(end, left, 2, wire.ModeDigests))
	}
	raw := *p
	raw.raw = true
	return p, sequences, decode(&raw), decode(p)
}

// TestRead: what a worker gave is the same as what drivers here give, and nothing that no driver gives is accepted.
func TestRead(t *testing.T) {
	p, sequences, given, direct := replied(t)
	encoded := encodeReplies(given)
	if n := strings.Count(string(encoded), "m/a"); n != 2 {
		t.Errorf("%d hellos of two processes", n)
	}
	played, err := p.Read(encoded, sequences, wire.ModeDigests)
	if err != nil || len(played) != 3 {
		t.Fatalf("%d played, %v", len(played), err)
	}
	for i := range played {
		got, want := played[i], direct[i]
		if salvaged := i == 2; got.Spectrum.Salvaged != salvaged {
			t.Errorf("sequence %d: salvaged %v, want %v", i, got.Spectrum.Salvaged, salvaged)
		}
		if got.traced != want.traced || got.traced && !got.SameTrace(&want) ||
			string(got.stream) != string(want.stream) {
			t.Errorf("sequence %d: another recording", i)
		}
		got.recorded, want.recorded = recorded{}, recorded{}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("sequence %d: got %+v, want %+v", i, got, want)
		}
	}
	for _, c := range []struct {
		reason    string
		encoded   []byte
		sequences int
	}{
		{"fewer sequences were asked for", encoded, 2},
		{"something behind them", append(encoded[:len(encoded):len(encoded)], 0), 3},
		{"cut off", encoded[:len(encoded)-1], 3},
		{"nothing", nil, 3},
		{"no sequence", []byte{0}, 3},
	} {
		if _, err := p.Read(c.encoded, sequences[:c.sequences], wire.ModeDigests); err == nil {
			t.Errorf("%s: no error", c.reason)
		}
	}
}

// FuzzRead reads arbitrary bytes as what a worker gave.
func FuzzRead(f *testing.F) {
	p, sequences, given, _ := replied(f)
	f.Add(encodeReplies(given))
	f.Fuzz(func(t *testing.T, data []byte) {
		played, err := p.Read(data, sequences, wire.ModeDigests)
		if err == nil && len(played) > len(sequences) {
			t.Errorf("%d played", len(played))
		}
		for i := range played {
			if n := len(played[i].Spectrum.Steps); n > 2 {
				t.Errorf("%d steps", n)
			}
			played[i].Recorded()
		}
	})
}

// TestTask: a player that is made of a task configures drivers as the player does that made the task.
func TestTask(t *testing.T) {
	point := spectra.Point{Symbol: "m/a.F", Package: "m/a"}
	p := &Player{
		Table:  Table{{Path: "m/a", Points: []spectra.Point{point, {Symbol: "m/a.G", Index: 1}}, Blocks: 3}},
		Limits: DefaultLimits(),
		Compare: Comparison{
			Renames: map[string]string{"m/a.T": "m/a.U"}, Opaque: []string{"m/a.V"}, Vars: []string{"m/a.v"},
			Touches: map[spectra.Symbol][]int{"m/a.F": {0}}, Valued: map[spectra.Symbol]bool{"m/a.G": true},
			Near:    map[spectra.Symbol]bool{"m/a.F": true},
			Bubbles: true, Watch: map[string][]int{"m/a": {1, 2}},
		},
	}
	other := &Player{Limits: p.Limits, Compare: Comparison{Watch: p.Compare.Watch, Bubbles: true}, raw: true}
	if err := other.decodeTask(p.encodeTask()); err != nil {
		t.Fatal(err)
	}
	const hello = "\x01\x08go1.26.0\x01\x03m/a\x02\x03"
	of := func(p *Player) string {
		s := &session{p: p}
		if err := s.hello([]byte(hello)); err != nil {
			t.Fatal(err)
		}
		return string(s.configuration(7))
	}
	if got, want := of(other), of(p); got != want {
		t.Errorf("got %q, want %q", got, want)
	}
	for _, bad := range []string{"", "\x05", "\x00\x01\x01m\xff\xff\xff\xff\x7f\x00", "\x00\x00\x00"} {
		if err := new(Player).decodeTask([]byte(bad)); err == nil {
			t.Errorf("%q: no error", bad)
		}
	}
}
