package main

// This file measures generating alone: what is run, and the memory that it takes.

import (
	"cmp"
	"context"
	"os"
	"strings"
	"time"

	"github.com/spectradiff/spectradiff/cmd/internal/bench/coverage"
)

// coverage measures which share of modules is run, beside fuzzing and calls at random.
func (b *bench) coverage(ctx context.Context) error {
	cfg := coverage.Config{Budget: cmp.Or(b.budget, time.Minute), Missed: b.missed, Dir: b.dir, Out: os.Stdout}
	if b.modules != "" {
		cfg.Modules = strings.Split(b.modules, ",")
	}
	return coverage.Run(ctx, cfg)
}

func (b *bench) memory(ctx context.Context) error { return nil }
