package generate

import (
	"context"
	"fmt"
	"go/constant"
	"slices"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// texts returns an input with operations that take texts, and so many constants that equal texts are rare.
func texts(t *testing.T, names ...string) Input {
	in := fixture(t)
	at := slices.IndexFunc(in.Operations, func(op *api.Operation) bool { return op.Name == "m/p.Join" })
	join, text := in.Operations[at], in.Operations[slices.IndexFunc(in.Operations, func(op *api.Operation) bool {
		return op.Name == "m/p.Parse"
	})].Params[0]
	in.Operations = nil
	for _, name := range names {
		op := *join
		op.Name, op.Params[0], op.Params[1] = name, text, text
		op.Params, op.Names = slices.Clone(op.Params), []string{"key", "value"}
		in.Operations = append(in.Operations, &op)
	}
	for i := range 2000 {
		text := constant.MakeString(fmt.Sprintf("text%d", i))
		in.Constants = append(in.Constants, Constant{Package: "m/p", Value: text})
	}
	return in
}

// TestGiven checks that a text of the sequence is used again, above all for a parameter of the same name, also within
// another text.
func TestGiven(t *testing.T) {
	in := texts(t, "m/p.Put", "m/p.Get")
	in.Limits.Candidates = 3000
	calls, same, crossed, within := 0, 0, 0, 0
	in.Execute = func(_ context.Context, batch []sequence.Sequence) ([]Outcome, error) {
		outcomes := make([]Outcome, len(batch))
		for i, q := range batch {
			outcomes[i].Steps = make([]Step, len(q.Statements))
			if len(q.Statements) != 2 || q.Statements[0].Op == q.Statements[1].Op {
				continue // what is repeated keeps its texts anyway
			}
			first, second := q.Statements[0].Args, q.Statements[1].Args
			if len(first[0].Text) < 3 || first[0].Text == first[1].Text {
				continue
			}
			calls++
			switch {
			case first[0].Text == second[0].Text:
				same++
			case first[0].Text == second[1].Text:
				crossed++
			case strings.Contains(second[0].Text, first[0].Text):
				within++
			}
		}
		return outcomes, nil
	}
	run(t, in)
	if calls < 100 {
		t.Fatalf("%d sequences have two calls", calls)
	}
	if 15*same < calls || same <= crossed || within == 0 {
		t.Errorf("of %d sequences %d have the key twice, %d have it as a value, %d within another one",
			calls, same, crossed, within)
	}
}

// TestEndsOf checks that few sequences are kept of an operation whose panics all have another text.
func TestEndsOf(t *testing.T) {
	in := texts(t, "m/p.Put")
	in.Limits.Candidates = 500
	in.Execute = func(_ context.Context, batch []sequence.Sequence) ([]Outcome, error) {
		outcomes := make([]Outcome, len(batch))
		for i, q := range batch {
			outcomes[i] = Outcome{Panicked: true, End: wire.EndDone, Steps: make([]Step, len(q.Statements))}
			outcomes[i].Steps[len(q.Statements)-1].Panic = "no " + q.Statements[0].Args[0].Text
		}
		return outcomes, nil
	}
	if kept := len(run(t, in).Kept); kept != endsOf {
		t.Errorf("%d sequences are kept, want %d", kept, endsOf)
	}
}
