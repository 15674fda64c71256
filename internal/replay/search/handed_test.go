package search

import (
	"go/constant"
	"strconv"
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/drivers"
	"github.com/spectradiff/spectradiff/internal/replay/generate"
	"github.com/spectradiff/spectradiff/internal/replay/plan"
	"github.com/spectradiff/spectradiff/internal/replay/selection"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
)

func saying(text string) sequence.Sequence {
	return single(sequence.Statement{Kind: sequence.Call, Op: "m.Parse", Args: []sequence.Value{
		{Kind: sequence.List, Elems: []sequence.Value{{Kind: sequence.String, Text: text}}},
	}})
}

// TestTold: texts of calls that ran new code of the change are told, each once, and not too many.
func TestTold(t *testing.T) {
	surface := &api.Surface{}
	surface.Operations.Old = []*api.Operation{{Name: "m.Parse", Package: "m"}}
	calls := &Generated{Found: Found{Generated: generate.Generated{Kept: []generate.Kept{
		{Sequence: saying("new code"), Reason: generate.NewCoverage, Changed: true},
		{Sequence: saying("new code"), Reason: generate.NewCoverage, Changed: true},
		{Sequence: saying("elsewhere"), Reason: generate.NewCoverage},
		{Sequence: saying("known code"), Reason: generate.NewValue, Changed: true},
		{Sequence: saying(""), Reason: generate.NewCoverage, Changed: true},
	}}}}
	in := Input{Drivers: &drivers.Drivers{Plan: &plan.Plan{Callable: surface}}, Calls: calls}
	told := in.told()
	if len(told) != 1 || constant.StringVal(told[0].Value) != "new code" || told[0].Package != "m" || !told[0].Changed {
		t.Errorf("told %v, want the text that ran new code", told)
	}
	for i := range 2 * mostTold {
		calls.Kept = append(calls.Kept, generate.Kept{
			Sequence: saying(strconv.Itoa(i)), Reason: generate.NewCoverage, Changed: true,
		})
	}
	if n := len(in.told()); n != mostTold {
		t.Errorf("%d texts are told, want %d", n, mostTold)
	}
	if in.Calls = nil; in.told() != nil {
		t.Error("where no calls were made, something is told")
	}
}

// TestChosenRuns: a few runs of each test are looked into, in their order.
func TestChosenRuns(t *testing.T) {
	var selected []selection.Sequence
	for test := range handedRuns {
		for range handedOfOne + 1 {
			selected = append(selected, selection.Sequence{
				Sequence: single(sequence.Statement{Kind: sequence.Call, Op: "m.Test" + strconv.Itoa(test)}),
			})
		}
	}
	runs := chosenRuns(selected)
	if len(runs) != handedRuns || runs[handedOfOne].Statements[0].Op != "m.Test1" {
		t.Errorf("%d runs, want %d, the fourth of the second test", len(runs), handedRuns)
	}
}
