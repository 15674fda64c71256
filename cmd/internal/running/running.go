// Package running runs the tests of a version once, and returns the calls that they make of exported operations: with
// computed arguments too, and those that helpers of tests hand over.
//
// In: a version, type-checked, the operations, what builds and confines. Out: calls as package carve returns them,
// whose arguments fit their parameters: values that can be written down, and else the calls that made them, those that
// changed them included; and the texts that were handed over. Tests are compiled with probes, for no other purpose, and
// run in the sandbox, twice, under two seeds: only what both runs show counts.
//
// What always holds: the same version gives the same calls, however long it takes. How many calls are noted is
// counted; a program that the clock ended gives none. Tests that do not compile, fail, hang or need what nobody has
// cost a line of the log. What the notes hold is data from the target: whatever they are, they are decoded within
// limits.
package running

import (
	"cmp"
	"context"
	"fmt"
	"go/token"
	"go/types"
	"maps"
	"os"
	"path/filepath"
	"slices"

	"github.com/spectradiff/spectradiff/cmd/internal/env"
	"github.com/spectradiff/spectradiff/replay/api"
	"github.com/spectradiff/spectradiff/replay/cache"
	"github.com/spectradiff/spectradiff/replay/carve"
	"github.com/spectradiff/spectradiff/replay/driver"
	"github.com/spectradiff/spectradiff/replay/load"
	"github.com/spectradiff/spectradiff/replay/testtypes"
	"github.com/spectradiff/spectradiff/spectra"
	"github.com/spectradiff/spectradiff/spectra/instrument"
)

// An Input says whose tests are run, and which calls are of use.
type Input struct {
	Env        *env.Environment
	Builder    *driver.Builder
	Target     *load.Version
	Packages   []string         // whose functions are driven
	Outside    []string         // folders outside of the version that a build may read
	Operations []*api.Operation // tests of packages run whose operations can reach the change
	Types      []api.Type       // that values in interfaces may have
	Declared   *testtypes.Set   // likewise, in place of the tests' own
}

// Limits of what is taken.
const (
	maxPackages = 6  // whose tests are run
	maxCalls    = 24 // of one operation
	maxText     = 1 << 10
	maxTexts    = 200 // of one package
)

// Noted is what tests handed over.
type Noted struct {
	Calls []carve.Call
	Texts map[string][]string // by the package that they were handed to, in a stated order
}

// Run runs the tests. Its error is the context's: all else is a line of the log.
func Run(ctx context.Context, in Input) (Noted, error) {
	tested := in.tested()
	if len(tested) == 0 {
		return Noted{}, nil
	}
	elapsed := env.Stopwatch()
	order, overlay, err := in.instrument()
	if err != nil {
		in.Env.Detailf("tests of the old version: %v", err)
		return Noted{}, nil
	}
	calls := make([][]carve.Call, len(tested))
	err = in.Env.Each(ctx, len(tested), "running tests", func(ctx context.Context, worker, i int) error {
		p := program{Input: &in, path: tested[i], worker: worker, order: order}
		runs, err := p.runs(ctx, overlay)
		if err != nil {
			in.Env.Detailf("tests of %s: %v", tested[i], err)
			return ctx.Err()
		}
		calls[i] = in.both(order, runs)
		return nil
	})
	noted := in.chosen(slices.Concat(calls...))
	in.Env.Detailf("the tests of %d packages make %d calls that can be written down, in %.1f s",
		len(tested), len(noted.Calls), elapsed().Seconds())
	return noted, err
}

// tested lists the packages whose tests are run.
func (in *Input) tested() []string {
	reaching := map[string]bool{}
	for _, op := range in.Operations {
		if op.Reaches && !op.Supplier {
			reaching[op.Symbol.Package()] = true
		}
	}
	var list []string
	for _, path := range in.Packages {
		p := in.Target.Package(path)
		if p != nil && reaching[path] && p.Name != "main" && len(api.TestFiles(p.Dir)) > 0 {
			list = append(list, path)
		}
	}
	return list[:min(len(list), maxPackages)]
}

// instrument adds probes to the packages, and says which functions' calls are noted: the exported ones, by package with
// the indexes of their points. Nothing of it depends on the other version, so that notes can be kept.
func (in *Input) instrument() (order, map[string][]byte, error) {
	var o order
	overlay := map[string][]byte{}
	for _, path := range in.Packages {
		p := in.Target.Package(path)
		if p == nil || p.Name == "main" {
			continue
		}
		out, err := instrument.Instrument(p, instrument.Options{Dir: in.Target.Dir, Runtime: spectra.RuntimePath})
		if err != nil {
			return nil, nil, err
		}
		maps.Copy(overlay, out.Files)
		of := functions{path: path}
		for i, point := range out.Points {
			if point.Symbol.Declared() == point.Symbol && token.IsExported(point.Symbol.Name()) {
				of.points, of.symbols = append(of.points, uint64(i)), append(of.symbols, point.Symbol)
			}
		}
		o = append(o, of)
	}
	return o, overlay, nil
}

