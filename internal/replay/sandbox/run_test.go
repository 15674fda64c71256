//go:build linux

package sandbox_test

import (
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay/sandbox"
)

func TestHello(t *testing.T) {
	eachVariant(t, func(t *testing.T, s *sandbox.Sandbox) {
		r := run(t, s, sandbox.Config{}, "hello")
		if r.exit != (sandbox.Exit{}) || r.stdout != "hello\n" || r.stderr != "hello on stderr\n" {
			t.Errorf("got %+v", r)
		}
	})
}

// TestExit checks that a program ends in the same way with and without a sandbox.
func TestExit(t *testing.T) {
	for _, c := range []struct {
		args   []string
		reason string
	}{
		{[]string{"exit", "0"}, "success"},
		{[]string{"exit", "3"}, "a status of its own"},
		{[]string{"exit", "255"}, "the largest status"},
		{[]string{"panic"}, "the Go runtime's status"},
		{[]string{"stack"}, "the Go runtime finds the overflow"},
		{[]string{"signal", "9"}, "process 1 of a namespace would survive it"},
		{[]string{"signal", "15"}, "the Go runtime raises it a second time by default action"},
		{[]string{"signal", "6"}, "Go dumps its goroutines"},
	} {
		t.Run(strings.Join(c.args, " "), func(t *testing.T) {
			cmd := exec.Command(binaries.hostile, c.args...)
			_ = cmd.Run() // the status is compared
			want := fmt.Sprint(cmd.ProcessState)
			got := run(t, open(t), sandbox.Config{}, c.args...).exit
			text := "exit status " + fmt.Sprint(got.Code)
			if got.Signal != "" {
				signals := map[string]string{"SIGKILL": "killed", "SIGTERM": "terminated", "SIGABRT": "aborted"}
				text = "signal: " + signals[got.Signal]
			}
			if text != want || got.Err != nil {
				t.Errorf("got %+v, plain %q (%s)", got, want, c.reason)
			}
		})
	}
}

func TestDynamic(t *testing.T) {
	if _, err := exec.LookPath("gcc"); err != nil {
		t.Log("no C compiler: that a dynamic binary starts is not tested here")
		return
	}
	binary := filepath.Join(binaries.dir, "cgo")
	if out, err := build("./testdata/cgo", binary, "CGO_ENABLED=1"); err != nil {
		t.Fatal(err, out)
	}
	eachVariant(t, func(t *testing.T, s *sandbox.Sandbox) {
		for _, act := range []string{"run", "segv", "abort"} {
			cmd := exec.Command(binary, act)
			_ = cmd.Run() // the status is compared
			r := run(t, s, sandbox.Config{Binary: binary}, act)
			if r.stdout != "hello from C\n" || r.exit.Code != cmd.ProcessState.ExitCode() {
				t.Errorf("%s: got %+v, plain %v", act, r, cmd.ProcessState)
			}
		}
	})
}

// TestPlace checks that runs with different scratch folders see the same surroundings.
func TestPlace(t *testing.T) {
	s := open(t)
	var outputs []string
	for range 2 {
		scratch := filepath.Join(t.TempDir(), "scratch")
		r := run(t, s, sandbox.Config{Scratch: scratch, Env: []string{"A=1", "HOME=/root", "B="}}, "where")
		outputs = append(outputs, r.stdout)
		for _, dir := range []string{"work", "home", "tmp"} {
			if _, err := os.Stat(filepath.Join(scratch, dir, "x")); err != nil {
				t.Error(err)
			}
		}
	}
	if outputs[0] != outputs[1] {
		t.Errorf("two runs differ:\n%s\n%s", outputs[0], outputs[1])
	}
	if s.Layers().Mount != "" {
		t.Log("no mount namespace: that the path is fixed is not tested here:", s.Layers().Mount)
		return
	}
	first := "/scratch/work /scratch/home /scratch/tmp localhost 65534 driver\n" +
		"env HOME=/scratch/home\nenv TMPDIR=/scratch/tmp\nenv A=1\nenv B=\n"
	if !strings.HasPrefix(outputs[0], first) {
		t.Errorf("got %s\nwant %s", outputs[0], first)
	}
}

