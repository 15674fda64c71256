package replay

import (
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// TestReadVariables checks that an answer has one state for each requested variable, whatever bytes it holds.
func TestReadVariables(t *testing.T) {
	answer := func(n int) []byte {
		var w wire.Writer
		w.Count(n)
		for range n {
			w.Bool(false)
		}
		return w
	}
	var forged wire.Writer
	forged.Count(1)
	forged.Bool(true)
	forged.Bool(false)
	forged.Digest([2]uint64{1, 2})
	forged.Text("no slots")
	for _, c := range []struct {
		reason string
		body   []byte
		want   string // part of the error, "" is none
	}{
		{"one for the one that was asked for", answer(1), ""},
		{"more", answer(2), "answered with 2, 1 were asked for"},
		{"none", answer(0), "answered with 0, 1 were asked for"},
		{"a count of which there is nothing", []byte{0xff, 0xff, 0x7f}, "ends too early"},
		{"nothing", nil, "ends too early"},
		{"slots that are none", forged, "m.v: "},
	} {
		r := wire.NewReader(c.body)
		list, err := readVariables(&r, []string{"m.v"})
		switch {
		case c.want == "" && (err != nil || len(list) != 1):
			t.Errorf("%s: %d variables, error %v", c.reason, len(list), err)
		case c.want != "" && (err == nil || !strings.Contains(err.Error(), c.want)):
			t.Errorf("%s: error %v, want %q", c.reason, err, c.want)
		}
	}
}

// TestUnreadableRecording checks that a recording that can't be decoded counts as a crash and does not end the run.
func TestUnreadableRecording(t *testing.T) {
	ended := spectra.End{Kind: wire.EndDone}
	for _, c := range []struct {
		reason string
		played Played
		want   wire.End
	}{
		{"no event", Played{}, wire.EndDone},
		{"made up by the target", Played{recorded: recorded{stream: []byte{0x77}}}, wire.EndCrashed},
		{"cut when the process ended", Played{recorded: recorded{stream: []byte{0x77}, cut: true}}, wire.EndDone},
	} {
		c.played.Spectrum = &spectra.Spectrum{End: ended}
		if got := c.played.Recorded().End.Kind; got != c.want {
			t.Errorf("%s: end %v, want %v", c.reason, got, c.want)
		}
		if c.played.Spectrum.End != ended {
			t.Errorf("%s: the output spectrum changed", c.reason)
		}
	}
}
