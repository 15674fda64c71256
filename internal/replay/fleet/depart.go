package fleet

import (
	"context"
	"errors"
	"io"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

var (
	errUnanswered = errors.New("the server does not answer")
	errCut        = errors.New("the connection to the server was lost")
)

// A departing is a content that goes to the store.
type departing struct {
	io.Reader
	goes func() // when it is first read
}

func (d *departing) Read(to []byte) (int, error) {
	d.goes()
	return d.Reader.Read(to)
}

// send puts a content into the store. Before it reads the content, the store is asked for what it has of that name, and
// afterwards it has to confirm each part: with the connection questions and answers can be lost, which nothing tells.
func (s *shelf) send(ctx context.Context, a address, size int64, content io.Reader) error {
	begin, move := s.of.patience, moving(size)
	ctx, cancel := context.WithTimeout(ctx, begin+move) // without a deadline each part has one
	defer cancel()
	ctx, stop := context.WithCancelCause(ctx)
	defer stop(nil)
	late := time.AfterFunc(begin, func() { stop(errUnanswered) })
	defer late.Stop()
	lost := s.of.contents.StatusChanged(nats.RECONNECTING, nats.CLOSED)
	defer s.of.contents.RemoveStatusListener(lost)
	go func() {
		select {
		case <-lost:
			stop(errCut)
		case <-ctx.Done():
		}
	}()
	goes := sync.OnceFunc(func() { late.Reset(move) })
	_, err := s.moved.Put(ctx, jetstream.ObjectMeta{Name: string(a)}, &departing{content, goes})
	if of := context.Cause(ctx); of != nil && (err != nil || errors.Is(of, errCut)) { // then some parts may be missing
		return of
	}
	return err
}
