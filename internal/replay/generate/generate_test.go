package generate

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"go/constant"
	"go/types"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/carve"
	"github.com/spectradiff/spectradiff/internal/replay/generate/novelty"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

func run(t testing.TB, in Input) Generated {
	t.Helper()
	out, err := Run(context.Background(), in)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestReaches(t *testing.T) {
	cases := []struct {
		counter uint32
		reason  string
	}{
		{deepStack, "push 42, push, pop and check on one stack"},
		{doubleWrap, "a function value applied to its own result, then run through the interface"},
		{bothOptions, "two options that other operations returned"},
		{goodParse, "a mined string"},
		{badParse, "a string that is refused"},
		{closedBracket, "a mined string used as it is"},
		{merged, "a pointer to a struct and a struct of one kind in slots of type any"},
		{highLevel, "a declared constant of the parameter's type"},
		{mapped, "an instance of a generic function, with a list and a stub"},
	}
	for _, state := range []bool{true, false} {
		hit := map[uint32]bool{}
		for seed := range uint64(3) { // without directions to it, one seed in three misses the first
			in := fixture(t)
			p := newPlayer(t, &in)
			p.state, in.Seed = state, seed+1
			in.Limits.Candidates = 20000
			in.Limits.Plateau = 20000
			out := run(t, in)
			maps.Copy(hit, p.world.hit)
			if len(out.Stats.Reached) != len(in.Operations) {
				t.Errorf("state known: %t, seed %d: only %q were called", state, in.Seed, out.Stats.Reached)
			}
			t.Logf("%+v", out.Stats)
		}
		for _, c := range cases {
			if !hit[c.counter] {
				t.Errorf("state known: %t: not reached: %s", state, c.reason)
			}
		}
	}
}

func TestDeterministic(t *testing.T) {
	texts := func(seed uint64) []string {
		in := fixture(t)
		newPlayer(t, &in)
		in.Seed, in.Limits.Sequences = seed, 300
		out := run(t, in)
		if out.Stop != Enough || len(out.Kept) != 300 {
			t.Fatalf("kept %d, stopped by %q", len(out.Kept), out.Stop)
		}
		var texts []string
		for _, k := range out.Kept {
			texts = append(texts, string(k.Reason)+"\n"+k.Sequence.String())
		}
		return texts
	}
	first, second, other := texts(7), texts(7), texts(8)
	if !reflect.DeepEqual(first, second) {
		t.Error("one seed gave two results")
	}
	if reflect.DeepEqual(first, other) {
		t.Error("two seeds gave one result")
	}
}

// TestFilters checks every sequence made after a value was found unusable.
func TestFilters(t *testing.T) {
	in := fixture(t)
	p := newPlayer(t, &in)
	in.Limits.Candidates = 20000
	in.Limits.Plateau = 20000
	exits := 0
	p.observe = func(s sequence.Sequence, o Outcome) {
		if o.End == wire.EndExited {
			exits++
		}
	}
	out := run(t, in)
	kept := map[sequence.Key]Reason{}
	panics := map[string]int{}
	for _, k := range out.Kept {
		key := k.Sequence.Key()
		if before := kept[key]; before != "" {
			t.Errorf("kept twice (%s, %s):\n%s", before, k.Reason, k.Sequence)
		}
		kept[key] = k.Reason
		if k.Reason == NewPanic || k.Reason == NewEnd {
			panics[k.Sequence.Statements[len(k.Sequence.Statements)-1].Op]++
		}
	}
	asked := map[sequence.Key]bool{}
	for _, s := range p.played {
		if asked[s.Key()] {
			t.Fatalf("executed twice:\n%s", s)
		}
		asked[s.Key()] = true
	}
	cases := []struct {
		op     string
		want   int
		reason string
	}{
		{"m/p.Boom", 1, "panics that differ in a number are one"},
		{"m/p.Exit", 1, "what ends the process is kept once"},
		{"m/p.Join", 0, "a panic over a nil of ours is illegal"},
		{"m/p.(*Node).Value", 0, "nil results are not used as receivers"},
	}
	for _, c := range cases {
		if panics[c.op] != c.want {
			t.Errorf("%s: %d sequences kept that end in it, want %d (%s)", c.op, panics[c.op], c.want, c.reason)
		}
	}
	if exits > len(p.played)/100 {
		t.Errorf("%d of %d sequences ended the process: it is not throttled", exits, len(p.played))
	}
	if out.Stats.Illegal == 0 || out.Stats.Redundant == 0 || out.Stats.Sequences != len(p.played) {
		t.Errorf("statistics are off: %+v", out.Stats)
	}
	for _, k := range out.Kept {
		checkCompanions(t, p, k)
	}
}

// checkCompanions fails if a kept sequence builds on a node that came with an error. It plays the sequence again to get
// all results.
func checkCompanions(t *testing.T, p *player, k Kept) {
	t.Helper()
	o := p.play(k.Sequence)
	for i, st := range k.Sequence.Statements {
		for _, arg := range st.Args {
			if arg.Kind != sequence.Ref || arg.Statement >= len(o.Steps) || i >= len(o.Steps) {
				continue
			}
			if results := o.Steps[arg.Statement].Results; novelty.Failed(results) && !results[arg.Result].ErrorSet {
				t.Errorf("statement %d uses what came along with an error:\n%s", i, k.Sequence)
			}
		}
	}
}

func TestCompanionsAndNilsLeavePool(t *testing.T) {
	cases := []struct {
		reason string
		result []Result
		want   int
	}{
		{"a good value is offered", []Result{{Digest: [2]uint64{1}}, {Nil: true}}, 1},
		{"what comes along with an error is not, the error is", []Result{{Digest: [2]uint64{1}}, {ErrorSet: true}}, 1},
		{"nil is not", []Result{{Nil: true}, {Nil: true}}, 0},
		{"huge is not", []Result{{Huge: true}, {Nil: true}}, 0},
	}
	for _, c := range cases {
		in := fixture(t)
		g := newGenerator(in)
		var op *Operation
		for _, o := range g.ops {
			if o.Of.Name == "m/p.Parse" {
				op = o
			}
		}
		d := &draft{}
		g.weigh()
		if !g.call(d, op, 0) {
			t.Fatal("no call")
		}
		g.judge(d.candidate(0), &Outcome{Steps: []Step{{Results: c.result}}, Coverage: []uint32{1}})
		offered := 0
		for _, p := range g.pools.byID {
			offered += len(p.entries)
			for _, e := range p.entries {
				if novelty.Failed(c.result) && !e.value.t.Fails {
					t.Errorf("%s: a companion was offered", c.reason)
				}
			}
		}
		if offered != c.want {
			t.Errorf("%s: %d values offered, want %d", c.reason, offered, c.want)
		}
		again := &Outcome{Steps: []Step{{Results: c.result}}}
		before := g.stats.Redundant
		g.judge(d.candidate(0), again)
		if g.stats.Redundant != before+1 {
			t.Errorf("%s: the same outcome again is not redundant", c.reason)
		}
	}
}

func TestStops(t *testing.T) {
	cases := []struct {
		reason string
		change func(*Input)
		want   Stop
	}{
		{"enough", func(in *Input) { in.Limits.Sequences = 10 }, Enough},
		{"out of time is asked between batches", func(in *Input) {
			in.Expired = func(bool) bool { return true }
		}, Budget},
		{"nothing new for long", func(in *Input) { in.Limits.Plateau = 500 }, Plateau},
		{"nothing new about the change for long", func(in *Input) {
			in.Settled, in.Limits.Plateau, in.Changed = true, 1<<40, func(id uint32) bool { return id == goodParse }
		}, Explored},
		{"nothing that reaches the change", func(in *Input) {
			in.Settled, in.Limits.Plateau, in.Changed = true, 500, func(uint32) bool { return false }
		}, Plateau},
		{"hard cap", func(in *Input) { in.Limits.Candidates = 100 }, Cap},
		{"nothing to call", func(in *Input) { in.Operations = nil }, Exhausted},
		{"one sequence is all there is", func(in *Input) { in.Operations = in.Operations[:1] }, Exhausted},
	}
	for _, c := range cases {
		in := fixture(t)
		newPlayer(t, &in)
		for i, op := range in.Operations {
			if op.Name == "m/p.New" {
				in.Operations[0], in.Operations[i] = in.Operations[i], in.Operations[0]
			}
		}
		c.change(&in)
		if c.want == Exhausted {
			in.Limits.Repeat = 1
			in.Limits.Plateau = 1_000_000
		}
		if out := run(t, in); out.Stop != c.want {
			t.Errorf("%s: stopped by %q, want %q", c.reason, out.Stop, c.want)
		}
	}
}

// TestOfClass checks that the first sequences of each class are returned and all are counted.
func TestOfClass(t *testing.T) {
	const most = 5
	kept := func(most int) Generated {
		in := fixture(t)
		newPlayer(t, &in)
		in.Limits.Sequences, in.Limits.OfClass = 200, most
		return run(t, in)
	}
	all, some := kept(0), kept(most)
	if some.Stats.Kept != all.Stats.Kept || some.Stats.Kept != len(all.Kept) {
		t.Errorf("%d are counted, %d without a limit, which returns %d", some.Stats.Kept, all.Stats.Kept, len(all.Kept))
	}
	var want []string
	var of [Classes]int
	for _, k := range all.Kept {
		if of[k.Class()]++; of[k.Class()] <= most {
			want = append(want, k.Sequence.String())
		}
	}
	var got []string
	for _, k := range some.Kept {
		got = append(got, k.Sequence.String())
	}
	if !slices.Equal(got, want) || len(want) == len(all.Kept) {
		t.Errorf("returned %q, want %q", got, want)
	}
}

// TestUntried checks that each of many operations is called once before most are called often.
func TestUntried(t *testing.T) {
	in := fixture(t)
	at := slices.IndexFunc(in.Operations, func(op *api.Operation) bool { return op.Name == "m/p.Count" })
	count := in.Operations[at]
	in.Operations = nil
	for i := range 300 {
		op := *count
		op.Name = fmt.Sprintf("m/p.Count%d", i)
		in.Operations = append(in.Operations, &op)
	}
	in.Limits.Candidates = 1200
	in.Execute = func(_ context.Context, batch []sequence.Sequence) ([]Outcome, error) {
		outcomes := make([]Outcome, len(batch))
		for i, q := range batch {
			outcomes[i].Steps = make([]Step, len(q.Statements))
		}
		return outcomes, nil
	}
	if out := run(t, in); len(out.Stats.Reached) != len(in.Operations) {
		t.Errorf("%d of %d operations were called by %d sequences", len(out.Stats.Reached), len(in.Operations),
			out.Stats.Sequences)
	}
}

func TestExecuteFails(t *testing.T) {
	in := fixture(t)
	broken := errors.New("no driver")
	in.Execute = func(context.Context, []sequence.Sequence) ([]Outcome, error) { return nil, broken }
	if _, err := Run(context.Background(), in); !errors.Is(err, broken) {
		t.Errorf("got %v", err)
	}
	in.Execute = func(context.Context, []sequence.Sequence) ([]Outcome, error) { return nil, nil }
	if _, err := Run(context.Background(), in); err == nil || !strings.Contains(err.Error(), "got 0 outcomes") {
		t.Errorf("got %v", err)
	}
}

// TestDirected compares how often changed code is reached with and without directions to it.
func TestDirected(t *testing.T) {
	checks := func(directed bool) int {
		in := fixture(t)
		p := newPlayer(t, &in)
		in.Limits.Candidates = 5000
		in.Limits.Plateau = 5000
		if directed {
			in.Changed = func(id uint32) bool { return id == goodParse }
			for _, op := range in.Operations {
				op.Reaches = op.Name == "m/p.Parse"
			}
		}
		run(t, in)
		n := 0
		for _, s := range p.played {
			if strings.Contains(s.String(), "m/p.Parse(\"[") {
				n++
			}
		}
		return n
	}
	without, with := checks(false), checks(true)
	if 5*with < 6*without {
		t.Errorf("%d sequences reached changed code, %d when nothing was known to be changed", with, without)
	}
}

func TestRoundTripOfKept(t *testing.T) {
	in := fixture(t)
	newPlayer(t, &in)
	in.Limits.Sequences = 500
	for _, k := range run(t, in).Kept {
		parsed, err := sequence.Parse(k.Sequence.String())
		if err != nil || parsed.Key() != k.Sequence.Key() {
			t.Fatalf("%v\n%s", err, k.Sequence)
		}
	}
}

// nothing is an executor that takes no time, to measure the generator alone.
func nothing(_ context.Context, batch []sequence.Sequence) ([]Outcome, error) {
	outcomes := make([]Outcome, len(batch))
	for i, s := range batch {
		key := s.Key()
		steps := make([]Step, len(s.Statements))
		for j := range steps {
			steps[j].Results = []Result{
				{Digest: [2]uint64{uint64(key[0]), uint64(j)}}, {Digest: [2]uint64{uint64(key[1])}},
			}
		}
		outcomes[i].Steps = steps
	}
	return outcomes, nil
}

func BenchmarkRun(b *testing.B) {
	in := fixture(b)
	in.Execute = nothing
	in.Limits.Candidates, in.Limits.Plateau = b.N, 1<<40
	b.ReportAllocs()
	b.ResetTimer()
	out, err := Run(context.Background(), in)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(out.Stats.Sequences)/b.Elapsed().Seconds(), "sequences/s")
	b.ReportMetric(float64(out.Stats.Steps)/b.Elapsed().Seconds(), "steps/s")
}

