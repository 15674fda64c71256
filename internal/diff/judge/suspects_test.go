package judge

import (
	"fmt"
	"slices"
	"testing"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/replay/selection"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// from returns functions as roots that change values.
func from(functions ...string) (list []SuspectedRoot) {
	for _, f := range functions {
		list = append(list, SuspectedRoot{f, spectra.TierValue})
	}
	return list
}

// TestToJudge: of each kind a few are judged, the cheap ones first, a heavy one only where its kind has no other, and
// what is mere noise last.
func TestToJudge(t *testing.T) {
	suspect := func(i int, roots ...string) Suspect { return Suspect{Index: i, Roots: from(roots...)} }
	suspects := []Suspect{
		suspect(0, "F"), suspect(1, "F", "G"), suspect(2, "F"), suspect(3, "F"), suspect(4, "F"), suspect(5, "F"),
		suspect(6, "F"), suspect(7, "H"), {Index: 8, Roots: from("F"), Exposure: diff.Exposure{Output: true}},
		{Index: 9, Roots: from("F"), Noisy: true}, suspect(10, "F"),
	}
	costs := map[int]int64{1: 1000, 2: HeavyNodes + 1, 7: HeavyNodes + 1}
	sequences := make([]selection.Sequence, len(suspects))
	var got []int
	for _, s := range ToJudge(suspects, sequences, costs, true) {
		got = append(got, s.Index)
	}
	want := []int{
		0, 1, 8, 7, // one of each kind; the second is of two
		3, 4, // more of those that F begins in; the heavy one is left
		9,
	}
	if !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	costs[0] = judgedNodes + 1
	if got := ToJudge(suspects[:1], sequences, costs, true); len(got) != 1 {
		t.Errorf("%d are judged: the only one of a kind has to be, whatever it costs", len(got))
	}
}

// TestToJudgeTiers: what short sequences show is not taken for all that the function does.
func TestToJudgeTiers(t *testing.T) {
	suspects := make([]Suspect, 20)
	for i := range suspects {
		suspects[i] = Suspect{Index: i, Roots: []SuspectedRoot{{"F", spectra.TierCalls}}}
	}
	suspects[19].Roots = from("F")
	sequences := make([]selection.Sequence, len(suspects))
	sequences[19].Statements = make([]sequence.Statement, 30)
	judged := ToJudge(suspects, sequences, nil, true)
	if !slices.ContainsFunc(judged, func(s Suspect) bool { return s.Index == 19 }) {
		t.Errorf("%v are judged: not the only one in which a value differs", judged)
	}
}

// TestToJudgeFew: where no value differs, or chance decides every run, two of a kind are enough.
func TestToJudgeFew(t *testing.T) {
	sequences := make([]selection.Sequence, 10)
	for _, test := range []struct {
		reason  string
		tier    spectra.Tier
		patched bool
		want    int
	}{
		{"a value differs", spectra.TierValue, true, judgedAlike},
		{"only calls do", spectra.TierCalls, true, judgedTwo},
		{"each takes many runs", spectra.TierValue, false, judgedTwo},
	} {
		var suspects []Suspect
		for i := range sequences {
			suspects = append(suspects, Suspect{Index: i, Roots: []SuspectedRoot{{"m.F", test.tier}}})
		}
		if got := len(ToJudge(suspects, sequences, nil, test.patched)); got != test.want {
			t.Errorf("%s: %d are judged, want %d", test.reason, got, test.want)
		}
	}
}

// TestToJudgeMany: however many functions begin to deviate, one suspect of each is judged.
func TestToJudgeMany(t *testing.T) {
	var suspects []Suspect
	for i := range 3 * judgedSuspects {
		suspects = append(suspects, Suspect{Index: i, Roots: from(fmt.Sprint("F", i/3))})
	}
	judged := Kinds{}
	list := ToJudge(suspects, make([]selection.Sequence, len(suspects)), nil, true)
	for _, s := range list {
		judged.Add(s)
	}
	if len(judged) != judgedSuspects || len(list) != judgedSuspects {
		t.Errorf("%d suspects of %d kinds are judged, want one of each of %d", len(list), len(judged), judgedSuspects)
	}
	suspects = append(suspects, Suspect{Index: len(suspects), Roots: from("G")})
	list = ToJudge(suspects, make([]selection.Sequence, len(suspects)), nil, true)
	if last := list[len(list)-1]; len(list) != judgedSuspects+1 || last.Functions()[0] != "G" {
		t.Errorf("%d are judged, the last is %v: want one of G", len(list), last)
	}
}

// TestOneOfEach: one of each kind comes first, of noise only where nothing else shows the function.
func TestOneOfEach(t *testing.T) {
	noisy := func(i int, function string) Suspect { return Suspect{Index: i, Roots: from(function), Noisy: true} }
	suspects := []Suspect{
		{Index: 0, Roots: from("F")}, {Index: 1, Roots: from("F")}, {Index: 2, Roots: from("F", "G")},
		{Index: 3, Roots: from("F"), Exposure: diff.Exposure{Output: true}},
		noisy(4, "G"), noisy(5, "H"), noisy(6, "H"), {Index: 7, Noisy: true},
	}
	one, others := oneOfEach(suspects)
	for list, want := range map[*[]Suspect][]int{&one: {0, 2, 3, 5, 7}, &others: {1, 4, 6}} {
		var got []int
		for _, s := range *list {
			got = append(got, s.Index)
		}
		if !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	}
}

// TestAgain: of a kind of which nothing was confirmed, others are judged, those with the most statements first.
func TestAgain(t *testing.T) {
	suspect := func(i int, roots ...string) Suspect { return Suspect{Index: i, Roots: from(roots...)} }
	suspects := []Suspect{
		suspect(0, "F"), suspect(1, "G"), suspect(2, "F"), suspect(3, "F"), suspect(4, "F", "G"), suspect(5, "G"),
		{Index: 6, Roots: from("F"), Noisy: true}, suspect(7, "F"), suspect(8, "F"), suspect(9, "F"),
		suspect(10, "F"),
	}
	sequences := make([]selection.Sequence, len(suspects))
	for i := range sequences {
		sequences[i].Statements = make([]sequence.Statement, i)
	}
	costs := map[int]int64{10: HeavyNodes + 1}
	confirmed := Kinds{}
	confirmed.Add(suspect(1, "G"))
	var got []int
	for _, s := range Again(suspects, suspects[:2], confirmed, sequences, costs) {
		got = append(got, s.Index)
	}
	// Not those of G alone, what was judged, noise, what is heavy; of F no more than four.
	if want := []int{9, 8, 7, 4}; !slices.Equal(got, want) {
		t.Errorf("got %v, want %v", got, want)
	}
	confirmed.Add(suspect(0, "F"))
	if got := Again(suspects, suspects[:2], confirmed, sequences, costs); got != nil {
		t.Errorf("%v are judged although each kind is confirmed", got)
	}
}

// TestKinds: a suspect is known if all of its kinds are, and shares a verdict if one of them does.
func TestKinds(t *testing.T) {
	known := Kinds{}
	known.Add(Suspect{Roots: from("F")})
	both := Suspect{Roots: from("F", "G")}
	if !known.Has(both) || known.HasAll(both) || known.Has(Suspect{}) {
		t.Errorf("of F %v: F and G has %v, hasAll %v", known, known.Has(both), known.HasAll(both))
	}
	if noisy := (Suspect{Roots: from("F"), Noisy: true}); known.Has(noisy) {
		t.Error("noise shares the verdict of what is none")
	}
	known.Add(Suspect{})
	if !known.HasAll(Suspect{}) {
		t.Error("suspects without a root are of one kind")
	}
}
