package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/spectradiff/spectradiff/cmd/internal/env"
	"github.com/spectradiff/spectradiff/internal/report/text"
)

// patience is how long a run may take to end after a signal. It takes longer only where it waits for something that
// does not come: a lock that another process keeps, a terminal that takes no more text.
const patience = 4 * time.Second

// interrupted is the error of an interrupted run, which names what the run leaves. keep is the folder of --keep.
func interrupted(keep string) error {
	if _, err := os.Stat(keep); err == nil { // a run that ends early has not made the folder yet
		return fmt.Errorf(
			"interrupted; temporary files are removed, the cache and %s hold what was written until then", keep)
	}
	return errors.New("interrupted; temporary files are removed, the cache holds what was written until then")
}

// endingSignals returns the signals that end a run: those that are not ignored, as a hangup is under nohup.
func endingSignals() []os.Signal {
	list := []os.Signal{syscall.SIGTERM} // never none, which would mean all there are
	for _, s := range []os.Signal{os.Interrupt, syscall.SIGHUP} {
		if !signal.Ignored(s) {
			list = append(list, s)
		}
	}
	return list
}

// interruptible returns a context that ends with the first SIGINT, SIGTERM or SIGHUP. If the program does not end then,
// it is ended; a second signal does so at once. The caller calls end when no signal is to be waited for any more.
func interruptible(std streams, set *settings) (ctx context.Context, end func()) {
	ctx, cancel := context.WithCancel(context.Background())
	signals, ended := make(chan os.Signal, 1), make(chan struct{})
	signal.Notify(signals, endingSignals()...)
	go func() {
		select {
		case <-ended:
			return
		case <-signals:
		}
		signal.Stop(signals)
		cancel()
		select {
		case <-ended:
		case <-time.After(patience):
			giveUp(std.err, set.keep)
		}
	}()
	return ctx, func() {
		signal.Stop(signals)
		cancel()
		close(ended)
	}
}

// giveUp ends the program, whose children end with it.
func giveUp(errs io.Writer, keep string) {
	written, removed := make(chan struct{}), make(chan error, 1)
	go func() { // nobody may be reading
		fmt.Fprintf(errs, "spectradiff: %s\n", text.Printable(interrupted(keep).Error()))
		if err := <-removed; err != nil {
			fmt.Fprintf(errs, "spectradiff: %s\n", text.Printable(err.Error()))
		}
		close(written)
	}()
	removed <- env.RemoveTemporaries()
	select {
	case <-written:
	case <-time.After(patience / 4):
	}
	os.Exit(exitTrouble)
}

// closedPipes gets the signals of writing to closed pipes, which nobody looks at.
var closedPipes = make(chan os.Signal, 1)

// surviveClosedPipes lets a write to a pipe whose reader is gone fail, which by default ends the program before it has
// removed its temporary files. Programs that are started from here are ended as ever.
func surviveClosedPipes() { signal.Notify(closedPipes, syscall.SIGPIPE) }

// written returns the error of writing to standard output, unless its reader has stopped reading: he has what he
// wanted.
func written(err error) error {
	if errors.Is(err, syscall.EPIPE) {
		return nil
	}
	return err
}