// TestSeeds checks that TestReaches does not depend on luck if the changed code is known.
func TestSeeds(t *testing.T) {
	missing := map[uint32]int{}
	for seed := range uint64(6) {
		in := fixture(t)
		p := newPlayer(t, &in)
		in.Seed = seed + 100
		in.Limits.Candidates, in.Limits.Plateau = 10000, 10000
		for _, op := range in.Operations {
			op.Reaches = op.Name == "m/p.Merge" || strings.HasPrefix(op.Name, "m/p.(*Stack)")
		}
		run(t, in)
		for id := deepStack; id <= closedBracket; id++ {
			if !p.world.hit[id] {
				missing[id]++
			}
		}
	}
	for id, n := range missing {
		if n > 2 {
			t.Errorf("counter %d was missed by %d of 6 seeds", id, n)
		}
	}
	t.Logf("missed: %v", missing)
}

// TestSameSequences pins the sequences of a seed. A project that keeps its seed must get the same reports when the
// generator's code is only moved. A change that is meant to generate other sequences updates the digests.
func TestSameSequences(t *testing.T) {
	cases := []struct {
		seed   uint64
		state  bool
		want   string
		reason string
	}{
		{7, true, "c23eb9aa7bc67cc7", "what calls do to their arguments is known"},
		{8, false, "7aa1844de6243a56", "it is not known"},
	}
	for _, c := range cases {
		in := fixture(t)
		p := newPlayer(t, &in)
		p.state = c.state
		in.Seed, in.Limits.Candidates, in.Limits.Plateau = c.seed, 20000, 20000
		in.Constants = append(in.Constants,
			Constant{Package: "m/p", Value: constant.MakeFloat64(2.5)},
			Constant{Value: constant.MakeInt64(-7), Changed: true},
			Constant{Package: "m/q", Type: types.Typ[types.Rune], Value: constant.MakeInt64('§')})
		h := sha256.New()
		for _, k := range run(t, in).Kept {
			fmt.Fprintf(h, "%s %t\n%s\n", k.Reason, k.Changed, k.Sequence)
		}
		for _, played := range p.played {
			fmt.Fprintln(h, played)
		}
		if got := fmt.Sprintf("%x", h.Sum(nil)[:8]); got != c.want {
			t.Errorf("seed %d generates other sequences (%s): digest %s, want %s", c.seed, c.reason, got, c.want)
		}
	}
}

