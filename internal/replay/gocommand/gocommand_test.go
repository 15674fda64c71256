package gocommand

import (
	"context"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"syscall"
	"testing"
)

func TestEnvironment(t *testing.T) {
	for _, c := range []struct {
		reason   string
		of, want []string
	}{
		{"version control is off in an empty one", nil, []string{"GOVCS=*:git", "GOFLAGS=-buildvcs=false"}},
		{
			"tokens are not passed, what the go command needs is",
			[]string{"GITHUB_TOKEN=t", "AWS_SECRET_KEY=s", "GOOGLE_APPLICATION_CREDENTIALS=c", "PATH=/bin", "LC_ALL=C"},
			[]string{"PATH=/bin", "LC_ALL=C", "GOVCS=*:git", "GOFLAGS=-buildvcs=false"},
		},
		{
			"other flags stay", []string{"GOFLAGS=-tags=x -buildvcs=auto"},
			[]string{"GOVCS=*:git", "GOFLAGS=-tags=x -buildvcs=false"},
		},
		{
			"what the user says of version control stays", []string{"GOVCS=example.com:hg"},
			[]string{"GOVCS=example.com:hg", "GOFLAGS=-buildvcs=false"},
		},
		{
			"the user decides how much garbage there may be", []string{"GOGC=50", "GOMEMLIMIT=1GiB"},
			[]string{"GOGC=50", "GOMEMLIMIT=1GiB", "GOVCS=*:git", "GOFLAGS=-buildvcs=false"},
		},
		{
			"the last one counts", []string{"GOFLAGS=-x", "GOFLAGS=-v"},
			[]string{"GOVCS=*:git", "GOFLAGS=-v -buildvcs=false"},
		},
	} {
		if got := Environment(c.of); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", c.reason, got, c.want)
		}
		if again := Environment(Environment(c.of)); !slices.Equal(again, Environment(c.of)) {
			t.Errorf("%s: a second time it is %q", c.reason, again)
		}
	}
}

func TestWithFlag(t *testing.T) {
	for _, c := range []struct{ flags, flag, want string }{
		{"", "-mod=mod", "-mod=mod"},
		{"-mod=vendor -v", "-mod=mod", "-v -mod=mod"},
		{"--mod=vendor", "-mod=mod", "-mod=mod"},
		{"-modcacherw -modfile=x", "-mod=mod", "-modcacherw -modfile=x -mod=mod"},
		{"-v", "-modfile=/a b/go.mod", "-v '-modfile=/a b/go.mod'"},
		{"'-modfile=/a b/go.mod' -v", "-mod=mod", "'-modfile=/a b/go.mod' -v -mod=mod"},
		{"'-modfile=/a b/go.mod' -v", "-modfile=x", "-v -modfile=x"},
		{`"-ldflags=-X 'a=b c'"  -v`, "-mod=mod", `"-ldflags=-X 'a=b c'" -v -mod=mod`},
		{"\t-a\n-v ", "-mod=mod", "-a -v -mod=mod"},
		{"'-tags=open", "-mod=mod", "-tags=open -mod=mod"},
	} {
		if got := WithFlag(c.flags, c.flag); got != c.want {
			t.Errorf("%q with %s: got %q, want %q", c.flags, c.flag, got, c.want)
		}
	}
}

func TestWithoutFlags(t *testing.T) {
	for _, c := range []struct{ flags, want, had string }{
		{"", "", ""},
		{"-mod=mod -modfile=x -v", "-mod=mod -v", "-modfile"},
		{"--overlay=x '-modfile=a b' '-tags=c d'", "'-tags=c d'", "-overlay -modfile"},
		{"-overlays=x", "-overlays=x", ""},
	} {
		got, had := WithoutFlags(c.flags, "-modfile", "-overlay")
		if got != c.want || strings.Join(had, " ") != c.had {
			t.Errorf("%q: got %q without %q, want %q without %q", c.flags, got, had, c.want, c.had)
		}
	}
}

func TestRun(t *testing.T) {
	c := Command{Dir: t.TempDir(), Env: Environment(os.Environ())}
	out, _, err := Unconfined().Run(t.Context(), c, "env", "GOFLAGS")
	if err != nil || !strings.Contains(out, "-buildvcs=false") {
		t.Errorf("go env GOFLAGS: %q, %v", out, err)
	}
	_, errs, err := Unconfined().Run(t.Context(), c, "nonsense")
	if err == nil || !strings.Contains(errs, "unknown command") {
		t.Errorf("got %v and %q", err, errs)
	}
}

// TestAllEnds checks that everything that the command started ends with the context.
func TestAllEnds(t *testing.T) {
	if runtime.GOOS != "linux" {
		t.Skip("only Linux ends what a command started")
	}
	dir := t.TempDir()
	script, held := filepath.Join(dir, "go"), filepath.Join(dir, "held")
	if err := syscall.Mkfifo(held, 0o600); err != nil {
		t.Fatal(err)
	}
	text := "#!/bin/sh\nexec 3>" + held + "\nsleep 1000 &\nsleep 1000\n"
	if err := os.WriteFile(script, []byte(text), 0o700); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() {
		_, _, err := Unconfined().Run(ctx, Command{Path: script, Dir: dir, Env: os.Environ()}, "build")
		ended <- err
	}()
	started, err := os.Open(held) // waits for the script
	if err != nil {
		t.Fatal(err)
	}
	defer started.Close()
	cancel()
	if err := <-ended; err == nil {
		t.Error("the command ended well")
	}
	// Reading ends when no process holds the file any more.
	if _, err := io.ReadAll(started); err != nil {
		t.Error(err)
	}
}

// FuzzSplitFlags checks that joined flags are split into the same flags again.
func FuzzSplitFlags(f *testing.F) {
	for _, seed := range []string{"", "-a", "-a -b", "'-a b' -c", "\"-a 'b\"", "'", "-a'b"} {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, text string) {
		flags := splitFlags(text)
		if slices.ContainsFunc(flags, func(f string) bool {
			return f == "" || strings.ContainsAny(f, "'") && strings.Contains(f, `"`)
		}) {
			return // can't be written
		}
		again := splitFlags(Join(slices.Clone(flags)))
		if !slices.Equal(again, flags) {
			t.Errorf("%q: %q, then %q", text, flags, again)
		}
	})
}

func TestTags(t *testing.T) {
	for _, c := range []struct {
		reason, flags string
		want          []string
	}{
		{"none", "-buildvcs=false -mod=mod", nil},
		{"several, with two dashes", "--tags=a,b", []string{"a", "b"}},
		{"separated by spaces, as before Go 1.13", "'-tags=a b'", []string{"a", "b"}},
		{"the last flag counts", "-tags=a -tags=b", []string{"b"}},
		{"detectors are tags", "-race -msan=false", []string{"race"}},
	} {
		if got := append(Tags(c.flags), detectors(c.flags)...); !slices.Equal(got, c.want) {
			t.Errorf("%s: %q gives %q, want %q", c.reason, c.flags, got, c.want)
		}
	}
}
