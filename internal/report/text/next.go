package text

import (
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/spectradiff/spectradiff/internal/report"
)

// goOn proposes commands: only such as exist and help here.
func (p *printer) goOn() { p.steps(p.next()) }

// next returns commands with what they are for.
func (p *printer) next() (steps [][2]string) {
	r := p.report
	if p.sameCommit() || p.byCommand() { // nothing more is to be found
		return nil
	}
	if r.Replay.Sequences > 0 && len(r.Roots) > 0 {
		keep := p.command("--out json=report.json")
		steps = append(steps, [2]string{keep, "keep this report; spectradiff show report.json prints it again"})
	}
	if r.Replay.Sequences > 0 && len(p.loud()) > 0 && p.loud()[0].Reproducer == "" && r.Settings.Shards == 0 {
		steps = append(steps, [2]string{p.command("--emit ."), "a Go test for each root, in its package"})
	}
	if r.Settings.Run != "" || r.Partial != nil && r.Partial.Reason == report.Missing { // there is nothing to search
		return steps
	}
	steps = append(steps, p.further()...)
	if r.Verdict == report.NotReached && r.Subject.Beyond > 0 {
		steps = append(steps, [2]string{p.command("--all"), "record the packages further from the change, too"})
	}
	if len(r.Roots) > 0 {
		steps = append(steps, [2]string{p.command(fmt.Sprintf("--seed %d", r.Settings.Seed+1)), "other sequences"})
	}
	return steps
}

// further returns what runs what this run left: again, for a longer time, or with more sequences.
func (p *printer) further() [][2]string {
	const more = 4
	r := p.report
	longer := p.command(fmt.Sprintf("--budget %gs", more*r.Settings.BudgetSeconds))
	covered := r.Generation.ChangedStatementCoverage
	switch {
	case r.Replay.Sequences == 0 && (r.Subject.Unchanged != "" || r.Subject.OnlyAdds):
		return [][2]string{{p.command("--all"), "run both versions all the same"}}
	case r.Partial != nil && r.Partial.Reason == report.Interrupted:
		return [][2]string{{p.command(""), "the same again; what was built is in the cache"}}
	case r.Partial != nil && r.Verdict == report.Incomplete:
		return [][2]string{{p.command("--timeout 0"), "without a limit of time for the whole run"}}
	case r.Verdict == report.Incomplete && r.Replay.Incomplete+r.Replay.Unjudged == 0: // time builds no module
		return nil
	case r.Verdict == report.Incomplete || r.Verdict == report.NotReached && r.Replay.Incomplete > 0:
		return [][2]string{{longer, "more time for the whole run, also to wait for what does not end"}}
	case covered == nil || *covered == 1:
		return nil
	case r.Settings.Sequences > 0:
		many := p.command(fmt.Sprintf("--sequences %d", more*r.Settings.Sequences))
		return [][2]string{{many, "more sequences, to reach the rest of the change"}}
	}
	return [][2]string{{longer, "more time to reach the rest of the change"}}
}

// steps prints commands with what they are for.
func (p *printer) steps(list [][2]string) {
	if len(list) == 0 {
		return
	}
	p.heading("go on" + p.inFolder())
	for _, step := range list {
		p.line("  ", step[0])
		p.line("      ", p.paint(faint, step[1]))
	}
}

// inFolder names the folder of the module in the repository where the commands of the report belong, "" if that is its
// root.
func (p *printer) inFolder() string {
	if folder := p.report.Subject.Folder; folder != "" {
		return ", in " + clean(folder)
	}
	return ""
}

// command returns the command that made this report, with one more flag if there is one. Limits of time, and folders of
// this machine, are not known. A name of a revision can hold what a shell runs.
func (p *printer) command(flag string) string {
	r := p.report
	parts := []string{"spectradiff compare"}
	if p.byCommand() {
		parts = []string{"spectradiff bisect"}
	}
	if r.Settings.Sequences > 0 && !strings.HasPrefix(flag, "--sequences") {
		parts = append(parts, "--sequences "+strconv.Itoa(r.Settings.Sequences))
	}
	if r.Settings.Seed != 1 && !p.byCommand() && !strings.HasPrefix(flag, "--seed") {
		parts = append(parts, "--seed "+strconv.FormatUint(r.Settings.Seed, 10))
	}
	if !p.byCommand() {
		parts = append(parts, p.driving(flag)...)
	}
	parts = append(parts, p.extent()...)
	parts = append(parts, p.searching()...)
	if flag != "" {
		parts = append(parts, flag)
	}
	parts = append(parts, word(shortName(r.Old)))
	if r.New.Commit != report.Worktree {
		parts = append(parts, word(shortName(r.New)))
	}
	for _, pattern := range r.Settings.Packages {
		parts = append(parts, word(pattern))
	}
	return strings.Join(parts, " ")
}

// allDrivers is how many drivers there are: all of them drive unless some are named.
const allDrivers = 3

// driving returns the flags for what drives the versions, for how long and which calls are kept, but for a flag that
// another one replaces.
func (p *printer) driving(but string) (flags []string) {
	s := &p.report.Settings
	if len(s.Drive) > 0 && len(s.Drive) < allDrivers && s.Run == "" {
		flags = append(flags, "--drive "+word(strings.Join(s.Drive, ",")))
	}
	if s.BudgetSeconds > 0 && !s.BudgetAuto && s.Sequences == 0 && !strings.HasPrefix(but, "--budget") {
		flags = append(flags, fmt.Sprintf("--budget %gs", s.BudgetSeconds))
	}
	if s.Redundancy != "" {
		flags = append(flags, "--redundancy "+word(s.Redundancy))
	}
	return flags
}

// extent returns the flags for what is run: the shard, how deep types are explored, which tests, whether dependencies
// and all packages, and what has another name.
func (p *printer) extent() (flags []string) {
	s := &p.report.Settings
	switch {
	case s.Shard > 0:
		flags = append(flags, fmt.Sprintf("--shard %d/%d", s.Shard, s.Shards))
	case s.Shards > 0:
		flags = append(flags, fmt.Sprintf("--shards %d", s.Shards))
	}
	if s.Explore > 0 {
		flags = append(flags, "--explore "+strconv.Itoa(s.Explore))
	}
	if s.Run != "" {
		flags = append(flags, "--run "+quoted(s.Run))
	}
	if s.Deps {
		flags = append(flags, "--deps")
	}
	if s.All {
		flags = append(flags, "--all")
	}
	for _, rename := range s.Renames {
		flags = append(flags, "--rename "+quoted(rename))
	}
	return flags
}

// searching returns the flags for how commits were searched. bisect takes two revisions as compare does.
func (p *printer) searching() (flags []string) {
	switch c := p.report.Commits; {
	case c == nil:
		return nil
	case p.byCommand():
		flags = []string{"--exec " + quoted(p.report.Settings.Exec)}
	default:
		flags = []string{"--commits"}
	}
	if p.report.Commits.FirstParent {
		flags = append(flags, "--first-parent")
	}
	return flags
}

// word returns a text as a word of a shell.
func word(text string) string {
	if plainWord.MatchString(text) {
		return text
	}
	return quoted(text)
}

// plainWord matches what a shell takes as it stands.
var plainWord = regexp.MustCompile(`^[a-zA-Z0-9_./@+=:,^-][a-zA-Z0-9_./@+=:,^~-]*$`)

// quoted returns a text as a shell reads it in quotes.
func quoted(text string) string {
	return "'" + strings.ReplaceAll(clean(text), "'", `'\''`) + "'"
}
