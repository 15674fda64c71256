package redundancy

import (
	"context"
	"fmt"
	"go/types"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/generate/novelty"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/digest"
)

// A stack is the one of figure 3.1 of Xie's thesis: popped elements stay in the array, and Equal reads only those below
// the size. It also counts peeks, which Equal does not read.
type stack struct {
	store       [10]int
	size, peeks int
}

var pointer = types.NewPointer(types.NewNamed(
	types.NewTypeName(0, types.NewPackage("m", "m"), "S", nil), types.NewStruct(nil, nil), nil))

func operations() []*api.Operation {
	number, truth := types.Typ[types.Int], types.Typ[types.Bool]
	return []*api.Operation{
		{Name: "m.New", Results: []types.Type{pointer}},
		{Name: "m.(*S).Push", Receiver: true, Params: []types.Type{pointer, number}},
		{Name: "m.(*S).Pop", Receiver: true, Params: []types.Type{pointer}},
		{Name: "m.(*S).Peek", Receiver: true, Params: []types.Type{pointer}, Results: []types.Type{number}},
		{Name: "m.(*S).IsEmpty", Receiver: true, Params: []types.Type{pointer}, Results: []types.Type{truth}},
		{
			Name: "m.(*S).Equal", Receiver: true, Params: []types.Type{pointer, pointer},
			Results: []types.Type{truth},
		},
		{Name: "m.(*S).Self", Receiver: true, Params: []types.Type{pointer}, Results: []types.Type{pointer}},
	}
}

// A player plays sequences on stacks.
type player struct {
	unread bool // peeks are left out of states
	asked  int  // number of sequences
}

func (p *player) look(_ context.Context, batch []sequence.Sequence) (list []novelty.Outcome, _ error) {
	for _, q := range batch {
		p.asked++
		list = append(list, p.play(q))
	}
	return list, nil
}

func digestOf(x any) (k key) {
	k[0], k[1] = digest.Of(fmt.Append(nil, x))
	return k
}

// state returns the digest of values, including which of them are the same stack.
func (p *player) state(args []any) key {
	var met []*stack
	var text []string
	for _, arg := range args {
		s, ok := arg.(*stack)
		switch at := slices.Index(met, s); {
		case !ok:
		case at >= 0:
			text = append(text, "#"+strconv.Itoa(at))
		default:
			met = append(met, s)
			text = append(text, p.shown(s))
		}
	}
	if len(met) == 0 {
		return key{}
	}
	return digestOf(text)
}

func (p *player) shown(s *stack) string {
	if p.unread {
		return fmt.Sprint(s.store, s.size)
	}
	return fmt.Sprint(*s)
}

func (p *player) play(q sequence.Sequence) (o novelty.Outcome) {
	results := make([]any, len(q.Statements))
	for i, st := range q.Statements {
		var args []any
		step := novelty.Step{}
		for _, arg := range st.Args {
			var value any = arg.Text
			if arg.Kind == sequence.Ref {
				value = results[arg.Statement]
			}
			args = append(args, value)
			shown := fmt.Sprint(value)
			if s, ok := value.(*stack); ok {
				shown = p.shown(s)
			}
			step.Entry.Arguments = append(step.Entry.Arguments, digestOf(shown))
		}
		step.Entry.State = p.state(args)
		results[i] = call(st, args)
		step.State = p.state(args)
		step.Results = []novelty.Result{{Digest: digestOf(results[i])}}
		o.Steps = append(o.Steps, step)
	}
	return o
}

func call(st sequence.Statement, args []any) any {
	if st.Kind == sequence.Let {
		return args[0] == "true"
	}
	s := &stack{}
	if len(args) > 0 {
		s = args[0].(*stack)
	}
	switch st.Op[strings.LastIndexByte(st.Op, '.')+1:] {
	case "Push":
		s.store[s.size], _ = strconv.Atoi(fmt.Sprint(args[1]))
		s.size++
	case "Pop":
		s.size = max(0, s.size-1)
	case "Peek":
		s.peeks++
		return s.store[max(0, s.size-1)]
	case "IsEmpty":
		return s.size == 0
	case "Equal":
		o := args[1].(*stack)
		return s.size == o.size && slices.Equal(s.store[:s.size], o.store[:o.size])
	}
	return s
}

// sequenceOf makes a sequence from a text: each operation is followed by its statements and literals.
func sequenceOf(text string) (q sequence.Sequence) {
	for line := range strings.SplitSeq(text, ";") {
		words := strings.Fields(line)
		st := sequence.Statement{Op: "m.(*S)." + words[0]}
		if words[0] == "New" {
			st.Op = "m.New"
		}
		for _, word := range words[1:] {
			arg := sequence.Value{Kind: sequence.Int, Text: word}
			if at, ok := strings.CutPrefix(word, "v"); ok {
				arg.Kind, arg.Text = sequence.Ref, ""
				arg.Statement, _ = strconv.Atoi(at)
			}
			st.Args = append(st.Args, arg)
		}
		q.Statements = append(q.Statements, st)
	}
	return q
}

