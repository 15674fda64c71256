package generate

import (
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay/api"
)

// shares returns the share of each operation.
func shares(records []record, ended map[int]bool) []float64 {
	list := cumulative(nil, len(records), func(i int) (record, bool) { return records[i], ended[i] })
	shares, before, sum := make([]float64, len(list)), 0.0, list[len(list)-1]
	for i, w := range list {
		shares[i], before = (w-before)/sum, w
	}
	return shares
}

func TestOdds(t *testing.T) {
	usual := record{Calls: 100, Legal: 100}
	with := func(change func(*record)) record {
		r := usual
		change(&r)
		return r
	}
	for _, c := range []struct {
		reason     string
		more, less record
	}{
		{"little used", with(func(r *record) { r.Calls, r.Legal = 1, 1 }), usual},
		{"failing", usual, with(func(r *record) { r.Legal = 10 })},
		{"bringing something new", with(func(r *record) { r.Fresh = 50 }), usual},
		{"hard to call", usual, with(func(r *record) { r.Unmade = 500 })},
		{"ending the process", usual, with(func(r *record) { r.Killed = 1 })},
		{"taking long", usual, with(func(r *record) { r.Cost = 3 })},
		{"a supplier", usual, with(func(r *record) { r.Supplier = true })},
		{"on the way to the change", with(func(r *record) { r.Reaches = true }), usual},
	} {
		if s := shares([]record{c.more, c.less}, nil); s[0] <= s[1] {
			t.Errorf("%s: shares %v", c.reason, s)
		}
	}
}

// TestClose: one test near the change has its share beside many others that reach it.
func TestClose(t *testing.T) {
	others := record{Reaches: true, Calls: 100, Legal: 100}
	near := others
	near.Near = true
	list := []record{near}
	for range 99 {
		list = append(list, others)
	}
	if s := shares(list, nil); s[0] < closeShare-0.001 || s[0] > closeShare+0.001 {
		t.Errorf("share %v", s[0])
	}
	if s := shares([]record{near, near, others}, nil); s[0] != s[2] {
		t.Errorf("shares %v where those near have enough", s)
	}
}

// TestPrice: what takes longer than half of the operations has as much time as these, in fewer calls; what takes less
// has more calls, up to a limit, and less time all the same.
func TestPrice(t *testing.T) {
	var ops []*Operation
	for _, steps := range []int64{1, 25, 100, 100, 1000, 400, 0} {
		ops = append(ops, &Operation{Of: &api.Operation{Steps: steps}})
	}
	all := histories{}
	all.price(ops)
	for i, want := range []float64{mostCheap, 2, 1, 1, 0.1, 0.25, 1} {
		if got := all.of(ops[i]).affordable(); got != want {
			t.Errorf("%d steps: %v of the calls, want %v", ops[i].Of.Steps, got, want)
		}
	}
	s := shares([]record{all.of(ops[2]).record, all.of(ops[4]).record}, nil)
	if ratio := s[0] / s[1]; ratio < 9.999 || ratio > 10.001 {
		t.Errorf("ten times the steps, and shares %v", s)
	}
}

// TestReachingShare checks that one operation among many gets the larger part of the calls if it alone reaches the
// change.
func TestReachingShare(t *testing.T) {
	records := make([]record, 500)
	records[7].Reaches = true
	if s := shares(records, nil); s[7] < reachingShare-0.001 || s[7] > reachingShare+0.001 {
		t.Errorf("its share is %v, want %v", s[7], reachingShare)
	}
	if s := shares(records, map[int]bool{7: true}); s[7] != 0 {
		t.Errorf("it is not called any more, and its share is %v", s[7])
	}
	for i := range records {
		records[i].Reaches = i > 0
	}
	if s := shares(records, nil); s[0] == 0 {
		t.Error("the only one that does not reach the change is never called")
	}
}
