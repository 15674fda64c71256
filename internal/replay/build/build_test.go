package build

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay/cache"
	"github.com/spectradiff/spectradiff/internal/replay/gocommand"
	"github.com/spectradiff/spectradiff/internal/spectra"
)

// fakeGo stands in for the go command. It reads the toolchain's folder from the module's folder, builds nothing, and
// notes its builds there. With a file "stubborn" in the folder, builds with the extended runtime fail. With a file
// "broken", all builds print what is in it and fail.
const fakeGo = `#!/bin/sh
if [ "$1" = env ]; then
	printf '%s\ngo1.99\n/nowhere\n' "$(cat goroot)"
	exit
fi
[ "$1" != list ] || exit 0
echo "$*" >> calls
[ ! -e broken ] || { cat broken; exit 1; }
case "$*" in
*zspectra_runtime*) [ ! -e stubborn ] || { echo 'it does not compile'; exit 1; } ;;
esac
while [ "$1" != -o ]; do shift; done
echo binary > "$2"
`

// A release is a toolchain and module for which fakeGo builds.
type release struct{ folder string }

// newRelease makes the folder of a module. Its toolchain lacks the text that the patch without replaces.
func newRelease(t *testing.T, without *patch) release {
	t.Helper()
	r := release{t.TempDir()}
	write(t, filepath.Join(r.folder, "goroot"), []byte(sources(t, without)))
	return r
}

func (r release) request(name string) Request {
	return Request{
		Name: name, Dir: r.folder, Package: "./main", Env: os.Environ(),
		Overlay: map[string][]byte{filepath.Join(r.folder, "main", "main.go"): []byte("package main\n")},
	}
}

// builds returns the number of builds that were run.
func (r release) builds(t *testing.T) int {
	t.Helper()
	calls, err := os.ReadFile(filepath.Join(r.folder, "calls"))
	if err != nil && !os.IsNotExist(err) {
		t.Fatal(err)
	}
	return strings.Count(string(calls), "\n")
}

