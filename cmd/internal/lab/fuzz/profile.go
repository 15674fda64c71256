package fuzz

import (
	"fmt"
	"strings"
)

// A profile says of each extent of a coverage profile, as that names it, how many statements it has and whether it ran.
type profile map[string]extent

type extent struct {
	statements int
	ran        bool
}

// read adds a profile of the go command's.
func (p profile) read(text string) error {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "mode:") {
			continue
		}
		name, counts, _ := strings.Cut(line, " ")
		var e extent
		var count int
		if _, err := fmt.Sscanf(counts, "%d %d", &e.statements, &count); err != nil {
			return fmt.Errorf("line %q of a profile: %w", line, err)
		}
		e.ran = count > 0 || p[name].ran
		p[name] = e
	}
	return nil
}

// share returns the share of the statements that ran.
func (p profile) share() float64 {
	ran, all := 0, 0
	for _, e := range p {
		all += e.statements
		if e.ran {
			ran += e.statements
		}
	}
	return float64(ran) / float64(max(1, all))
}
