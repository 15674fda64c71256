package generate

import (
	"context"
	"fmt"
	"go/types"
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/carve"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
)

// TestVariants: of a call with few options, more texts and many choices, each option is changed about as often as a
// text; and texts are repeated where another one was.
func TestVariants(t *testing.T) {
	const texts, options, choices = 20, 4, 100
	op := &api.Operation{Name: "m.TestX", Package: "m", Results: []types.Type{types.Typ[types.Bool]}, Reaches: true}
	call := carve.Call{Op: op.Name}
	add := func(n int, of types.BasicKind, choice bool, v func(int) sequence.Value) {
		for i := range n {
			op.Params, op.Names = append(op.Params, types.Typ[of]), append(op.Names, "")
			op.Choices = append(op.Choices, choice)
			usual := v(i)
			call.Args = append(call.Args, &usual)
		}
	}
	truth := func(text string) func(int) sequence.Value {
		return func(int) sequence.Value { return sequence.Value{Kind: sequence.Bool, Text: text} }
	}
	add(texts, types.String, false, func(i int) sequence.Value {
		return sequence.Value{Kind: sequence.String, Text: fmt.Sprintf("text-%d", i)}
	})
	add(options, types.Bool, false, truth("true"))
	add(choices, types.Bool, true, truth("false"))
	changed, repeated := make([]int, len(op.Params)), 0
	in := Input{
		Operations: []*api.Operation{op}, Calls: []carve.Call{call}, Alone: true, Seed: 1,
		Limits: Limits{Candidates: 4000},
		Execute: func(_ context.Context, batch []sequence.Sequence) ([]Outcome, error) {
			outcomes := make([]Outcome, len(batch))
			for n, q := range batch {
				outcomes[n].Steps = make([]Step, len(q.Statements))
				for i, v := range q.Statements[0].Args {
					if v.Text != call.Args[i].Text {
						changed[i]++
					}
					if i > 0 && v.Text == call.Args[0].Text {
						repeated++
					}
				}
			}
			return outcomes, nil
		},
	}
	if _, err := Run(t.Context(), in); err != nil {
		t.Fatal(err)
	}
	sum := func(from, to int) (n int) {
		for _, c := range changed[from:to] {
			n += c
		}
		return n
	}
	text, option := sum(0, texts)/texts, sum(texts, texts+options)/options
	if 8*option < text || repeated == 0 {
		t.Errorf("a text is changed %d times, an option %d; another one is the first %d times", text, option, repeated)
	}
}
