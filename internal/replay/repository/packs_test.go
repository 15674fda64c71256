package repository

import (
	"io"
	"strings"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
)

// TestRepackedMeanwhile: git may move all objects while a repository is open, into packs and from one to the next.
func TestRepackedMeanwhile(t *testing.T) {
	f := newFixture(t)
	f.write("large.bin", strings.Repeat("0123456789abcdef", 1<<17))
	f.history(2)
	blob := f.git("rev-parse", "HEAD:large.bin")
	for _, way := range []string{"loose objects are packed", "a pack is replaced"} {
		r := f.open()
		at, err := r.Resolve("HEAD~1")
		must(t, err)
		read := r.objects.reader()
		defer read.close()
		large, err := read.object(plumbing.NewHash(blob))
		must(t, err)
		for range 2 {
			f.write("f.txt", way)
			f.commit(way)
			f.git("repack", "-q", "-a", "-d", "-F")
			f.git("prune-packed")
		}
		if _, err := r.Materialise(t.Context(), at, openCache(t, t.TempDir())); err != nil {
			t.Errorf("%s: %v", way, err)
		}
		in, err := large.Reader()
		if err != nil {
			t.Errorf("%s: a large object that was found: %v", way, err)
			continue
		}
		size, err := io.Copy(io.Discard, in)
		if err != nil || size != 16<<17 {
			t.Errorf("%s: %d bytes of a large object, %v", way, size, err)
		}
	}
}

// TestFetchedMeanwhile: what a fetch brought is there for a repository that was opened before, and is not left out.
func TestFetchedMeanwhile(t *testing.T) {
	origin := newFixture(t)
	origin.history(1)
	f := origin.clone()
	r := f.open()
	origin.history(2)
	head := plumbing.NewHash(origin.git("rev-parse", "HEAD"))
	if r.objects.has(head) {
		t.Fatal("the clone has what nobody fetched")
	}
	f.git("-c", "fetch.unpackLimit=1", "fetch", "-q")
	if !r.objects.has(head) {
		t.Error("what was fetched is missing")
	}
}
