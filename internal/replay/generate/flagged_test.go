package generate

import (
	"slices"
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
)

// TestFlagged: a command line gets one more flag, be it a text or a list of words, and nothing else changes.
func TestFlagged(t *testing.T) {
	for _, c := range []struct {
		reason     string
		names      []string
		args, want []string
		words      []bool
		did        bool
	}{
		{"one more word", []string{"a", ""}, []string{"x", ""}, []string{"x", "--quick=1"}, []bool{false, true}, true},
		{"by its name", []string{"Cmd", ""}, []string{"get x", "y"}, []string{"get x --quick=1", "y"}, nil, true},
		{"by its flags", []string{"", ""}, []string{"y", "get --all"}, []string{"y", "get --all --quick=1"}, nil, true},
		{"no command line", []string{"name", ""}, []string{"x", ""}, []string{"x", ""}, nil, false},
	} {
		g := newGenerator(Input{Seed: 1, Flags: []api.Flag{{Name: "--quick", Values: []string{"1"}}}})
		op := &Operation{Of: &api.Operation{Names: c.names, Words: c.words}}
		args := make([]sequence.Value, len(c.args))
		for i, text := range c.args {
			args[i] = sequence.Value{Kind: sequence.String, Text: text}
		}
		did := false
		for n := 0; n < 100 && !did; n++ {
			did = g.flagged(args, op)
		}
		var got []string
		for _, v := range args {
			got = append(got, v.Text)
		}
		if did != c.did || !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, %q, want %q", c.reason, did, got, c.want)
		}
	}
}
