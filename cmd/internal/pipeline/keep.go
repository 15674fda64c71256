package pipeline

// This file leaves what --keep asks for: instrumented sources, drivers, and the value spectra of the
// sequences that deviate.

import (
	"fmt"
	"io"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/spectra"
)

// keepSources leaves the instrumented sources of a version.
func (r *run) keepSources(s *side, overlay map[string][]byte) error {
	if r.cfg.Keep == "" {
		return nil
	}
	for _, name := range slices.Sorted(maps.Keys(overlay)) {
		rel, err := filepath.Rel(s.target.Dir, name)
		if err != nil {
			rel = filepath.Base(name)
		}
		path := filepath.Join(r.cfg.Keep, s.name, rel)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			return fmt.Errorf("keep sources: %w", err)
		}
		if err := os.WriteFile(path, overlay[name], 0o666); err != nil {
			return fmt.Errorf("keep sources: %w", err)
		}
	}
	return nil
}

// keepBuild leaves the driver of a version.
func (r *run) keepBuild(s *side) error {
	if r.cfg.Keep == "" {
		return nil
	}
	from, err := os.Open(s.build.binary.Path)
	if err != nil {
		return fmt.Errorf("keep builds: %w", err)
	}
	defer from.Close()
	to, err := os.OpenFile(filepath.Join(r.cfg.Keep, s.name, "driver"), os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o755)
	if err != nil {
		return fmt.Errorf("keep builds: %w", err)
	}
	_, err = io.Copy(to, from)
	if closed := to.Close(); err == nil {
		err = closed
	}
	if err != nil {
		return fmt.Errorf("keep builds: %w", err)
	}
	return nil
}

// keepSpectra leaves the recorded executions of the sequences that were confirmed, one file for
// each version and sequence.
func (r *run) keepSpectra() error {
	if r.cfg.Keep == "" {
		return nil
	}
	for i := range r.verdicts {
		v := &r.verdicts[i]
		if !v.confirmed() {
			continue
		}
		for name, s := range map[string]*spectra.Spectrum{"old": v.old, "new": v.new} {
			text := r.kept[v.suspect.index].sequence.String() + "\n" + spectrumText(s)
			path := filepath.Join(r.cfg.Keep, name, "spectra", fmt.Sprintf("sequence-%d.txt", v.suspect.index))
			if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
				return fmt.Errorf("keep spectra: %w", err)
			}
			if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
				return fmt.Errorf("keep spectra: %w", err)
			}
		}
	}
	return nil
}

// spectrumText prints every execution with the values of its states.
func spectrumText(s *spectra.Spectrum) string {
	var b strings.Builder
	var visit func(list []*spectra.Execution, depth int)
	visit = func(list []*spectra.Execution, depth int) {
		indent := strings.Repeat("  ", depth)
		for _, e := range list {
			fmt.Fprintf(&b, "%s%s %s\n", indent, e.Symbol, e.How)
			for at, state := range []spectra.State{e.Entry, e.Exit} {
				for _, leaf := range spectra.Flatten(state.Slots) {
					fmt.Fprintf(&b, "%s  %s %s = %s\n", indent, [2]string{"entry", "exit"}[at], leaf.Path, leaf.Text)
				}
			}
			visit(e.Children, depth+1)
		}
	}
	for i, step := range s.Steps {
		fmt.Fprintf(&b, "step %d %s\n", i, step.Panic)
		visit(step.Calls, 1)
	}
	visit(s.Stray, 0)
	fmt.Fprintf(&b, "end %s\n", s.End)
	return b.String()
}
