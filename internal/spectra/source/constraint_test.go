package source

import (
	"runtime"
	"slices"
	"strings"
	"testing"
)

// TestExcluded: what toolchain builds the module is not known, but that it is one of Go 1.24 or later.
func TestExcluded(t *testing.T) {
	set := tags{"cgo": true, "mine": true}
	for constraint, want := range map[string]struct{ excluded, certain bool }{
		runtime.GOOS:             {false, true},
		"!" + runtime.GOOS:       {true, true},
		"mine && cgo":            {false, true},
		"other || !mine":         {true, true},
		"go1.24":                 {false, true},
		"!go1.18":                {true, true},
		"go1.25":                 {false, false},
		"!go1.25":                {false, false},
		"go1.99":                 {false, false},
		"go1.25 && other":        {true, true},
		"go1.25 || mine":         {false, true},
		"!(go1.25 && mine)":      {false, false},
		"goexperiment.something": {false, false},
	} {
		file, err := parseHeader("p.go", []byte("//go:build "+constraint+"\n\npackage p\n"))
		must(t, err)
		if excluded, certain := set.excluded("p.go", file), set.certain("p.go", file); excluded != want.excluded ||
			certain != want.certain {
			t.Errorf("%s: excluded %v, certain %v", constraint, excluded, certain)
		}
	}
}

// TestExcludedFolders: the go command takes no files whose name, or that of a folder, begins with _ or a dot.
func TestExcludedFolders(t *testing.T) {
	file, err := parseHeader("p.go", []byte("package p\n"))
	must(t, err)
	for name, want := range map[string]bool{
		"a/p.go": false, "a_b/p.go": false, "_p.go": true, "_examples/rest/p.go": true, "a/.hidden/p.go": true,
	} {
		if got := (tags{}).excluded(name, file); got != want {
			t.Errorf("%s: excluded %v", name, got)
		}
	}
}

// TestFilesOfToolchains: what files for different toolchains declare is not mixed up.
func TestFilesOfToolchains(t *testing.T) {
	const before, after = "//go:build !go1.25\n\npackage m\n", "//go:build go1.25\n\npackage m\n"
	changes := diffOf(t, "-- old/a.go --\n"+before+"func F() { g(1) }\n-- old/b.go --\n"+after+"func F() { g(2) }\n"+
		"-- new/a.go --\n"+before+"func F() { g(2) }\n-- new/b.go --\n"+after+"func F() { g(1) }\n")
	var got []string
	for _, d := range changes.Declarations {
		got = append(got, summary(d)+" of "+d.File)
	}
	want := []string{"modified function m.F of a.go", "modified function m.F of b.go"}
	if !slices.Equal(got, want) || changes.TestOnly() {
		t.Errorf("%s; only tests: %v", strings.Join(got, ", "), changes.TestOnly())
	}
}
