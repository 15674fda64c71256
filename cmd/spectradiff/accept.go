package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/spectradiff/spectradiff/internal/replay/repository"
	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/report/accepted"
	"github.com/spectradiff/spectradiff/internal/report/text"
)

// accepting are the flags of accept.
type accepting struct {
	reason, author, date     string // "": not given
	prune, list, interactive bool
}

func acceptCommand() command {
	return command{
		name:  "accept",
		args:  "REPORT.json [RANK...]",
		short: "accept findings, so that they fail no more",
		long: `Findings are named by their ranks in REPORT.json, which --format json or
--out json=FILE wrote, or by their fingerprints. They are written into
.spectradiff/accepted.json at the root of the repository, one a line; nothing
else is touched. Commit that file with the change: compare reads it in NEW.

An accepted finding is listed in a line, and does not count for the exit status.
It stays accepted with other seeds, when its code moves, and when a local variable
gets another name. Another edit of the function is another finding. Findings of
bisect --exec can't be accepted: they count, whatever the file says.

An entry is stale if a comparison ran its function and did not show the finding.
Reports name such entries, and --prune removes those that are stale by REPORT.json.
Entries of functions that did not run, or did not change, are never stale, so one file
can serve several comparisons.

With --interactive each finding that is not accepted yet is printed, and a line is
read from standard input: a accepts, r accepts for another reason, s skips, q ends.
What was decided is written at the end, also after q or when the input ends.`,
		flags: func(s *settings) *flagSet {
			f := newFlags("accept")
			f.StringVar(&s.dir, "C", ".", "the repository, or a folder in it: `DIR`")
			f.BoolVar(&s.all, "all", false, "accept all findings that are not accepted yet")
			f.StringVar(&s.accept.author, "author", "",
				"who accepts (default user.name and user.email of git, else $USER): `NAME`")
			f.Func("date", "the day, as in 2026-11-26 (default today): `DATE`", s.accept.setDate)
			f.BoolVar(&s.accept.interactive, "interactive", false, "ask for each finding")
			f.BoolVar(&s.accept.list, "list", false, "print what is accepted, with REPORT.json also what is stale")
			f.BoolVar(&s.accept.prune, "prune", false, "remove what is stale by REPORT.json")
			f.StringVar(&s.accept.reason, "reason", "", "why, in one line: `TEXT`")
			return f
		},
		run: accept,
	}
}

func (a *accepting) setDate(date string) error {
	a.date = date
	return accepted.CheckDate(date)
}

func accept(std streams, set *settings, args []string) (int, error) {
	if err := checkAccept(set, args); err != nil {
		return 0, &usageError{"accept", err}
	}
	repo, err := repository.Open(set.dir)
	if err != nil {
		return 0, err
	}
	before, list, err := readAccepted(repo.Root)
	if err != nil {
		return 0, err
	}
	var r *report.Report
	if len(args) > 0 {
		if r, err = openReport(std.in, args[0]); err != nil {
			return 0, err
		}
	}
	out := text.NewGuard(std.out)
	if set.accept.list {
		return exitOK, written(errors.Join(printAccepted(out, list, r), out.Flush()))
	}
	after, err := changeAccepted(std, set, repo, r, list, args[1:])
	if err != nil {
		return 0, err
	}
	data, err := accepted.Write(after)
	if err != nil {
		return 0, err
	}
	if len(after)+len(list) > 0 && string(data) != before {
		if err := writeAccepted(repo.Root, data); err != nil {
			return 0, fmt.Errorf("write %s: %w", accepted.File, err)
		}
	}
	return exitOK, written(errors.Join(printChanges(out, list, after), out.Flush()))
}

// checkAccept refuses command lines that say too little or too much.
func checkAccept(set *settings, args []string) error {
	a := &set.accept
	named := len(args) > 1 || set.all
	switch {
	case a.list && (a.prune || a.interactive || named):
		return errors.New("--list changes nothing: want --list, or --list REPORT.json")
	case a.list:
		return nil
	case len(args) == 0:
		return errors.New("want a report, as --out json=FILE writes it, and the ranks of findings in it")
	case a.interactive && named:
		return errors.New("--interactive asks for each finding: name none, and leave out --all")
	case a.interactive && args[0] == "-":
		return errors.New("--interactive reads answers from standard input: the report has to be in a file")
	case set.all && len(args) > 1:
		return errors.New("--all accepts every finding: name none")
	case !named && !a.interactive && !a.prune:
		return errors.New("which findings? want RANK or FINGERPRINT, --all, --interactive or --prune")
	case named && strings.TrimSpace(a.reason) == "":
		return errors.New("want --reason TEXT: those who read the file need to know why")
	}
	return nil
}

// readAccepted reads the list of a working tree. Without a file it is empty.
func readAccepted(root string) (content string, list accepted.List, err error) {
	data, err := repository.ReadFile(root, accepted.File)
	if errors.Is(err, os.ErrNotExist) {
		return "", nil, nil
	}
	if err != nil {
		return "", nil, fmt.Errorf("read accepted findings: %w", err)
	}
	list, err = accepted.Read(accepted.File, data)
	return string(data), list, err
}

