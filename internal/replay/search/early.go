package search

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/replay/suite"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// An Early is a test that does not run to its end on old, with the values that it has in its source.
type Early struct {
	Test string // its symbol, with the name of the subtest
	Why  string // the end of a sentence that begins with the test
	Lost bool   // nothing of it is compared; else it is as far as it runs
	cut  bool   // at the limit of steps: what it would run then is not known
	call string // the text of the call
	rank int    // the order in a report
}

// The order of what is early: what is lost, what ended, what failed.
const (
	rankLost = iota
	rankEnded
	rankFailed
)

// unfitAsItIs is unfit for tests as they are, and notes the test. It also notes how one ends on old, which plays it
// first, and on each version when it plays it for the first time: old may play it once more.
func (r *testRun) unfitAsItIs(s spectra.Side, q sequence.Sequence, played *replay.Played) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	name := r.nameOf(q)
	switch {
	case r.bursts(played) || r.stops(played):
		r.burst = noted(r.burst, name)
		return true
	case r.polling(played):
		r.polls = noted(r.polls, name)
		return true
	case !r.mayStartGo && missesGo(played.Spectrum):
		r.missing = noted(r.missing, name)
		return true
	}
	if r.early == nil {
		r.early, r.ends = map[string]Early{}, map[string]ends{}
	}
	call, end := q.String(), earlyEnd(played, r.players.Limits())
	if _, before := r.early[call]; !before {
		r.early[call] = end
	}
	of := r.ends[call]
	if first := of.Of(s); !first.ran {
		*first = oneEnd{ran: true, why: number.ReplaceAllLiteralString(end.Why, "0")}
	}
	r.ends[call] = of
	return false
}

// ends is how a test ended on each version.
type ends = spectra.Pair[oneEnd]

type oneEnd struct {
	ran bool
	why string // Early.Why without numbers
}

// nameOf returns the name under which a run is noted: of a test, whose subtests share it, or of a command line, because
// other lines of a command do something else.
func (r *testRun) nameOf(q sequence.Sequence) string {
	if r.commands() {
		return q.String()
	}
	return q.Statements[0].Op
}

// named returns the name under which runs of a test are noted, as nameOf does.
func named(t suite.Test) string {
	if t.Line != "" {
		return single(t.Call()).String()
	}
	return t.Name
}

// number matches what may be another one in each process, as in the names of temporary folders.
var number = regexp.MustCompile(`[0-9]+`)

// missesGo reports whether a run wanted to start the go command, which it does not have: package os/exec says so.
func missesGo(s *spectra.Spectrum) bool {
	const said = `exec: "go": executable file not found in $PATH`
	return strings.Contains(s.Stdout, said) || strings.Contains(s.Stderr, said) || strings.Contains(s.End.Detail, said)
}

// StartsGo reports whether a test starts the go command, and says so where it can't.
func (in Input) StartsGo(ctx context.Context, test sequence.Sequence) (bool, error) {
	run := &testRun{Input: in, players: in.Drivers.Players}
	_, err := NewTryout(run.tryoutOfTests()).Printed(ctx, spectra.Old, []sequence.Sequence{test})
	return len(run.missing) > 0, err
}

// stops reports whether a run of a test waits in a time bubble for something outside of its process. The clock of a
// bubble may stand still while it waits, so what ends the wait may never come there.
func (r *testRun) stops(played *replay.Played) bool {
	return played.Clock == replay.Waiting && r.players.Bubbles()
}

// skipped notes the subtests that were not run because others of their test did not end.
func (r *testRun) skipped(t *Tryout, tests []suite.Test) {
	for i := range tests {
		q := single(tests[i].Call()).String()
		if _, ran := r.early[q]; !ran && t.Endless(tests[i].Name) && !r.burst[named(tests[i])] {
			why := fmt.Sprintf("was not run: %d subtests beside it did not end", endlessCalls)
			r.early[q] = Early{Why: why, Lost: true, rank: rankLost}
		}
	}
}

