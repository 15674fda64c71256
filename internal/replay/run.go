package replay

import (
	"context"
	"fmt"
	"io"
	"os"

	"github.com/spectradiff/spectradiff/internal/replay/sandbox"
)

// maxOutput is the number of bytes of a program's output that are read.
const maxOutput = 8 << 20

// Run runs a program in a worker's sandbox until it ends or the context does. It returns the program's output.
func (w *Workers) Run(ctx context.Context, worker int, cfg sandbox.Config) (string, sandbox.Exit, error) {
	printed, err := os.CreateTemp(w.Temp, "output-")
	if err != nil {
		return "", sandbox.Exit{}, fmt.Errorf("temporary file: %w", err)
	}
	defer os.Remove(printed.Name())
	defer printed.Close()
	cfg.Stdout, cfg.Stderr = printed, printed
	p, err := w.Sandboxes[worker%len(w.Sandboxes)].Start(ctx, cfg)
	if err != nil {
		return "", sandbox.Exit{}, err
	}
	select {
	case <-p.Done():
	case <-ctx.Done():
		p.Kill()
	}
	exit := p.Wait()
	if exit.Err != nil {
		return "", exit, exit.Err
	}
	text, err := io.ReadAll(io.NewSectionReader(printed, 0, maxOutput))
	return string(text), exit, err
}
