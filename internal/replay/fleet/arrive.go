package fleet

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"github.com/nats-io/nats.go/jetstream"
)

// A missing is the error for a content that the store lacks, or has in name only: it does not arrive, or is another
// one. Whoever has it must put it again.
type missing struct {
	content address
	err     error
}

func (m *missing) Error() string { return fmt.Sprintf("content %.12s: %v", m.content, m.err) }

func (m *missing) Unwrap() error { return m.err }

// ErrContent is the error for a content that is not what its address says.
var ErrContent = errors.New("it is not what its address says, so it is refused")

var (
	errNotThere = errors.New("the server does not have it")
	errStalled  = errors.New("it does not arrive")
)

// lacks reports whether an error of the store is about what it has, and not about the connection.
func lacks(err error) bool {
	for _, of := range []error{
		ErrContent, errNotThere, errStalled,
		jetstream.ErrBadObjectMeta, jetstream.ErrCantGetBucket, jetstream.ErrDigestMismatch,
		jetstream.ErrInvalidDigestFormat,
	} {
		if errors.Is(err, of) {
			return true
		}
	}
	return false
}

// A soon is a context whose deadline is always near. Reads of a content hear of nothing before the deadline that their
// context had when they began, and then look at whether it ended.
type soon struct{ context.Context }

func (s soon) Deadline() (time.Time, bool) {
	at := time.Now().Add(beat)
	if last, ok := s.Context.Deadline(); ok && last.Before(at) {
		at = last
	}
	return at, true
}

// open returns a reader of a content that ends with the context, and when nothing comes any more.
func (s *shelf) open(ctx context.Context, a address) (io.ReadCloser, error) {
	ctx, cancel := context.WithCancel(ctx)
	late := time.AfterFunc(asking, cancel)
	from, err := s.moved.Get(soon{ctx}, string(a))
	late.Stop()
	if err != nil {
		cancel()
		return nil, notThere(err)
	}
	return &arriving{from: from, cancel: cancel, begun: time.Now(), patient: s.of.patience}, nil
}

// notThere returns an error of the store, which is errNotThere if it has no such content.
func notThere(err error) error {
	if errors.Is(err, jetstream.ErrObjectNotFound) || lostStream(err) {
		return errNotThere
	}
	return err
}

// An arriving is a content that comes from the store.
type arriving struct {
	from    io.ReadCloser
	cancel  context.CancelFunc
	begun   time.Time
	patient time.Duration // while nothing comes
	came    int64         // bytes
}

// Read reads what came. It fails if nothing does, and if all that came came too slowly.
func (r *arriving) Read(to []byte) (int, error) {
	for asked := time.Now(); ; {
		n, err := r.from.Read(to)
		r.came += int64(n)
		switch {
		case time.Since(r.begun) > moving(r.came), n == 0 && err != nil && time.Since(asked) > r.patient:
			return n, errStalled
		case n > 0 || !errors.Is(err, os.ErrDeadlineExceeded):
			return n, err
		}
	}
}

func (r *arriving) Close() error {
	r.cancel()
	return r.from.Close()
}

// A mending remembers which contents must be put although the store seems to have them.
type mending struct {
	mu    sync.Mutex
	again map[address]bool
	times map[address]int
}

// ask has a content put again. It does no more than some times for each: whoever says that it is missing may lie.
func (m *mending) ask(a address) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.times[a] == mostHanded {
		return
	}
	if m.again == nil {
		m.again, m.times = map[address]bool{}, map[address]int{}
	}
	m.again[a] = true
	m.times[a]++
}

// asked reports whether a content must be put again.
func (m *mending) asked(a address) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.again[a]
}

// mended notes that a content was put.
func (m *mending) mended(a address) {
	m.mu.Lock()
	defer m.mu.Unlock()
	delete(m.again, a)
}
