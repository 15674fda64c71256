package text

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// verdict returns the first line.
func (p *printer) verdict() string {
	between := fmt.Sprintf("between %s and %s", name(p.report.Old), name(p.report.New))
	if n := len(p.report.Modules); n > 1 {
		between += " in " + plural(n, "module")
	}
	switch {
	case p.report.Verdict == report.NotReached:
		return p.notReached(between) + p.besides()
	case p.quiet() && p.sameCommit():
		return fmt.Sprintf("no deviations %s: they are the same commit", between)
	case p.report.Verdict == report.Incomplete:
		return p.incomplete(between) + p.besides()
	case p.quiet() && p.report.Replay.Sequences == 0:
		return fmt.Sprintf("no deviations %s: %s", between, p.notRun())
	case p.quiet():
		return "no deviations " + between + p.unsure()
	case len(p.loud()) == 0 && p.acceptedLoud() > 0:
		return p.allAccepted()
	case len(p.loud()) == 0 && len(p.report.Roots) > 0 && p.report.Verdict == report.Deviates:
		return fmt.Sprintf("%s and %s make other calls; no value differs", name(p.report.Old), name(p.report.New))
	case p.potential():
		const text = "no deviations %s that an exported call shows; unexported functions differ, see below"
		return fmt.Sprintf(text, between)
	case len(p.loud()) == 0 && len(p.report.Roots) > 0:
		return fmt.Sprintf("no deviations %s: no value differs, other functions are called", between)
	}
	visible := 0
	for _, root := range p.loud() {
		if root.Reach == spectra.Visible {
			visible++
		}
	}
	roots := len(p.loud())
	text := fmt.Sprintf("%s and %s deviate: %s", name(p.report.Old), name(p.report.New), plural(roots, "root"))
	switch {
	case visible == roots:
		text += ", visible in outputs"
	case visible == 0:
		text += ", masked: no output shows it"
	default:
		text += fmt.Sprintf(", %d visible in outputs and %d masked", visible, roots-visible)
	}
	if n := p.acceptedLoud(); n > 0 {
		text += fmt.Sprintf("; %s accepted", count(n))
	}
	return text
}

// unsure says that tests seem to differ which were not judged, for the end of a sentence. The warnings name them.
func (p *printer) unsure() string {
	t := p.report.Tests
	if t == nil || len(t.Unjudged) == 0 {
		return ""
	}
	n := len(t.Unjudged)
	const text = " confirmed, but %s %s to differ and %s not judged in time"
	return fmt.Sprintf(text, plural(n, "test"), verb(n, "seems", "seem"), verb(n, "was", "were"))
}

// notRun says why nothing was run although the run came to its end.
func (p *printer) notRun() string {
	switch of := &p.report.Subject; {
	case of.OnlyAdds:
		return "nothing was run, the change only adds code that nothing of old uses"
	case of.Unchanged != "":
		return "nothing was run, " + clean(of.Unchanged)
	case len(p.report.Warnings) > 0:
		return "nothing was run, the warnings say why"
	}
	return "nothing that changed can be run"
}

// incomplete says why nothing can be said of what did not deviate.
func (p *printer) incomplete(between string) string {
	switch {
	case p.report.Partial != nil && p.report.Partial.Reason == report.Missing:
		return fmt.Sprintf("no deviations found %s, but shards are missing", between)
	case p.report.Partial != nil && p.report.Replay.Sequences == 0:
		return fmt.Sprintf("nothing was compared %s: the run ended early", between)
	case p.report.Partial != nil:
		return fmt.Sprintf("no deviations found %s, but the run ended early", between)
	case len(p.report.Modules) > 0:
		return fmt.Sprintf("no deviations found %s, but incomplete: not all could be compared in module %s", between,
			p.modulesIn(report.Incomplete))
	}
	n := p.report.Replay.Incomplete
	return fmt.Sprintf("no deviations found %s, but incomplete: %s that may run changed code %s not compared",
		between, plural(n, "sequence"), verb(n, "was", "were"))
}

// partial says why a run ended early, and what was not done.
func (p *printer) partial() {
	if text := p.ended(); text != "" {
		p.prose("", "  ", text)
	}
}

// ended is the sentence of partial; "" if the run did not end early.
func (p *printer) ended() string {
	of := p.report.Partial
	if of == nil {
		return ""
	}
	text := "partial: the run was interrupted in stage " + of.Stage
	switch of.Reason {
	case report.TimedOut:
		text = "partial: the time for the run was over in stage " + of.Stage
	case report.Missing:
		text = "partial: not all shards of the run are there"
	}
	if len(of.Undone) > 0 {
		text += "; not done: " + strings.Join(of.Undone, ", ")
	}
	return clean(text)
}

