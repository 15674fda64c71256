package suite

import (
	"bytes"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// surroundings makes folders as a driver has them, and returns those of the module and for temporary files.
func surroundings(t *testing.T) (root, temporary string) {
	t.Helper()
	root, temporary = t.TempDir(), filepath.Join(t.TempDir(), "tmp")
	module = root
	t.Cleanup(func() { module = "" })
	if err := os.Mkdir(temporary, 0o700); err != nil {
		t.Fatal(err)
	}
	t.Setenv("TMPDIR", temporary)
	return root, temporary
}

func TestOpened(t *testing.T) {
	root, temporary := surroundings(t)
	path := filepath.Join(root, "a.txt")
	if err := os.WriteFile(path, []byte("usual"), 0o600); err != nil {
		t.Fatal(err)
	}
	before, err := os.Stat(path)
	if err != nil {
		t.Fatal(err)
	}
	in := &inputs{known: map[int]bool{}, other: map[int]interface{}{
		wire.Outside(wire.InputFile, "a.txt"): "another text",
	}}
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = f.Close() }()
	in.opened(f, path)
	got, err := io.ReadAll(f)
	if err != nil || string(got) != "another text" {
		t.Errorf("read %q, %v", got, err)
	}
	info, err := f.Stat()
	if err != nil || !info.ModTime().Equal(before.ModTime()) || info.Mode() != before.Mode() {
		t.Errorf("the copy is %v, %v, not %v", info.Mode(), info.ModTime(), before.ModTime())
	}
	if text, err := os.ReadFile(path); err != nil || string(text) != "usual" {
		t.Errorf("the file has %q, %v", text, err)
	}
	if left, err := os.ReadDir(temporary); err != nil || len(left) > 0 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}

func TestListed(t *testing.T) {
	root, temporary := surroundings(t)
	in := &inputs{known: map[int]bool{}, list: true}
	for path, name := range map[string]string{
		filepath.Join(root, "testdata", "x"):                 "testdata/x",
		filepath.Join(temporary, "TestX123456", "001", "y"):  "tmp/TestX*/001/y",
		filepath.Join(filepath.Dir(temporary), "home", "12"): "home/12",
		"/etc/hosts": "",
		root:         "",
	} {
		if got := logical(path); got != name {
			t.Errorf("%s is %q, want %q", path, got, name)
		}
	}
	path := filepath.Join(root, "b")
	if err := os.WriteFile(path, []byte("b\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		f, err := os.Open(path)
		if err != nil {
			t.Fatal(err)
		}
		in.opened(f, path)
		if text, err := io.ReadAll(f); err != nil || string(text) != "b\n" {
			t.Errorf("read %q, %v", text, err)
		}
		_ = f.Close()
	}
	if got, want := in.lines.String(), "f \"b\" \"b\\n\"\n"; got != want {
		t.Errorf("listed %q, want %q", got, want)
	}
}

func TestAsked(t *testing.T) {
	for _, name := range []string{"ZSPECTRA_A", "ZSPECTRA_B", "ZSPECTRA_C", "ZSPECTRA_D"} {
		t.Setenv(name, "usual")
	}
	_ = os.Unsetenv("ZSPECTRA_C")
	in := &inputs{known: map[int]bool{}, other: map[int]interface{}{
		wire.Outside(wire.InputSet, "ZSPECTRA_A"):   "x",
		wire.Outside(wire.InputUnset, "ZSPECTRA_B"): true,
		wire.Outside(wire.InputUnset, "ZSPECTRA_C"): true,
	}}
	value := func(name string) string {
		in.asked(name)
		if v, set := os.LookupEnv(name); set {
			return "=" + v
		}
		return "unset"
	}
	for name, want := range map[string]string{
		"ZSPECTRA_A": "=x", "ZSPECTRA_B": "unset", "ZSPECTRA_C": "=", "ZSPECTRA_D": "=usual",
	} {
		if got := value(name); got != want {
			t.Errorf("%s is %s, want %s", name, got, want)
		}
	}
	t.Setenv("ZSPECTRA_A", "what the test sets")
	if got := value("ZSPECTRA_A"); got != "=what the test sets" {
		t.Errorf("what was set is %s", got)
	}
}

func TestComputed(t *testing.T) {
	surroundings(t)
	var h Holes
	buffer := func() io.Reader { return bytes.NewBufferString("in a buffer") }
	half := strings.NewReader("half read")
	_, _ = half.Seek(5, io.SeekStart)
	end := receive(map[int]interface{}{wire.ListInputs: true})
	in := running
	for range 2 {
		Text(&h, 0, "a")
		Bytes(&h, 1, []byte("b"))
		for n, r := range []io.Reader{buffer(), half, bytes.NewReader([]byte("x")), os.Stdin} {
			if Reader(&h, 2+n, r) != r {
				t.Error("another reader without another value")
			}
		}
	}
	end()
	const want = `t "0" "a"` + "\n" + `t "1" "b"` + "\n" + `t "2" "in a buffer"` + "\n" + `t "3" "read"` + "\n" +
		`t "4" "x"` + "\n"
	if got := in.lines.String(); got != want || running != nil {
		t.Errorf("listed\n%s\nwant\n%s", got, want)
	}
	defer h.Fill(map[int]interface{}{0: "c", 1: "d", 2: "e"})()
	text, err := io.ReadAll(Reader(&h, 2, buffer()))
	if Text(&h, 0, "a") != "c" || string(Bytes(&h, 1, nil)) != "d" || string(text) != "e" || err != nil {
		t.Error("not the other values")
	}
}
