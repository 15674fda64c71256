package build

import (
	"os"
	"slices"
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay/gocommand"
)

// TestExports: dependencies are compiled on the extended runtime, with what two versions share; where it can't be
// extended, as ever.
func TestExports(t *testing.T) {
	b, one, other := newBuilder(t), newRelease(t, nil), newRelease(t, &runtimePatches[0])
	found := b.Exports(t.Context(), one.folder, os.Environ(), gocommand.Folders{})
	if len(found.Flags) < 2 || found.Flags[0] != "-overlay" || !slices.Contains(found.Flags, "-trimpath") {
		t.Fatalf("got %q, want the flags of a driver", found.Flags)
	}
	if _, err := os.Stat(found.Flags[1]); err != nil || len(found.Folders.Read) != 1 {
		t.Errorf("the overlay can't be read: %v, %q", err, found.Folders.Read)
	}
	again := b.Exports(t.Context(), one.folder, os.Environ(), gocommand.Folders{})
	if again.Flags[1] != found.Flags[1] {
		t.Errorf("the next version has the overlay %s, want %s", again.Flags[1], found.Flags[1])
	}
	if none := b.Exports(t.Context(), other.folder, os.Environ(), gocommand.Folders{}); len(none.Flags) > 0 {
		t.Errorf("without an extended runtime: %q, want no flags", none.Flags)
	}
}
