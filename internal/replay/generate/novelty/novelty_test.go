package novelty

import (
	"testing"

	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// TestSeen checks that everything is new once, and that a question that differs in one part is another one.
func TestSeen(t *testing.T) {
	s := New()
	for _, c := range []struct {
		reason string
		ask    func() bool
		want   bool
	}{
		{"a way to end", func() bool { return s.First("F", "", "panic") }, true},
		{"the same again", func() bool { return s.First("F", "", "panic") }, false},
		{"of another operation", func() bool { return s.First("G", "", "panic") }, true},
		{"of a function value", func() bool { return s.First("", "F", "panic") }, true},
		{"a value", func() bool { return s.Value("F", 0, [2]uint64{1}) }, true},
		{"the same again", func() bool { return s.Value("F", 0, [2]uint64{1}) }, false},
		{"as another result", func() bool { return s.Value("F", 1, [2]uint64{1}) }, true},
		{"of a type", func() bool { return s.Known("int", [2]uint64{1}) }, true},
		{"the same again", func() bool { return s.Known("int", [2]uint64{1}) }, false},
		{"a state", func() bool { return s.State([2]uint64{1}) }, true},
		{"the same again", func() bool { return s.State([2]uint64{1}) }, false},
		{"apart", func() bool { return s.Differences("end") == 1 }, true},
		{"apart again", func() bool { return s.Differences("end") == 2 }, true},
		{"apart otherwise", func() bool { return s.Differences("F") == 1 }, true},
	} {
		if got := c.ask(); got != c.want {
			t.Errorf("%s: %v", c.reason, got)
		}
	}
}

func TestHits(t *testing.T) {
	s := New()
	changed := func(id uint32) bool { return id == 7 }
	for _, c := range []struct {
		reason       string
		coverage     []uint32
		isNew, hitIt bool
	}{
		{"code that nothing hit", []uint32{1, 2}, true, false},
		{"the same", []uint32{2, 1}, false, false},
		{"changed code", []uint32{1, 7}, true, true},
		{"changed code again", []uint32{7}, false, true},
		{"nothing", nil, false, false},
	} {
		if isNew, hitIt := s.Hits(&Outcome{Coverage: c.coverage}, changed); isNew != c.isNew || hitIt != c.hitIt {
			t.Errorf("%s: new %v, changed %v", c.reason, isNew, hitIt)
		}
	}
	if _, hitIt := s.Hits(&Outcome{Coverage: []uint32{7}}, nil); hitIt {
		t.Error("changed code is hit although none is known")
	}
}

func TestKilled(t *testing.T) {
	for _, c := range []struct {
		reason string
		of     Outcome
		want   bool
	}{
		{"it ran to its end", Outcome{End: wire.EndDone}, false},
		{"it ended the process", Outcome{End: wire.EndExited}, true},
		{"it panicked before", Outcome{End: wire.EndCrashed, Panicked: true}, false},
		{"it was not possible", Outcome{End: wire.EndCrashed, Rejected: true}, false},
	} {
		if got := c.of.Killed(); got != c.want {
			t.Errorf("%s: %v", c.reason, got)
		}
	}
}

func TestNormalised(t *testing.T) {
	for _, c := range []struct{ reason, text, want string }{
		{"numbers", "index -1 out of range [10:200]", "index 0 out of range [0:0]"},
		{"quoted text", `no key "abc" in "d"`, `no key " in "`},
	} {
		if got := Normalised(c.text); got != c.want {
			t.Errorf("%s: %q became %q, want %q", c.reason, c.text, got, c.want)
		}
	}
}

func TestWay(t *testing.T) {
	same := [][2]Step{
		{{Results: []Result{{Digest: [2]uint64{1}}}}, {Results: []Result{{Digest: [2]uint64{2}}}}},
	}
	for _, pair := range same {
		if Way(&pair[0]) != Way(&pair[1]) {
			t.Errorf("%v and %v are other ways to return", pair[0], pair[1])
		}
	}
	seen := map[string]bool{}
	for _, r := range []Result{{}, {Nil: true}, {ErrorSet: true}, {Dynamic: "m.T"}} {
		seen[Way(&Step{Results: []Result{r}})] = true
	}
	if len(seen) != 4 {
		t.Errorf("%d ways, want 4: a value, nil, an error, a dynamic type", len(seen))
	}
}
