package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"os/signal"
	"runtime"
	"strconv"

	"github.com/spectradiff/spectradiff/cmd/internal/env"
	"github.com/spectradiff/spectradiff/cmd/internal/jobs"
	"github.com/spectradiff/spectradiff/internal/replay/cache"
	"github.com/spectradiff/spectradiff/internal/replay/fleet"
	"github.com/spectradiff/spectradiff/internal/replay/load"
	"github.com/spectradiff/spectradiff/internal/report/text"
)

func workerCommand() command {
	return command{
		name:  "worker",
		args:  "--nats URL",
		short: "do work of comparisons on other machines",
		long: `A worker serves comparisons with the same --nats that are run by the same build of
spectradiff, on the same system, with the same sandbox. It ignores others, and they
say why. A task is to play sequences on a driver, which the worker fetches, in
its own sandbox. Or it is a whole piece of a run: a question of bisect to a commit, a
shard of compare --shards N, a pair of series. For those it fetches the commits, and
loads, builds and compares as anybody does, with the modules that its go command finds
and a cache of its own. It takes pieces of those whose go command has the same version
and settings; with --plays-only it takes none. All that it fetches is checked against
its address, and removed at the end.

A comparison with workers has the same report as one without, whatever becomes of
them: what a worker does not manage is done by another, or by the comparison.
Workers may come and go while comparisons run. At SIGTERM or Ctrl-C a worker hands
back what it holds, and ends. One on which five tasks in a row fail ends, and says why.

The server is any NATS server with JetStream, or spectradiff serve. Who is let in is
said by NATS's own means: a user or token in the address, --nats-creds, --nats-cert.
Whoever is let in can have workers run programs, in their sandbox, and compile others,
and can read what comparisons hand out: drivers, commits, and the files of versions
that tests read.`,
		flags: func(s *settings) *flagSet {
			f := newFlags("worker")
			f.server(s, "the NATS server: `URL`")
			f.IntVar(&s.jobs, "jobs", 0, "tasks at the same time (default by CPUs and memory): `N`")
			f.BoolVar(&s.playsOnly, "plays-only", false, "play, and do no whole pieces of runs, which load and build")
			f.BoolVar(&s.noSandbox, "no-sandbox", false, "go on where confinement is not available")
			f.BoolVar(&s.verbose, "v", false, "say more on standard error")
			return f
		},
		run: work,
	}
}

// checkServer checks the flags for the server.
func (s *settings) checkServer() error {
	of := s.nats
	switch {
	case of.URL == "" && of != (fleet.Options{}):
		return errors.New("--nats-creds, --nats-ca, --nats-cert and --nats-key go with --nats URL")
	case (of.Cert == "") != (of.Key == ""):
		return errors.New("--nats-cert and --nats-key go together")
	}
	if err := of.CheckAddress(); err != nil {
		return fmt.Errorf("--nats: %w", err)
	}
	for _, file := range []string{of.Credentials, of.CA, of.Cert, of.Key} {
		if file == "" {
			continue
		}
		if _, err := os.Stat(file); err != nil {
			return err
		}
	}
	return nil
}

// untilTerminated returns a context that ends with the first signal to end. A second one ends the program, which may be
// computing, or wait for a server.
func untilTerminated() (context.Context, context.CancelFunc) {
	ctx, end := signal.NotifyContext(context.Background(), endingSignals()...)
	context.AfterFunc(ctx, end) // from then on signals do what they do by default
	return ctx, end
}

// What a task of a large program takes at its worst, in bytes: a whole piece has a tool and a linker, or drivers.
const (
	pieceMemory = 2 << 30
	playMemory  = 1 << 30
)

// slots returns how many tasks a worker does at the same time unless the user says it: the kernel ends drivers of a
// machine that is full, and what they played is played again elsewhere.
func slots(processors int, memory uint64, playsOnly bool) int {
	each := uint64(pieceMemory)
	if playsOnly {
		each = playMemory
	}
	return max(1, int(min(uint64(processors), memory/each)))
}

