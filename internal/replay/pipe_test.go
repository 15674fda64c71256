package replay

import (
	"bytes"
	"errors"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// TestPipe checks that only bytes with the driver's key count as a frame.
func TestPipe(t *testing.T) {
	const key = 0x1234
	good := frame(t, key, wire.FrameOutcome, []byte("outcome"))
	changed := bytes.Clone(good)
	changed[len(changed)-1]++
	for _, test := range []struct {
		sent   []byte
		want   error
		reason string
	}{
		{good, nil, "a frame of the driver"},
		{frame(t, key, wire.FrameOutcome, nil), nil, "a frame without a body"},
		{
			frame(t, 0, wire.FrameOutcome, []byte("outcome")), errCorrupted,
			"another key: from before the configuration, or made up",
		},
		{changed, errCorrupted, "one byte is another"},
		{append([]byte("garbage"), good...), errCorrupted, "the target wrote first"},
		{[]byte("O\xff\xff\xff\xff12345678"), errCorrupted, "four gigabytes are announced"},
		{[]byte("O\x01\x00\x10\x0012345678"), errCorrupted, "one byte more than was asked for is announced"},
		{frame(t, key, wire.FrameVariables, nil), errCorrupted, "a frame of another kind"},
		{good[:len(good)-1], io.EOF, "the driver ended within a frame"},
		{nil, io.EOF, "the driver ended"},
	} {
		reader, writer, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		if _, err := writer.Write(test.sent); err != nil {
			t.Fatal(err)
		}
		writer.Close()
		p := &pipe{answers: reader, key: key, limits: &Limits{Time: time.Hour}, now: time.Now, process: &fakeProcess{}}
		if _, err = p.receive(t.Context(), wire.FrameOutcome, 1<<20); !errors.Is(err, test.want) {
			t.Errorf("%s: error %v, want %v", test.reason, err, test.want)
		}
		reader.Close()
	}
}

// frame returns the bytes that send writes for a frame.
func frame(t *testing.T, key uint64, kind byte, body []byte) []byte {
	t.Helper()
	reader, writer, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer reader.Close()
	p := &pipe{commands: writer, key: key, limits: &Limits{Time: time.Hour}, now: time.Now, process: &fakeProcess{}}
	if err := p.send(t.Context(), kind, append(wire.NewFrame(), body...)); err != nil {
		t.Fatal(err)
	}
	writer.Close()
	sent, err := io.ReadAll(reader)
	if err != nil {
		t.Fatal(err)
	}
	return sent
}

func TestInitialiser(t *testing.T) {
	for _, test := range []struct{ trace, want, reason string }{
		{"panic: no table\n\ngoroutine 1 [running]:\nexample.com/m/table.load(...)\n\t/x/table.go:5\n" +
			"example.com/m/table.init()\n\t/x/table.go:3 +0x1d\nruntime.doInit1(0x1)\n", "example.com/m/table",
			"the initial value of a variable"},
		{"panic: x\n\ngoroutine 1 [running]:\nexample.com/m.v2.init.0()\n\t/x.go:3\n", "",
			"no package is called m.v2: a method's name is not the path"},
		{"panic: x\n\ngoroutine 1 [running]:\ngopkg.in/yaml%2ev3.init.0()\n\t/x.go:3\n", "gopkg.in/yaml%2ev3",
			"an init function; dots after the last slash are escaped"},
		{"panic: x\n\ngoroutine 1 [running]:\nm.init.1.func1()\n\t/x.go:3\n", "m", "a literal in an init function"},
		{"panic: x\n\ngoroutine 7 [running]:\nm.work()\n\t/x.go:3\ncreated by m.start\n", "",
			"a goroutine that an init function started"},
		{"panic: twice\n\ngoroutine 1 [running]:\nexample.com/registry.init.func1()\n\t/x.go:3\n" +
			"example.com/registry.Register()\n\t/x.go:9\nexample.com/m.init.0()\n\t/y.go:3\n", "example.com/m",
			"a literal in a variable, which another package's init function calls"},
		{"", "", "no trace"},
	} {
		got, file := initialiser(test.trace)
		if got != test.want {
			t.Errorf("%s: %q, want %q", test.reason, got, test.want)
		}
		if (got == "") != (file == "") || got != "" && !strings.HasSuffix(file, ".go") {
			t.Errorf("%s: file %q of package %q", test.reason, file, got)
		}
	}
}
