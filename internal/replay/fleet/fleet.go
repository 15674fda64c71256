// Package fleet has other machines play sequences and do jobs, over NATS with JetStream.
//
// In: the address of a server, and tasks (replay.Task), which are values. Out: what the drivers of a task gave. A job
// is a task that is no play: bytes and folders, of which the package knows nothing, for a function of the worker. Three
// parties talk to each other, all over the server:
//
//	client   puts what a task needs into the object store by its content, the task into the work queue of its kind,
//	         and waits for its result
//	worker   takes a task, fetches what it lacks, plays in its own sandbox, and puts the result into a stream
//	server   keeps them: any NATS server with JetStream, or the embedded one (Serve)
//
// What always holds:
//
//   - A task says all that decides its result. It is done again elsewhere if a worker is lost, with the same one.
//   - The kind of a task (Kind) is the program of the tool, the layers that confine, and what a program can tell of the
//     machine, that of a job the go command as well. Workers of another kind never see it.
//   - Nobody trusts what was fetched: contents are compared with their address, and results are decoded as what a
//     hostile driver says.
//   - Workers believe no size, limit or place that a task names, and do nothing for a client that is gone.
//   - A server may lose what it has at any time. It gets again what is needed.
//   - No task waits for ever. One that no worker is known to have (silence), or that failed, returns an error, and
//     whoever asked does it himself.
//   - No clock of another machine counts: what is compared are times of one machine.
//
// The package never sends a secret of the user, a path that a task does not name, or anything that was not asked for.
package fleet

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"
	"golang.org/x/sync/semaphore"
)

// Options say which server is used, and how the user is known there.
type Options struct {
	URL         string // "nats://host:4222", several with commas between; may hold a user or a token
	Credentials string // file of NATS with the user's credentials; "": none
	CA          string // file with the authority of the server's certificate; "": those of the system
	Cert, Key   string // files of a certificate of the client; "": none
}

// A Kind is what client and worker must have in common.
type Kind struct {
	Program string // hash of the tool's program
	Version string // of the tool, for people
	System  string // such as "linux/amd64"
	Layers  string // that confine, see sandbox.Layers
	C       string // hash of the C library, see Libraries

	Programs  string // hash of the system's programs, see sandbox.Programs
	Processor string // hash of what the processor can do, see Processor
	Model     string // of the processor, see Model
	Kernel    string // see Kernel

	Go string // hash of what decides what the go command builds, for jobs alone; "": none are done

	// Settings are these, for people: "NAME=hash", with spaces between. Values may say what is nobody's business, but
	// for GOVERSION, which is as it is.
	Settings string
}

// subject returns the kind as a part of the names of subjects.
func (k Kind) subject() string {
	sum := sha256.Sum256([]byte(strings.Join([]string{
		protocol, k.Program, k.System, k.Layers, k.C, k.Programs, k.Processor, k.Model, k.Kernel,
	}, "\n")))
	return hex.EncodeToString(sum[:8])
}

// jobs returns the same for jobs, which load and build; "": none are done.
func (k Kind) jobs() string {
	if k.Go == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(k.subject() + "\n" + k.Go))
	return hex.EncodeToString(sum[:8])
}

// printable returns the kind in the form in which it is shown.
func (k Kind) printable() Kind {
	return Kind{
		printable(k.Program), printable(k.Version), printable(k.System), printable(k.Layers), printable(k.C),
		printable(k.Programs), printable(k.Processor), printable(k.Model), printable(k.Kernel), printable(k.Go),
		printableUpTo(k.Settings, 1000),
	}
}

// differs says why a worker of another kind can't do tasks of this one; "" if it can.
func (k Kind) differs(other Kind) string {
	switch {
	case other.Program != k.Program && other.Version != k.Version:
		return fmt.Sprintf("it has version %s of spectradiff, not %s", other.Version, k.Version)
	case other.Program != k.Program:
		return "it has another build of spectradiff: install the same program on both machines"
	case other.System != k.System:
		return fmt.Sprintf("it runs on %s, not on %s", other.System, k.System)
	case other.Layers != k.Layers:
		return fmt.Sprintf("it confines with %s, not with %s", other.Layers, k.Layers)
	case other.C != k.C:
		return "it has another C library: use the same release of the system on both machines"
	case other.Programs != k.Programs:
		return "it has other programs in /usr/bin and /bin, which tests may start: use the same image on both machines"
	case other.Processor != k.Processor:
		return "its processor can do other things, by which programs choose what they run: " +
			"use machines of the same type"
	case other.Model != k.Model:
		return fmt.Sprintf("its processor is %s, not %s, which programs can read: use machines of the same type",
			other.Model, k.Model)
	case other.Kernel != k.Kernel:
		return fmt.Sprintf("its kernel is %s, not %s, which programs can read: use the same release of the system on "+
			"both machines", other.Kernel, k.Kernel)
	}
	return ""
}