// An order says of which functions calls are noted.
type order []functions

// functions are those of one package.
type functions struct {
	path    string
	points  []uint64
	symbols []spectra.Symbol
}

// symbols lists all functions: they are numbered from 1 in this order.
func (o order) symbols() (list []spectra.Symbol) {
	for _, f := range o {
		list = append(list, f.symbols...)
	}
	return list
}

// runs returns the notes of two runs of a program, which may be those of an earlier comparison.
func (p *program) runs(ctx context.Context, overlay map[string][]byte) (runs [2][][]byte, err error) {
	tests, err := p.Builder.Tests(ctx, driver.Request{
		Dir: p.Target.Dir, Package: p.path, Overlay: overlay, Env: p.Target.Env, Folders: p.Target.Folders,
		Outside: p.Outside,
	})
	if err != nil {
		return runs, err
	}
	name := filepath.Join(p.Env.Store.Hold(cache.Notes, tests.Key), fmt.Sprintf("%d-%d-%d", steps, ofOne, processes))
	if _, ok := p.Env.Store.Sealed(name); ok {
		kept, err := os.ReadFile(name)
		return unpacked(kept), err
	}
	dir, err := os.MkdirTemp(p.Env.Temp, "tests-")
	if err != nil {
		return runs, fmt.Errorf("temporary folder: %w", err)
	}
	defer os.RemoveAll(dir)
	binary, err := tests.Build(ctx, dir)
	if err != nil {
		return runs, err
	}
	if runs, err = p.twice(ctx, dir, binary, tests.GoRoot); err != nil {
		return runs, err
	}
	return runs, keep(name, dir, packed(runs))
}

// keep keeps notes for later runs.
func keep(name, dir string, notes []byte) error {
	part := filepath.Join(filepath.Dir(name), "part-"+filepath.Base(dir))
	if err := os.MkdirAll(filepath.Dir(name), 0o700); err != nil {
		return fmt.Errorf("cache: %w", err)
	}
	if err := os.WriteFile(part, notes, 0o600); err != nil {
		return fmt.Errorf("cache: %w", err)
	}
	return cache.Place(part, name)
}

// both returns the calls that both runs show.
func (in *Input) both(o order, runs [2][][]byte) (list []carve.Call) {
	again := map[string]bool{}
	for _, notes := range runs[1] {
		for _, c := range in.calls(o, notes) {
			again[c.String()] = true
		}
	}
	for _, notes := range runs[0] {
		for _, c := range in.calls(o, notes) {
			if again[c.String()] {
				list = append(list, c)
			}
		}
	}
	return list
}

// chosen returns some calls of each operation, from all over its tests, the shortest ones first, and their texts.
func (in *Input) chosen(calls []carve.Call) Noted {
	texts := map[string]string{}
	of := map[string][]carve.Call{}
	for _, c := range calls {
		text := c.String()
		if !slices.ContainsFunc(of[c.Op], func(other carve.Call) bool { return texts[other.String()] == text }) {
			of[c.Op] = append(of[c.Op], c)
		}
		texts[text] = text
	}
	noted := Noted{Texts: map[string][]string{}}
	for round := range maxCalls {
		for _, op := range in.Operations {
			if round == 0 {
				of[op.Name] = spread(of[op.Name])
			}
			list := of[op.Name]
			if round < len(list) {
				noted.Calls = append(noted.Calls, list[round])
				noted.read(op.Symbol.Package(), &list[round])
			}
		}
	}
	return noted
}

// spread returns maxCalls of some calls, evenly spaced, the shortest ones first.
func spread(calls []carve.Call) (list []carve.Call) {
	for i := range min(len(calls), maxCalls) {
		list = append(list, calls[i*len(calls)/min(len(calls), maxCalls)])
	}
	slices.SortFunc(list, func(x, y carve.Call) int {
		a, b := x.String(), y.String()
		return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
	})
	return list
}

// typesByName returns the types that values in interfaces may have.
func (in *Input) typesByName() map[string]types.Type {
	known := map[string]types.Type{}
	for _, t := range in.Types {
		known[t.Name] = t.Type
	}
	for _, t := range types.Typ {
		known[t.Name()] = t
	}
	return known
}