// TestRestart checks that a driver which may start programs can start itself, by a path that is the same in every run.
func TestRestart(t *testing.T) {
	eachVariant(t, func(t *testing.T, s *sandbox.Sandbox) {
		name := strings.Fields(run(t, s, sandbox.Config{Programs: true}, "where").stdout + " ")[5]
		if s.Layers().Mount != "" {
			if name != "driver" {
				t.Errorf("it is called %s, though its path differs", name)
			}
			return
		}
		r := run(t, s, sandbox.Config{Programs: true}, "shell", name+" hello")
		if !strings.HasPrefix(r.stdout, "hello\n") {
			t.Errorf("started again as %s: %+v", name, r)
		}
	})
}

func TestFiles(t *testing.T) {
	eachVariant(t, func(t *testing.T, s *sandbox.Sandbox) {
		in, inW, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		outR, out, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		defer outR.Close()
		p, stdout := start(t, s, sandbox.Config{Files: []*os.File{in, out}}, "files")
		in.Close()
		out.Close()
		if _, err := inW.WriteString("words"); err != nil {
			t.Error(err)
		}
		inW.Close()
		text, err := io.ReadAll(outR)
		if string(text) != "got words" || err != nil {
			t.Errorf("got %q, %v", text, err)
		}
		if exit := p.Wait(); exit != (sandbox.Exit{}) || stdout(0) != "stdin 0 EOF\n" {
			t.Errorf("got %+v, %q", exit, stdout(0))
		}
	})
}

// TestDescriptors checks that only the files of the Config are open, whatever files the tool has open.
func TestDescriptors(t *testing.T) {
	leak, err := exec.Command("true").StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	defer leak.Close()
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	defer w.Close()
	eachVariant(t, func(t *testing.T, s *sandbox.Sandbox) {
		got := run(t, s, sandbox.Config{Files: []*os.File{w}}, "fds")
		if got.stdout != "0 1 2 3 \n" {
			t.Errorf("open: %s", got.stdout)
		}
	})
}