func judge(r Representation) *Judge {
	p := &player{unread: r == MonitorEquals}
	return New(Input{Representation: r, Operations: operations(), Look: p.look})
}

// kept returns which sequences of a list are not redundant, each in a batch of its own.
func kept(t *testing.T, r Representation, list []string) (numbers string) {
	t.Helper()
	j, plain := judge(r), &player{}
	for i, text := range list {
		q := sequenceOf(text)
		known := j.Known(q)
		same, err := j.Same(t.Context(), []sequence.Sequence{q}, []novelty.Outcome{plain.play(q)})
		if err != nil {
			t.Fatal(err)
		}
		if known && !same[0] {
			t.Errorf("%s: %q is redundant before it was played, and not afterwards", r, text)
		}
		if (r == WholeSeq || r == ModifyingSeq) && same[0] && !known {
			t.Errorf("%s: that %q is redundant is not known without playing it", r, text)
		}
		if !same[0] {
			numbers += strconv.Itoa(i + 1)
		}
	}
	return numbers
}

// TestRepresentations has suites that the five representations distinguish. The first two are those of sections 3.1 and
// 3.2.1 of the thesis. The results are the same but for MonitorEquals, where elements that Equal does not read count
// too.
func TestRepresentations(t *testing.T) {
	for _, c := range []struct {
		reason string
		suite  []string
		want   [5]string // in the order of Names
	}{
		{
			"test1, test2 and test3: a call that changes nothing, and an element that was popped",
			[]string{
				"New; IsEmpty v0; Push v0 3; Push v0 2; Pop v0; Push v0 5", "New; Push v0 3; Push v0 5",
				"New; Push v0 3; Push v0 2; Pop v0",
			},
			[5]string{"123", "12", "12", "12", "1"},
		},
		{
			"test4 and test5: a stack compared with another one, and with itself",
			[]string{"New; New; Equal v0 v1", "New; Equal v0 v0"}, [5]string{"12", "12", "12", "12", "1"},
		},
		{
			"a field that Equal does not look at",
			[]string{"New; Push v0 3; Peek v0; Push v0 5", "New; Push v0 3; Push v0 5"},
			[5]string{"12", "12", "12", "1", "1"},
		},
		{
			"the same state by other calls",
			[]string{"New; Push v0 3; Pop v0; Push v0 3; Pop v0; Pop v0", "New; Push v0 3; Pop v0; Pop v0"},
			[5]string{"12", "12", "1", "1", "1"},
		},
		{
			"what happens to another stack in between",
			[]string{"New; Push v0 3; New; Pop v0; Push v2 1", "New; New; Push v0 1; Push v1 3; Pop v1"},
			[5]string{"1", "1", "1", "1", "1"},
		},
		{
			"a number that another call returned is what it is, whatever came after that call",
			[]string{
				"New; Push v0 3; IsEmpty v0; Pop v0; New; Push v4 v2",
				"New; Push v0 3; IsEmpty v0; New; Push v3 v2; Pop v0",
			},
			[5]string{"1", "1", "1", "1", "1"},
		},
		{
			"what was returned shares memory with the receiver",
			[]string{"New; Self v0; Push v1 3; Pop v0", "New; Self v0; Pop v0"},
			[5]string{"12", "12", "12", "12", "12"},
		},
		{
			"what a call that changes nothing returned twice may be two values",
			[]string{"New; Self v0; Self v0; Push v1 3; Pop v1", "New; Self v0; Self v0; Push v1 3; Pop v2"},
			[5]string{"12", "12", "1", "1", "1"},
		},
	} {
		for i, name := range Names() {
			if got := kept(t, Representation(name), c.suite); got != c.want[i] {
				t.Errorf("%s: %s keeps %s, want %s", c.reason, name, got, c.want[i])
			}
		}
	}
}

// TestExhaustive enumerates all sequences of up to three calls, the shorter ones first. WholeSeq must find none
// redundant, and each other representation more than half, and more than the one before. This is the order published
// for generated tests of that length (section 3.5.2).
func TestExhaustive(t *testing.T) {
	calls := []string{"Push v0 1", "Push v0 2", "Pop v0", "Peek v0", "IsEmpty v0"}
	suite := []string{"New"}
	for from := 0; from < len(suite) && strings.Count(suite[from], ";") < 3; from++ {
		for _, call := range calls {
			suite = append(suite, suite[from]+"; "+call)
		}
	}
	for i, name := range Names() {
		j, plain, redundant := judge(Representation(name)), &player{}, 0
		for _, text := range suite {
			q := sequenceOf(text)
			same, err := j.Same(t.Context(), []sequence.Sequence{q}, []novelty.Outcome{plain.play(q)})
			if err != nil {
				t.Fatal(err)
			}
			if same[0] {
				redundant++
			}
		}
		if want := []int{0, 80, 90, 110, 120}[i]; redundant != want || len(suite) != 156 {
			t.Errorf("%s: %d of %d are redundant, want %d of 156", name, redundant, len(suite), want)
		}
	}
}

