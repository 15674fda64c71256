package fleet

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
)

// A server says what it refuses beside what was asked: a request that is not permitted has no answer.

// refusals are what a server refused.
type refusals struct {
	server string
	logf   func(format string, args ...any)
	refuse context.CancelCauseFunc // ends what is waited for while the link is made

	mu     sync.Mutex
	made   bool
	said   map[string]bool
	last   error
	denied time.Time // since then the user is not let in; zero: he is
}

// options have a connection say what the server refuses, and when it goes and comes back.
func (r *refusals) options() []nats.Option {
	return []nats.Option{
		nats.ErrorHandler(func(_ *nats.Conn, _ *nats.Subscription, err error) { r.heard(err) }),
		nats.DisconnectErrHandler(func(_ *nats.Conn, err error) {
			if err != nil {
				r.logf("the server %s is away: %v", r.server, err)
			}
		}),
		nats.ReconnectHandler(func(*nats.Conn) {
			r.back()
			r.logf("the server %s is back", r.server)
		}),
	}
}

// heard notes an error that the server told, and says it once.
func (r *refusals) heard(err error) {
	permission := errors.Is(err, nats.ErrPermissionViolation)
	if !permission && !isDenied(err) {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.last = err; !permission && r.denied.IsZero() {
		r.denied = time.Now()
	}
	r.refuse(err)
	if r.made && !r.said[err.Error()] {
		r.said[err.Error()] = true
		r.logf("the server %s refuses this user: %v%s", r.server, err, advice(err))
	}
}

// ready notes that the link is made, so that no error tells what is refused from now on.
func (r *refusals) ready() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.made = true
}

// back notes that the user was let in again, perhaps with other permissions.
func (r *refusals) back() {
	r.mu.Lock()
	defer r.mu.Unlock()
	clear(r.said)
	r.last, r.denied = nil, time.Time{}
}

// out returns an error if the user was not let in for so long.
func (r *refusals) out(most time.Duration) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.denied.IsZero() || time.Since(r.denied) < most {
		return nil
	}
	return fmt.Errorf("the server %s has not let this user in for %v: %w%s", r.server, most, r.last, advice(r.last))
}

// explain returns an error with what the server refused last, which is why there was no answer.
func (r *refusals) explain(err error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.last == nil || !errors.Is(err, context.DeadlineExceeded) && !errors.Is(err, context.Canceled) {
		return err
	}
	return r.last
}

// denials are the errors by which a server says that it does not let a user in.
var denials = []error{nats.ErrAuthorization, nats.ErrAuthExpired, nats.ErrAuthRevoked, nats.ErrAccountAuthExpired}

func isDenied(err error) bool {
	return slices.ContainsFunc(denials, func(of error) bool { return errors.Is(err, of) })
}