func TestReadOnly(t *testing.T) {
	allowed, denied := t.TempDir(), t.TempDir()
	for _, dir := range []string{allowed, denied} {
		if err := os.WriteFile(filepath.Join(dir, "f"), []byte("x"), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	eachVariant(t, func(t *testing.T, s *sandbox.Sandbox) {
		in, out := filepath.Join(allowed, "f"), filepath.Join(denied, "f")
		c := sandbox.Config{ReadOnly: []string{allowed}}
		r := run(t, s, c, "read", in, out, "/etc/shadow", binaries.hostile)
		lines := strings.Split(strings.TrimSpace(r.stdout), "\n")
		if len(lines) != 4 || lines[0] != "read "+in+" DONE" || strings.Contains(strings.Join(lines[1:3], ""), "DONE") {
			t.Errorf("got %s", r.stdout)
		}
		r = run(t, s, c, "write", in)
		unchanged(t, r, in)
	})
}

// TestKept checks that a driver sees a folder at the place of another one, of which single files stay.
func TestKept(t *testing.T) {
	s := open(t)
	if s.Layers().Mount != "" {
		t.Skip("no mount namespace: ", s.Layers().Mount)
	}
	own, there := t.TempDir(), t.TempDir()
	kept, other := filepath.Join(own, "kept"), filepath.Join(own, "other")
	for path, mode := range map[string]os.FileMode{
		kept: 0o644, filepath.Join(there, "kept"): 0, filepath.Join(there, "other"): 0o644,
	} {
		if err := os.WriteFile(path, []byte("x"), mode); err != nil {
			t.Fatal(err)
		}
	}
	c := sandbox.Config{Shown: []sandbox.Shown{{Folder: there, At: own}}, Kept: []string{kept}}
	r := run(t, s, c, "read", kept, other)
	if want := "read " + kept + " DONE\nread " + other + " DONE\n"; r.stdout != want {
		t.Errorf("got %s", r.stdout)
	}
	r = run(t, s, c, "write", kept)
	unchanged(t, r, kept)
}

// TestCopies checks that a driver changes the copy of a folder that it sees, and not the folder.
func TestCopies(t *testing.T) {
	s, folder := open(t), t.TempDir()
	if s.Layers().Mount != "" {
		t.Skip("no mount namespace: ", s.Layers().Mount)
	}
	file, link := filepath.Join(folder, "deep", "f"), filepath.Join(folder, "link")
	if err := os.Mkdir(filepath.Dir(file), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte("x"), 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("deep/f", link); err != nil {
		t.Fatal(err)
	}
	if err := s.Copyable(folder); err != nil {
		t.Error(err)
	}
	if err := s.Copyable("/usr"); err == nil {
		t.Error("all of /usr can be copied for each driver")
	}
	c := sandbox.Config{Copies: []string{folder}, Limits: sandbox.Limits{Disk: 1 << 20}}
	for range 2 { // the second finds nothing that the first wrote
		r := run(t, s, c, "write", link)
		for line := range strings.Lines(r.stdout) {
			gone := strings.Contains(line, "no such file") // what it removed before
			if !gone && !strings.HasSuffix(strings.TrimSpace(line), " DONE") {
				t.Errorf("in its copy the driver could not %s", line)
			}
		}
	}
	text, err := os.ReadFile(file)
	if entries, _ := os.ReadDir(filepath.Dir(file)); string(text) != "x" || err != nil || len(entries) != 1 {
		t.Errorf("the folder holds %q, %v, %d files", text, err, len(entries))
	}
	c.Limits.Disk = 1 << 12
	if err := os.WriteFile(file, make([]byte, 1<<14), 0o644); err != nil {
		t.Fatal(err)
	}
	c.Binary, c.Scratch = binaries.hostile, t.TempDir()
	if p, err := s.Start(t.Context(), c); err == nil {
		p.Kill()
		t.Error("a copy is larger than the limit of the scratch folder")
	}
}

// unchanged checks that all attempts were denied and that the file still has its one letter.
func unchanged(t *testing.T, r result, path string) {
	t.Helper()
	for line := range strings.Lines(r.stdout) {
		// Landlock can't deny a change of mode. Only this attempt may succeed, and only on files of the driver's user.
		if strings.Contains(line, "DONE") && !strings.HasPrefix(line, "chmod") {
			t.Error(line)
		}
	}
	text, err := os.ReadFile(path)
	if string(text) != "x" || err != nil {
		t.Errorf("%s holds %q, %v", path, text, err)
	}
	entries, err := os.ReadDir(filepath.Dir(path))
	if err != nil {
		t.Fatal(err)
	}
	made := filepath.Base(path) + ".new"
	if i := slices.IndexFunc(entries, func(e os.DirEntry) bool { return e.Name() == made }); i >= 0 {
		t.Error("a file was made")
	}
}

func TestStartFails(t *testing.T) {
	s := open(t)
	scratch := t.TempDir()
	for _, c := range []struct {
		config sandbox.Config
		want   string
		reason string
	}{
		{sandbox.Config{Binary: "/no/such/file", Scratch: scratch}, "no such file", "a missing binary"},
		{sandbox.Config{Binary: "run_test.go", Scratch: scratch}, "bad magic", "no binary at all"},
		{sandbox.Config{Binary: binaries.hostile}, "no scratch folder given", "nowhere to write"},
		{sandbox.Config{Binary: binaries.hostile, Scratch: scratch, ReadOnly: []string{"/no/such/dir"}}, "no such file",
			"a missing folder"},
		{sandbox.Config{Binary: binaries.hostile, Scratch: scratch, Env: []string{strings.Repeat("x", 4<<20)}},
			"message", "more than fits"},
	} {
		p, err := s.Start(t.Context(), c.config)
		if err == nil {
			p.Kill()
			t.Errorf("no error: %s", c.reason)
			continue
		}
		if !strings.Contains(err.Error(), c.want) {
			t.Errorf("got %v, want %q (%s)", err, c.want, c.reason)
		}
	}
	if r := run(t, s, sandbox.Config{}, "hello"); r.exit != (sandbox.Exit{}) {
		t.Errorf("after failures: %+v", r)
	}
}

// TestUsage checks that processor time and state are available while a driver runs, and not afterwards.
func TestUsage(t *testing.T) {
	eachVariant(t, func(t *testing.T, s *sandbox.Sandbox) {
		p := startUntil(t, s, sandbox.Limits{}, "spinning\n", "spin")
		busy := false
		for u, ok := p.Usage(); u.CPU == 0 || !busy; u, ok = p.Usage() {
			if !ok {
				t.Fatal("usage of a running driver is not known")
			}
			busy = busy || u.Busy
		}
		p.Kill()
		if u, ok := p.Usage(); ok {
			t.Errorf("got %+v of a driver that has ended", u)
		}
	})
}
