package contract

import (
	"go/types"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/spectradiff/spectradiff/internal/replay/api"
)

// spoken matches the text of an error within the description of a panic.
var spoken = regexp.MustCompile(`error ("(?:[^"\\]|\\.)*")`)

// why shortens the description of a panic.
func why(panicked string) string {
	if m := spoken.FindStringSubmatch(panicked); m != nil {
		if text, err := strconv.Unquote(m[1]); err == nil {
			return "panics: " + text
		}
	}
	return "panics: " + panicked
}

// runtimeError matches the beginning of a panic of the runtime.
var runtimeError = regexp.MustCompile(`^\*?runtime\.`)

// fault matches the panics of the runtime that break a contract. A nil pointer explains none of them.
var fault = regexp.MustCompile(
	`index out of range|slice bounds out of range|assignment to entry in nil map|interface conversion: `)

// isFault reports whether a panic of the runtime breaks a contract.
func isFault(panicked string) bool {
	return runtimeError.MatchString(panicked) && fault.MatchString(panicked)
}

// foreign reports whether a panic complains about the type of an argument. Such values can't be compared at all, or an
// interface holds another type than its implementations expect.
func foreign(op *api.Operation, panicked string) bool {
	switch {
	case strings.Contains(panicked, "comparing uncomparable"), strings.Contains(panicked, "hash of unhashable"):
		return true
	}
	return strings.Contains(panicked, "interface conversion: ") && slices.ContainsFunc(op.Params, types.IsInterface)
}

// faults returns the probes whose last call may end with a runtime error.
func (p *planner) faults() (list []Probe) {
	times := map[string]int{}
	for _, m := range p.in.Made {
		last := len(m.Sequence.Statements) - 1
		if !m.Panics || last < 0 {
			continue
		}
		op := p.byName[m.Sequence.Statements[last].Op]
		if op == nil || op.Inside || op.Supplier || !op.Reaches || times[op.Name] == callsOfOne {
			continue
		}
		q := m.Sequence.Slice(last, true)
		if !innocent(q.Statements) {
			continue
		}
		times[op.Name]++
		b := &builder{statements: q.Statements}
		at := len(q.Statements) - 1
		list = append(list, b.check(neverPanics(op), op, at, func(r run) (string, bool) {
			text, _ := r.panic(at)
			return why(text), isFault(text) && !foreign(op, text)
		}).alone())
	}
	return list
}

// neverPanics returns the contract that a runtime error of an operation breaks.
func neverPanics(op *api.Operation) Contract {
	_, compares := relationNames[op.Symbol.Name()]
	if compares || slices.Contains(textNames, op.Symbol.Name()) ||
		slices.ContainsFunc(codecNames, func(names [2]string) bool { return names[0] == op.Symbol.Name() }) {
		return NoPanic
	}
	return NoFault
}
