// Package reshaped has the types whose representation changed altogether compared by their pure observers.
//
// In: both versions with their programs, what is the same in them. Out: these types with their observers, the calls
// that only one version makes because of its representation, and what the driver of a version needs of both. Nothing is
// run.
package reshaped

import (
	"fmt"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/diff/match"
	"github.com/spectradiff/spectradiff/diff/noise"
	"github.com/spectradiff/spectradiff/diff/observe"
	"github.com/spectradiff/spectradiff/replay/driver"
	"github.com/spectradiff/spectradiff/replay/load"
	"github.com/spectradiff/spectradiff/spectra"
	"github.com/spectradiff/spectradiff/spectra/static"
	"github.com/spectradiff/spectradiff/spectra/static/purity"
)

// An Input is what is looked at.
type Input struct {
	Versions spectra.Pair[*load.Version]
	Programs spectra.Pair[*static.Program] // of the packages of the versions
	Common   *match.Match
	Matched  map[spectra.Symbol]spectra.Symbol // functions of new → functions of old with the same meaning
	Detailf  func(format string, args ...any)  // gets what observers were refused
}

// Find returns the types that are compared by observers, and the calls of their methods that only one version makes
// because of its representation.
func (in Input) Find() ([]observe.Type, *noise.Mask) {
	found := observe.Reshaped(in.Common, in.Versions.Old.Packages, in.Versions.New.Packages)
	if len(found) == 0 {
		return nil, nil
	}
	judges := spectra.MakePair(func(s spectra.Side) observe.Purity {
		return proven{purity.NewJudge(*in.Programs.Of(s)), *in.Versions.Of(s), s}
	})
	found, refused := observe.Observers(in.Common, found, judges)
	for _, r := range refused {
		in.Detailf("%s is compared by observers, but not by %s: %s", r.Type, r.Method, r.Reason)
	}
	calls := &noise.Mask{}
	for _, c := range observe.ExpectedCalls(in.Common, found, slices.Collect(maps.Keys(in.Matched)), judges) {
		site := noise.Site{Function: c.Caller, State: noise.Calls, Path: spectra.Path(c.Callee)}
		calls.Add(site, "another representation")
	}
	return found, calls
}

// proven is what static analysis proves of one version.
type proven struct {
	judge  *purity.Judge
	target *load.Version
	side   spectra.Side
}

func (p proven) Observer(method *types.Func) observe.Verdict {
	return p.verdict(p.judge.Observer(method))
}
func (p proven) Question(method *types.Func) observe.Verdict {
	return p.verdict(p.judge.Question(method))
}

func (p proven) verdict(v purity.Verdict) observe.Verdict {
	verdict := observe.Verdict{Iterates: v.Iterates, Sorts: v.Sorts, Collected: v.Collected}
	if !v.Pure() {
		at := p.target.Fset.Position(v.Position)
		name := strings.TrimPrefix(at.Filename, p.target.Dir+"/")
		verdict.Impure = fmt.Sprintf("%s (%s version, %s:%d)", v.Reason, p.side, name, at.Line)
	}
	return verdict
}

// By lists the types with another representation as the driver of one version needs them.
func By(list []observe.Type, s spectra.Side) []driver.Observed {
	var observed []driver.Observed
	for _, t := range list {
		named := *t.Declared.Of(s)
		o := driver.Observed{
			Name: t.Name, Package: named.Obj().Pkg().Path(), Type: named.Obj().Name(),
			TypeParams: named.TypeParams().Len(),
		}
		for _, by := range t.Observers {
			o.Observers = append(o.Observers, driver.Observer{
				Method: *by.Methods.Of(s), Name: by.Name, Result: by.Result, Results: by.Results,
				Elements: by.Elements, Unordered: by.Unordered,
			})
		}
		observed = append(observed, o)
	}
	return observed
}
