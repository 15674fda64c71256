package main

import (
	"cmp"
	"context"
	"os"
	"strings"
	"time"

	"github.com/spectradiff/spectradiff/cmd/internal/bench/generation"
)

// coverage measures which share of modules is run, beside fuzzing and calls at random.
func (b *bench) coverage(ctx context.Context) error {
	return generation.Coverage(ctx, b.generating(time.Minute))
}

// memory measures whether generating takes more and more memory.
func (b *bench) memory(ctx context.Context) error {
	return generation.Memory(ctx, b.generating(10*time.Minute))
}

// generating says what is generated for, by default for some time.
func (b *bench) generating(usual time.Duration) generation.Config {
	cfg := generation.Config{Budget: cmp.Or(b.budget, usual), Missed: b.missed, Dir: b.dir, Out: os.Stdout}
	if b.modules != "" {
		cfg.Modules = strings.Split(b.modules, ",")
	}
	return cfg
}
