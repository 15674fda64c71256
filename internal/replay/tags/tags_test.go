package tags

import (
	"strings"
	"testing"
)

func TestOf(t *testing.T) {
	tags := strings.Fields(`lib/v0.1.0 lib/v0.2.0 lib/v2/notes nightly v0.9.0 v1.0 v1.0.0 v1.1.0 v1.10.0 v1.2.0
		v1.2.0-rc.1 v1.2.1 v1.3.0-beta v2.0.0 version-3`)
	for _, c := range []struct {
		reason string
		of     Range
		want   string // the tags, or a part of the error
	}{
		{"numbers, not letters", Range{First: "v1.1.0", Last: "v1.10.0"}, "v1.1.0 v1.2.0 v1.2.1 v1.10.0"},
		{"two neighbours", Range{First: "v1.2.0", Last: "v1.2.1"}, "v1.2.0 v1.2.1"},
		{"versions before a release", Range{First: "v1.1.0", Last: "v1.2.1", Pre: true},
			"v1.1.0 v1.2.0-rc.1 v1.2.0 v1.2.1"},
		{"one before a release at the end", Range{First: "v1.2.1", Last: "v1.3.0-beta"}, "v1.2.1 v1.3.0-beta"},
		{"one version with two tags", Range{First: "v0.9.0", Last: "v1.1.0"}, "v0.9.0 v1.0.0 v1.1.0"},
		{"beyond a major version", Range{First: "v1.10.0", Last: "v2.0.0"}, "v1.10.0 v2.0.0"},
		{"of a module in a folder", Range{First: "v0.1.0", Last: "v0.2.0", Folder: "lib"}, "lib/v0.1.0 lib/v0.2.0"},
		{"of a module in a folder of a major version", Range{First: "v0.1.0", Last: "v0.2.0", Folder: "lib/v2"},
			"lib/v0.1.0 lib/v0.2.0"},
		{"in full, from elsewhere", Range{First: "lib/v0.1.0", Last: "lib/v0.2.0", Folder: "."},
			"lib/v0.1.0 lib/v0.2.0"},
		{"of the root, from a folder whose module has no such tags",
			Range{First: "v1.2.0", Last: "v1.2.1", Folder: "cmd"}, "v1.2.0 v1.2.1"},
		{"of two modules", Range{First: "lib/v0.1.0", Last: "v1.1.0"},
			"v1.1.0 is no tag of a release; tags near it: lib/v0.1.0, lib/v0.2.0;"},
		{"a tag that is not there", Range{First: "v1.1.0", Last: "v1.9.0"},
			"v1.9.0 is no tag of a release; tags near it: v1.2.0, v1.2.1, v1.3.0-beta, v1.10.0, v2.0.0; other"},
		{"a tag of another kind", Range{First: "v1.1.0", Last: "nightly"},
			"nightly is no tag of a release; tags near it: v1.2.0, v1.2.1, v1.3.0-beta, v1.10.0, v2.0.0"},
		{"a branch", Range{First: "v1.1.0", Last: "main"}, "can be listed one by one, as in v1.1.0 main"},
		{"the wrong way round", Range{First: "v2.0.0", Last: "v1.0.0"}, "v2.0.0 is not older than v1.0.0"},
		{"one release twice", Range{First: "v1.0", Last: "v1.0.0"}, "v1.0 is not older than v1.0.0"},
		{"nothing that looks like a release", Range{First: "other/v1.0.0", Last: "other/v1.1.0"},
			"other/v1.0.0 is no tag of a release, and there are no tags such as other/v1.2.0;"},
	} {
		list, err := c.of.Of(tags)
		got := strings.Join(list, " ")
		if err != nil {
			got = err.Error()
		}
		if err == nil && got != c.want || err != nil && !strings.Contains(got, c.want) {
			t.Errorf("%s: got %s, want %s", c.reason, got, c.want)
		}
	}
}
