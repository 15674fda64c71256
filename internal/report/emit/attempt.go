package emit

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/spectradiff/spectradiff/internal/report/gotest"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// Numbers of runs. A probe runs on both versions, and what is not the same every time is not asserted. A test runs as
// often as it takes to believe that it always ends so.
const (
	probeRuns   = 4
	varyingRuns = 80 // of new at most, where it differs from run to run: a map of two entries does so in one of eight
	testRuns    = 4
	maxChecks   = 5   // that are tried as tests, the plainest first
	repetitions = 200 // of calls that differ from time to time
)

// An attempt is the making of one test.
type attempt struct {
	*worker
	number int // of the worker whose sandbox runs it
	root   root
	name   string
	home   string
	style  bool // tests of the package stand in the package itself
}

// test returns the test of a root, which is known to pass on old and to fail on new.
func (a *attempt) test(ctx context.Context) (*testFile, error) {
	var err error
	if a.home, err = a.worker.home(a.root); err != nil {
		return nil, err
	}
	a.style = a.insideStyle(a.home)
	tests, err := a.candidates(ctx)
	if err != nil && a.root.call != nil { // only the changed function alone shows it
		a.root.sequence, a.root.call = *a.root.call, nil
		return a.test(ctx)
	}
	if err != nil {
		return nil, err
	}
	for _, t := range tests[:min(len(tests), maxChecks)] {
		var f *testFile
		if f, err = a.verified(ctx, t); f != nil || ctx.Err() != nil {
			return f, ctx.Err()
		}
		a.env.Detailf("test of %s: %v", a.root.symbol, err)
	}
	return nil, err
}

// candidates returns tests that may do, the plainest first. The calls are made outside of the package if that is
// possible: there a test can import everything.
func (a *attempt) candidates(ctx context.Context) (list []gotest.Test, err error) {
	for _, inside := range []bool{false, true} {
		if !inside && a.command() {
			continue
		}
		seen, failed := a.probe(ctx, inside)
		if failed != nil {
			err = cmp.Or(err, failed)
			continue
		}
		if list, err = a.conclude(seen); len(list) > 0 || err != nil {
			return list, err
		}
	}
	return nil, cmp.Or(err, errors.New(a.unseen()))
}

// unseen says that nothing differs at which a test can look.
func (a *attempt) unseen() string {
	if a.root.internal {
		return "only values inside of the calls differ, which no test outside can see"
	}
	return "in a plain test no value differs that it could check"
}

// conclude returns the checks that tests can make, from the runs of a probe.
func (a *attempt) conclude(seen spectra.Pair[[]run]) ([]gotest.Test, error) {
	base := gotest.Test{Name: a.name, Doc: a.doc(a.name), Comment: a.comment(), Sequence: a.root.sequence}
	old, new := seen.Old[0], seen.New[0]
	text, panicked := old.shown.Panic()
	switch {
	case slices.ContainsFunc(seen.Old, func(r run) bool { return r.shown.End != old.shown.End }):
		return nil, errors.New("the calls do not always end in the same way in the old version")
	case panicked:
		newText, also := new.shown.Panic()
		if also && newText == text {
			return nil, nil
		}
		base.End = gotest.EndPanics
		if also {
			base.Panic = text
		}
		return []gotest.Test{base}, nil
	case old.unstarted():
		return nil, fmt.Errorf("tests of %s do not run: %s", a.home, firstLine(old.output))
	case !old.shown.Done():
		a.env.Detailf("test of %s: on old it ends so:\n%s", a.root.symbol, old.output)
		return nil, errors.New("the calls do not return in the old version")
	case new.late:
		base.End = gotest.EndInTime
		return []gotest.Test{base}, nil
	case !new.shown.Done():
		return []gotest.Test{base}, nil
	}
	var list []gotest.Test
	for _, c := range a.different(seen) {
		t := base
		t.Check = &c
		t.Doc = a.doc(t.Function())
		if a.root.varies {
			t.Repeat = repetitions
		}
		list = append(list, t)
	}
	return list, nil
}

// probe runs the calls on both versions, and returns the values that each run showed.
func (a *attempt) probe(ctx context.Context, inside bool) (seen spectra.Pair[[]run], err error) {
	const name = "TestProbe"
	w := a.writer(a.home, inside)
	source, err := w.Probe(name, a.root.sequence, a.variables(inside))
	if err != nil {
		return seen, err
	}
	files := map[string][]byte{"zspectra_probe_test.go": source, "zspectra_show_test.go": w.Shower()}
	if seen.Old, err = a.runs(ctx, spectra.Old, files, name, probeRuns, nil); err != nil {
		return seen, err
	}
	if !a.root.varies {
		seen.New, err = a.runs(ctx, spectra.New, files, name, probeRuns, nil)
		return seen, err
	}
	seen.New, err = a.runs(ctx, spectra.New, files, name, varyingRuns, func(r run) bool {
		return len(a.different(spectra.Pair[[]run]{Old: seen.Old, New: []run{r}})) > 0
	})
	return seen, err
}

// command reports whether the calls are made in a main package, whose names no other package can use.
func (a *attempt) command() bool { return a.Loaded.Old.Package(a.home).Name == "main" }

// variables returns the package variables that a probe can look at.
func (a *attempt) variables(inside bool) []string {
	var names []string
	for _, v := range a.root.variables {
		if v.Package() == a.home && (inside || v.Exported()) {
			names = append(names, v.Short())
		}
	}
	return names
}

// verified writes a test and returns it if it passes on old and fails on new, each time.
func (a *attempt) verified(ctx context.Context, t gotest.Test) (f *testFile, err error) {
	styles := []bool{a.style, !a.style}
	if a.command() {
		styles = []bool{true}
	}
	for _, inside := range styles {
		if t.Check != nil && t.Check.Inside() != "" && !inside {
			continue
		}
		f = &testFile{folder: a.folder(a.home), name: fileName(t.Name)}
		if f.source, err = a.writer(a.home, inside).Write(t); err != nil {
			continue
		}
		if err = a.verify(ctx, f, t.Function()); err == nil || ctx.Err() != nil {
			break
		}
	}
	if err != nil {
		return nil, err
	}
	return f, nil
}

// verify runs a test on both versions.
func (a *attempt) verify(ctx context.Context, f *testFile, name string) error {
	for _, s := range spectra.Sides() {
		list, err := a.runs(ctx, s, map[string][]byte{f.name: f.source}, name, testRuns, nil)
		if err != nil {
			return err
		}
		for _, r := range list {
			if r.passed != (s == spectra.Old) {
				return fmt.Errorf("on %s it ends so:\n%s", s, r.output)
			}
		}
	}
	return nil
}