// Times. A worker says every beat that it is there and what it does. It is believed gone after gone, and a task that
// nobody is known to have after silence, which is longer than the server waits before it gives the task to another.
const (
	beat        = time.Second
	gone        = 5 * time.Second
	ackWait     = 8 * time.Second
	silence     = 20 * time.Second
	distance    = time.Minute // after which workers are tried again that did not manage several tasks in a row
	connecting  = 5 * time.Second
	leaving     = time.Second      // for tidying up, where the server may be away
	leavingSoon = leaving / 5      // likewise, where somebody waits for it
	asking      = 10 * time.Second // for one request of the server; contents have moving
	briefly     = 10 * time.Minute // the longest that a result is kept, and what one task alone needs
	stored      = 24 * time.Hour   // the longest that other contents are kept, and tasks, those that are being done too
)

// slowest is how many bytes move in a second on the slowest connection that is put up with, if nobody else uses it.
const slowest = 128 << 10

// transfers is how many contents of a link move at the same time in one direction. Others wait, so that the time which
// each has does not depend on how many there are. With two a small one need not wait for a large one.
const transfers = 2

// moving returns how long a content of so many bytes may take to the store or from it, from when its turn has come.
func moving(size int64) time.Duration {
	return 2*asking + time.Duration(size*transfers/slowest)*time.Second
}

// deliveries is how many workers are tried with a task. One that ends all of them is given up.
const deliveries = 3

// mostLost is how many tasks in a row may be lost before workers are left alone for a while.
const mostLost = 3

// A link is a connection with what all parties use of it, and another one on which contents move: what says that
// somebody is there must not wait behind them.
type link struct {
	nats     *nats.Conn
	js       jetstream.JetStream
	contents *nats.Conn
	*shelf          // of what several tasks need
	brief    *shelf // of what one task alone needs, and of results

	patience  time.Duration // until a content begins to go to the store, and while nothing of one comes
	mending   mending
	sending   *semaphore.Weighted // of transfers, for contents that move to the store
	receiving *semaphore.Weighted // likewise from there
	memory    *semaphore.Weighted // of mostHeld, for contents
	refusals  *refusals
}

// connect connects to the server, and makes what it keeps if that is not there. It logs when the server goes and comes
// back.
func connect(ctx context.Context, o Options, name string, logf func(string, ...any)) (*link, error) {
	if err := o.CheckAddress(); err != nil { // that of NATS holds all of it
		return nil, err
	}
	asked, refuse := context.WithCancelCause(ctx)
	defer refuse(nil)
	r := &refusals{server: shown(o.URL), logf: logf, refuse: refuse, said: map[string]bool{}}
	conn, err := nats.Connect(o.URL, append(o.options(name), r.options()...)...)
	if err != nil {
		return nil, fmt.Errorf("connect to %s: %w%s", shown(o.URL), err, advice(err))
	}
	l := &link{
		nats: conn, patience: asking, memory: semaphore.NewWeighted(mostHeld), refusals: r,
		sending: semaphore.NewWeighted(transfers), receiving: semaphore.NewWeighted(transfers),
	}
	l.shelf, l.brief = newShelf(l, bucket, stored), newShelf(l, briefBucket, briefly)
	if l.js, err = jetstream.New(conn); err == nil {
		err = l.prepare(asked)
	}
	if err == nil {
		err = l.connectContents(asked, o, name)
	}
	if err != nil {
		l.close()
		err = r.explain(err)
		return nil, fmt.Errorf("server %s: %w%s", shown(o.URL), err, advice(err))
	}
	r.ready()
	return l, nil
}

