package generate

import (
	"slices"
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
)

// TestRouted: a request gets the path and the method of a route at once, on its own server, and nothing else changes.
func TestRouted(t *testing.T) {
	for _, c := range []struct {
		reason    string
		args      []string
		want      []string
		otherwise bool
	}{
		{"its method", []string{"PUT", "GET", "/a", "POST"}, []string{"PUT", "DELETE", "/x/1", "POST"}, true},
		{"a method behind", []string{"/a", "GET", "PUT"}, []string{"/x/1", "DELETE", "PUT"}, true},
		{"a method far away", []string{"GET", "", "", "", "/a"}, []string{"GET", "", "", "", "/x/1"}, true},
		{"an address", []string{"http://h:1/a/b", "GET"}, []string{"http://h:1/x/1", "DELETE"}, true},
		{"a server", []string{"https://h"}, []string{"https://h/x/1"}, true},
		{"no path", []string{"GET", "a/b", "ftp://h/a"}, []string{"GET", "a/b", "ftp://h/a"}, false},
	} {
		g := newGenerator(Input{Seed: 1, Routes: []api.Route{{Method: "DELETE", Path: "/x/1"}}})
		var args []sequence.Value
		for _, text := range c.args {
			args = append(args, sequence.Value{Kind: sequence.String, Text: text})
		}
		did := false
		for range 100 {
			did = did || g.routed(args)
		}
		var got []string
		for _, v := range args {
			got = append(got, v.Text)
		}
		if did != c.otherwise || !slices.Equal(got, c.want) {
			t.Errorf("%s: %v, %q, want %q", c.reason, did, got, c.want)
		}
	}
}
