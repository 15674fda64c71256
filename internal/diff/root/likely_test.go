package root_test

import (
	"testing"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/diff/noise"
	"github.com/spectradiff/spectradiff/internal/diff/root"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// TestLikely: of modules that may be the cause, the one whose type holds what differs is, the innermost of them.
func TestLikely(t *testing.T) {
	leaf := &spectra.Value{Kind: wire.ValueString, Text: "x"}
	inner := &spectra.Value{
		Kind: wire.ValueStruct, Type: "b.org/inner/v2.T", Items: []spectra.Item{{Name: "text", Value: leaf}},
	}
	outer := &spectra.Value{
		Kind: wire.ValueStruct, Type: "a.org/outer/part.T",
		Items: []spectra.Item{
			{Name: "own", Value: leaf},
			{Name: "held", Value: &spectra.Value{Kind: wire.ValuePointer, Items: []spectra.Item{{Value: inner}}}},
		},
	}
	state := spectra.State{}.WithSlots([]spectra.Slot{{Name: "n", Value: leaf}, {Name: "ret0", Value: outer}})
	node := &diff.Node{Old: &spectra.Execution{Exit: state}, New: &spectra.Execution{Exit: state}}
	modules := []root.Module{
		{Upgrade: diff.Upgrade{Path: "a.org/other"}}, {Upgrade: diff.Upgrade{Path: "a.org/outer"}},
		{Upgrade: diff.Upgrade{Path: "b.org/inner/v2"}}, {Upgrade: diff.Upgrade{Path: "b.org/inn"}},
	}
	for _, c := range []struct {
		reason  string
		of      *diff.Deviation
		without string
		want    string
	}{
		{"the innermost type", &diff.Deviation{Node: node, Path: "ret0.held.text"}, "", "b.org/inner/v2"},
		{
			"its holder, where that one may not be", &diff.Deviation{Node: node, Path: "ret0.held.text"},
			"b.org/inner/v2", "a.org/outer",
		},
		{"what lies beside", &diff.Deviation{Node: node, Path: "ret0.own"}, "", "a.org/outer"},
		{"the first, where no type is known", &diff.Deviation{Node: node, Path: "n"}, "", "a.org/other"},
		{"no execution shows it", &diff.Deviation{Path: "stdout"}, "", "a.org/other"},
		{"nothing is known", nil, "a.org/other", "a.org/outer"},
	} {
		if c.of != nil {
			c.of.State = noise.Exit
		}
		got := root.Likely(modules, c.of, func(m *root.Module) bool { return m.Path != c.without })
		if got == nil || got.Path != c.want {
			t.Errorf("%s: %v, want %s", c.reason, got, c.want)
		}
	}
	if got := root.Likely(modules, nil, func(*root.Module) bool { return false }); got != nil {
		t.Errorf("none may be: %v", got)
	}
}