// notReached says how much of the change ran.
func (p *printer) notReached(between string) string {
	ran := p.report.Generation.ComparableStatementCoverage
	switch {
	case len(p.report.Modules) > 1:
		const text = "all or most of the change %s was not reached in module %s"
		return fmt.Sprintf(text, between, p.modulesIn(report.NotReached))
	case p.report.Replay.Sequences == 0:
		return fmt.Sprintf("nothing could be compared %s: no sequence reached the changed code", between)
	case ran == nil && len(p.report.Subject.Unapplied) > 0:
		return fmt.Sprintf("the change %s was not reached: nothing runs with other //go:debug lines", between)
	case ran == nil && len(p.report.Subject.Unmentioned) > 0:
		const text = "the change %s was not reached: no code that was compared mentions %s"
		return fmt.Sprintf(text, between, p.unmentioned())
	case ran == nil || *ran == 0:
		return fmt.Sprintf("the change %s was not reached: no sequence ran any of it", between)
	}
	text := fmt.Sprintf("most of the change %s was not reached: %s of its statements ran", between, percent(*ran))
	if p.acceptedLoud() == 0 {
		text += ", without a deviation"
	}
	return text
}

// unmentioned names declarations that changed and that nothing mentions.
func (p *printer) unmentioned() string {
	list := p.report.Subject.Unmentioned
	var names []string
	for _, symbol := range list[:min(len(list), fewRows)] {
		names = append(names, p.short(clean(symbol)))
	}
	text := strings.Join(names, ", ")
	if rest := len(list) - fewRows; rest > 0 {
		text += fmt.Sprintf(" and %s more", count(rest))
	}
	return text
}

// potential reports whether all roots are such that only calls from inside their packages show.
func (p *printer) potential() bool {
	return len(p.report.Roots) > 0 && p.report.Roots[0].Tier == spectra.TierPotential
}

// sameCommit reports whether both versions are the same. With --all they are run nevertheless.
func (p *printer) sameCommit() bool {
	old := p.report.Old.Commit
	return old == p.report.New.Commit && old != "" && old != report.Worktree && p.report.Replay.Sequences == 0
}

// name returns the name of a revision in a sentence.
func name(revision report.Revision) string {
	if revision.Commit == report.Worktree {
		return "the working tree"
	}
	return clean(shortName(revision))
}

// shortName returns a revision as the user gave it, of a commit's whole hash the beginning.
func shortName(revision report.Revision) string {
	if commit := revision.Commit; revision.Revision == commit && len(commit) > shortCommit {
		return commit[:shortCommit]
	}
	return revision.Revision
}

// shortCommit is how much of a commit's hash is said.
const shortCommit = 12

// compared prints the facts on which a report without findings rests.
func (p *printer) compared() {
	r := p.report
	if r.Replay.Sequences == 0 {
		p.unreached()
		p.lost()
		return
	}
	p.prose("", "", p.comparedText())
	for _, e := range r.Generation.Explored {
		p.prose("", "", "explored "+explored(e))
	}
	if by := r.Settings.Redundancy; by != "" {
		p.prose("", "", "redundant: "+redundant(&r.Generation, by))
	}
	p.unreached()
	p.lost()
}

// comparedText says in a sentence what was compared.
func (p *printer) comparedText() string {
	r := p.report
	text := fmt.Sprintf("compared %s in %s: %s, %s on both sides",
		plural(r.Subject.Functions, "function"), plural(r.Subject.Packages, "package"),
		plural(r.Replay.Sequences, "sequence"), plural(r.Replay.FunctionExecutions, "function execution"))
	if len(r.Roots) == 0 && r.Partial == nil && r.Replay.Unjudged == 0 {
		text += p.equal()
	}
	if n := r.Subject.Beyond; n > 0 {
		text += fmt.Sprintf("; %s further from the change %s left out (--all compares %s)", plural(n, "package"),
			verb(n, "was", "were"), verb(n, "it", "them"))
	}
	if r.Tests != nil && r.Tests.NotRun > 0 {
		n := r.Tests.NotRun
		text += fmt.Sprintf("; %s %s not run in time", plural(n, "test"), verb(n, "was", "were"))
	}
	if r.Replay.EqualByReach > 0 {
		text += fmt.Sprintf("; %s ran nothing that the change may touch", plural(r.Replay.EqualByReach, "sequence"))
	}
	if n := r.Replay.OutcomesOnly; n > 0 {
		text += fmt.Sprintf("; of %s only the results were compared", plural(n, "sequence"))
	}
	if n := r.Replay.Truncated; n > 0 {
		text += fmt.Sprintf("; %s left out, too large or behind too many large ones", plural(n, "state"))
	}
	switch covered := r.Generation.ChangedStatementCoverage; {
	case covered == nil:
	case *covered == 0 && r.Generation.ComparableStatementCoverage == nil:
		text += "; no sequence reached what only one version has"
	default:
		text += fmt.Sprintf("; %s of the changed statements ran", percent(*covered))
	}
	if r.Noise.Masked > 0 {
		text += fmt.Sprintf("; %s of %s values left out as noise (%s): they differ between runs of one version",
			count(r.Noise.Masked), count(r.Noise.Values), share(r.Noise))
	}
	return text
}

