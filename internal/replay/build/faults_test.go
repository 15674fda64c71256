package build

import (
	"errors"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/fault"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"golang.org/x/tools/txtar"
)

// TestFaults: what the go command prints says which packages of ours are at fault, and why.
func TestFaults(t *testing.T) {
	parts := map[string]string{"m": "/v", "m/p": "/v/p", "m/q": "/v/q"}
	r := Request{Dir: "/v", Package: "m/zspectra_driver", Parts: parts}
	for _, c := range []struct {
		reason, output string
		want           []string
	}{
		{"errors of the compiler, of which the first counts",
			"# m/p\np/zspectra_points.go:3:1: undefined: x\np/p.go:2:1: undefined: y\n# m\n./m.go:1:1: torn\n",
			[]string{"m/p p/zspectra_points.go:3:1: undefined: x", "m ./m.go:1:1: torn"}},
		{"an error of the go command", "q/zspectra_types.go:5:2: no required module provides package x\n",
			[]string{"m/q q/zspectra_types.go:5:2: no required module provides package x"}},
		{"one with an absolute path", "/v/q/q.go:5:2: use of internal package x not allowed\n",
			[]string{"m/q /v/q/q.go:5:2: use of internal package x not allowed"}},
		{"what this build does not have", "package m/zspectra_driver\n\timports m/p\n\timports m/x\n" +
			"\timports other/v2: build constraints exclude all Go files in /o\n",
			[]string{"m/p m/x imports other/v2: build constraints exclude all Go files"}},
		{"a cycle", "package m/zspectra_driver\n\timports m/p\n\timports m/q: import cycle not allowed\n", nil},
		{"the driver itself", "# m/zspectra_driver\nzspectra_driver/main.go:2:1: undefined: z\n", nil},
		{"the linker", "# m/zspectra_driver\nlink: duplicated definition of symbol m/p.x\n",
			[]string{"m/p it can't be linked with the others: link: duplicated definition of symbol m/p.x"}},
		{"a package of another module", "# other/p\n../../o/p.go:2:1: undefined: z\n", nil},
		{"no compiler", "go: no such tool\n", nil},
	} {
		var got []string
		for _, f := range r.faults(c.output) {
			got = append(got, f.Package+" "+f.Reason)
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.reason, got, c.want)
		}
	}
}

// TestFaultyLines: a file in which there are too many errors is to blame as a whole.
func TestFaultyLines(t *testing.T) {
	r := Request{Dir: "/v", Parts: map[string]string{"m/p": "/v/p"}}
	found := r.faults("# m/p\np/x_test.go:3:1: undefined: x\np/x_test.go:4:1: torn\np/x_test.go:4:1: too many errors\n")
	want := []string{"x_test.go:3", "x_test.go:4", "x_test.go"}
	if len(found) != 1 || !slices.Equal(found[0].Lines, want) {
		t.Errorf("got %v, want lines %q of one package", found, want)
	}
}

// TestOriginal: errors name files as the version does, not as they lie in the cache.
func TestOriginal(t *testing.T) {
	r := Request{Dir: "/v"}
	files := map[string][]byte{"/v/p/x.go": []byte("x"), "/go/src/zspectra/z.go": []byte("z")}
	at := func(name string) string { return "../cache/overlay/" + laidName(name, files[name]) }
	for _, c := range []struct{ reason, output, want string }{
		{"a file of the version", at("/v/p/x.go") + ":1:2: torn\n", "p/x.go:1:2: torn\n"},
		{"one of the toolchain", at("/go/src/zspectra/z.go") + ":1: torn", "/go/src/zspectra/z.go:1: torn"},
		{"a file with another name", "../o/overlay/x.go:1: torn", "../o/overlay/x.go:1: torn"},
	} {
		if got := r.original(c.output, files); got != c.want {
			t.Errorf("%s: got %q, want %q", c.reason, got, c.want)
		}
	}
}

// TestBuildBothFaults: packages of both versions that are at fault are found in one go, and nothing is built again
// without the extended runtime for them.
func TestBuildBothFaults(t *testing.T) {
	b := newBuilder(t)
	var requests spectra.Pair[Request]
	for _, s := range spectra.Sides() {
		r := newRelease(t, nil)
		write(t, filepath.Join(r.folder, "broken"), []byte("# m/"+string(s)+"\nx.go:1:1: torn\n"))
		request := r.request(string(s))
		request.Parts = map[string]string{"m/" + string(s): r.folder}
		*requests.Of(s) = request
		defer func() {
			if n := r.builds(t); n != 1 {
				t.Errorf("%s: %d builds, want one", s, n)
			}
		}()
	}
	_, err := b.BuildBoth(t.Context(), requests)
	var faults fault.List
	if !errors.As(err, &faults) || len(faults) != 2 {
		t.Fatalf("error %v, want two faults", err)
	}
	for i, s := range spectra.Sides() {
		if f := faults[i]; f.Side != s || f.Package != "m/"+string(s) || f.Reason != "x.go:1:1: torn" || !f.Ours {
			t.Errorf("%+v, want that of %s", f, s)
		}
	}
}

// TestWriteFaults: a package whose part is no Go is named, and not that of another package.
func TestWriteFaults(t *testing.T) {
	version := typeCheck(t, extract(t, txtar.Parse([]byte(
		"-- go.mod --\nmodule example.com/m\n\ngo 1.24\n-- m.go --\npackage m\n-- p/p.go --\npackage p\n")), ""))
	_, err := Write(Config{Target: version, Packages: paths(version), Operations: []*api.Operation{
		{Name: "example.com/m.F", Package: "example.com/m", Expr: "F"},
		{Name: "example.com/m/p.F", Package: "example.com/m/p", Expr: "F[example.com/go-foo.T]"},
	}})
	const want = "writing its part of the driver failed: format zspectra_operations.go of example.com/m/p: "
	var faults fault.List
	if !errors.As(err, &faults) || len(faults) != 1 || faults[0].Package != "example.com/m/p" ||
		!strings.HasPrefix(faults[0].Text(), want) {
		t.Errorf("error %v, want that of p", err)
	}
}
