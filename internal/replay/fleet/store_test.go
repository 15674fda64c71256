package fleet

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay/build"
)

// kept has a store keep a content of so many bytes that nobody uses afterwards.
func kept(t *testing.T, s *store, name string, bytes int, fails ...error) *item {
	t.Helper()
	of, a := &item{fetched: make(chan struct{}), users: 1}, content{address: address(name)}
	s.turn++
	of.used = s.turn
	s.items[a] = of
	s.fill(of, a, func(_ context.Context, of *item, _ address) error {
		of.driver = &build.Binary{}
		if len(fails) > 0 {
			why := fails[0]
			fails = fails[1:]
			return fmt.Errorf("fetch: %w", why)
		}
		return os.WriteFile(filepath.Join(of.dir, "driver"), make([]byte, bytes), 0o600)
	})
	return of
}

func names(s *store) (list []string) {
	for a := range s.items {
		list = append(list, string(a.address))
	}
	return list
}

// TestStoreBytes: what a worker keeps has a size, with what was made beside it, and what was used last stays.
func TestStoreBytes(t *testing.T) {
	s := newStore(t.Context(), nil, t.TempDir())
	s.most = 1000
	one := kept(t, s, "one", 400)
	kept(t, s, "two", 400)
	if len(s.items) != 2 {
		t.Errorf("of 800 bytes there are %q", names(s))
	}
	if err := os.WriteFile(filepath.Join(one.dir, "variant"), make([]byte, 300), 0o600); err != nil {
		t.Fatal(err)
	}
	one.users, one.used = 1, s.turn+1
	s.release([]*item{one})
	if len(s.items) != 1 || s.items[content{address: "one"}] != one {
		t.Errorf("of 1100 bytes there are %q", names(s))
	}
	if list, err := os.ReadDir(s.temp); err != nil || len(list) != 1 {
		t.Errorf("%d folders are there, %v", len(list), err)
	}
}

// TestStoreFull: on a full disk what nobody uses makes room, once.
func TestStoreFull(t *testing.T) {
	s := newStore(t.Context(), nil, t.TempDir())
	kept(t, s, "old", 400)
	if of := kept(t, s, "new", 400, syscall.ENOSPC); of.err != nil || len(s.items) != 1 {
		t.Errorf("%v, there are %q", of.err, names(s))
	}
	used := s.items[content{address: "new"}]
	used.users++
	if of := kept(t, s, "third", 400, syscall.ENOSPC); !full(of.err) || s.items[content{address: "new"}] != used {
		t.Errorf("%v, there are %q", of.err, names(s))
	}
}
