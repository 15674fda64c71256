package main

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/go-git/go-git/v5"

	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/report/accepted"
	"github.com/spectradiff/spectradiff/internal/report/json"
	"github.com/spectradiff/spectradiff/internal/report/text"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// acceptedIn makes a repository and a report of three roots, m.A, m.B and m.C.
func acceptedIn(t *testing.T) (folder, file string) {
	t.Helper()
	folder = t.TempDir()
	if _, err := git.PlainInit(folder, false); err != nil {
		t.Fatal(err)
	}
	r := &report.Report{Replay: report.Replay{Sequences: 10}}
	for _, name := range []string{"m.A", "m.B", "m.C"} {
		r.Add(report.Root{Function: name, Change: spectra.ChangeModified, Tier: spectra.TierValue,
			Summary: name + " differs"})
	}
	if err := r.Finish(report.FailAny); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := json.Write(&out, r); err != nil {
		t.Fatal(err)
	}
	file = filepath.Join(t.TempDir(), "report.json")
	if err := os.WriteFile(file, out.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	return folder, file
}

// reasons returns the functions in the list of a repository, each with its reason.
func reasons(t *testing.T, folder string) string {
	t.Helper()
	_, list, err := readAccepted(folder)
	if err != nil {
		t.Fatal(err)
	}
	of := map[string]string{}
	for _, e := range list {
		of[e.Function] = e.Reason
	}
	var texts []string
	for _, name := range []string{"m.A", "m.B", "m.C"} {
		if reason, ok := of[name]; ok {
			texts = append(texts, name+": "+reason)
		}
	}
	return strings.Join(texts, ", ")
}

func TestAcceptInteractive(t *testing.T) {
	for _, c := range []struct{ reason, flags, answers, want string }{
		{"each answer", "", "a\nfirst\ns\nr\nthird\n", "m.A: first, m.C: third"},
		{"the reason stays for the answer a", "", "a\nsame\nA\naccept\n", "m.A: same, m.B: same, m.C: same"},
		{"it may be given", "--reason given", "a\nr\nother\ns\n", "m.A: given, m.B: other"},
		{"what was decided before q stays", "", "a\nfirst\nq\n", "m.A: first"},
		{"so it does where the answers end", "", "a\nfirst\n", "m.A: first"},
		{"in the middle of one", "", "a\nfirst\na", "m.A: first, m.B: first"},
		{"or of a reason", "", "a\n", ""},
		{"no answer", "", "", ""},
		{"what is no answer is asked again", "", "yes\n\na\nfirst\nq\n", "m.A: first"},
		{"a reason that can't be written is asked again", "", "a\n\x1b[31m\na\n\na\nfirst\r\nq\n", "m.A: first"},
	} {
		folder, file := acceptedIn(t)
		args := append([]string{"accept", "-C", folder, "--author", "Ann", "--interactive", file},
			strings.Fields(c.flags)...)
		var out, errs bytes.Buffer
		if exit := run(args, strings.NewReader(c.answers), &out, &errs); exit != 0 || errs.Len() > 0 {
			t.Errorf("%s: exit %d, %s", c.reason, exit, &errs)
		}
		if got := reasons(t, folder); got != c.want {
			t.Errorf("%s: accepted %q, want %q", c.reason, got, c.want)
		}
		if strings.Contains(out.String(), "\x1b") || !strings.Contains(out.String(), "\n1  m.A\n") {
			t.Errorf("%s: printed %q", c.reason, &out)
		}
	}
}

// TestAcceptUnread: where nobody reads the questions any more, it is enough, and what was decided stays.
func TestAcceptUnread(t *testing.T) {
	for reads := range 9 {
		folder, file := acceptedIn(t)
		args := []string{"accept", "-C", folder, "--author", "Ann", "--reason", "r", "--interactive", file}
		out := &closing{writes: reads}
		if exit := run(args, strings.NewReader(strings.Repeat("a\n", 9)), out, io.Discard); exit != 0 {
			t.Errorf("closed after %d writes: exit %d", reads, exit)
		}
		if got := reasons(t, folder); strings.Contains(got, "m.C") {
			t.Errorf("closed after %d writes: accepted %s", reads, got)
		}
	}
}

// closing is a pipe whose reader leaves after some writes.
type closing struct{ writes int }

func (c *closing) Write(text []byte) (int, error) {
	if c.writes--; c.writes < 0 {
		return 0, syscall.EPIPE
	}
	return len(text), nil
}

// TestAcceptColours: findings have our colours on a terminal, and nobody else's.
func TestAcceptColours(t *testing.T) {
	r := new(report.Report)
	r.Add(report.Root{Function: "m.A", Change: spectra.ChangeModified, Tier: spectra.TierValue, Summary: "\x1b[31mred"})
	var out bytes.Buffer
	a := newAsking(&out, text.Options{Color: true}, report.Acceptance{Reason: "given"})
	list, err := a.all(strings.NewReader("a\n"), r, nil)
	if err != nil || len(list) != 1 || list[0].Reason != "given" {
		t.Errorf("accepted %v, %v", list, err)
	}
	if got := out.String(); !strings.Contains(got, "\x1b[1m1  m.A\x1b[0m") || !strings.Contains(got, `\x1b[31mred`) {
		t.Errorf("printed %q", got)
	}
}

func TestAccept(t *testing.T) {
	folder, file := acceptedIn(t)
	call := func(args ...string) (int, string) {
		args = append([]string{"accept", "-C", folder, "--author", "Ann", "--date", "2026-11-26"}, args...)
		exit, out, errs := invoke(t, args...)
		return exit, out + errs
	}
	for _, c := range []struct {
		reason string
		args   []string
		exit   int
		print  string
		want   string
	}{
		{"two by rank", []string{file, "2", "3", "--reason", "one"}, 0, "holds 2 entries", "m.B: one, m.C: one"},
		{"one anew", []string{file, "3", "--reason", "two"}, 0, "changed ", "m.B: one, m.C: two"},
		{"all others", []string{file, "--all", "--reason", "three"}, 0, "holds 3 entries",
			"m.A: three, m.B: one, m.C: two"},
		{"all once more", []string{file, "--all", "--reason", "four"}, 0, "is as it was",
			"m.A: three, m.B: one, m.C: two"},
		{"an unknown fingerprint", []string{file, "0a", "--reason", "x"}, 2, "accept 0a: no such finding",
			"m.A: three, m.B: one, m.C: two"},
		{"one of several is unknown, so none is written", []string{file, "1", "4", "--reason", "x"}, 2,
			"accept 4: no such finding", "m.A: three, m.B: one, m.C: two"},
		{"a reason of two lines", []string{file, "1", "--reason", "a\nb"}, 2, "control character U+000A",
			"m.A: three, m.B: one, m.C: two"},
		{"a report that is none", []string{folder, "1", "--reason", "x"}, 2, "read ",
			"m.A: three, m.B: one, m.C: two"},
		{"a list without a report", []string{"--list"}, 0, "  value  m.B  2026-11-26  Ann  one\n",
			"m.A: three, m.B: one, m.C: two"},
		{"nothing is stale", []string{file, "--prune"}, 0, "is as it was, and holds 3 entries",
			"m.A: three, m.B: one, m.C: two"},
	} {
		exit, print := call(c.args...)
		if exit != c.exit || !strings.Contains(print, c.print) {
			t.Errorf("%s: exit %d, %q; want %d, %q", c.reason, exit, print, c.exit, c.print)
		}
		if got := reasons(t, folder); got != c.want {
			t.Errorf("%s: accepted %q, want %q", c.reason, got, c.want)
		}
		if entries, _ := os.ReadDir(filepath.Join(folder, filepath.Dir(accepted.File))); len(entries) != 1 {
			t.Errorf("%s: %d files are left beside the list", c.reason, len(entries)-1)
		}
	}
}

// TestAcceptStays: the list is not written through a link out of the repository, nor over one that can't be read.
func TestAcceptStays(t *testing.T) {
	folder, file := acceptedIn(t)
	outside := t.TempDir()
	if err := os.Symlink(outside, filepath.Join(folder, ".spectradiff")); err != nil {
		t.Fatal(err)
	}
	exit, _, errs := invoke(t, "accept", "-C", folder, "--author", "Ann", "--all", "--reason", "x", file)
	entries, _ := os.ReadDir(outside)
	if exit != 2 || len(entries) > 0 || !strings.Contains(errs, accepted.File) {
		t.Errorf("exit %d, %q, %d files outside; want trouble and none", exit, errs, len(entries))
	}
	folder, file = acceptedIn(t)
	name := filepath.Join(folder, accepted.File)
	if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
		t.Fatal(err)
	}
	const damaged = "[\n{\"fingerprint\": \"0a\"\n"
	if err := os.WriteFile(name, []byte(damaged), 0o666); err != nil {
		t.Fatal(err)
	}
	exit, _, errs = invoke(t, "accept", "-C", folder, "--author", "Ann", "--all", "--reason", "x", file)
	after, _ := os.ReadFile(name)
	if exit != 2 || !strings.Contains(errs, accepted.File+":2: ") || string(after) != damaged {
		t.Errorf("exit %d, %q; the list is now %q", exit, errs, after)
	}
}
