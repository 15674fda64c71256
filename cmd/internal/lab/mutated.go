package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// An original is a released module whose mutants are compared.
type original struct {
	settings
	name string // path@version
	dir  string // everything of it lies here
}

func (m *original) source() string { return filepath.Join(m.dir, "source") }

// path returns the module's path.
func (m *original) path() string {
	path, _, _ := strings.Cut(m.name, "@")
	return path
}

// A measured is the result of comparing a mutant with the original.
type measured struct {
	module   string
	mutant   mutant
	exposure report.Exposure
	first    bool // the mutated function is the first root
	named    bool // it is one of the roots
	roots    int  // but for those of the tier calls
	located  int  // sequences in which it is the root
	trouble  string
}

// measure compares the mutants of a module.
func (m *original) measure(ctx context.Context) ([]measured, error) {
	if err := os.MkdirAll(m.dir, 0o777); err != nil {
		return nil, err
	}
	if err := unpack(ctx, m.name, m.source()); err != nil {
		return nil, err
	}
	mutants, err := m.mutate(ctx)
	if err != nil {
		return nil, err
	}
	if err := git(ctx, m.source(), "init", "-q"); err != nil {
		return nil, err
	}
	if err := commit(ctx, m.source(), "old"); err != nil {
		return nil, err
	}
	var list []measured
	for i, one := range mutants {
		found, err := m.compare(ctx, one)
		if err != nil {
			return nil, err
		}
		list = append(list, found)
		fmt.Fprintf(os.Stderr, "%s: %d of %d\n", m.name, i+1, len(mutants))
		if m.verbose {
			fmt.Fprintf(os.Stderr, "  %s:%d %s: %+v, first %v, named %v, %d roots %s\n",
				one.file, one.line, one.function, found.exposure, found.first, found.named, found.roots, found.trouble)
		}
	}
	return list, nil
}

// compare compares the original with a mutant, which is the working tree meanwhile.
func (m *original) compare(ctx context.Context, one mutant) (measured, error) {
	found := measured{module: m.name, mutant: one}
	file := filepath.Join(m.source(), filepath.FromSlash(one.file))
	if err := os.WriteFile(file, one.source, 0o666); err != nil {
		return found, err
	}
	_, err := found.compare(ctx, m.tool, m.source(), "--sequences", fmt.Sprint(m.sequences))
	return found, err
}

// compare compares the commit old of a repository with its working tree, takes the measured values from the report, and
// restores the tree. The report is nil if the versions could not be compared.
func (f *measured) compare(ctx context.Context, t tool, dir string, flags ...string) (*report.Report, error) {
	r, err := t.compare(ctx, dir, append(flags, "--no-proof", "old")...)
	switch {
	case errors.Is(err, errUncompared):
		f.trouble = err.Error()
	case err != nil:
		return nil, err
	default:
		f.read(r)
	}
	return r, git(ctx, dir, "checkout", "-q", "--", ".")
}

// read takes the measured values from a report.
func (f *measured) read(r *report.Report) {
	f.exposure = r.Exposure
	for i, root := range r.Roots {
		if root.Tier == spectra.TierCalls {
			continue
		}
		f.roots++
		if root.Function == f.mutant.function {
			f.first, f.named, f.located = f.first || i == 0, true, max(f.located, root.Sequences)
		}
	}
}
