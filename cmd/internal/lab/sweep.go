package main

import (
	"cmp"
	"context"
	_ "embed"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"golang.org/x/mod/semver"

	"github.com/spectradiff/spectradiff/internal/report"
)

// sweepList names modules: libraries, then programs. A module may have versions behind it, old and new.
//
//go:embed sweep.txt
var sweepList string

// A swept is how the comparison of a module's last two releases ended.
type swept struct {
	module, old, new string
	program          bool
	report           *report.Report // nil = there is none
	refused          string         // why there is none
	took             time.Duration
}

// runSweep compares the last two releases of many modules with a small budget, to find modules that the tool can't
// compare. It prints how each ended, and sums up.
func runSweep(ctx context.Context, dir string, args []string) error {
	var t tool
	flags := flag.NewFlagSet("sweep", flag.ExitOnError)
	flags.StringVar(&t.path, "command", "bin/spectradiff", "the built command: `FILE`")
	only := flags.String("modules", "", "these modules in place of those of sweep.txt: `LIST` of paths")
	budget := flags.Duration("budget", 3*time.Second, "for generating: `TIME`")
	limit := flags.Duration("timeout", 2*time.Minute, "for a comparison: `TIME`")
	_ = flags.Parse(args) // it exits by itself
	if err := t.find(); err != nil {
		return err
	}
	with := []string{"--budget", budget.String(), "--timeout", limit.String(), "old", "new"}
	fmt.Println("| module | releases | verdict | seconds | peak MB | packages | left out |")
	fmt.Println("|---|---|---|---|---|---|---|")
	var all []swept
	for _, s := range sweepModules(cmp.Or(strings.ReplaceAll(*only, ",", "\n"), sweepList)) {
		if err := s.compare(ctx, t, filepath.Join(dir, "module"), with); err != nil {
			return err
		}
		s.print(os.Stdout)
		all = append(all, s)
	}
	sumUp(os.Stdout, all)
	return nil
}

// sweepModules reads a list of modules, one a line.
func sweepModules(text string) (list []swept) {
	programs := false
	for line := range strings.Lines(text) {
		switch fields := strings.Fields(line); {
		case len(fields) == 0:
		case fields[0] == "#":
			programs = programs || strings.Contains(line, "programs")
		case len(fields) == 3:
			list = append(list, swept{module: fields[0], old: fields[1], new: fields[2], program: programs})
		default:
			list = append(list, swept{module: fields[0], program: programs})
		}
	}
	return list
}

// compare compares the releases in a new folder. Its error is that the context is over.
func (s *swept) compare(ctx context.Context, t tool, dir string, args []string) error {
	defer os.RemoveAll(dir)
	err := os.RemoveAll(dir)
	if err == nil && s.new == "" {
		s.old, s.new, err = lastReleases(ctx, filepath.Dir(dir), s.module)
	}
	if err == nil {
		err = commitReleases(ctx, dir, s.module, s.old, s.new)
	}
	if err == nil {
		began := time.Now()
		s.report, err = t.compare(ctx, dir, args...)
		s.took = time.Since(began)
	}
	if err != nil {
		s.refused = err.Error()
	}
	return ctx.Err()
}

// lastReleases finds the last two releases of a module, without pre-releases.
func lastReleases(ctx context.Context, dir, module string) (old, new string, err error) {
	out, err := goCommand(ctx, dir, "list", "-m", "-versions", "-json", module+"@latest")
	if err != nil {
		return "", "", err
	}
	var found struct{ Versions []string }
	if err := json.Unmarshal(out, &found); err != nil {
		return "", "", fmt.Errorf("versions of %s: %w", module, err)
	}
	versions := slices.DeleteFunc(found.Versions, func(v string) bool {
		return semver.Prerelease(v) != "" || strings.HasSuffix(v, "+incompatible")
	})
	if len(versions) < 2 {
		return "", "", errors.New("it has no two releases")
	}
	semver.Sort(versions)
	return versions[len(versions)-2], versions[len(versions)-1], nil
}

// leftOut returns the warnings about packages that are left out, and those about internal errors.
func (s *swept) leftOut() (packages, internal []string) {
	if s.report == nil {
		return nil, nil
	}
	for _, w := range s.report.Warnings {
		if strings.Contains(w, "internal error") {
			internal = append(internal, w)
		} else if strings.Contains(w, "left out") {
			packages = append(packages, w)
		}
	}
	return packages, internal
}

// print prints a row, and below it the reasons for what was left out.
func (s *swept) print(w io.Writer) {
	if s.report == nil {
		fmt.Fprintf(w, "| %s | %s → %s | no report: %s |\n", s.module, s.old, s.new, firstLine(s.refused))
		return
	}
	peak := int64(0)
	for _, stage := range s.report.Stages {
		peak = max(peak, stage.PeakBytes+stage.StartedPeakBytes)
	}
	packages, internal := s.leftOut()
	verdict := string(s.report.Verdict)
	if s.report.Partial != nil {
		verdict += ", partial in " + s.report.Partial.Stage
	}
	fmt.Fprintf(w, "| %s | %s → %s | %s | %.0f | %d | %d | %s |\n", s.module, s.old, s.new, verdict, s.took.Seconds(),
		peak>>20, s.report.Subject.Packages, cell(append(internal, packages...)))
}

// cell returns the first few warnings of a list.
func cell(list []string) string {
	const most = 3
	if rest := len(list) - most; rest > 0 {
		list = append(list[:most:most], fmt.Sprintf("and %d more", rest))
	}
	return strings.ReplaceAll(strings.Join(list, "; "), "|", "\\|")
}

// sumUp prints how many modules ended in which way.
func sumUp(w io.Writer, all []swept) {
	var ended, partial, left, internal, programs int
	var seconds []float64
	verdicts := map[report.Verdict]int{}
	for _, s := range all {
		if s.program {
			programs++
		}
		if s.report == nil {
			continue
		}
		packages, faults := s.leftOut()
		left, internal = left+len(packages), internal+len(faults)
		verdicts[s.report.Verdict]++
		seconds = append(seconds, s.took.Seconds())
		if s.report.Partial != nil {
			partial++
		} else {
			ended++
		}
	}
	fmt.Fprintf(w, "\n%d libraries and %d programs: %d ended well, %d at the time limit, %d without a report.\n",
		len(all)-programs, programs, ended, partial, len(all)-ended-partial)
	fmt.Fprintf(w, "Packages were left out for %d reasons, with %d internal errors.\n", left, internal)
	for _, v := range []report.Verdict{report.Deviates, report.Same, report.NotReached} {
		fmt.Fprintf(w, "%s: %d. ", v, verdicts[v])
	}
	if len(seconds) > 0 {
		slices.Sort(seconds)
		fmt.Fprintf(w, "Seconds: median %.0f, most %.0f.\n", seconds[len(seconds)/2], seconds[len(seconds)-1])
	}
}
