// Package emit writes a Go test file for each finding. The test passes on the old version and fails on the new one,
// needs nothing of this tool, and is as short as the example of the finding.
//
// In: both versions, the operations that sequences can call, and findings. Out: test files below a folder, each in the
// folder of its package, and with each finding the name of its file, or the reason why there is none. A test is built
// and run on both versions, several times, before it is written. Its assertions are chosen from what a probe of the
// same calls printed on both. Nothing is written but those files and files in the run's temporary folder; targets run
// in the sandbox. A file that was there before is replaced only if this package wrote it.
package emit

import (
	"context"
	"fmt"
	"go/types"
	"slices"
	"strings"
	"unicode"

	"github.com/spectradiff/spectradiff/internal/diff"
	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/gocommand"
	"github.com/spectradiff/spectradiff/internal/replay/load"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/report/gotest"
	"github.com/spectradiff/spectradiff/internal/report/summary"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// A Config has the versions that tests are written for, and the folder for the files.
type Config struct {
	Go       *gocommand.Runner
	Loaded   spectra.Pair[*load.Version]
	Surface  *api.Surface
	Samples  []*types.Named       // as in gotest.Writer
	Revision spectra.Pair[string] // as the user named them
	Folder   string               // test files go below it
}

// A root is the finding that one test is to show.
type root struct {
	symbol    spectra.Symbol // where the cause lies
	summary   string         // one sentence
	sequence  sequence.Sequence
	call      *sequence.Sequence // the changed function alone; nil = it can't be called so
	variables []spectra.Symbol   // package variables that differ
	varies    bool               // new differs from run to run
	internal  bool               // only values inside of the calls differ
}

// Tests writes a test for each finding, and returns the findings with the file of it, or with why there is none.
func Tests(
	ctx context.Context, e *replay.Workers, cfg Config, findings []*diff.Finding,
) ([]*diff.Finding, error) {
	w := &worker{Config: cfg, env: e, operations: map[string]*api.Operation{}, types: map[string]types.Type{}}
	for _, op := range cfg.Surface.All(spectra.Old) {
		w.operations[op.Name] = op
	}
	for _, t := range cfg.Surface.Types.Old {
		w.types[t.Name] = t.Type
	}
	var roots []root
	for _, f := range findings {
		roots = append(roots, w.root(f))
	}
	written, tests := make([]*testFile, len(roots)), make([]diff.Test, len(roots))
	names := w.testNames(roots)
	err := e.EachHere(ctx, len(roots), "writing tests", func(ctx context.Context, n, i int) (err error) {
		if findings[i].Tier() == spectra.TierCalls {
			tests[i].Reason = "no value differs"
			return nil
		}
		if isTest(findings[i]) && roots[i].call == nil {
			tests[i].Reason = "a test of the module shows it: run that one"
			return nil
		}
		one := &attempt{worker: w, number: n, root: roots[i], name: names[i]}
		if written[i], err = one.test(ctx); err != nil {
			if ctx.Err() != nil {
				return ctx.Err()
			}
			tests[i].Reason = err.Error()
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	list := make([]*diff.Finding, len(findings))
	for i, f := range written {
		if f != nil {
			if tests[i].Path, err = f.save(cfg.Folder); err != nil {
				tests[i].Reason = err.Error() // what was found is reported all the same
			}
		}
		with := *findings[i]
		with.Test, list[i] = tests[i], &with
	}
	return list, nil
}

// root returns the part of a finding that is tested.
func (w *worker) root(f *diff.Finding) root {
	r := root{
		symbol: f.Cause.Symbol, summary: summary.Sentence(f), call: w.call(f),
		varies: f.Tier() == spectra.TierNondeterminism, internal: f.Tier() == spectra.TierInternal,
	}
	if c := f.Example.Case; c != nil {
		r.sequence = c.Sequence
	}
	if f.Potential {
		for _, st := range r.sequence.Statements {
			w.declare(st.Op)
		}
	}
	for _, v := range summary.Values(f) {
		if s := w.variable(v.Path); s != "" && !slices.Contains(r.variables, s) {
			r.variables = append(r.variables, s)
		}
	}
	return r
}

// call returns the execution in which a deviation begins as a call, where only values inside of the driven calls
// differ, or a test of the module shows it; nil if it has no such form.
func (w *worker) call(f *diff.Finding) *sequence.Sequence {
	n := f.Example.Node
	if f.Effect.Tier != spectra.TierInternal && !isTest(f) || n == nil || n.Old == nil || n.New == nil {
		return nil
	}
	q, err := sequence.OfExecution(n.Old)
	if err != nil || !w.declare(q.Statements[0].Op) {
		return nil
	}
	return &q
}

// isTest reports whether a test of the module shows a finding.
func isTest(f *diff.Finding) bool { return f.Example.Case != nil && f.Example.Case.Test }

// declare makes an operation of a function or method that only its package can call. It reports whether there is one.
func (w *worker) declare(name string) bool {
	s := spectra.Symbol(name)
	p := w.Loaded.Old.Package(s.Package())
	if w.operations[name] != nil || p == nil {
		return w.operations[name] != nil
	}
	receiver, method, isMethod := strings.Cut(strings.TrimPrefix(name, s.Package()+"."), ".")
	op := &api.Operation{Name: name, Symbol: s, Package: s.Package(), Expr: receiver, Receiver: isMethod}
	o := p.Types.Scope().Lookup(strings.Trim(receiver, "(*)"))
	if isMethod && o != nil {
		of := o.Type()
		if strings.HasPrefix(receiver, "(*") {
			of = types.NewPointer(of)
		}
		op.Params = []types.Type{of}
		o, _, _ = types.LookupFieldOrMethod(of, false, p.Types, method)
	}
	f, ok := o.(*types.Func)
	if !ok || f.Signature().TypeParams().Len()+f.Signature().RecvTypeParams().Len() > 0 {
		return false
	}
	op.Params = append(op.Params, api.TypesOf(f.Signature().Params())...)
	op.Results = api.TypesOf(f.Signature().Results())
	op.Variadic = f.Signature().Variadic()
	w.operations[name] = op
	return true
}

// variable returns the package variable that a path begins with, "" if it begins with none.
func (w *worker) variable(path string) spectra.Symbol {
	path = strings.TrimPrefix(path, "len(")
	dot := strings.LastIndexByte(path[:max(0, strings.IndexAny(path+"[", "["))], '/') + 1
	dot += strings.IndexByte(path[dot:], '.')
	name := path[dot+1:]
	name = name[:strings.IndexFunc(name+" ", func(r rune) bool {
		return r != '_' && !unicode.IsLetter(r) && !unicode.IsDigit(r)
	})]
	home := symbol.Rebase(path[:max(dot, 0)], w.Loaded.New.Module, w.Loaded.Old.Module)
	if p := w.Loaded.Old.Package(home); p != nil {
		if _, ok := p.Types.Scope().Lookup(name).(*types.Var); ok {
			return spectra.Symbol(home + "." + name)
		}
	}
	return ""
}

// A worker holds the data that all tests share.
type worker struct {
	Config
	env        *replay.Workers
	operations map[string]*api.Operation
	types      map[string]types.Type
}

// home returns the package in which the test of a root stands, by its path in old: that of the last call, or of what
// changed.
func (w *worker) home(r root) (string, error) {
	for _, st := range slices.Backward(r.sequence.Statements) {
		if op := w.operations[st.Op]; st.Kind == sequence.Call && op != nil && op.Package != "" {
			return op.Package, nil
		}
	}
	path := symbol.Rebase(r.symbol.Package(), w.Loaded.New.Module, w.Loaded.Old.Module)
	if w.Loaded.Old.Package(path) != nil {
		return path, nil
	}
	return "", fmt.Errorf("%s is in no package of %s", r.symbol, w.Revision.Old)
}

// writer returns the writer of tests for a package.
func (w *worker) writer(path string, inside bool) *gotest.Writer {
	of := &gotest.Writer{
		Operations: w.operations, Types: w.types, Known: w.Loaded.Old.Known, Samples: w.Samples,
		Package: w.Loaded.Old.Package(path).Types, Inside: inside,
	}
	of.Declared = w.declaredIn(path, of.Clause())
	return of
}
