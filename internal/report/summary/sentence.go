package summary

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
	"strings"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/diff/noise"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// valueWidth bounds the text of a value in a sentence.
const valueWidth = 60

// Sentence describes a finding in one sentence: first its effect, then its cause, unless that is the same.
func Sentence(f *diff.Finding) string {
	text := ""
	switch e := f.Example.Evidence; {
	case f.Example.Case == nil:
		return fmt.Sprintf("%s has another value after initialisation", f.Initial.Variable.Short())
	case f.Cause.ByTrial:
		text = byTrial(f)
	default:
		text = byHeuristics(e, shownEffect(f))
	}
	if f.Through != "" {
		text += ", seen through " + f.Through.Short() + ", which changed as well"
	}
	if f.Potential {
		text += "; no exported call was found that does this"
	}
	return text
}

// byHeuristics describes the effect, and the cause that the heuristics name.
func byHeuristics(e *diff.Evidence, effect diff.Effect) string {
	first := cause(e, origin(e))
	switch noticed := noticed(effect); {
	case effect.Function != "" && noticed != "" && resultAlone(e.Deviation): // the effect has better words for that
		return cause(e, noticed)
	case noticed == "", e.Deviation != nil && shownBy(e.Deviation, effect):
		return first
	case e.Route == diff.RouteDirect && e.Deviation != nil && e.Deviation.Function == effect.Function &&
		e.Deviation.Path.Below(spectra.Path(effect.Path)):
		return noticed
	default:
		return noticed + "; " + doesSo(noticed, first, effect.Function.Short())
	}
}

// resultAlone reports whether a result of a step is all that deviates.
func resultAlone(d *diff.Deviation) bool {
	return d != nil && d.Node == nil && d.State == noise.Outputs && strings.HasPrefix(string(d.Path), "ret")
}

// sameEntry ends what is said of an execution whose cause lies in itself.
const sameEntry = " for the same entry state"

// doesSo returns the cause without what the effect says of another function in the same words.
func doesSo(noticed, cause, name string) string {
	words := strings.TrimPrefix(noticed, name)
	what, entry := strings.CutSuffix(cause, sameEntry)
	subject, same := strings.CutSuffix(what, words)
	if !same || words == noticed {
		return cause
	}
	subject += " does so"
	if strings.HasPrefix(words, noLonger) {
		subject += noLonger
	}
	if entry {
		subject += sameEntry
	}
	return subject
}

const noLonger = " no longer"

// byTrial describes the effect, and the trial by which the cause was found.
func byTrial(f *diff.Finding) string {
	effect := noticed(shownEffect(f))
	if effect == "" {
		effect = origin(f.Cause.Evidence)
	}
	name := f.Cause.Symbol.Short()
	switch up := f.Cause.Upgrade; {
	case len(f.Proof.Instead) > 1:
		return fmt.Sprintf("%s; %s and %d more make the old version do so, too", effect, name, len(f.Proof.Instead)-1)
	case len(f.Proof.Instead) == 1:
		return fmt.Sprintf("%s; %s alone makes the old version do so, too", effect, name)
	case up != nil:
		const text = "%s; it comes from %s %s in place of %s: it stays with every other change undone"
		return fmt.Sprintf(text, effect, up.Path, up.New, up.Old)
	}
	return fmt.Sprintf("%s; it comes from the change of %s, and from that of no function", effect, name)
}

// shownBy reports whether the effect is the deviation of the region itself.
func shownBy(d *diff.Deviation, e diff.Effect) bool {
	if e.Path == "end" && (strings.HasPrefix(d.Old, diff.NoEnd) || strings.HasPrefix(d.New, diff.NoEnd)) {
		return true
	}
	if d.Function != e.Function {
		return false
	}
	return d.Kind == spectra.KindNondeterminism || d.State != noise.Entry && string(d.Path) == e.Path ||
		d.State == noise.Outputs
}

// noticed describes an effect; "" if no call shows it.
func noticed(e diff.Effect) string {
	name := e.Function.Short()
	old, new := texts(e.Old, e.New)
	if e.Path == "panic" || e.Path == "end" {
		old, new = panicWords(e.Old), panicWords(e.New)
	}
	switch e.Tier {
	case spectra.TierInternal, spectra.TierCalls, spectra.TierNondeterminism:
		return ""
	}
	switch {
	case e.Path == "":
		return name + " ends in another state"
	case e.Path == "panic" && e.Old == spectra.Panicked.String(): // what it panicked with was not kept
		return name + " no longer panics"
	case e.Path == "panic" && e.New == spectra.Panicked.String():
		return name + " panics where it did not"
	case e.Path == "panic" && e.Tier == spectra.TierCrash && e.Reverse:
		return fmt.Sprintf("%s no longer panics with %s", name, old)
	case e.Path == "panic" && e.Tier == spectra.TierCrash:
		return fmt.Sprintf("%s panics with %s where it did not", name, new)
	case e.Path == "panic":
		return fmt.Sprintf("%s panics with %s where it panicked with %s", name, new, old)
	case e.Path == "end":
		return fmt.Sprintf("the run %s where it %s", new, old)
	case e.Path == passed && e.New == "true":
		return name + " passes where it failed"
	case e.Path == passed:
		return name + " fails where it passed"
	case e.Path == prints:
		return name + " prints something else"
	case e.Old == e.New && strings.HasPrefix(e.Path, "ret"): // they differ behind what is kept of them
		return fmt.Sprintf("%s returns another value in %s", name, e.Path)
	case e.Path == "ret0":
		return fmt.Sprintf("%s returns %s where it returned %s", name, new, old)
	case strings.HasPrefix(e.Path, "ret"):
		return fmt.Sprintf("%s returns %s as %s where it was %s", name, new, e.Path, old)
	case e.Old == e.New && name != "":
		return fmt.Sprintf("%s leaves another value in %s", name, e.Path)
	case e.Tier == spectra.TierLatent, e.Tier == spectra.TierValue && name != "":
		return fmt.Sprintf("%s leaves %s as %s where it left %s", name, e.Path, new, old)
	}
	return outputs(e.Path, old, new)
}

