package fleet

import (
	"archive/tar"
	"bytes"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"
)

// TestPack: what was packed is unpacked as it was, and packed again it is the same.
func TestPack(t *testing.T) {
	from, to := t.TempDir(), t.TempDir()
	when := time.Date(2020, 1, 2, 3, 4, 5, 678, time.UTC)
	write := func(name, text string, mode fs.FileMode) {
		path := filepath.Join(from, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), mode); err != nil {
			t.Fatal(err)
		}
		if err := os.Chtimes(path, when, when); err != nil {
			t.Fatal(err)
		}
	}
	write("a/b/file", "text", 0o644)
	write("a/program", "#!", 0o755)
	write("empty", "", 0o400)
	if err := os.Symlink("../outside", filepath.Join(from, "link")); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(filepath.Join(from, "none"), 0o500); err != nil {
		t.Fatal(err)
	}
	var first, second bytes.Buffer
	if err := pack(from, &first); err != nil {
		t.Fatal(err)
	}
	before := syscall.Umask(0o077) // of a machine that hides all from others
	err := unpack(bytes.NewReader(first.Bytes()), to)
	syscall.Umask(before)
	if err != nil {
		t.Fatal(err)
	}
	if err := pack(to, &second); err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(first.Bytes(), second.Bytes()) {
		t.Error("packed again it is another content")
	}
	if text, err := os.ReadFile(filepath.Join(to, "a/b/file")); string(text) != "text" {
		t.Errorf("%q, %v", text, err)
	}
}

// TestUnpackOutside: nothing is written outside of the folder, whatever the content says.
func TestUnpackOutside(t *testing.T) {
	for _, c := range []struct {
		reason  string
		entries []tar.Header
	}{
		{"a name that leads out", []tar.Header{{Name: "../out", Typeflag: tar.TypeReg}}},
		{"an absolute name", []tar.Header{{Name: "/tmp/out", Typeflag: tar.TypeReg}}},
		{"a link that leads out, and a file in it", []tar.Header{
			{Name: "link", Typeflag: tar.TypeSymlink, Linkname: ".."}, {Name: "link/out", Typeflag: tar.TypeReg},
		}},
		{"a folder through a link", []tar.Header{
			{Name: "link", Typeflag: tar.TypeSymlink, Linkname: ".."}, {Name: "link/out", Typeflag: tar.TypeDir},
		}},
		{"a device", []tar.Header{{Name: "out", Typeflag: tar.TypeChar}}},
		{"another name of a file", []tar.Header{{Name: "out", Typeflag: tar.TypeLink, Linkname: "/etc/passwd"}}},
	} {
		t.Run(c.reason, func(t *testing.T) {
			var packed bytes.Buffer
			w := tar.NewWriter(&packed)
			for i := range c.entries {
				c.entries[i].Mode = 0o644
				if err := w.WriteHeader(&c.entries[i]); err != nil {
					t.Fatal(err)
				}
			}
			if err := w.Close(); err != nil {
				t.Fatal(err)
			}
			parent := t.TempDir()
			folder := filepath.Join(parent, "folder")
			if err := os.Mkdir(folder, 0o700); err != nil {
				t.Fatal(err)
			}
			if err := unpack(&packed, folder); err == nil {
				t.Error("no error")
			}
			if list, err := os.ReadDir(parent); err != nil || len(list) != 1 {
				t.Errorf("%v, %v", list, err)
			}
		})
	}
}

// FuzzUnpack unpacks arbitrary bytes. Nothing may be written outside of the folder.
func FuzzUnpack(f *testing.F) {
	var packed bytes.Buffer
	from := f.TempDir()
	if err := os.WriteFile(filepath.Join(from, "file"), []byte("text"), 0o600); err != nil {
		f.Fatal(err)
	}
	if err := pack(from, &packed); err != nil {
		f.Fatal(err)
	}
	f.Add(packed.Bytes())
	f.Fuzz(func(t *testing.T, content []byte) {
		parent := t.TempDir()
		folder := filepath.Join(parent, "folder")
		if err := os.Mkdir(folder, 0o700); err != nil {
			t.Fatal(err)
		}
		_ = unpack(bytes.NewReader(content), folder)
		_ = filepath.WalkDir(folder, func(path string, entry fs.DirEntry, _ error) error {
			if entry != nil && entry.IsDir() {
				_ = os.Chmod(path, 0o700) // so that it can be removed
			}
			return nil
		})
		if list, err := os.ReadDir(parent); err != nil || len(list) != 1 {
			t.Errorf("%v, %v", list, err)
		}
	})
}

func TestFetch(t *testing.T) {
	url := start(t, "").URL()
	l, err := connect(t.Context(), Options{URL: url}, "test", new(log).printf)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.close)
	opened := 0
	put := func() address {
		a := addressOf([]byte("content"))
		err := l.put(t.Context(), a, 0, func() (io.ReadCloser, error) {
			opened++
			return io.NopCloser(strings.NewReader("content")), nil
		})
		if err != nil {
			t.Fatal(err)
		}
		return a
	}
	a := put()
	if put(); opened != 1 {
		t.Errorf("it was sent %d times", opened)
	}
	if got, err := l.fetchBytes(t.Context(), a); string(got) != "content" {
		t.Errorf("got %q, %v", got, err)
	}
	if _, err := l.fetchBytes(t.Context(), addressOf([]byte("other"))); err == nil {
		t.Error("no error for what is not there")
	}
}