// writeAccepted replaces the list of a working tree, or leaves it as it was. It follows no link out of the tree.
func writeAccepted(folder string, data []byte) (err error) {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return err
	}
	defer root.Close()
	if err := root.MkdirAll(path.Dir(accepted.File), 0o777); err != nil {
		return err
	}
	part := fmt.Sprintf("%s.part-%d", accepted.File, os.Getpid())
	file, err := root.OpenFile(part, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
	if err != nil {
		return err
	}
	_, err = file.Write(data)
	if err = errors.Join(err, file.Sync(), file.Close()); err == nil {
		err = root.Rename(part, accepted.File)
	}
	if err != nil {
		return errors.Join(err, root.Remove(part))
	}
	return nil
}

// changeAccepted returns the list as the user wants it.
func changeAccepted(std streams, set *settings, repo *repository.Repository, r *report.Report, list accepted.List,
	named []string) (accepted.List, error) {
	after := list
	if set.accept.prune {
		for _, stale := range accepted.Stale(r, list) {
			after = after.Without(stale.Fingerprint)
		}
	}
	roots, err := namedRoots(r, named)
	if err != nil {
		return nil, err
	}
	if set.all || set.accept.interactive {
		roots = openRoots(r, after)
	}
	if len(roots) == 0 {
		return after, nil
	}
	how, err := set.accept.how(repo)
	if err != nil {
		return nil, err
	}
	if set.accept.interactive {
		return newAsking(std.out, textOptions(std.out, set), how).all(std.in, r, after)
	}
	for _, root := range roots {
		after = after.With(accepted.Of(root, how))
	}
	return after, nil
}

// how returns who accepts, when and why.
func (a *accepting) how(repo *repository.Repository) (report.Acceptance, error) {
	how := report.Acceptance{Reason: strings.TrimSpace(a.reason), Author: a.author, Date: a.date}
	if how.Author == "" {
		how.Author = repo.User()
	}
	if how.Author == "" {
		how.Author = os.Getenv("USER")
	}
	if how.Author == "" {
		return how, errors.New("who accepts? set it with --author NAME, or once with git config user.name NAME")
	}
	if how.Date == "" {
		how.Date = time.Now().Format(time.DateOnly)
	}
	return how, nil
}

// namedRoots returns the roots that a user named by fingerprints or ranks.
func namedRoots(r *report.Report, names []string) ([]*report.Root, error) {
	var roots []*report.Root
	for _, name := range names {
		found := false
		for i := range r.Roots {
			root := &r.Roots[i]
			if root.Fingerprint == name || fmt.Sprint(root.Rank) == name {
				roots, found = append(roots, root), true
			}
		}
		switch n := len(r.Roots); {
		case !found && n == 0:
			return nil, fmt.Errorf("accept %s: the report has no findings", name)
		case !found:
			return nil, fmt.Errorf("accept %s: no such finding: want a rank from 1 to %d, or a fingerprint", name, n)
		}
	}
	return roots, nil
}

// openRoots returns the roots that a list does not accept yet, of each fingerprint one.
func openRoots(r *report.Report, list accepted.List) []*report.Root {
	var roots []*report.Root
	seen := map[string]bool{}
	for i := range r.Roots {
		if f := r.Roots[i].Fingerprint; !seen[f] && list.Find(f) == nil {
			roots, seen[f] = append(roots, &r.Roots[i]), true
		}
	}
	return roots
}

// printChanges says what was written.
func printChanges(w io.Writer, before, after accepted.List) error {
	var errs []error
	line := func(what string, e *accepted.Entry) {
		_, err := fmt.Fprintf(w, "%s %s  %s\n", what, e.Fingerprint, e.Function)
		errs = append(errs, err)
	}
	for i := range before {
		if after.Find(before[i].Fingerprint) == nil {
			line("removed ", &before[i])
		}
	}
	for i := range after {
		e := &after[i]
		switch was := before.Find(e.Fingerprint); {
		case was == nil:
			line("accepted", e)
		case was.Acceptance() != e.Acceptance():
			line("changed ", e)
		}
	}
	what := "holds"
	if len(errs) == 0 {
		what = "is as it was, and holds"
	}
	entries := "entries"
	if len(after) == 1 {
		entries = "entry"
	}
	_, err := fmt.Fprintf(w, "%s %s %d %s\n", accepted.File, what, len(after), entries)
	return errors.Join(append(errs, err)...)
}

// printAccepted lists what is accepted; with a report also how it stands there.
func printAccepted(w io.Writer, list accepted.List, r *report.Report) error {
	state := map[string]string{}
	if r != nil {
		for i := range r.Roots {
			state[r.Roots[i].Fingerprint] = "shown"
		}
		for _, e := range accepted.Stale(r, list) {
			state[e.Fingerprint] = "stale"
		}
	}
	table := tabwriter.NewWriter(w, 0, 0, 2, ' ', 0)
	for i := range list {
		e := &list[i]
		columns := []string{e.Fingerprint, e.Tier, e.Function, e.Date, e.Author, e.Reason}
		if r != nil {
			columns = append([]string{orDash(state[e.Fingerprint])}, columns...)
		}
		for c := range columns {
			columns[c] = orDash(columns[c])
		}
		fmt.Fprintln(table, strings.Join(columns, "\t")) // Flush returns the first error
	}
	return table.Flush()
}

func orDash(text string) string {
	if text == "" {
		return "-"
	}
	return text
}
