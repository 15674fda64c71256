package main

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/report/json"
	"github.com/spectradiff/spectradiff/internal/report/text"
	"github.com/spectradiff/spectradiff/internal/spectra/archive"
)

func showCommand() command {
	return command{
		name:  "show",
		args:  "REPORT.json|FILE.spectra",
		short: "print a saved report or kept spectra",
		long: `REPORT.json is what --format json or --out json=FILE wrote; - reads standard
input. The exit status is that of the comparison, decided anew by --fail-on
where it is given.

FILE.spectra is one of the files that compare --keep DIR leaves in DIR/old/spectra
and DIR/new/spectra. Its sequences are printed with what was recorded of them:
statements, executions with the values or digests of their states, outcome. Only
--sequence applies to it. The exit status is 0, or 2 if the file is damaged: then
what stands before that is printed.`,
		flags: func(s *settings) *flagSet {
			f := newFlags("show")
			f.result(s, "")
			f.Func("sequence", "of FILE.spectra print only sequence N: `N`", s.setSequence)
			return f
		},
		run: show,
	}
}

func show(std streams, set *settings, args []string) (int, error) {
	if len(args) != 1 {
		return 0, &usageError{"show", errors.New("want one report, as --out json=FILE writes it, or one FILE.spectra")}
	}
	name, file := args[0], std.in
	if name != "-" {
		opened, err := os.Open(name)
		if err != nil {
			return 0, fmt.Errorf("read report: %w", err)
		}
		defer opened.Close()
		file = opened
	}
	in := bufio.NewReader(file)
	if archive.Begins(in) || strings.HasSuffix(name, ".spectra") {
		return showSpectra(std.out, set, name, in)
	}
	return showReport(std, set, name, in)
}

func showReport(std streams, set *settings, name string, in io.Reader) (int, error) {
	if set.sequence != nil {
		return 0, &usageError{"show", fmt.Errorf("--sequence is for kept spectra, and %s is a report", name)}
	}
	r, err := readReport(name, in)
	if err != nil {
		return 0, err
	}
	return printed(std, set, r)
}

// printed prints a saved report as the flags say, which may decide anew what fails. It returns the exit status.
func printed(std streams, set *settings, r *report.Report) (int, error) {
	if set.failOn != "" {
		if err := r.Decide(report.FailOn(set.failOn)); err != nil {
			return 0, err
		}
	}
	if err := write(std, set, r); err != nil {
		return 0, err
	}
	return r.Exit, nil
}

// openReport reads the report in a file, or of standard input.
func openReport(in io.Reader, name string) (*report.Report, error) {
	if name == "-" {
		return readReport(name, in)
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("read report: %w", err)
	}
	defer file.Close()
	return readReport(name, file)
}

func readReport(name string, in io.Reader) (*report.Report, error) {
	r, err := json.Read(in)
	if err != nil && name != "-" {
		err = fmt.Errorf("%s: %w", name, err)
	}
	return r, err
}

// showSpectra prints kept spectra. If the file is damaged, it prints those before the damage.
func showSpectra(out io.Writer, set *settings, name string, in io.Reader) (int, error) {
	for _, refused := range []struct {
		flag  string
		given bool
	}{
		{"--format " + set.format, set.format != "text"},
		{"--out", len(set.outputs) > 0},
		{"--fail-on", set.failOn != ""},
	} {
		if refused.given {
			return 0, &usageError{"show", fmt.Errorf(
				"%s is for reports, and %s holds spectra: they are printed as text", refused.flag, name)}
		}
	}
	r, err := archive.NewReader(in)
	if err != nil {
		return 0, fmt.Errorf("show %s: %w", name, err)
	}
	defer r.Close()
	index := archive.All
	if set.sequence != nil {
		index = *set.sequence
	}
	guard := text.NewGuard(out)
	err = written(errors.Join(archive.Print(guard, r, index), guard.Flush()))
	if errors.Is(err, archive.ErrNoSequence) {
		return 0, fmt.Errorf(
			"show %s: it has no sequence %d; without --sequence all of its sequences are printed", name, index)
	}
	if err != nil {
		return 0, fmt.Errorf("show %s: %w", name, err)
	}
	return exitOK, nil
}
