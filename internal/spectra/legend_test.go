package spectra

import (
	"fmt"
	"slices"
	"strings"
)

// Recorded is the identity by the recorded digests. Executions with a truncated state are left out,
// because such a state can be compared with nothing.
func Recorded(e *Execution) (Entity, bool) {
	entity := Entity{Symbol: e.Symbol, Entry: e.Entry.Digest, Exit: e.Exit.Digest, How: e.How}
	return entity, !e.Entry.Truncated && !e.Exit.Truncated
}

// Describe returns e as the literature prints it: max(entry(0, 1),exit(0, 1, 1)).
func Describe(e *Execution) string {
	end := ""
	if e.How != Returned {
		end = " " + e.How.String()
	}
	return fmt.Sprintf("%s(entry(%s),exit(%s)%s)", e.Symbol.Short(), e.Entry.text(), e.Exit.text(), end)
}

func (s State) text() string {
	if !s.Recorded() {
		return fmt.Sprintf("%016x%016x", s.Digest[0], s.Digest[1])
	}
	texts := make([]string, len(s.Slots()))
	for i, slot := range s.Slots() {
		texts[i] = slot.Value.String()
	}
	return strings.Join(texts, ", ")
}

// Hit is the value hit spectrum: the set of distinct function executions, sorted.
type Hit []Entity

// Hit returns the value hit spectrum.
func (s *Spectrum) Hit(id Identity) Hit {
	var hit Hit
	for entity := range s.Count(id) {
		hit = append(hit, entity)
	}
	slices.SortFunc(hit, Entity.Compare)
	return hit
}

// A Legend holds the text of each entity. It is collected from recordings that hold values.
type Legend map[Entity]string

// Legend describes every execution of s.
func (s *Spectrum) Legend(id Identity) Legend {
	legend := Legend{}
	for e := range s.Executions {
		if entity, ok := id(e); ok && legend[entity] == "" {
			legend[entity] = Describe(e)
		}
	}
	return legend
}

// Hit prints a hit spectrum, one execution a line, sorted by text.
func (l Legend) Hit(hit Hit) []string {
	lines := make([]string, len(hit))
	for i, entity := range hit {
		lines[i] = l[entity]
	}
	slices.Sort(lines)
	return lines
}

// Count prints a count spectrum: each execution with *n behind it.
func (l Legend) Count(count Count) []string {
	lines := make([]string, 0, len(count))
	for entity, n := range count {
		lines = append(lines, fmt.Sprintf("%s*%d", l[entity], n))
	}
	slices.Sort(lines)
	return lines
}

// Trace prints a trace spectrum. "v" stands for a return, and the first line of a goroutine is "go".
func (l Legend) Trace(trace Trace) []string {
	var lines []string
	for i, line := range trace {
		if i > 0 {
			lines = append(lines, "go")
		}
		for _, entity := range line {
			text := "v"
			if entity != (Entity{}) {
				text = l[entity]
			}
			lines = append(lines, text)
		}
	}
	return lines
}