// TestMakerWithoutResult checks that a call is not made for a slot if no result fits.
func TestMakerWithoutResult(t *testing.T) {
	g := newGenerator(fixture(t))
	g.weigh()
	find := func(name string) *Operation {
		i := slices.IndexFunc(g.ops, func(op *Operation) bool { return op.Of.Name == name })
		if i < 0 {
			t.Fatalf("no operation %s", name)
		}
		return g.ops[i]
	}
	cases := []struct {
		maker  string
		want   bool
		reason string
	}{
		{"m/p.New", true, "it returns a *Stack"},
		{"m/p.Exit", false, "it returns nothing"},
		{"m/p.Wrap", false, "it returns something else"},
	}
	slotOf := slot{t: find("m/p.(*Stack).Pop").Params[0], shape: &shape{}}
	for _, c := range cases {
		d := &draft{}
		_, ok := g.made(d, slotOf, []*Operation{find(c.maker)})
		if ok != c.want || len(d.statements) > 0 != c.want {
			t.Errorf("%s: made = %t with %d statements, want %t (%s)", c.maker, ok, len(d.statements), c.want, c.reason)
		}
	}
}

// TestOperands checks that observing comparisons finds texts that code only compares at run time, step by step. The
// same seed must lead to the same sequences.
func TestOperands(t *testing.T) {
	const secret = "\x07zq-9"
	find := func(seen bool) (found bool, played int) {
		in := fixture(t)
		in.Limits = Limits{Candidates: 4000}
		p := newPlayer(t, &in)
		p.observe = func(q sequence.Sequence, _ Outcome) {
			for _, st := range q.Statements {
				found = found || strings.HasSuffix(st.Op, ".Parse") && st.Args[0].Text == secret
			}
		}
		for _, op := range in.Operations {
			op.Reaches = strings.HasSuffix(op.Name, ".Parse")
		}
		if seen {
			in.Operands = func(_ context.Context, batch []sequence.Sequence) ([]Compared, error) {
				lists := make([]Compared, len(batch))
				for i, q := range batch {
					for _, st := range q.Statements {
						if !strings.HasSuffix(st.Op, ".Parse") {
							continue
						}
						text := st.Args[0].Text
						o := Operand{Number: true, Left: strconv.Itoa(len(text)), Right: strconv.Itoa(len(secret))}
						if len(text) == len(secret) { // only then it reads the text
							o = Operand{Changed: true, Left: text, Right: secret}
						}
						lists[i].Operands = append(lists[i].Operands, o)
					}
				}
				return lists, nil
			}
		}
		in.Execute = p.execute
		if _, err := Run(t.Context(), in); err != nil {
			t.Fatal(err)
		}
		return found, len(p.played)
	}
	without, _ := find(false)
	with, first := find(true)
	_, second := find(true)
	if without || !with || first != second {
		t.Errorf("found without seeing operands %v, with them %v; played %d and %d", without, with, first, second)
	}
}