// outputs says in what an output differs. What is printed is no value in the syntax of Go, so it gets quotes.
func outputs(path, old, new string) string {
	if old == new {
		return path + " differs after the part of the values that is kept"
	}
	if path == "stdout" || path == "stderr" {
		old, new = strconv.Quote(old), strconv.Quote(new)
	}
	if number, ok := strings.CutPrefix(path, "stub call "); ok {
		n, _ := strconv.Atoi(number)
		return handed(n+1, old, new)
	}
	return fmt.Sprintf("%s is %s where it was %s", path, new, old)
}

// handed says in what the calls of functions differ that were arguments.
func handed(number int, old, new string) string {
	switch {
	case new == diff.None:
		const text = "a function that is passed in is called less often: not for call %d, which got %s"
		return fmt.Sprintf(text, number, old)
	case old == diff.None:
		return fmt.Sprintf("a function that is passed in is called more often: call %d gets %s", number, new)
	}
	return fmt.Sprintf("a function that is passed in gets %s where it got %s, in call %d", new, old, number)
}

// cause says how what deviates comes from the cause.
func cause(e *diff.Evidence, what string) string {
	switch e.Route {
	case diff.RouteDeclared:
		return fmt.Sprintf("%s changed, and %s", e.Symbol.Short(), what)
	case diff.RouteNearby:
		return fmt.Sprintf("after %s ran, %s", e.Symbol.Short(), what)
	case diff.RouteDependency:
		return fmt.Sprintf("with %s %s in place of %s, %s", e.Upgrade.Path, e.Upgrade.New, e.Upgrade.Old, what)
	case diff.RouteDirect:
		if e.In.Parent != nil && e.In.Function.Declared() != e.Symbol {
			return fmt.Sprintf("with the %s function %s, %s", e.Change, e.Symbol.Short(), what)
		}
	}
	return what
}

// origin describes the deviation that shows first.
func origin(e *diff.Evidence) string {
	d := e.Deviation
	name := "the driver"
	if e.In.Parent != nil {
		name = e.In.Function.Short()
	}
	if d == nil {
		return name + " deviates"
	}
	old, new := texts(d.Old, d.New)
	if d.Kind == spectra.KindPanic {
		old, new = panicWords(d.Old), panicWords(d.New)
	}
	subject := cmp.Or(d.Function, e.Driven).Short()
	called := d.Kind == spectra.KindNewOnly || d.Kind == spectra.KindOldOnly || d.Kind == spectra.KindFollower
	if called && d.Function == e.In.Function {
		subject = "itself"
	}
	switch d.Kind {
	case spectra.KindNewOnly:
		return fmt.Sprintf("%s calls %s, which the old version does not call here", name, subject)
	case spectra.KindOldOnly:
		return fmt.Sprintf("%s no longer calls %s here", name, subject)
	case spectra.KindFollower:
		return follower(e, name, subject, old, new)
	case spectra.KindNondeterminism:
		return unstable(d, subject)
	case spectra.KindPanic:
		return panics(subject, old, new)
	case spectra.KindExit:
		if d.State == noise.Outputs {
			return fmt.Sprintf("the run ends otherwise: %s, where it %s", new, old)
		}
		if d.State == noise.Goroutines {
			return fmt.Sprintf("%s leaves goroutines behind: %s where it left %s", subject, new, old)
		}
		switch {
		case strings.HasPrefix(new, diff.NoEnd):
			return fmt.Sprintf("%s does not end where it %s", subject, old)
		case strings.HasPrefix(old, diff.NoEnd):
			return fmt.Sprintf("%s %s where it did not end", subject, new)
		}
		return fmt.Sprintf("%s %s where it %s in the old version", subject, ends(new), ended(old))
	}
	return container(d, subject, old, new)
}

// unstable describes values that differ from run to run of the new version.
func unstable(d *diff.Deviation, subject string) string {
	switch {
	case d.State == noise.Outputs && d.Function == "":
		return fmt.Sprintf("%s differs from run to run, which it did not before", d.Path)
	case d.State == noise.Order:
		return subject + " makes its calls in an order that differs from run to run, which it did not before"
	case d.State == noise.Calls:
		callee := spectra.Symbol(d.Path).Short()
		return fmt.Sprintf("%s calls %s in some runs only, which it did not before", subject, callee)
	case d.Path == "":
		return subject + " differs from run to run, which it did not before"
	}
	return fmt.Sprintf("%s differs from run to run at %s, which it did not before", subject, d.Path)
}

