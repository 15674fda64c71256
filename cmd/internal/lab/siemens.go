package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/cmd/internal/lab/siemens"
)

// siemensSettings are the flags.
type siemensSettings struct {
	programs string
	inputs   int
	only     string
	tool     tool
	verbose  bool
}

// Parts of the experiment.
const (
	partInputs  = "inputs"  // the inputs are played as they are
	partDefault = "default" // comparisons with default settings
)

// runSiemens repeats the experiment of Xie, "Improving Effectiveness of Automated Software Testing in the Absence of
// Specifications", 7.3, with a family of programs in Go. It plays inputs on each program and on its faulty versions,
// and prints for how many of the inputs that run the fault each spectrum deviates (the deviation exposure ratio), and
// for how many of these the fault is the root (the deviation-root localisation ratio). Once more it compares with
// default settings, by generated calls and then by tests.
func runSiemens(ctx context.Context, dir string, args []string) error {
	var s siemensSettings
	flags := flag.NewFlagSet("siemens", flag.ExitOnError)
	flags.StringVar(&s.programs, "programs", "tokens,schedule,totals,altitude,replace", "some of these, as `LIST`")
	flags.IntVar(&s.inputs, "inputs", 300, "inputs of each program: `N`")
	flags.StringVar(&s.only, "only", "", "one `PART`: inputs, which are played as they are, or default settings")
	flags.StringVar(&s.tool.path, "command", "bin/spectradiff", "the built command: `FILE`")
	flags.BoolVar(&s.verbose, "v", false, "print every comparison on standard error")
	_ = flags.Parse(args) // it exits by itself
	if err := s.tool.find(); err != nil {
		return err
	}
	programs, err := s.chosen()
	if err != nil {
		return err
	}
	outputs, err := playFamily(ctx, filepath.Join(dir, "player"), programs, s.inputs)
	if err != nil {
		return err
	}
	f := &family{siemensSettings: s, programs: programs, outputs: outputs, dir: filepath.Join(dir, "family")}
	if err := f.commit(ctx); err != nil {
		return err
	}
	for _, part := range []string{partInputs, partDefault} {
		if s.only != "" && s.only != part {
			continue
		}
		all, err := f.compare(ctx, part)
		if err != nil {
			return err
		}
		printSeeded(os.Stdout, f, part, all)
	}
	return nil
}

// chosen returns the programs that are asked for.
func (s *siemensSettings) chosen() (list []siemens.Program, err error) {
	if s.only != "" && s.only != partInputs && s.only != partDefault {
		return nil, fmt.Errorf("no part %q: %s or %s", s.only, partInputs, partDefault)
	}
	all := siemens.Programs()
	for _, name := range strings.Split(s.programs, ",") {
		i := slices.IndexFunc(all, func(p siemens.Program) bool { return p.Name == name })
		if i < 0 {
			return nil, fmt.Errorf("no program %q", name)
		}
		list = append(list, all[i])
	}
	return list, nil
}

// playFamily plays the versions of programs on some inputs, in a folder that it makes. It returns the outputs: by
// program, by version (the first is the program as it is), by input.
func playFamily(ctx context.Context, dir string, programs []siemens.Program, inputs int) ([][][]string, error) {
	module, err := siemens.Player(programs, inputs)
	if err != nil {
		return nil, err
	}
	if err := writeFiles(dir, module); err != nil {
		return nil, err
	}
	printed, err := goCommand(ctx, dir, "run", ".")
	if err != nil {
		return nil, err
	}
	all, read := make([][][]string, len(programs)), json.NewDecoder(bytes.NewReader(printed))
	for i := range programs {
		if err := read.Decode(&all[i]); err != nil {
			return nil, fmt.Errorf("outputs of %s: %w", programs[i].Name, err)
		}
	}
	return all, nil
}

// writeFiles writes files below a folder.
func writeFiles(dir string, files map[string]string) error {
	for name, text := range files {
		file := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
			return err
		}
		if err := os.WriteFile(file, []byte(text), 0o666); err != nil {
			return err
		}
	}
	return nil
}

// differing counts the outputs that differ.
func differing(was, are []string) (n int) {
	for i := range was {
		if was[i] != are[i] {
			n++
		}
	}
	return n
}

// A family is a repository with programs and their tests.
type family struct {
	siemensSettings
	programs []siemens.Program
	outputs  [][][]string // as playFamily returns them
	dir      string
}

// A seeded is the result of comparing a program with a faulty version of it.
type seeded struct {
	measured
	fault   siemens.Fault
	tier    string  // of the first root
	differ  int     // inputs whose outputs differ, played without the tool
	seconds float64 // of all stages
}

// commit makes the repository, with a table test for each program.
func (f *family) commit(ctx context.Context) error {
	files := map[string]string{"go.mod": siemens.GoMod}
	for i, p := range f.programs {
		source, err := p.Source()
		if err != nil {
			return err
		}
		files[p.File()] = source
		files[p.Name+"/"+p.Name+"_test.go"] = p.Test(p.Inputs(f.inputs), f.outputs[i][0])
	}
	if err := writeFiles(f.dir, files); err != nil {
		return err
	}
	if err := git(ctx, f.dir, "init", "-q"); err != nil {
		return err
	}
	return commit(ctx, f.dir, "old")
}

// compare compares each program with its faulty versions.
func (f *family) compare(ctx context.Context, part string) (all []seeded, err error) {
	for i, p := range f.programs {
		for j, fault := range p.Faults {
			one, err := f.compareFault(ctx, p, fault, part)
			if err != nil {
				return nil, err
			}
			one.differ = differing(f.outputs[i][0], f.outputs[i][j+1])
			all = append(all, one)
			fmt.Fprintf(os.Stderr, "%s: %d of %d\n", p.Name, j+1, len(p.Faults))
			if f.verbose {
				fmt.Fprintf(os.Stderr, "  %s: %s: %d outputs, %+v, first %v, named %v, located %d, %s, %.0f s %s\n",
					one.mutant.function, fault.Reason, one.differ, one.exposure, one.first, one.named, one.located,
					one.tier, one.seconds, one.trouble)
			}
		}
	}
	return all, nil
}

// compareFault compares a program with a faulty version, which is the working tree meanwhile.
func (f *family) compareFault(
	ctx context.Context, p siemens.Program, fault siemens.Fault, part string,
) (seeded, error) {
	one := seeded{fault: fault, measured: measured{module: p.Name}}
	source, in, err := p.Faulty(fault)
	if err != nil {
		return one, err
	}
	one.mutant = mutant{file: p.File(), function: in}
	if err := writeFiles(f.dir, map[string]string{p.File(): source}); err != nil {
		return one, err
	}
	var flags []string
	if part == partInputs {
		flags = []string{"--run", "^TestRun$/."}
	}
	r, err := one.compare(ctx, f.tool, f.dir, flags...)
	if r == nil || err != nil {
		return one, err
	}
	one.seconds = sum(r.Stages).Seconds
	if len(r.Roots) > 0 {
		one.tier = string(r.Roots[0].Tier)
	}
	if one.exposure.Covering == 0 { // no line of a constant runs: what runs its users counts, as Xie does
		one.exposure.Covering = r.Replay.Sequences
	}
	return one, nil
}