// TestCalls checks that calls of tests are made as they are, with values for missing arguments, and in variations.
func TestCalls(t *testing.T) {
	const text = "[written-down]"
	in := fixture(t)
	in.Limits = Limits{Candidates: 3000}
	written := &sequence.Value{Kind: sequence.String, Text: text}
	in.Calls = []carve.Call{
		{Op: "m/p.Parse", Args: []*sequence.Value{written}},
		{Op: "m/p.(*Stack).Push", Args: []*sequence.Value{nil, {Kind: sequence.Int, Text: "4711"}}},
		{
			Op: "m/p.(*Stack).Push", Args: []*sequence.Value{nil, {Kind: sequence.Int, Text: "4712"}},
			From: []*carve.Made{{Call: carve.Call{Op: "m/p.New"}}, nil},
		},
		{Op: "m/p.Missing", Args: []*sequence.Value{written}},
		{Op: "m/p.Parse", Args: []*sequence.Value{written, written}}, // with other parameters than this version has
	}
	p, made := newPlayer(t, &in), map[string]int{}
	p.observe = func(q sequence.Sequence, _ Outcome) {
		for _, st := range q.Statements {
			switch {
			case st.Op == "m/p.Parse" && st.Args[0].Text == text:
				made["as it is"]++
			case st.Op == "m/p.Parse" && strings.HasPrefix(st.Args[0].Text, "[written-"):
				made["varied"]++
			case st.Op == "m/p.(*Stack).Push" && st.Args[1].Text == "4711":
				made["with a receiver"]++
			case st.Op == "m/p.(*Stack).Push" && st.Args[1].Text == "4712" &&
				q.Statements[st.Args[0].Statement].Op == "m/p.New":
				made["with what is known to make its receiver"]++
			}
		}
	}
	if _, err := Run(t.Context(), in); err != nil {
		t.Fatal(err)
	}
	if len(made) != 4 || made["as it is"] < 2 {
		t.Errorf("made %v: want all four, and the first more than once", made)
	}
}