func work(std streams, set *settings, args []string) (int, error) {
	if len(args) > 0 || set.nats.URL == "" {
		return 0, &usageError{"worker", errors.New("want --nats URL, and nothing else")}
	}
	where, err := cache.FromEnvironment(os.Getenv)
	if err != nil {
		return 0, err
	}
	if set.jobs == 0 {
		set.jobs = slots(runtime.NumCPU(), load.AllowedMemory(), set.playsOnly)
	}
	collectGarbage(set.jobs)
	ctx, end := untilTerminated()
	defer end()
	logf := func(format string, args ...any) {
		fmt.Fprintf(std.err, "worker: %s\n", text.Printable(fmt.Sprintf(format, args...)))
	}
	e, err := env.Open(env.Options{
		Jobs: set.jobs, NoSandbox: set.noSandbox, Cache: where, Verbose: set.verbose, Log: logf,
	})
	if err != nil {
		return 0, err
	}
	defer e.Close(context.WithoutCancel(ctx))
	layers, err := e.Confine(ctx)
	if err != nil {
		return 0, err
	}
	for _, warning := range append(layers.Missing(), layers.Weak()...) {
		logf("%s", warning)
	}
	kind, err := env.JobKindOf(toolVersion(), layers)
	if err != nil {
		return 0, err
	}
	pieces := &jobs.Worker{Cache: where, Temp: e.Temp, NoSandbox: set.noSandbox, Verbose: set.verbose, Log: logf}
	defer pieces.Close()
	w := &fleet.Worker{
		Options: set.nats, Kind: kind, Sandboxes: e.Sandboxes, Temp: e.Temp, Log: logf, Job: pieces.Do,
	}
	if set.playsOnly {
		w.Job = nil
	}
	if err := w.Run(ctx); err != nil {
		return 0, err
	}
	logf("ended; no task was left undone")
	return exitOK, nil
}

func serveCommand() command {
	return command{
		name:  "serve",
		short: "run a NATS server for comparisons and workers",
		long: `A NATS server with JetStream, over which comparisons and workers on several machines
work together: start it on one of them, then workers with spectradiff worker --nats URL,
and add --nats URL to a comparison. It prints its address, and ends at SIGTERM or
Ctrl-C. Whoever reaches the address is let in, unless --config says otherwise: it is
a configuration file of nats-server, as with users and TLS. It also says where the
server listens and in which folder it keeps what it has, unless --listen and --store do.

What is handed over is kept in --store until it is a day old; without a folder it is
removed at the end.`,
		flags: func(s *settings) *flagSet {
			f := newFlags("serve")
			f.StringVar(&s.listen, "listen", "",
				"where the server listens; port 0 is any free one (default 127.0.0.1:4222): `HOST:PORT`")
			f.StringVar(&s.store, "store", "", "keep what is handed over in DIR: `DIR`")
			f.StringVar(&s.config, "config", "", "a configuration file of nats-server: `FILE`")
			return f
		},
		run: serve,
	}
}

// listening returns where the server listens, as fleet.Serving has it. Without a host it is everywhere.
func listening(at string) (host string, port int, err error) {
	if at == "" {
		return "", 0, nil
	}
	host, number, err := net.SplitHostPort(at)
	if err != nil {
		return "", 0, err
	}
	if port, err = strconv.Atoi(number); port == 0 {
		port = -1
	}
	return cmp.Or(host, "0.0.0.0"), port, err
}

func serve(std streams, set *settings, args []string) (int, error) {
	host, port, err := listening(set.listen)
	if len(args) > 0 || err != nil {
		return 0, &usageError{"serve", fmt.Errorf("--listen %s: want HOST:PORT, and no arguments", set.listen)}
	}
	ctx, end := untilTerminated()
	defer end()
	temporary, err := env.NewTemporary(nil)
	if err != nil {
		return 0, err
	}
	defer temporary.Remove()
	server, err := fleet.Serve(fleet.Serving{
		Host: host, Port: port, Store: set.store, Temp: temporary.Path, Config: set.config, Done: ctx.Done(),
		Log: func(format string, args ...any) {
			fmt.Fprintf(std.err, "serve: %s\n", text.Printable(fmt.Sprintf(format, args...)))
		},
	})
	if err != nil {
		return 0, err
	}
	fmt.Fprintln(std.out, server.URL())
	server.Wait(ctx)
	return exitOK, nil
}