// ends says how an execution ends, in words that fit behind its function.
func ends(how string) string {
	switch how {
	case spectra.Returned.String():
		return "returns"
	case spectra.Panicked.String():
		return "panics"
	case spectra.Goexited.String():
		return "ends its goroutine"
	}
	return "is " + how
}

// ended says it of the other version.
func ended(how string) string {
	if how == spectra.Open.String() {
		return "is " + how
	}
	return how
}

func container(d *diff.Deviation, subject, old, new string) string {
	path := string(d.Path)
	switch {
	case d.State == noise.Outputs && !strings.HasPrefix(path, "ret"):
		return outputs(path, old, new)
	case path == "":
		return fmt.Sprintf("%s ends in another state%s", subject, sameEntry)
	case d.Old == d.New && strings.HasPrefix(path, "ret"):
		return fmt.Sprintf("%s returns another value in %s%s", subject, path, sameEntry)
	case d.Old == d.New:
		return fmt.Sprintf("%s leaves another value in %s%s", subject, path, sameEntry)
	case strings.HasPrefix(path, "ret") && strings.Trim(path[3:], "0123456789") == "":
		return fmt.Sprintf("%s returns %s where it returned %s%s", subject, new, old, sameEntry)
	case strings.HasPrefix(path, "ret"), strings.HasPrefix(path, "len(ret"):
		return fmt.Sprintf("%s returns %s as %s where it was %s%s", subject, new, path, old, sameEntry)
	}
	return fmt.Sprintf("%s leaves %s as %s where it left %s%s", subject, path, new, old, sameEntry)
}

func follower(e *diff.Evidence, name, subject, old, new string) string {
	verb := "calls " + subject
	if e.In.Parent == nil {
		name, verb = subject, "is entered"
	}
	if e.Deviation.Path == "" {
		return fmt.Sprintf("%s %s in another state", name, verb)
	}
	if e.Deviation.Old == e.Deviation.New {
		return fmt.Sprintf("%s %s with another value in %s", name, verb, e.Deviation.Path)
	}
	return fmt.Sprintf("%s %s with %s = %s where it was %s", name, verb, e.Deviation.Path, new, old)
}

func panics(subject, old, new string) string {
	oldPanic, oldOK := strings.CutPrefix(old, panicPrefix)
	newPanic, newOK := strings.CutPrefix(new, panicPrefix)
	switch {
	case oldOK && newOK:
		return fmt.Sprintf("%s panics with %s where it panicked with %s", subject, newPanic, oldPanic)
	case newOK && old == spectra.Returned.String():
		return fmt.Sprintf("%s panics with %s where it did not", subject, newPanic)
	case newOK:
		return fmt.Sprintf("%s panics with %s where it %s", subject, newPanic, old)
	case oldOK && new == spectra.Returned.String():
		return fmt.Sprintf("%s no longer panics with %s", subject, oldPanic)
	case oldOK:
		return fmt.Sprintf("%s %s where it panicked with %s", subject, new, oldPanic)
	case new == spectra.Panicked.String(): // what it panicked with was not kept
		return subject + " panics where it did not"
	case old == spectra.Panicked.String():
		return subject + " no longer panics"
	}
	return fmt.Sprintf("%s: %s where it was %s", subject, new, old)
}

// texts returns two texts, cut around the place where they differ.
func texts(before, after string) (old, new string) {
	before, after = plainError.ReplaceAllString(before, "error $1"), plainError.ReplaceAllString(after, "error $1")
	// Long equal beginnings are left out, but for some context.
	start := spectra.Apart(before, after, valueWidth/3)
	if start == 0 || max(len(before), len(after)) <= valueWidth {
		return shorten(before, valueWidth), shorten(after, valueWidth)
	}
	left := "…"
	if insideText(before[:start]) {
		left = `"…`
	}
	return shorten(left+before[start:], valueWidth), shorten(left+after[start:], valueWidth)
}

// plainError matches a value that is an error with a text and no more.
var plainError = regexp.MustCompile(`^&(?:errors\.errorString\{s|fmt\.wrapErrors?\{.*\bmsg): ("(?:[^"\\]|\\.)*")\}$`)

// shorten returns a value for a sentence, in which quotes that open are closed.
func shorten(s string, width int) string {
	whole := strings.Join(strings.Fields(s), " ")
	cut := spectra.Shorten(whole, width)
	if cut != whole && insideText(cut) {
		cut += `"`
	}
	return cut
}

// insideText reports whether the beginning of a value ends inside of a text in quotes.
func insideText(beginning string) (inside bool) {
	escaped := false
	for _, r := range beginning {
		switch {
		case escaped:
			escaped = false
		case r == '"':
			inside = !inside
		default:
			escaped = inside && r == '\\'
		}
	}
	return inside
}