// TestSliced checks that the slice of a long sequence for its last operation is tried.
func TestSliced(t *testing.T) {
	q, err := sequence.Parse(sequence.Header + `
v0 := m/p.Count(1)
v1 := m/p.New()
v2 := m/p.Size(v0)
v3 := m/p.(*Stack).Push(v1, v0)
v4 := m/p.Count(2)
`)
	if err != nil {
		t.Fatal(err)
	}
	reaching, other := &Operation{Of: &api.Operation{Reaches: true}}, &Operation{Of: &api.Operation{}}
	c := &component{draft{statements: q.Statements, ops: []*Operation{other, other, other, reaching, other}}}
	got := sequence.Sequence{Statements: c.sliced().statements}
	want := sequence.Header + "\nv0 := m/p.Count(1)\nv1 := m/p.New()\nv2 := m/p.(*Stack).Push(v1, v0)\n"
	if got.String() != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if again := (&component{c.sliced().draft}).sliced(); again != nil {
		t.Errorf("of what is needed %v is needed", again.statements)
	}
}

// TestUnsure checks that a difference that may be chance is kept but does not make the search less patient.
func TestUnsure(t *testing.T) {
	g := newGenerator(fixture(t))
	if unsure := (&Outcome{Difference: "way", Unsure: true}); !g.apart(unsure) || g.Differs {
		t.Errorf("told apart: %v", g.Differs)
	}
	if sure := (&Outcome{Difference: "way"}); !g.apart(sure) || !g.Differs {
		t.Errorf("not told apart")
	}
}
