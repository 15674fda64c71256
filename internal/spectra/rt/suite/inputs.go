package suite

import (
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"syscall"

	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// inputs are what the running test is given by something else than its literals: files that are opened for reading,
// variables of the environment that are asked for, and computed texts and numbers. It notes their usual values, or
// gives others.
type inputs struct {
	other map[int]interface{}
	list  bool

	mu    sync.Mutex
	known map[int]bool // what was noted, or what was given another value
	lines strings.Builder
}

// running are the inputs of the test that runs, nil between tests.
var running *inputs

// mostListed is about the length of all noted inputs in bytes: what a driver prints is cut behind wire.OutputSize.
const mostListed = wire.OutputSize - 4*wire.MostInput

// receive makes the inputs those of the running test. The function that it returns ends that.
func receive(other map[int]interface{}) (end func()) {
	in := &inputs{other: other, known: map[int]bool{}}
	in.list, _ = other[wire.ListInputs].(bool)
	if !in.list && !in.needed() {
		return func() {}
	}
	running = in
	hear(in.asked, in.opened)
	return func() {
		running = nil
		hear(nil, nil)
	}
}

// needed reports whether something from outside has another value.
func (in *inputs) needed() bool {
	for number := range in.other {
		if number < wire.ListInputs {
			return true
		}
	}
	return false
}

// first reports whether an input was not met before.
func (in *inputs) first(number int) bool {
	in.mu.Lock()
	defer in.mu.Unlock()
	before := in.known[number]
	in.known[number] = true
	return !before
}

// note lists an input.
func (in *inputs) note(kind wire.Input, name, value string) {
	in.mu.Lock()
	defer in.mu.Unlock()
	line := string(rune(kind)) + " " + strconv.Quote(name) + " " + strconv.Quote(value) + "\n"
	if in.lines.Len()+len(line) <= mostListed && len(value) <= wire.MostInput {
		in.lines.WriteString(line)
	}
}

// print prints what was noted, if that is asked for.
func (in *inputs) print(to *os.File) {
	if in != nil && in.list {
		_, _ = to.WriteString(in.lines.String() + wire.EndOfParts)
	}
}

// text notes a computed text or number, if that is asked for.
func text(number int, value string) {
	if in := running; in != nil && in.list && in.first(number) && !strings.Contains(value, scratch()) {
		in.note(wire.InputText, strconv.Itoa(number), value)
	}
}

// lists reports whether inputs are listed.
func lists() bool { return running != nil && running.list }

// asked is told of a variable of the environment before its value is looked at. It may set it, once.
func (in *inputs) asked(name string) {
	number, unset := wire.Outside(wire.InputSet, name), wire.Outside(wire.InputUnset, name)
	if !in.first(number) {
		return
	}
	value, set := syscall.Getenv(name)
	if in.list {
		in.note(wire.InputSet, name, value)
		in.note(wire.InputUnset, name, strconv.FormatBool(!set))
		return
	}
	if other, ok := in.other[number].(string); ok {
		_ = syscall.Setenv(name, other)
		return
	}
	if other, _ := in.other[unset].(bool); !other {
		return
	}
	if set {
		_ = syscall.Unsetenv(name)
	} else {
		_ = syscall.Setenv(name, "")
	}
}

// opened is told of a file that was opened for reading. It may put another content in its place.
func (in *inputs) opened(f *os.File, path string) {
	name := logical(path)
	if name == "" {
		return
	}
	number := wire.Outside(wire.InputFile, name)
	if other, ok := in.other[number].(string); ok {
		_ = replace(f, other) // else it keeps its content, on both versions
		return
	}
	if !in.list || !in.first(number) {
		return
	}
	if info, err := f.Stat(); err == nil && info.Mode().IsRegular() && info.Size() <= wire.MostInput {
		content := make([]byte, info.Size())
		n, _ := f.ReadAt(content, 0)
		in.note(wire.InputFile, name, string(content[:n]))
	}
}

// logical returns the name of a file that is the same in all runs of both versions: its path below the module's folder
// or the scratch folders, "" if it lies elsewhere. Of names with random numbers these don't count.
func logical(path string) string {
	if !filepath.IsAbs(path) {
		work, err := syscall.Getwd()
		if err != nil {
			return ""
		}
		path = filepath.Join(work, path)
	}
	path = filepath.Clean(path)
	if below, ok := strings.CutPrefix(path, module+"/"); ok && module != "" {
		return below
	}
	if below, ok := strings.CutPrefix(path, scratch()+"/"); ok {
		return withoutNumbers(below)
	}
	return ""
}

// scratch returns the folder with all scratch folders of the process.
func scratch() string { return filepath.Dir(temporary()) }

// temporary returns the folder for temporary files. Package os would tell of the look at the environment.
func temporary() string {
	dir, _ := syscall.Getenv("TMPDIR")
	return dir
}

// longNumber is how many digits the numbers in names have that are taken for random ones.
const longNumber = 5

// withoutNumbers puts a sign in the place of long numbers.
func withoutNumbers(path string) string {
	var b strings.Builder
	for path != "" {
		digits := 0
		for digits < len(path) && '0' <= path[digits] && path[digits] <= '9' {
			digits++
		}
		switch {
		case digits >= longNumber:
			b.WriteByte('*')
		case digits > 0:
			b.WriteString(path[:digits])
		default:
			b.WriteByte(path[0])
			digits = 1
		}
		path = path[digits:]
	}
	return b.String()
}

// replace has an open file read from a copy with another content, and the times and the mode of the file.
func replace(f *os.File, content string) error {
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() {
		return err
	}
	path := filepath.Join(temporary(), "zspectra_input")
	copied, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	defer func() { _ = copied.Close() }()
	_, err = copied.WriteString(content)
	modified := syscall.NsecToTimespec(info.ModTime().UnixNano())
	_ = syscall.UtimesNano(path, []syscall.Timespec{modified, modified})
	_, _ = os.Remove(path), copied.Chmod(info.Mode().Perm())
	if err != nil {
		return err
	}
	if _, err := copied.Seek(0, io.SeekStart); err != nil {
		return err
	}
	return become(int(copied.Fd()), int(f.Fd()))
}
