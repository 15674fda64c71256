package main

import (
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spectradiff/spectradiff/report"
	"github.com/spectradiff/spectradiff/report/json"
)

func showCommand() command {
	return command{
		name:  "show",
		args:  "REPORT.json",
		short: "print a saved report, also in another format",
		long: `REPORT.json is what --format json or --out json=FILE wrote; - reads standard
input. The exit status is that of the comparison, decided anew by --fail-on
where it is given.`,
		flags: func(s *settings) *flagSet {
			f := newFlags("show")
			f.result(s, "")
			return f
		},
		run: show,
	}
}

func show(std streams, set *settings, args []string) (int, error) {
	if len(args) != 1 {
		return 0, &usageError{"show", errors.New("want one report, as --out json=FILE writes it")}
	}
	r, err := readReport(std.in, args[0])
	if err != nil {
		return 0, err
	}
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

func readReport(in io.Reader, name string) (*report.Report, error) {
	if name == "-" {
		return json.Read(in)
	}
	file, err := os.Open(name)
	if err != nil {
		return nil, fmt.Errorf("read report: %w", err)
	}
	defer file.Close()
	r, err := json.Read(file)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	return r, nil
}
