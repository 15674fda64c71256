package cache

import (
	"os"
	"strings"
	"testing"
)

// TestKeep: what was kept is there until it is damaged or replaced, under its name and kind alone.
func TestKeep(t *testing.T) {
	c := open(t, t.TempDir(), 0, 0)
	defer c.Finish(t.Context())
	long := strings.Repeat("content ", 10_000)
	for _, content := range []string{long, "another one", ""} {
		must(t, c.Keep(Footprints, "name", []byte(content)))
		if got, ok := c.Kept(Footprints, "name"); !ok || string(got) != content {
			t.Errorf("kept %d bytes, %t, want %d", len(got), ok, len(content))
		}
	}
	must(t, c.Keep(Footprints, "name", []byte(long)))
	if info, err := os.Stat(c.file(Footprints, "name")); err != nil || info.Size() > 5000 {
		t.Errorf("%d bytes take %v, %v", len(long), info.Size(), err)
	}
	for _, other := range []key{{Footprints, "other"}, {Reports, "name"}} {
		if got, ok := c.Kept(other.kind, other.name); ok {
			t.Errorf("%v: kept %d bytes", other, len(got))
		}
	}
	must(t, os.WriteFile(c.file(Footprints, "name"), []byte("damaged"), 0o600))
	if got, ok := c.Kept(Footprints, "name"); ok {
		t.Errorf("%d bytes of a damaged file", len(got))
	}
}
