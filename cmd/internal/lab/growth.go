package main

import (
	"context"
	"fmt"
	"path/filepath"
	"strings"
)

// growth measures how the cost of a call grows with the state that can be reached from it.
func (b *bench) growth(ctx context.Context) error {
	dir, err := b.fixture()
	if err != nil {
		return err
	}
	m, err := b.instrument(dir, "./growth")
	if err != nil {
		return err
	}
	m.overlay[filepath.Join(dir, "growth", "zspectra_start.go")] = start(m, "growth", 0)
	out, _, err := b.run(ctx, dir, "./grow", m)
	if err != nil {
		return err
	}
	fmt.Println("| program | elements | ns an operation, off | on | states an operation | ns a state | by hand " +
		"| state / by hand | as JSON / state |")
	fmt.Println("|---|---|---|---|---|---|---|---|---|")
	for line := range strings.Lines(out) {
		var name string
		var size int
		var calls, off, on, hand, json float64
		if _, err := fmt.Sscan(line, &name, &size, &calls, &off, &on, &hand, &json); err != nil {
			return fmt.Errorf("line %q: %w", line, err)
		}
		state := (on - off) / (2 * calls)
		text := ""
		if json > 0 {
			text = fmt.Sprintf("%.0f", json/state)
		}
		fmt.Printf("| %s | %d | %.1f | %.0f | %.1f | %.0f | %.0f | %.2f | %s |\n",
			name, size, off, on, 2*calls, state, hand, state/hand, text)
	}
	return nil
}
