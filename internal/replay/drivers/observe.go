package drivers

import (
	"fmt"
	"go/types"
	"maps"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/replay/build"
	"github.com/spectradiff/spectradiff/internal/replay/load"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/observe"
	"github.com/spectradiff/spectradiff/internal/spectra/static/purity"
)

// findReshaped returns the types that are compared by observers, and the calls of their methods that only
// one version makes because of its representation.
func (d *Drivers) findReshaped() ([]observe.Type, []observe.Call) {
	p := d.Plan
	found := observe.Reshaped(p.Common, p.Sides.Old.Target.Packages, p.Sides.New.Target.Packages)
	if len(found) == 0 {
		return nil, nil
	}
	judges := spectra.MakePair(func(s spectra.Side) observe.Purity {
		of := p.Sides.Of(s).Target
		return proven{purity.NewJudge(p.Sides.Of(s).Program), of, s}
	})
	found, refused := observe.Observers(p.Common, found, judges)
	for _, r := range refused {
		d.Tools.Workers.Detailf("%s is compared by observers, but not by %s: %s", r.Type, r.Method, r.Reason)
	}
	return found, observe.ExpectedCalls(p.Common, found, slices.Collect(maps.Keys(d.Matched)), judges)
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

// observedBy lists the types with another representation as the driver of one version needs them.
func observedBy(list []observe.Type, s spectra.Side) []build.Observed {
	var observed []build.Observed
	for _, t := range list {
		named := *t.Declared.Of(s)
		o := build.Observed{
			Name: t.Name, Package: named.Obj().Pkg().Path(), Type: named.Obj().Name(),
			TypeParams: named.TypeParams().Len(),
		}
		for _, by := range t.Observers {
			o.Observers = append(o.Observers, build.Observer{
				Method: *by.Methods.Of(s), Name: by.Name, Result: by.Result, Results: by.Results,
				Elements: by.Elements, Unordered: by.Unordered,
			})
		}
		observed = append(observed, o)
	}
	return observed
}
