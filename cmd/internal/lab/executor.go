package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/build"
	"github.com/spectradiff/spectradiff/internal/replay/gocommand"
	"github.com/spectradiff/spectradiff/internal/replay/load"
	"github.com/spectradiff/spectradiff/internal/replay/sandbox"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// The sequences that are played have the usual length of generated ones, or are so long that the cost of
// each sequence counts little.
const (
	sequences = 2000
	short     = 12
	long      = 120
)

// executor measures how many statements are played in a second.
func (b *bench) executor(ctx context.Context) error {
	p, err := b.player(ctx)
	if err != nil {
		return err
	}
	box, err := sandbox.Open(sandbox.Options{Unconfined: true})
	if err != nil {
		return err
	}
	defer box.Close()
	p.Sandbox, p.Scratch = box, b.dir
	fmt.Println("| statements a sequence | mode | statements a second | executions a second |")
	fmt.Println("|---|---|---|---|")
	for _, length := range []int{short, long} {
		list, err := stackSequences(length)
		if err != nil {
			return err
		}
		for _, mode := range []wire.Mode{wire.ModeOutcomes, wire.ModeDigests, wire.ModeValues} {
			rate, err := b.play(ctx, p, list, mode, length)
			if err != nil {
				return err
			}
			if mode == wire.ModeOutcomes && length == short {
				defer fmt.Printf("\nNot recording, sequences of the usual length: %.0f steps a second and core\n", rate)
			}
		}
	}
	return nil
}

func (b *bench) play(
	ctx context.Context, p *replay.Player, list []sequence.Sequence, mode wire.Mode, length int,
) (rate float64, err error) {
	var rates []float64
	calls := 0
	for range max(b.runs, 1) {
		start := time.Now()
		played, err := p.Play(ctx, list, mode, 1)
		if err != nil {
			return 0, err
		}
		calls = 0
		for i := range played {
			if mode != wire.ModeValues { // digests are compared without decoding
				calls += played[i].Calls
				continue
			}
			for range played[i].Recorded().Executions {
				calls++
			}
		}
		seconds := time.Since(start).Seconds()
		for i := range played {
			if played[i].Invalid != "" || len(played[i].Results) != length {
				return 0, fmt.Errorf("sequence %d: %d of %d statements ran %s",
					i, len(played[i].Results), length, played[i].Invalid)
			}
		}
		rates = append(rates, float64(len(list)*length)/seconds)
	}
	rate = median(rates)
	name := map[wire.Mode]string{
		wire.ModeOutcomes: "not recording", wire.ModeDigests: "digests", wire.ModeValues: "values",
	}[mode]
	fmt.Printf("| %d | %s | %.0f | %.0f |\n", length, name, rate, rate*float64(calls)/float64(len(list)*length))
	return rate, nil
}

// player builds the fixture's driver.
func (b *bench) player(ctx context.Context) (*replay.Player, error) {
	dir, err := b.fixture()
	if err != nil {
		return nil, err
	}
	env := append(os.Environ(), "GOWORK=off")
	loaded, err := load.TypeCheck(ctx, load.Config{
		Dir: dir, Root: dir, Patterns: []string{"./calls"}, Env: env, ModFolder: filepath.Join(b.dir, "mod"),
		Wanted: api.Wanted(), Go: gocommand.Unconfined(),
	})
	if err != nil {
		return nil, err
	}
	m, err := b.instrument(dir, "./calls")
	if err != nil {
		return nil, err
	}
	paths := []string{m.packages[0].Path}
	operations := api.Operations(loaded, paths)
	source, err := build.Write(build.Config{
		Target: loaded, Operations: operations, Types: api.Types(loaded, operations, paths),
		Packages: paths, Runtime: spectra.RuntimePath,
	})
	if err != nil {
		return nil, err
	}
	for name, content := range source.Files {
		m.overlay[name] = content
	}
	binary, err := b.build(ctx, build.Request{Dir: dir, Package: source.Package, Overlay: m.overlay, Env: loaded.Env})
	if err != nil {
		return nil, err
	}
	table := replay.Table{{Path: m.packages[0].Path, Points: m.packages[0].Points, Blocks: len(m.packages[0].Blocks)}}
	return &replay.Player{
		Binary: binary, Table: table, Limits: replay.DefaultLimits(), Zones: binary.Zones(), Side: "old",
		Compare: replay.Comparison{Bubbles: true},
	}, nil
}

// stackSequences returns sequences that push to and pop from a stack.
func stackSequences(length int) ([]sequence.Sequence, error) {
	const pkg = "example.com/fixture/calls."
	var list []sequence.Sequence
	for n := range sequences {
		lines := []string{sequence.Header, fmt.Sprintf("v0 := %sNewStack(%d)", pkg, n%7)}
		for i := 1; i < length; i++ {
			call := []string{
				fmt.Sprintf("(*Stack).Push(v0, %d)", i*n), fmt.Sprintf("Scalar(%d, %d)", i, n),
				fmt.Sprintf("(*Stack).Name(v0, %q)", fmt.Sprint("name ", i%5)), "(*Stack).Pop(v0)",
			}[(i+n)%4]
			lines = append(lines, fmt.Sprintf("v%d := %s%s", i, pkg, call))
		}
		q, err := sequence.Parse(strings.Join(lines, "\n"))
		if err != nil {
			return nil, err
		}
		list = append(list, q)
	}
	return list, nil
}

// median returns 0 of no numbers.
func median(list []float64) float64 {
	if len(list) == 0 {
		return 0
	}
	sorted := slices.Sorted(slices.Values(list))
	return (sorted[(len(sorted)-1)/2] + sorted[len(sorted)/2]) / 2
}
