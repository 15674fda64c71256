package main

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// A module is a released module whose mutants are compared.
type module struct {
	settings
	name    string // path@version
	command string
	dir     string // everything of it lies here
}

func (m *module) source() string { return filepath.Join(m.dir, "source") }

// path returns the module's path.
func (m *module) path() string {
	path, _, _ := strings.Cut(m.name, "@")
	return path
}

// A measured is what the comparison of a mutant with the original showed.
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
func (m *module) measure(ctx context.Context) ([]measured, error) {
	if err := m.fetch(ctx); err != nil {
		return nil, err
	}
	mutants, err := m.mutate(ctx)
	if err != nil {
		return nil, err
	}
	for _, args := range []string{"init -q", "add -A -f", "commit -q -m original", "tag original"} {
		if err := m.git(ctx, strings.Fields(args)...); err != nil {
			return nil, err
		}
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

func (m *module) git(ctx context.Context, args ...string) error {
	own := []string{"-c", "user.name=evaluation", "-c", "user.email=evaluation@localhost", "-c", "core.autocrlf=false"}
	git := exec.CommandContext(ctx, "git", append(own, args...)...)
	git.Dir = m.source()
	if out, err := git.CombinedOutput(); err != nil {
		return fmt.Errorf("git %s: %w\n%s", args[0], err, out)
	}
	return nil
}

// compare compares the original with a mutant, which is the working tree meanwhile.
func (m *module) compare(ctx context.Context, one mutant) (measured, error) {
	found := measured{module: m.name, mutant: one}
	file := filepath.Join(m.source(), filepath.FromSlash(one.file))
	if err := os.WriteFile(file, one.source, 0o666); err != nil {
		return found, err
	}
	r, trouble, err := m.run(ctx, "--no-proof", "--sequences", fmt.Sprint(m.sequences), "original")
	if err != nil {
		return found, err
	}
	if found.trouble = trouble; trouble == "" {
		found.read(r)
	}
	return found, m.git(ctx, "checkout", "-q", "--", ".")
}

// run compares with the command, and returns the report, or why there is none.
func (m *module) run(ctx context.Context, args ...string) (r *report.Report, trouble string, err error) {
	own := []string{"compare", "--no-progress", "--format", "json"}
	run := exec.CommandContext(ctx, m.command, append(own, args...)...)
	run.Dir = m.source()
	var out, errs bytes.Buffer
	run.Stdout, run.Stderr = &out, &errs
	err = run.Run()
	if ctx.Err() != nil {
		return nil, "", ctx.Err()
	}
	var ended *exec.ExitError
	if err != nil && !errors.As(err, &ended) {
		return nil, "", err
	}
	r = &report.Report{}
	if err := json.Unmarshal(out.Bytes(), r); err != nil {
		return nil, cmp.Or(strings.TrimSpace(errs.String()), err.Error()), nil
	}
	return r, "", nil
}

// read takes from a report what is measured.
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
