//go:build linux

package main

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/spectradiff/spectradiff/internal/report"
)

// crash is how a Go program ends that nobody thought of.
var crash = regexp.MustCompile(`(?m)^(panic: |fatal error: |goroutine \d+ .*\[|SIG[A-Z]+: )`)

// crashed reports whether the command printed how it crashed. Errors may quote how another program did.
func crashed(stderr string) bool {
	before, _, _ := strings.Cut("\n"+stderr, "\nspectradiff: ")
	return crash.MatchString(before)
}

// checkEnd complains about how the command ended. It reads the report.
func (a *attack) checkEnd(ts *testscript.TestScript) (complaints []string) {
	notes, err := os.ReadFile(filepath.Join(a.work, "out", "notes"))
	ts.Check(err)
	for line := range strings.Lines(string(notes)) {
		complaints = append(complaints, strings.TrimSuffix(line, "\n"))
	}
	if a.late = strings.Contains(string(notes), stillRan); a.late {
		return complaints
	}
	stderr := ts.ReadFile("stderr")
	text, err := os.ReadFile(filepath.Join(a.work, "out", "report.json"))
	switch {
	case a.exit < 0 || a.exit > 2:
		complaints = append(complaints, fmt.Sprintf("exit status %d", a.exit))
	case crashed(stderr):
		complaints = append(complaints, "the command crashed")
	case a.exit < 2 && err != nil:
		complaints = append(complaints, fmt.Sprintf("exit status %d without a report: %v", a.exit, err))
	}
	failed := strings.Contains("\n"+stderr, "\nspectradiff: ")
	if err != nil {
		if a.exit == 2 && !failed {
			complaints = append(complaints, "exit status 2 without an error")
		}
		return complaints
	}
	a.report = new(report.Report)
	if err := json.Unmarshal(text, a.report); err != nil {
		complaints = append(complaints, "the report can't be read: "+err.Error())
	} else if a.exit == 2 && !failed && a.report.Verdict != report.Incomplete {
		complaints = append(complaints, "exit status 2 without an error, and the report is complete")
	}
	return append(complaints, checkText("report.json", string(text))...)
}

// marks complains about what an attack left in the machine's own folders.
func (a *attack) marks() (complaints []string) {
	for _, folder := range []string{"/tmp", "/var/tmp", "/dev/shm", "/run", "/dev/mqueue", "/etc", "/"} {
		found, _ := filepath.Glob(filepath.Join(folder, "*"+a.mark+"*"))
		for _, name := range found {
			complaints = append(complaints, name+" was made")
			_ = os.RemoveAll(name)
		}
	}
	return complaints
}

// ended is the command "ended STATUS": the attacked command ended so.
func ended(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: ended STATUS")
	}
	if want, got := args[0], strconv.Itoa(attackOf(ts).exit); got != want {
		ts.Fatalf("the command ended with status %s, want %s", got, want)
	}
}

// reached is the command "reached": there is a report, and every operation was called. Else nothing was attacked.
func reached(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 0 {
		ts.Fatalf("usage: reached")
	}
	r := attackOf(ts).report
	if r == nil || r.Subject.Operations == 0 || r.Generation.OperationsReached != r.Subject.Operations {
		ts.Fatalf("not all operations were reached: %+v", r)
	}
}
