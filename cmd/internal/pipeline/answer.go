package pipeline

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/replay/fault"
	"github.com/spectradiff/spectradiff/internal/replay/load"
	"github.com/spectradiff/spectradiff/internal/replay/plan"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// An Answer is what an Ask shows at a version.
type Answer struct {
	Value      string // what is seen where old shows Ask.Old
	Untestable string // why that can't be told; "": it can
	Proven     bool   // the version shows why, so another run or another machine would say the same
}

// Lasts reports whether another run would give the same answer.
func (a Answer) Lasts() bool { return a.Untestable == "" || a.Proven }

// Proven reports whether an error of Query is one that the code of the version has, as a compiler or the type checker
// says. Any other error may be gone some time later, or on another machine: of a full disk, memory that ran out, a file
// or module that could not be fetched.
func Proven(err error) bool {
	var faults fault.List
	if errors.As(err, &faults) {
		return !slices.ContainsFunc(faults, func(f *fault.Fault) bool { return len(f.Lines) == 0 })
	}
	return errors.As(err, new(*load.CodeError))
}

// nothing returns the error for a version of which nothing can be called.
func (q *query) nothing() error {
	why, proven := q.broken("")
	err := errors.New(cmp.Or(why, "it has nothing in common with old that can be called"))
	if proven {
		return &load.CodeError{Err: err}
	}
	return err
}

// broken says why a package can't be used in the version, by its path in old, and whether the version shows it; "" is
// any package. It returns "" if it can be used, as far as anybody knows.
func (q *query) broken(path string) (why string, proven bool) {
	target := q.found.Plan.Sides.New.Target
	if target == nil {
		return "", false
	}
	if q.found.Plan.Common != nil {
		path = q.found.Plan.NewName(path)
	}
	for _, b := range target.Broken {
		if path == "" || b.Package == path {
			return fmt.Sprintf("package %s: %s", b.Package, b.Error), b.Proven
		}
	}
	return "", true
}

// answer returns what a comparison of old with the version shows.
func (a Ask) answer(c *diff.Comparison, p *plan.Plan) Answer {
	if c == nil || c.Incomparable != "" {
		reason := "it was not played"
		if c != nil {
			reason = c.Incomparable
		}
		return Answer{Untestable: reason}
	}
	name := spectra.Symbol(p.NewName(string(a.Function)))
	if a.State != "" {
		if value, differs := c.Shows(name, a.State, spectra.Path(a.Path), a.New); differs {
			return Answer{Value: value}
		}
		return Answer{Value: a.Old}
	}
	answer := Answer{Value: a.Old}
	for _, e := range c.Effects() {
		switch here := e.Function == name && e.Path == a.Path; {
		case here && e.New == a.New:
			return Answer{Value: a.New}
		case here:
			answer.Value = e.New
		case answer.Value == a.Old && (e.Function == name || e.Function == "") && e.EndsCall():
			answer.Value = e.New // nothing can be seen at the path
		}
	}
	return answer
}