// equal says that all is equal, of what was compared: nothing, where a test seemed to differ.
func (p *printer) equal() string {
	if t := p.report.Tests; t != nil && len(t.Unjudged) > 0 {
		return ""
	}
	return ", every compared value equal"
}

// lost says where sequences were lost, and suggests options.
func (p *printer) lost() {
	of := p.report.Replay
	if of.Lost+of.Unplayed == 0 {
		return
	}
	text := "not compared: "
	switch {
	case of.Unplayed == 0:
		text += plural(of.Lost, "sequence") + " that a limit ended"
	case of.Lost == 0:
		text += plural(of.Unplayed, "sequence") + " not played"
	default:
		text += fmt.Sprintf("%s that a limit ended, %s not played", plural(of.Lost, "sequence"), count(of.Unplayed))
	}
	if len(of.LostAt) > 0 {
		var names []string
		for _, symbol := range of.LostAt[:min(len(of.LostAt), maxRows)] {
			names = append(names, p.short(clean(symbol)))
		}
		text += ", at " + strings.Join(names, ", ")
	}
	p.prose("", "  ", text)
}

// oneWay names the branches of the change that always went the same way, and those on the way to it where some of it
// did not run.
func (p *printer) oneWay() {
	of := map[bool][]string{}
	for i := range p.report.Generation.OneWay {
		b := &p.report.Generation.OneWay[i]
		of[b.OnTheWay] = append(of[b.OnTheWay], position(&b.Position)+" was "+clean(b.Was))
	}
	p.branches("branches of the change that always went the same way: ", of[false], maxRows)
	if p.detail && len(p.report.Subject.Unreached) > 0 {
		p.branches("branches on the way there that always went the same way: ", of[true], fewRows)
	}
}

// fewRows is how much of a list is printed that is long often, and rarely helps.
const fewRows = 4

func (p *printer) branches(text string, places []string, most int) {
	if len(places) == 0 {
		return
	}
	text += strings.Join(places[:min(len(places), most)], ", ")
	if rest := len(places) - most; rest > 0 {
		text += fmt.Sprintf(" and %s more", count(rest))
	}
	p.prose("", "  ", text)
}

// missed names the changed lines that no sequence ran, of functions that some ran.
func (p *printer) missed() {
	defer p.oneWay()
	list := p.report.Subject.Missed
	if len(list) == 0 {
		return
	}
	var places []string
	for i := range list[:min(len(list), maxRows)] {
		places = append(places, position(&list[i]))
	}
	text := "changed lines that never ran: " + strings.Join(places, ", ")
	if rest := len(list) - maxRows; rest > 0 {
		text += fmt.Sprintf(" and %s more", count(rest))
	}
	p.prose("", "  ", text)
}

// unreached names the changed functions that no sequence ran.
func (p *printer) unreached() {
	defer p.missed()
	missing := p.report.Subject.Unreached
	if len(missing) == 0 {
		return
	}
	p.prose("", "", "changed, but never run:")
	for _, symbol := range missing[:min(len(missing), maxRows)] {
		text := p.short(clean(symbol))
		if reason := cmp.Or(p.report.Subject.Why[symbol], p.report.Subject.Refused[symbol]); reason != "" {
			text += ": " + clean(reason)
		}
		p.prose("  ", "    ", text)
	}
	p.more("  ", len(missing)-maxRows, "changed functions")
}

// verb returns the form of a verb for a number.
func verb(n int, one, many string) string {
	if n == 1 {
		return one
	}
	return many
}

// plural returns a number with its noun: "1 root", "2 roots".
func plural(n int, noun string) string {
	if n != 1 {
		noun += "s"
	}
	return count(n) + " " + noun
}

// count groups digits: 12000 becomes "12,000".
func count(n int) string {
	digits := strconv.Itoa(n)
	for i := len(digits) - 3; i > 0 && digits[i-1] != '-'; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

// percent returns a share as a percentage. It never rounds up to all or down to none.
func percent(share float64) string {
	text := strconv.FormatFloat(share*100, 'f', 1, 64)
	switch {
	case text == "100.0" && share < 1:
		text = "99.9"
	case text == "0.0" && share > 0:
		return "below 0.1%"
	}
	return strings.TrimSuffix(text, ".0") + "%"
}
