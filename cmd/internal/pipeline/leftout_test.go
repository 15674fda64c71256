package pipeline

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay/build"
	"github.com/spectradiff/spectradiff/internal/replay/fault"
	"github.com/spectradiff/spectradiff/internal/replay/load"
	"github.com/spectradiff/spectradiff/internal/replay/load/loadtest"
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
		{"the only package", own, "nothing that can be called is left"},
		{"a package that is not compared", foreign, "compiling package example.com/other: torn"},
	} {
		builder := &fakeBuilder{faults: slices.Repeat([]fault.List{c.faults}, 2*mostRounds)}
		_, err := compare(t.Context(), fakeTask(t, commits(t, half, half2), builder, "v1", "v2"))
		if !errors.As(err, new(fault.List)) || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want one with %q", c.reason, err, c.want)
		}
	}
}

const leftFiles = `
go 1.24
-- m.go --
package m
-- p/p.go --
package p

import "example.com/%[1]s/q"

type T struct{ Q q.T }
-- q/q.go --
package q

type T struct{ N int }
`

// TestLeaveOut: packages with faults are gone from both versions, under whatever module path; others stay, and know the
// types of those that are gone as ones that the module does not declare.
func TestLeaveOut(t *testing.T) {
	version := func(module string) *load.Version {
		head := "-- go.mod --\nmodule example.com/" + module + "\n"
		return loadtest.TypeCheckText(t, head+fmt.Sprintf(leftFiles, module), nil)
	}
	given := spectra.Pair[*load.Version]{Old: version("m"), New: version("n")}
	for _, c := range []struct {
		reason   string
		fault    fault.Fault
		left     string // of the old version
		warnings string
	}{
		{"one of old", fault.Fault{Side: spectra.Old, Package: "example.com/m/q", Reason: "torn"}, "m p",
			"old version: package example.com/m/q is left out: torn"},
		{"one of new", fault.Fault{Side: spectra.New, Package: "example.com/n/p", Reason: "torn"}, "m q",
			"new version: package example.com/n/p is left out: torn"},
		{"one of either",
			fault.Fault{Package: "example.com/m/q", Step: "reading", Reason: "torn", Ours: true, Trace: "here"}, "m p",
			"package example.com/m/q is left out: internal error while reading: torn; please report it"},
		{"one that is not there", fault.Fault{Package: "example.com/m/x"}, "m p q", ""},
	} {
		var details strings.Builder
		left, warnings := leaveOut(given, nil, fault.List{&c.fault}, func(format string, args ...any) {
			fmt.Fprintf(&details, format, args...)
		})
		if got := shortNames(left.Old); got != c.left || shortNames(left.New) != strings.Replace(c.left, "m", "n", 1) {
			t.Errorf("%s: left are %s and %s, want %s", c.reason, got, shortNames(left.New), c.left)
		}
		if !strings.HasPrefix(strings.Join(warnings, ""), c.warnings) || len(warnings) != min(len(c.warnings), 1) {
			t.Errorf("%s: warnings %q, want %q", c.reason, warnings, c.warnings)
		}
		if strings.Contains(details.String(), "here") != (c.fault.Trace != "") {
			t.Errorf("%s: details %q", c.reason, &details)
		}
		for _, s := range spectra.Sides() {
			for _, b := range (*left.Of(s)).Broken {
				foreign := (*left.Of(s)).Foreign()
				known := (*left.Of(s)).Known(b.Package)
				if known == nil || !slices.Contains(foreign, known) {
					t.Errorf("%s: the types of %s are not known as foreign", c.reason, b.Package)
				}
			}
		}
	}
	if shortNames(given.Old) != "m p q" || len(given.Old.Broken) > 0 {
		t.Errorf("the given version has %s now", shortNames(given.Old))
	}
}

func shortNames(v *load.Version) string {
	var list []string
	for _, p := range v.Packages {
		list = append(list, p.PkgPath[strings.LastIndexByte(p.PkgPath, '/')+1:])
	}
	slices.Sort(list)
	return strings.Join(list, " ")
}
