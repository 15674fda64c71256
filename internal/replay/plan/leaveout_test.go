package plan

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay/fault"
	"github.com/spectradiff/spectradiff/internal/replay/load"
	"github.com/spectradiff/spectradiff/internal/replay/load/loadtest"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

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

// TestBrokenWarnings: what does not compile in both versions for one reason is one line, and so is all that imports it.
func TestBrokenWarnings(t *testing.T) {
	is := func(path, why string) load.Broken { return load.Broken{Package: path, Error: why} }
	both := []load.Broken{
		is("m/a", "a.go:1:2: no"), is("m/b", "depends on m/a, which fails"), is("m/c", "depends on m/a, which fails"),
	}
	versions := spectra.Pair[[]load.Broken]{
		Old: append(slices.Clone(both), is("m/d", "depends on m/old")),
		New: append(slices.Clone(both), is("m/e", "x"), is("m/f", "x")),
	}
	want := []string{
		"package m/a is left out: a.go:1:2: no",
		"2 packages are left out: they depend on m/a, which fails: m/b, m/c",
		"old version: package m/d is left out: depends on m/old",
		"new version: 2 packages are left out: x: m/e, m/f",
	}
	if got := brokenWarnings(versions); !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	if got := brokenWarnings(spectra.Pair[[]load.Broken]{}); got != nil {
		t.Errorf("nothing is broken, and got %q", got)
	}
}
