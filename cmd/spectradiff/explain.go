package main

import (
	"errors"
	"fmt"
	"os"

	"golang.org/x/term"

	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/report/explain"
	"github.com/spectradiff/spectradiff/internal/report/explain/screen"
)

func explainCommand() command {
	return command{
		name:  "explain",
		args:  "REPORT.json [RANK]",
		short: "step through a finding, from its cause to its effect",
		long: `REPORT.json is what --format json or --out json=FILE wrote; - reads standard
input. RANK names a finding of it, as its fingerprint does, and is left out for the
first one that is not accepted.

What is shown: what deviates, the changed lines, the call tree of both versions,
and for each execution the values at its begin and its end in both versions, with
the source beside them. The source is that of the report's commits, read from the
repository at -C; nothing is checked out. Where the repository or a commit is not
there, a line says so. Reports keep the first 200 characters of a value. With
--replay both versions are built and the sequence is played again: then values
are shown whole.

On a terminal the arrow keys step through it, and ? lists the keys. With --plain,
and where the output is no terminal, the same is printed in order, for each step
on the way from the cause to its effect.

The exit status is 0, or 2 in trouble, as where the report has no such finding.`,
		flags: func(s *settings) *flagSet {
			f := newFlags("explain")
			f.StringVar(&s.dir, "C", ".", "the repository, or a folder in it: `DIR`")
			f.StringVar(&s.color, "color", "auto", "auto, always or never: colours on a terminal: `WHEN`")
			f.BoolVar(&s.replayed, "replay", false, "play the sequence again, to show whole values")
			f.BoolVar(&s.noSandbox, "no-sandbox", false, "with --replay, go on where confinement is not available")
			f.BoolVar(&s.plain, "plain", false, "print it, also on a terminal")
			f.secrets(s)
			return f
		},
		configured: true,
		run:        explained,
	}
}

func explained(std streams, set *settings, args []string) (int, error) {
	if len(args) < 1 || len(args) > 2 {
		return 0, &usageError{"explain", errors.New("want a report, as --out json=FILE writes it, and a rank in it")}
	}
	r, err := openReport(std.in, args[0])
	if err != nil {
		return 0, err
	}
	rank, err := chosen(r, args[1:])
	if err != nil {
		return 0, err
	}
	if set.replayed {
		if r, err = replayed(std, set, r, rank); err != nil {
			return 0, err
		}
	}
	r = set.secrets.shown(r)
	sources := openSources(r, set.dir)
	defer sources.close()
	if !set.plain && args[0] != "-" && interactive(std.in) && interactive(std.out) {
		return exitOK, stepThrough(std, set, r, rank, sources)
	}
	return exitOK, written(explain.Write(std.out, explain.New(r, rank), sources.find))
}

// interactive reports whether a stream is a terminal that can move its cursor.
func interactive(stream any) bool {
	file, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(file.Fd())) && os.Getenv("TERM") != "dumb"
}

// stepThrough shows findings on the terminal until the user has enough, or a signal ends the program.
func stepThrough(std streams, set *settings, r *report.Report, rank int, sources *sources) error {
	ctx, end := interruptible(std, set)
	defer end()
	err := screen.Run(ctx, std.in, std.out, screen.Options{
		Rank: rank, Of: len(r.Roots), Look: sources.find, Color: textOptions(std.out, set).Color,
		Story: func(rank int) *explain.Story { return explain.New(r, rank) },
	})
	if ctx.Err() != nil {
		return errors.New("interrupted")
	}
	return err
}

// chosen returns the rank that the user named, or that of the first finding that nobody accepted.
func chosen(r *report.Report, named []string) (int, error) {
	n := len(r.Roots)
	if n == 0 {
		return 0, errors.New("explain: the report has no findings; spectradiff show says what was compared")
	}
	if len(named) > 0 {
		for i := range r.Roots {
			if root := &r.Roots[i]; fmt.Sprint(root.Rank) == named[0] || root.Fingerprint == named[0] {
				return root.Rank, nil
			}
		}
		ranks := fmt.Sprintf("the ranks 1 to %d", n)
		if n == 1 {
			ranks = "the rank 1"
		}
		return 0, fmt.Errorf("explain %s: no such finding: the report has %s", named[0], ranks)
	}
	if open := report.Open(r.Roots); len(open) > 0 {
		return open[0].Rank, nil
	}
	return 1, nil
}
