package search

import (
	"slices"
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/drivers"
	"github.com/spectradiff/spectradiff/internal/replay/selection"
	"github.com/spectradiff/spectradiff/internal/replay/suite"
)

// TestUndivided: a test that ran whole is dropped for its subtests only if all of them ran, since the difference may be
// in one that did not.
func TestUndivided(t *testing.T) {
	test := func(name, sub string) suite.Test { return suite.Test{Operation: &api.Operation{Name: name}, Sub: sub} }
	ran := func(list ...suite.Test) (sequences []selection.Sequence) {
		for _, t := range list {
			sequences = append(sequences, selection.Sequence{Sequence: single(t.Call())})
		}
		return sequences
	}
	a, b, c := test("m.TestTable", "a"), test("m.TestTable", "b"), test("m.TestOther", "a")
	for _, test := range []struct {
		reason       string
		alone, ended []suite.Test // of the parts
		parts        []suite.Test
		before       bool // other parts ran with players before
		want         []string
	}{
		{"nothing is divided", nil, nil, nil, false, []string{"m.TestTable", "m.TestOther"}},
		{"all subtests ran", []suite.Test{a, b}, nil, []suite.Test{a, b}, false, []string{"m.TestOther"}},
		{"time was over after one", []suite.Test{a}, nil, []suite.Test{a, b}, false,
			[]string{"m.TestTable", "m.TestOther"}},
		{"another was not run since it does not end", []suite.Test{a}, []suite.Test{b}, []suite.Test{a, b}, false,
			[]string{"m.TestOther"}},
		{"no time for any", nil, nil, []suite.Test{a, b}, false, []string{"m.TestTable", "m.TestOther"}},
		{"the others ran before", nil, nil, nil, true, []string{"m.TestOther"}},
		{"not all of the others did", []suite.Test{a}, nil, []suite.Test{a, b}, true,
			[]string{"m.TestTable", "m.TestOther"}},
		{"of one test all ran, of another none", []suite.Test{c}, nil, []suite.Test{a, b, c}, false,
			[]string{"m.TestTable"}},
	} {
		r := noting(&drivers.Drivers{})
		r.early = map[string]Early{}
		for _, one := range slices.Concat(test.alone, test.ended) {
			r.early[single(one.Call()).String()] = Early{}
		}
		whole := ran(suite.Test{Operation: a.Operation}, suite.Test{Operation: c.Operation})
		var got []string
		left := r.undivided(whole, ran(test.alone...), test.parts, map[string]bool{"m.TestTable": test.before})
		for _, q := range left {
			got = append(got, q.Statements[0].Op)
		}
		if !slices.Equal(got, test.want) {
			t.Errorf("%s: %q stay whole, want %q", test.reason, got, test.want)
		}
	}
}
