package main

// This file runs what README.md shows, and makes its pictures.

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// TestReadmeExamples runs the sessions of README.md, its blocks of code called console, one after the other in the
// repository of the demo. A line … stands for any number of lines. With -update it makes the pictures anew.
func TestReadmeExamples(t *testing.T) {
	onlyInAll(t, "it compares two versions three times")
	docs, err := filepath.Abs(filepath.Join("..", "..", "docs"))
	if err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(filepath.Join(docs, "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	t.Setenv("SPECTRADIFF_CACHE", t.TempDir())
	t.Chdir(t.TempDir())
	if err := makeDemo("."); err != nil {
		t.Fatal(err)
	}
	steps := sessions(string(text))
	if len(steps) < 3 {
		t.Fatalf("README.md shows %d commands", len(steps))
	}
	exit := 0
	for _, s := range steps {
		exit = s.run(t, exit)
	}
	_, shown, _ := invoke(t, "show", "--color", "always", "report.json")
	shown, _, _ = strings.Cut(shown, "\ncompared ") // what follows depends on the machine
	comparePicture(t, filepath.Join(docs, "report.svg"), picture(shown))
	if *update {
		photograph(t, filepath.Join(docs, "page.png"))
	}
}

func comparePicture(t *testing.T, file, got string) {
	t.Helper()
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o666); err != nil {
			t.Fatal(err)
		}
	}
	if want, err := os.ReadFile(file); err != nil || got != string(want) {
		t.Errorf("%s is no picture of the demo's report (%v); go test ./cmd/spectradiff -run %s -update makes one",
			file, err, t.Name())
	}
}

// photograph writes a picture of the top of the HTML page. It is not compared: it depends on fonts.
func photograph(t *testing.T, file string) {
	t.Helper()
	browser, err := exec.LookPath("chromium")
	if err != nil {
		t.Logf("%s stays as it is: %v", file, err)
		return
	}
	if exit, _, errs := invoke(t, "show", "--format", "html", "--out", "html=report.html", "report.json"); exit > 1 {
		t.Fatal(errs)
	}
	page, err := filepath.Abs("report.html")
	if err != nil {
		t.Fatal(err)
	}
	// Without the browser's sandbox it starts for root as well. It opens a page of ours.
	out, err := exec.Command(browser, "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
		"--window-size=1100,1130", "--screenshot="+file, "file://"+page).CombinedOutput()
	if err != nil {
		t.Fatalf("%v: %s", err, out)
	}
}

// A step is a command of a session, with the lines that it prints.
type step struct {
	line string
	want []string
}

// sessions returns the commands of all blocks called console.
func sessions(markdown string) (list []step) {
	inside := false
	for line := range strings.Lines(markdown) {
		line = strings.TrimSuffix(line, "\n")
		command, isCommand := strings.CutPrefix(line, "$ ")
		switch {
		case strings.HasPrefix(line, "```"):
			inside = line == "```console"
		case inside && isCommand:
			list = append(list, step{line: command})
		case inside && len(list) > 0:
			last := &list[len(list)-1]
			last.want = append(last.want, line)
		}
	}
	return list
}

// argument matches a word of a command line.
var argument = regexp.MustCompile(`'[^']*'|\S+`)

// run runs a command and compares what it prints on standard output. It returns the command's status. "echo $?"
// prints that of the one before.
func (s step) run(t *testing.T, before int) (exit int) {
	t.Helper()
	var out, errs bytes.Buffer
	if s.line == "echo $?" {
		fmt.Fprintln(&out, before)
	} else {
		args := argument.FindAllString(s.line, -1)
		for i := range args {
			args[i] = strings.Trim(args[i], "'")
		}
		if args[0] != "spectradiff" {
			t.Fatalf("%s: README.md shows another command than spectradiff", s.line)
		}
		exit = run(args[1:], strings.NewReader(""), &out, &errs)
	}
	if exit == exitTrouble {
		t.Fatalf("%s: %s", s.line, errs.String())
	}
	got := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	if !elided(s.want, got) {
		t.Errorf("%s: README.md shows\n%s\nbut it prints\n%s", s.line, strings.Join(s.want, "\n"), out.String())
	}
	return exit
}

// elided reports whether lines are those that are shown, where … stands for any number of lines.
func elided(shown, lines []string) bool {
	at := slices.Index(shown, "…")
	if at < 0 {
		return slices.Equal(shown, lines)
	}
	if len(lines) < at || !slices.Equal(shown[:at], lines[:at]) {
		return false
	}
	for from := at; from <= len(lines); from++ {
		if elided(shown[at+1:], lines[from:]) {
			return true
		}
	}
	return false
}

func TestElided(t *testing.T) {
	for _, c := range []struct {
		shown, lines string
		want         bool
		reason       string
	}{
		{"a b", "a b", true, "all lines"},
		{"a", "a b", false, "a line is left out, and nothing says so"},
		{"a …", "a b c", true, "the end is left out"},
		{"… c", "a b c", true, "the beginning is left out"},
		{"a … c", "a c", true, "nothing is left out"},
		{"a … c", "a c b c", true, "the line behind it is there twice"},
		{"a … c", "a b", false, "the last line is missing"},
		{"b …", "a b", false, "another first line"},
		{"a b c …", "a", false, "there are fewer"},
	} {
		if got := elided(strings.Fields(c.shown), strings.Fields(c.lines)); got != c.want {
			t.Errorf("%q of %q (%s): %v", c.shown, c.lines, c.reason, got)
		}
	}
}

func TestSessions(t *testing.T) {
	const markdown = "a\n```\n$ no\n```\n```console\n$ spectradiff demo\nx\n\n$ echo $?\n1\n```\n$ nor here\n"
	got := fmt.Sprintf("%q", sessions(markdown))
	if want := `[{"spectradiff demo" ["x" ""]} {"echo $?" ["1"]}]`; got != want {
		t.Errorf("%s, want %s", got, want)
	}
}
