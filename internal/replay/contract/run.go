package contract

import (
	"regexp"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/replay/sequence"
)

// A run is a sequence with its outcome.
type run struct {
	statements []sequence.Statement
	steps      []Step
}

// nan matches NaN in the text of a value.
var nan = regexp.MustCompile(`(?i)\b[sq]?nan\b`)

// sound reports whether the first statements made values that have contracts: no statement panicked or failed, no value
// used later is nil, and none is NaN.
func (r run) sound(made int) bool {
	if len(r.steps) < made || (run{r.statements, r.steps[:made]}).unordered() {
		return false
	}
	for _, step := range r.steps[:made] {
		if step.Panic != "" || slices.ContainsFunc(step.Results, func(v Result) bool { return v.Failed }) {
			return false
		}
	}
	for i := range r.statements {
		used := true
		r.statements[i].EachRef(func(ref *sequence.Value) {
			if ref.Statement < made {
				used = used && r.set(ref)
			}
		})
		if !used {
			return false
		}
	}
	return !nan.MatchString(sequence.Sequence{Statements: r.statements[:made]}.String())
}

// unordered reports whether a result mentions NaN.
func (r run) unordered() bool {
	return slices.ContainsFunc(r.steps, func(step Step) bool {
		return slices.ContainsFunc(step.Results, func(v Result) bool { return nan.MatchString(v.Text) })
	})
}

// set reports whether a result exists, is not nil, and is no interface that holds nil.
func (r run) set(ref *sequence.Value) bool {
	results := r.steps[ref.Statement].Results
	if ref.Result >= len(results) || results[ref.Result].Nil {
		return false
	}
	return !strings.HasSuffix(results[ref.Result].Text, "(nil)")
}

// result returns the first result of a statement that returned.
func (r run) result(at int) (v Result, ok bool) {
	if at >= len(r.steps) || r.steps[at].Panic != "" || len(r.steps[at].Results) == 0 {
		return Result{}, false
	}
	return r.steps[at].Results[0], true
}

// failed returns the error that a statement returned.
func (r run) failed(at int) (text string, failed bool) {
	if at < len(r.steps) {
		for _, v := range r.steps[at].Results {
			if v.Failed {
				return v.Text, true
			}
		}
	}
	return "", false
}

// panic returns the panic of a statement, as the driver describes it.
func (r run) panic(at int) (text string, panicked bool) {
	if at < len(r.steps) {
		text = r.steps[at].Panic
	}
	return text, text != ""
}

// same reports whether two runs have equal outcomes from a statement on.
func (r run) same(other run, from int) bool {
	if len(r.steps) != len(other.steps) {
		return false
	}
	for i := from; i < len(r.steps); i++ {
		equal := slices.EqualFunc(r.steps[i].Results, other.steps[i].Results, func(v, w Result) bool {
			return v.Text == w.Text && v.Nil == w.Nil && v.Failed == w.Failed
		})
		if !equal || r.steps[i].Panic != other.steps[i].Panic {
			return false
		}
	}
	return true
}