// TestBatch checks that later sequences of a batch repeat earlier ones, and that unplayed sequences are unknown.
func TestBatch(t *testing.T) {
	q := sequenceOf("New; Push v0 3")
	for _, name := range Names() {
		j := judge(Representation(name))
		batch := []sequence.Sequence{q, q, q, q}
		outcomes := []novelty.Outcome{{Missing: true}, (&player{}).play(q), (&player{}).play(q), {Rejected: true}}
		same, err := j.Same(t.Context(), batch, outcomes)
		if want := []bool{false, false, true, false}; err != nil || !slices.Equal(same, want) {
			t.Errorf("%s: %v, want %v, error %v", name, same, want, err)
		}
	}
}

// TestHidden checks that a call counts as modifying if digests can't show its effect.
func TestHidden(t *testing.T) {
	channel := types.NewChan(types.SendRecv, types.Typ[types.Int])
	known := signaturesOf([]*api.Operation{{Name: "m.Send", Params: []types.Type{channel}}, {Name: "m.Get"}})
	same := &novelty.Step{}
	for _, c := range []struct {
		reason string
		st     sequence.Statement
		step   *novelty.Step
		want   bool
	}{
		{"nothing changed", sequence.Statement{Op: "m.Get"}, same, false},
		{"a state changed", sequence.Statement{Op: "m.Get"}, &novelty.Step{State: key{1}}, true},
		{"a panic", sequence.Statement{Op: "m.Get"}, &novelty.Step{Panic: "x"}, true},
		{"a channel", sequence.Statement{Op: "m.Send"}, same, true},
		{"an operation that nobody knows", sequence.Statement{Op: "m.Other"}, same, true},
		{"a function value", sequence.Statement{Kind: sequence.CallValue}, same, true},
		{"a variable", sequence.Statement{Kind: sequence.Let}, &novelty.Step{State: key{1}}, false},
	} {
		h := newHistory(known, sequence.Sequence{Statements: []sequence.Statement{c.st}})
		if got := h.modifies(0, c.step); got != c.want {
			t.Errorf("%s: %v", c.reason, got)
		}
	}
}

// TestHanded checks that the key includes everything that digests do not show.
func TestHanded(t *testing.T) {
	stub := func(n string) sequence.Sequence {
		result := sequence.Value{Kind: sequence.Int, Text: n}
		f := sequence.Value{Kind: sequence.Stub, Elems: []sequence.Value{result}}
		return sequence.Sequence{Statements: []sequence.Statement{{Op: "m.Do", Args: []sequence.Value{
			{Kind: sequence.List, Elems: []sequence.Value{f}},
		}}}}
	}
	set := func(n string) sequence.Sequence {
		return sequence.Sequence{Statements: []sequence.Statement{{Op: "m.New"}, {
			Kind: sequence.Set, Op: "F",
			Args: []sequence.Value{{Kind: sequence.Ref}, {Kind: sequence.Int, Text: n}},
		}}}
	}
	keyOf := func(q sequence.Sequence) key {
		h := newHistory(signaturesOf(operations()), q)
		last := len(q.Statements) - 1
		for i := range last {
			h.apply(i, h.entry(i), true)
		}
		return h.handed(last, key{1}, []key{{2}})
	}
	if keyOf(stub("1")) == keyOf(stub("2")) {
		t.Error("what a function returns does not count")
	}
	if keyOf(set("1")) == keyOf(set("2")) {
		t.Error("what is assigned does not count")
	}
	if keyOf(sequenceOf("New; Push v0 1")) != keyOf(sequenceOf("New; Push v0 2")) {
		t.Error("a literal counts although a digest tells it")
	}
}

// TestClasses checks that values are sorted by their Equal with bounded effort, each once.
func TestClasses(t *testing.T) {
	p, plain := &player{}, &player{}
	j := New(Input{Representation: PairwiseEquals, Operations: operations(), Look: p.look})
	var batch []sequence.Sequence
	var outcomes []novelty.Outcome
	for n := range 100 {
		q := sequenceOf(fmt.Sprintf("New; Push v0 %d; Push v0 %d; Pop v0; IsEmpty v0", n%3, n))
		batch, outcomes = append(batch, q), append(outcomes, plain.play(q))
	}
	if _, err := j.Same(t.Context(), batch, outcomes); err != nil {
		t.Fatal(err)
	}
	asked := p.asked
	if _, err := j.Same(t.Context(), batch, outcomes); err != nil || p.asked != asked {
		t.Errorf("%d sequences for what was sorted before, error %v", p.asked-asked, err)
	}
	if most := mostUnsorted*(mostRounds+1) + mostRounds; asked == 0 || asked > most {
		t.Errorf("%d sequences were played, want some and %d at most", asked, most)
	}
	if k := j.classes.kinds[0]; len(j.classes.kinds) != 1 || len(k.representatives) > mostRepresentatives {
		t.Errorf("%d kinds, %d representatives", len(j.classes.kinds), len(k.representatives))
	}
}
