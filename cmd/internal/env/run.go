package env

// This file runs programs of the target that are no drivers.

import (
	"context"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spectradiff/spectradiff/replay/sandbox"
)

// maxOutput is how much of what a program prints is read.
const maxOutput = 8 << 20

// Run runs a program in the sandbox of a worker until it ends, or the context does, and returns what it printed.
func (e *Environment) Run(ctx context.Context, worker int, cfg sandbox.Config) (string, sandbox.Exit, error) {
	text, exit, _, err := e.RunBusy(ctx, worker, cfg, 0)
	return text, exit, err
}

// look is how often the usage of a program is looked at.
const look = 50 * time.Millisecond

// RunBusy is Run for a program that may wait for so long in all, however busy the machine is; 0: for ever. It reports
// whether the program was ended for that.
func (e *Environment) RunBusy(
	ctx context.Context, worker int, cfg sandbox.Config, idle time.Duration,
) (text string, exit sandbox.Exit, waited bool, err error) {
	printed, err := os.CreateTemp(e.Temp, "output-")
	if err != nil {
		return "", exit, false, fmt.Errorf("temporary file: %w", err)
	}
	defer os.Remove(printed.Name())
	defer printed.Close()
	cfg.Stdout, cfg.Stderr = printed, printed
	p, err := e.sandboxes[worker%len(e.sandboxes)].Start(ctx, cfg)
	if err != nil {
		return "", exit, false, err
	}
	if waited = follow(ctx, p, idle); waited || ctx.Err() != nil {
		p.Kill()
	}
	if exit = p.Wait(); exit.Err != nil {
		return "", exit, waited, exit.Err
	}
	output, err := io.ReadAll(io.NewSectionReader(printed, 0, maxOutput))
	return string(output), exit, waited, err
}

// follow waits until a program has ended, the context has, or the program has waited for too long in all, which it
// reports.
func follow(ctx context.Context, p *sandbox.Process, idle time.Duration) (waited bool) {
	ticker := time.NewTicker(look)
	defer ticker.Stop()
	for spent := time.Duration(0); idle == 0 || spent < idle; {
		select {
		case <-p.Done():
			return false
		case <-ctx.Done():
			return false
		case <-ticker.C:
			if usage, ok := p.Usage(); ok && !usage.Busy {
				spent += look
			}
		}
	}
	return true
}
