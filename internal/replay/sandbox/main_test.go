//go:build linux

package sandbox_test

import (
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay/sandbox"
)

var binaries struct{ dir, hostile string }

func TestMain(m *testing.M) {
	if sandbox.Child() {
		return
	}
	os.Exit(testMain(m))
}

// prebuilt is the environment variable with the path of the hostile binary, for a test binary that another one started.
const prebuilt = "SANDBOX_TEST_HOSTILE"

// toolScratch is the environment variable that turns a test binary into a tool that starts a driver and waits to be
// killed.
const toolScratch = "SANDBOX_TEST_TOOL"

func beTool(scratch string) int {
	s, err := sandbox.Open(sandbox.Options{})
	if err != nil {
		fmt.Println(err)
		return 2
	}
	c := sandbox.Config{Binary: binaries.hostile, Args: []string{"daemon", "twice", filepath.Base(scratch)},
		Scratch: scratch, Stdout: os.Stdout}
	p, err := s.Start(context.Background(), c)
	if err != nil {
		fmt.Println(err)
		return 2
	}
	p.Wait()
	return 1
}

func testMain(m *testing.M) int {
	if binaries.hostile = os.Getenv(prebuilt); binaries.hostile != "" {
		if scratch := os.Getenv(toolScratch); scratch != "" {
			return beTool(scratch)
		}
		return m.Run()
	}
	dir, err := os.MkdirTemp("", "sandbox")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	defer os.RemoveAll(dir)
	if err := os.Chmod(dir, 0o755); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 2
	}
	binaries.dir, binaries.hostile = dir, filepath.Join(dir, "hostile")
	if out, err := build("./testdata/hostile", binaries.hostile, "CGO_ENABLED=0"); err != nil {
		fmt.Fprintln(os.Stderr, err, out)
		return 2
	}
	return m.Run()
}

func build(pkg, to string, env ...string) (string, error) {
	c := exec.Command("go", "build", "-o", to, pkg)
	c.Env = append(os.Environ(), env...)
	out, err := c.CombinedOutput()
	return string(out), err
}

func open(t testing.TB, without ...string) *sandbox.Sandbox {
	t.Helper()
	s, err := sandbox.Open(sandbox.Without(sandbox.Options{}, without...))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

// variants are the combinations of layers that a machine may have. Each hostile act must fail under all of them.
func variants() map[string][]string {
	return map[string][]string{
		"all layers":               nil,
		"no Landlock":              {"landlock"},
		"no seccomp":               {"seccomp"},
		"no mount namespace":       {"mountns"},
		"no network namespace":     {"netns"},
		"namespaces only":          {"landlock", "seccomp"},
		"Landlock and seccomp":     {"userns", "mountns", "netns", "pidns"},
		"no process namespace":     {"userns", "pidns"},
		"no user namespace (root)": {"userns"},
	}
}

func eachVariant(t *testing.T, f func(t *testing.T, s *sandbox.Sandbox)) {
	for name, without := range variants() {
		t.Run(name, func(t *testing.T) {
			s := open(t, without...)
			t.Log(s.Layers())
			f(t, s)
		})
	}
}

// A result is the end of a driver with its output.
type result struct {
	exit           sandbox.Exit
	stdout, stderr string
}

func run(t testing.TB, s *sandbox.Sandbox, c sandbox.Config, args ...string) result {
	t.Helper()
	p, out := start(t, s, c, args...)
	exit := p.Wait()
	return result{exit, out(0), out(1)}
}

// start starts a driver. The returned function reads the driver's output, which is complete when the driver has ended.
func start(t testing.TB, s *sandbox.Sandbox, c sandbox.Config, args ...string) (*sandbox.Process, func(int) string) {
	t.Helper()
	if c.Binary == "" {
		c.Binary = binaries.hostile
	}
	if c.Scratch == "" {
		c.Scratch = filepath.Join(t.TempDir(), "scratch")
	}
	c.Args = args
	outs, read := outputs(t)
	if c.Stdout == nil {
		c.Stdout = outs[0]
	}
	if c.Stderr == nil {
		c.Stderr = outs[1]
	}
	p, err := s.Start(context.Background(), c)
	if err != nil {
		t.Fatal(err)
	}
	return p, read
}

// outputs makes files for standard output and standard error, and a function that reads them.
func outputs(t testing.TB) ([2]*os.File, func(int) string) {
	t.Helper()
	var outs [2]*os.File
	for i := range outs {
		f, err := os.CreateTemp(t.TempDir(), "out")
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { f.Close() })
		outs[i] = f
	}
	return outs, func(i int) string {
		text, err := io.ReadAll(io.NewSectionReader(outs[i], 0, 1<<20))
		if err != nil {
			t.Fatal(err)
		}
		return string(text)
	}
}

// startUntil starts a driver and returns when the driver has printed a line.
func startUntil(t testing.TB, s *sandbox.Sandbox, limits sandbox.Limits, line string, args ...string) *sandbox.Process {
	t.Helper()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	p, errors := start(t, s, sandbox.Config{Stdout: w, Limits: limits}, args...)
	w.Close()
	var got strings.Builder
	for b := make([]byte, 256); !strings.Contains(got.String(), line); {
		n, err := r.Read(b)
		got.Write(b[:n])
		if err != nil {
			t.Fatalf("driver ended before it printed %q: %q, %s, %+v", line, got.String(), errors(1), p.Wait())
		}
	}
	return p
}
