package pipeline

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay/build"
	"github.com/spectradiff/spectradiff/internal/replay/fault"
	"github.com/spectradiff/spectradiff/internal/report"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// TestFlowLeavesOut: what can't be instrumented or built in one version is left out of both, with its reason, and the
// others are compared.
func TestFlowLeavesOut(t *testing.T) {
	const other = "package p\n\n// Other is not compared.\nfunc Other(n int) int { return n }\n"
	const bytes = other + "\ntype uint8 int\n\ntype byte int\n"
	broken := func(side spectra.Side, path string) fault.List {
		return fault.List{{Side: side, Package: path, Step: "compiling", Reason: "p/x.go:1: torn", Ours: true}}
	}
	for _, c := range []struct {
		reason, old, new string
		faults           []fault.List
		want             string // in the only warning, beside that of the build
	}{
		{"a package that old can't be instrumented with", bytes, other, nil,
			"old version: package example.com/m/p is left out: register example.com/m/p: it declares both uint8"},
		{"one that new can't", other, bytes, nil, "new version: package example.com/m/p is left out: register"},
		{"one with which new does not compile", other, other + "\n", []fault.List{broken("new", "example.com/m/p")},
			"new version: package example.com/m/p is left out: compiling failed: p/x.go:1: torn; please report it"},
	} {
		builder := &fakeBuilder{faults: c.faults}
		task := fakeTask(t, commitTrees(t, map[string]string{"m.go": half, "p/p.go": c.old},
			map[string]string{"m.go": half2, "p/p.go": c.new}), builder, "v1", "v2")
		task.cfg.All = true
		r, err := compare(t.Context(), task)
		if err != nil {
			t.Errorf("%s: %v", c.reason, err)
			continue
		}
		warnings := slices.DeleteFunc(r.Warnings, func(w string) bool { return !strings.Contains(w, "is left out") })
		if len(warnings) != 1 || !strings.Contains(warnings[0], c.want) {
			t.Errorf("%s: warnings %q, want one with %q", c.reason, warnings, c.want)
		}
		if r.Verdict != report.Deviates || len(r.Roots) != 1 || r.Subject.Packages != 1 {
			t.Errorf("%s: verdict %s, %d roots, %d packages; want one each", c.reason, r.Verdict, len(r.Roots),
				r.Subject.Packages)
		}
		builder.requests.Each(func(s spectra.Side, request build.Request) {
			for name := range request.Overlay {
				if strings.HasPrefix(name, request.Dir+"/p/") {
					t.Errorf("%s: %s version: %s is laid over", c.reason, s, name)
				}
			}
		})
	}
}

// TestFlowEndsAtLast: where nothing is left, or packages fail without end, the run fails with what the build said.
func TestFlowEndsAtLast(t *testing.T) {
	own := fault.List{{Side: spectra.Old, Package: "example.com/m", Step: "compiling", Reason: "torn"}}
	foreign := fault.List{{Side: spectra.Old, Package: "example.com/other", Step: "compiling", Reason: "torn"}}
	for _, c := range []struct {
		reason string
		faults fault.List
		want   string
	}{
		{"the only package", own, "every package with something to call had to be left out"},
		{"a package that is not compared", foreign, "compiling package example.com/other: torn"},
	} {
		builder := &fakeBuilder{faults: slices.Repeat([]fault.List{c.faults}, 2*6)}
		_, err := compare(t.Context(), fakeTask(t, commits(t, half, half2), builder, "v1", "v2"))
		if !errors.As(err, new(fault.List)) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.reason, err, c.want)
		}
	}
}