// endedEarly returns the tests that do not run to their end, and in the place of one that was split its subtests.
func (r *testRun) endedEarly(parts, tests []suite.Test) (list []Early) {
	split := map[string]bool{}
	for _, part := range parts {
		split[part.Name] = true
	}
	whole := slices.DeleteFunc(slices.Clone(tests), func(t suite.Test) bool { return split[t.Name] })
	all := append(whole, parts...)
	for i, q := range calls(all, (*suite.Test).Call) {
		if e := r.early[q.String()]; e.Why != "" {
			e.Test, e.call = string(all[i].Symbol), q.String()
			if all[i].Sub != "" {
				e.Test += "/" + all[i].Sub
			}
			list = append(list, e)
		}
	}
	slices.SortStableFunc(list, func(x, y Early) int { return cmp.Compare(x.rank, y.rank) })
	return list
}

// earlyEnd says why a run of a test did not come to its end; nothing if it did.
func earlyEnd(played *replay.Played, limits replay.Limits) Early {
	if played.Clock != "" {
		return Early{Why: lostBy(played, limits), Lost: true, rank: rankLost}
	}
	s := played.Spectrum
	ended := func(why string) Early { return Early{Why: why, rank: rankEnded} }
	switch detail := s.End.Detail; s.End.Kind {
	case wire.EndBlocked:
		return ended("waits for ever")
	case wire.EndCrashed:
		return ended("ends its process: " + detail)
	case wire.EndStepLimit:
		e := ended("runs " + detail + " of the module's code")
		e.cut = true
		return e
	case wire.EndExited:
		if status, before := strings.CutSuffix(detail, wire.BeforeTest); before {
			return Early{Why: "does not begin: TestMain ends the process with " + status, Lost: true, rank: rankLost}
		}
		if status, inside := strings.CutSuffix(detail, wire.InTest); inside {
			return ended("ends its process with " + status)
		}
		if detail == "exit status 0" {
			return Early{}
		}
		return failed(s.Stdout)
	}
	if len(s.Steps) != 1 {
		return Early{}
	}
	switch step := s.Steps[0]; {
	case step.Panic != "":
		return ended("panics: " + strings.TrimPrefix(step.Panic, "string: "))
	case len(step.Results) == 1 && step.Results[0].Text == "false":
		return failed(s.Stdout)
	}
	return Early{}
}

// lostBy says which limit ended a run.
func lostBy(played *replay.Played, limits replay.Limits) string {
	switch played.Clock {
	case replay.Waiting:
		return fmt.Sprintf("waits for something outside of its process for more than %v", limits.Idle)
	case replay.Processor:
		return fmt.Sprintf("takes more than %v of the processor", limits.CPU)
	case replay.Wall:
	}
	return played.Spectrum.End.Detail
}

// complaint matches the first line with which a test says why it fails.
var complaint = regexp.MustCompile(`(?m)^\s+[^\s:]+\.go:\d+: *(.*\S)`)

// assertion matches the reason that testify prints for a test that fails, of one line or more: the line with the place
// holds nothing else then. What a test logs before looks like a complaint, so this goes first.
var assertion = regexp.MustCompile(`(?m)^ *\tError: +\t(.*(?:\n *\t {4,}\t.*)*)`)

// address matches what %#v prints of a pointer: it says nothing, and keeps apart what fails for the same reason.
var address = regexp.MustCompile(`\(0x[0-9a-f]+\)`)

// longComplaint is how much of such a text is told, in bytes.
const longComplaint = 160

// failed says why a test fails, as far as it printed that.
func failed(printed string) Early {
	e := Early{Why: "fails", rank: rankFailed}
	found := assertion.FindStringSubmatch(printed)
	if found == nil {
		found = complaint.FindStringSubmatch(printed)
	}
	if found != nil {
		text := address.ReplaceAllString(strings.Join(strings.Fields(found[1]), " "), "(…)")
		if len(text) > longComplaint {
			text = strings.ToValidUTF8(text[:longComplaint], "") + "…"
		}
		e.Why += ": " + text
	}
	return e
}
