package driver

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// TestManyStubs: of many calls a bounded number is kept, and the last one differs if any further one does.
func TestManyStubs(t *testing.T) {
	calls := func(differs int) *run {
		p := &run{}
		for i := range wire.StubCalls + 10 {
			v := visible{a: uint64(i), text: "call"}
			if i == differs {
				v.b = 1
			}
			p.note(v)
		}
		return p
	}
	same := calls(-1)
	if len(same.stubs) != wire.StubCalls || same.stubs[0].text != "call" {
		t.Fatalf("%d calls are kept, the first is %q", len(same.stubs), same.stubs[0].text)
	}
	last := same.stubs[wire.StubCalls-1]
	for i := wire.StubCalls - 1; i < wire.StubCalls+10; i++ {
		if other := calls(i).stubs[wire.StubCalls-1]; other == last {
			t.Errorf("call %d is another, and the last entry is the same", i)
		}
	}
}

// TestManyFiles: likewise for the files that a sequence leaves.
func TestManyFiles(t *testing.T) {
	left := func(content string) (last file) {
		dir := t.TempDir()
		for i := range wire.Files + 10 {
			name := filepath.Join(dir, fmt.Sprintf("%05d", i))
			if err := os.WriteFile(name, []byte(content[:1+i/(wire.Files+9)]), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		s := &scratch{folders: []folder{{path: dir}}}
		var w wire.Writer
		s.encode(&w)
		r := wire.NewReader(w)
		r.Text()
		r.Text()
		for range r.ItemsUpTo(wire.Files) {
			last = file{name: r.TextUpTo(wire.LongText), size: int64(r.Uint())}
			d := r.Digest()
			last.a, last.b = d[0], d[1]
		}
		if r.Err() != nil || r.Len() > 0 {
			t.Fatalf("error %v, %d bytes left", r.Err(), r.Len())
		}
		return last
	}
	one, other := left("xa"), left("xb")
	if one.name != "further files" || one.size != 12 || one.a == other.a {
		t.Errorf("the last entry is %+v, and %+v if the last file is another", one, other)
	}
}

// TestCrowded checks that descriptors that sequences leave open are noticed before the process runs out of them.
func TestCrowded(t *testing.T) {
	if crowded() {
		t.Skip("this process has that many open")
	}
	for range mostLeft {
		fd, err := syscall.Dup(2)
		if err != nil {
			t.Fatal(err)
		}
		defer syscall.Close(fd)
	}
	if !crowded() {
		t.Errorf("%d are left, and nobody noticed", mostLeft)
	}
}