// connectContents makes the connection for contents. That the server goes and comes back is said by the other one.
func (l *link) connectContents(ctx context.Context, o Options, name string) (err error) {
	behind := int(moving(32<<20) / asking) // answers come behind what the server was sent before
	options := append(o.options(name+", contents"), nats.MaxPingsOutstanding(behind), nats.ErrorHandler(
		func(_ *nats.Conn, _ *nats.Subscription, err error) {
			if !isDenied(err) {
				l.refusals.heard(err)
			}
		}))
	if l.contents, err = nats.Connect(o.URL, options...); err != nil {
		return fmt.Errorf("connect for contents: %w", err)
	}
	js, err := jetstream.New(l.contents)
	if err == nil {
		l.moved, err = js.ObjectStore(ctx, bucket)
	}
	if err == nil {
		l.brief.moved, err = js.ObjectStore(ctx, briefBucket)
	}
	return err
}

// options returns how a connection is made, and how it is made again.
func (o Options) options(name string) []nats.Option {
	options := []nats.Option{
		nats.Name(name), nats.Timeout(connecting), nats.MaxReconnects(-1), nats.ReconnectWait(beat / 2),
		nats.IgnoreAuthErrorAbort(),
		nats.PingInterval(asking), nats.MaxPingsOutstanding(2), nats.FlusherTimeout(asking), // it may be gone silently
	}
	if o.Credentials != "" {
		options = append(options, nats.UserCredentials(o.Credentials))
	}
	if o.CA != "" {
		options = append(options, nats.RootCAs(o.CA))
	}
	if o.Cert != "" || o.Key != "" {
		options = append(options, nats.ClientCert(o.Cert, o.Key))
	}
	return options
}

// shown returns an address without what proves who the user is.
func shown(url string) string {
	list := strings.Split(url, ",")
	for i, one := range list {
		if scheme, rest, ok := strings.Cut(one, "://"); ok {
			list[i] = scheme + "://" + rest[strings.LastIndex(rest, "@")+1:]
		} else {
			list[i] = one[strings.LastIndex(one, "@")+1:]
		}
	}
	return strings.Join(list, ",")
}

// advice returns what to do about an error of the server, as the end of a sentence.
func advice(err error) string {
	switch {
	case errors.Is(err, nats.ErrAuthorization):
		return "; name a user in the address, or a file with --nats-creds"
	case isDenied(err):
		return "; get new credentials from those who run the server, and name their file with --nats-creds"
	case errors.Is(err, nats.ErrPermissionViolation):
		return "; give the user the permissions that docs/ci.md lists under Several machines"
	case errors.Is(err, nats.ErrNoServers):
		return "; is it running? spectradiff serve starts one"
	case errors.Is(err, jetstream.ErrJetStreamNotEnabled), errors.Is(err, nats.ErrNoResponders):
		return "; start it with JetStream (nats-server -js)"
	}
	return ""
}

// prepare makes the streams and the store of contents, also again for a server that lost them.
func (l *link) prepare(ctx context.Context) (err error) {
	ctx, cancel := context.WithTimeout(ctx, asking)
	defer cancel()
	_, err = l.js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
		Name: taskStream, Subjects: []string{taskSubject + ".*.*"},
		Retention: jetstream.WorkQueuePolicy, MaxAge: stored,
		Description: "tasks of spectradiff that nobody has done yet",
	})
	if err != nil {
		return fmt.Errorf("work queue: %w", err)
	}
	_, err = l.js.CreateOrUpdateStream(ctx, jetstream.StreamConfig{
		Name: resultStream, Subjects: []string{resultSubject + ".*"}, MaxAge: briefly, Duplicates: briefly,
		Description: "results of tasks of spectradiff",
	})
	if err != nil {
		return fmt.Errorf("stream of results: %w", err)
	}
	if err := l.shelf.prepare(ctx); err != nil {
		return err
	}
	return l.brief.prepare(ctx)
}

// publish puts a message into a stream, once whatever happens, and returns its number there. Where the server lost the
// stream it is made again.
func (l *link) publish(ctx context.Context, subject, id string, message any) (sequence uint64, err error) {
	ctx, cancel := context.WithTimeout(ctx, asking)
	defer cancel()
	data := encode(message)
	trace.SpanFromContext(ctx).SetAttributes(attribute.Int("bytes.sent", len(data)))
	ack, err := l.js.Publish(ctx, subject, data, jetstream.WithMsgID(id))
	if errors.Is(err, jetstream.ErrNoStreamResponse) {
		if err = l.prepare(ctx); err == nil {
			ack, err = l.js.Publish(ctx, subject, data, jetstream.WithMsgID(id))
		}
	}
	if err != nil {
		return 0, err
	}
	return ack.Sequence, nil
}

func (l *link) close() {
	l.nats.Close()
	if l.contents != nil {
		l.contents.Close()
	}
}