func newBuilder(t *testing.T) *Builder {
	t.Helper()
	if _, err := installed(); err != nil { // calls the go command, which is hidden from now on
		t.Fatal(err)
	}
	folder := t.TempDir()
	name := filepath.Join(folder, "go")
	write(t, name, []byte(fakeGo))
	if err := os.Chmod(name, 0o755); err != nil {
		t.Fatal(err)
	}
	t.Setenv("PATH", folder+string(os.PathListSeparator)+os.Getenv("PATH"))
	store, err := cache.Open(cache.Settings{Folder: filepath.Join(folder, "cache")}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return &Builder{Cache: store, Go: gocommand.Unconfined(), Log: t.Logf}
}

// TestOutsideIsPartOfTheKey checks that a build with other readable folders makes a new binary.
func TestOutsideIsPartOfTheKey(t *testing.T) {
	b := newBuilder(t)
	keys := map[string]bool{}
	lists := [][]string{nil, {"/copy", "/lib"}, {"/other-copy", "/lib"}, {"/copy", "/other-lib"}}
	for _, outside := range lists {
		keys[b.key(Request{Dir: "/m", Outside: outside}, nil, &Binary{}, nil)] = true
	}
	if len(keys) != len(lists) {
		t.Errorf("%q have the keys %v", lists, keys)
	}
}

// TestSettingsArePartOfTheKey checks that a driver is built anew where compilers find other headers.
func TestSettingsArePartOfTheKey(t *testing.T) {
	b := newBuilder(t)
	keys := map[string]bool{}
	lists := [][]string{nil, {"CPATH=/a"}, {"CPATH=/b"}, {"CXX=clang++"}}
	for _, env := range lists {
		keys[b.key(Request{Dir: "/m", Env: env}, nil, &Binary{}, nil)] = true
	}
	if len(keys) != len(lists) {
		t.Errorf("%q have the keys %v", lists, keys)
	}
}

// TestWarningsOfABinary checks that a binary from the cache has the warnings of its build.
func TestBounded(t *testing.T) {
	if got := bounded([]string{"A=1"}); !slices.Equal(got, []string{"A=1", "GOGC=200", "GOMEMLIMIT=700MiB"}) {
		t.Errorf("nobody decided: %q", got)
	}
	for _, decided := range []string{"GOGC=50", "GOMEMLIMIT=1GiB"} {
		if got := bounded([]string{decided}); !slices.Equal(got, []string{decided}) {
			t.Errorf("the user decided %s: %q", decided, got)
		}
	}
}

func TestWarningsOfABinary(t *testing.T) {
	for _, test := range []struct {
		reason   string
		without  *patch
		stubborn bool
		patched  bool
		want     string // in the only warning; "": no warning
	}{
		{"a release whose places are known", nil, false, true, ""},
		{"a release with another source", &runtimePatches[0], false, false, "has 0 places like"},
		{"an extended runtime that does not compile", nil, true, false, "it does not compile"},
	} {
		b, r := newBuilder(t), newRelease(t, test.without)
		if test.stubborn {
			write(t, filepath.Join(r.folder, "stubborn"), nil)
		}
		for _, time := range []string{"built", "from the cache"} {
			built, err := b.Build(t.Context(), r.request("it"))
			if err != nil {
				t.Fatalf("%s, %s: %v", test.reason, time, err)
			}
			if built.Patched != test.patched {
				t.Errorf("%s, %s: extended: %v", test.reason, time, built.Patched)
			}
			checkWarnings(t, test.reason+", "+time, built, test.want)
		}
	}
}

func checkWarnings(t *testing.T, what string, built *Binary, want string) {
	t.Helper()
	if want == "" && len(built.Warnings) > 0 {
		t.Errorf("%s: warnings %q, want none", what, built.Warnings)
	}
	if want != "" && (len(built.Warnings) != 1 || !strings.Contains(built.Warnings[0], want)) {
		t.Errorf("%s: warnings %q, want one with %q", what, built.Warnings, want)
	}
}

// TestBuildBoth checks that both versions use the same kind of runtime. Each binary must have its own warnings exactly
// once, whether it was built again or comes from the cache.
func TestBuildBoth(t *testing.T) {
	other := &runtimePatches[0]
	for _, test := range []struct {
		reason   string
		without  spectra.Pair[*patch]
		patched  bool
		warnings spectra.Pair[string]
		builds   spectra.Pair[int] // in the first of two runs
	}{
		{"both can be extended", spectra.Pair[*patch]{}, true, spectra.Pair[string]{}, spectra.Both(1)},
		{
			"only new can", spectra.Pair[*patch]{Old: other}, false,
			spectra.Pair[string]{Old: "could not be extended"}, spectra.Pair[int]{Old: 1, New: 2},
		},
		{
			"only old can", spectra.Pair[*patch]{New: other}, false,
			spectra.Pair[string]{New: "could not be extended"}, spectra.Pair[int]{Old: 2, New: 1},
		},
		{"neither can", spectra.Both(other), false, spectra.Both("could not be extended"), spectra.Both(1)},
	} {
		b := newBuilder(t)
		releases := spectra.MakePair(func(s spectra.Side) release { return newRelease(t, *test.without.Of(s)) })
		requests := spectra.MakePair(func(s spectra.Side) Request { return releases.Of(s).request(string(s)) })
		for _, time := range []string{"built", "from the cache"} {
			built, err := b.BuildBoth(t.Context(), requests)
			if err != nil {
				t.Fatalf("%s, %s: %v", test.reason, time, err)
			}
			built.Each(func(s spectra.Side, binary *Binary) {
				what := fmt.Sprintf("%s, %s, %s", test.reason, s, time)
				if binary.Patched != test.patched {
					t.Errorf("%s: extended: %v", what, binary.Patched)
				}
				checkWarnings(t, what, binary, *test.warnings.Of(s))
				if got := releases.Of(s).builds(t); got != *test.builds.Of(s) {
					t.Errorf("%s: %d builds, want %d", what, got, *test.builds.Of(s))
				}
			})
		}
	}
}

// TestBuildBothFails checks that an error names the version that can't be built.
func TestBuildBothFails(t *testing.T) {
	b := newBuilder(t)
	fine, broken := newRelease(t, nil), newRelease(t, nil)
	write(t, filepath.Join(broken.folder, "broken"), []byte("undefined: x\n"))
	requests := spectra.Pair[Request]{Old: fine.request("old version (v1)"), New: broken.request("new version (v2)")}
	_, err := b.BuildBoth(t.Context(), requests)
	const want = "new version (v2): go build of the driver: exit status 1\nundefined: x"
	if err == nil || err.Error() != want {
		t.Errorf("error %v, want %q", err, want)
	}
}

// TestOverlayGoesWithItsDriver checks that a build leaves nothing outside of its cache entry.
func TestOverlayGoesWithItsDriver(t *testing.T) {
	b, r := newBuilder(t), newRelease(t, nil)
	built, err := b.Build(t.Context(), r.request("it"))
	if err != nil {
		t.Fatal(err)
	}
	entry := filepath.Dir(built.Path)
	if sources, err := filepath.Glob(filepath.Join(entry, "overlay", "*-main.go")); err != nil || len(sources) == 0 {
		t.Errorf("the overlay does not lie beside the driver: %v", err)
	}
	if entries, err := filepath.Glob(filepath.Join(entry, "part-*")); err != nil || len(entries) > 0 {
		t.Errorf("left behind: %v %v", entries, err)
	}
	b.Cache.Finish(t.Context())
	gone, left, err := b.Cache.Clear()
	if err != nil || len(left) > 0 || len(gone) != 1 || gone[0].Kind != cache.Drivers {
		t.Errorf("cleared %v, left %v, %v; want one driver", gone, left, err)
	}
}

// TestWithSources checks that tests find their folder, and that the user's own flags for the linker stay.
func TestWithSources(t *testing.T) {
	own := "-X=testing.testBinary=1 -X=runtime.zspectra_module=m '-X=runtime.zspectra_folder=/a b' '-X=" +
		spectra.RuntimePath + "/suite.module=/a b'"
	for given, want := range map[string][]string{
		"":            {"-trimpath", linkerFlags + " " + own},
		"-gcflags=-N": {"-trimpath", "-ldflags=" + own},
		"'-ldflags=-X m.v=1' -ldflags=m=-w": {
			"-trimpath", "-ldflags=-X m.v=1", "-ldflags=m=-w", "-ldflags=-X m.v=1 " + own,
		},
	} {
		flags := []string{"-trimpath"}
		if given == "" {
			flags = append(flags, linkerFlags)
		}
		if got := withSources(flags, given, "m", "/a b"); !slices.Equal(got, want) {
			t.Errorf("%s: got %q, want %q", given, got, want)
		}
	}
}
