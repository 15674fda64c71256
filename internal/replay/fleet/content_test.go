package fleet

import (
	"archive/tar"
	"bytes"
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sync/semaphore"
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
	err := unpack(bytes.NewReader(first.Bytes()), to, mostFolder)
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
			if err := unpack(&packed, folder, mostFolder); err == nil {
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
		_ = unpack(bytes.NewReader(content), folder, mostFolder)
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
		err := l.put(t.Context(), a, 7, func() (io.ReadCloser, error) {
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
	if got, err := l.fetchBytes(t.Context(), a, 7); string(got) != "content" {
		t.Errorf("got %q, %v", got, err)
	}
	if _, err := l.fetchBytes(t.Context(), addressOf([]byte("other")), 7); err == nil {
		t.Error("no error for what is not there")
	}
	if _, err := l.fetchBytes(t.Context(), a, 6); err == nil || !strings.Contains(err.Error(), "more than 6 bytes") {
		t.Errorf("error %v for what is larger", err)
	}
	err = l.copy(t.Context(), a, 6, io.Discard)
	if err == nil || !strings.Contains(err.Error(), "more than 6 bytes") {
		t.Errorf("error %v for what is larger than was said", err)
	}
}

// TestContents: contents move on a connection of their own, so that nothing else waits behind them.
func TestContents(t *testing.T) {
	l, err := connect(t.Context(), Options{URL: start(t, "").URL()}, "test", new(log).printf)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.close)
	content := make([]byte, inlined)
	a, err := l.putBytes(t.Context(), content)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := l.fetchBytes(t.Context(), a, inlined); !bytes.Equal(got, content) {
		t.Errorf("got %d bytes, %v", len(got), err)
	}
	other, own := l.nats.Stats(), l.contents.Stats()
	if most := uint64(inlined / 8); other.OutBytes > most || other.InBytes > most {
		t.Errorf("%d bytes went over the connection of all else, %d came", other.OutBytes, other.InBytes)
	}
	if own.OutBytes < inlined || own.InBytes < inlined {
		t.Errorf("%d bytes went over that of contents, %d came", own.OutBytes, own.InBytes)
	}
	l.close()
	if !l.nats.IsClosed() || !l.contents.IsClosed() {
		t.Error("a connection is left")
	}
}

// TestUnpackLarge: what is packed can take no more than it may, files with holes included.
func TestUnpackLarge(t *testing.T) {
	var packed bytes.Buffer
	w := tar.NewWriter(&packed)
	for _, name := range []string{"one", "two"} {
		if err := w.WriteHeader(&tar.Header{Name: name, Typeflag: tar.TypeReg, Mode: 0o600, Size: 4}); err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, "text"); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	for most, want := range map[int64]bool{2 * (entrySize + 4): true, 2*(entrySize+4) - 1: false, entrySize: false} {
		if err := unpack(bytes.NewReader(packed.Bytes()), t.TempDir(), most); (err == nil) != want {
			t.Errorf("of at most %d bytes: %v", most, err)
		}
	}
}

// TestItems: a content is a driver for who wants one, whatever it was for others.
func TestItems(t *testing.T) {
	l, err := connect(t.Context(), Options{URL: start(t, "").URL()}, "test", new(log).printf)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.close)
	a, err := sendFolder(t.Context(), l, t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	s := newStore(t.Context(), l, t.TempDir())
	folder, err := s.item(t.Context(), content{a, true})
	if err != nil || folder.driver != nil {
		t.Errorf("as a folder it is %+v, %v", folder, err)
	}
	driver, err := s.item(t.Context(), content{a, false})
	if err != nil || driver.driver == nil {
		t.Errorf("as a driver it is %+v, %v", driver, err)
	}
	s.fetching.Wait()
}

func TestPlaces(t *testing.T) {
	for _, c := range []struct {
		reason string
		at     []string
		want   string
	}{
		{"none", nil, ""},
		{"two", []string{"/a/b", "/a/bc", "/d"}, ""},
		{"relative", []string{"a"}, "no clean absolute path"},
		{"it leads up", []string{"/a/../b"}, "no clean absolute path"},
		{"the root", []string{"/"}, "no clean absolute path"},
		{"one in another", []string{"/a", "/a/x/y"}, "lies in"},
		{"one in a later one", []string{"/a/x/y", "/a"}, "lies in"},
		{"twice the same", []string{"/a", "/a"}, "lies in"},
	} {
		var folders []folder
		for _, at := range c.at {
			folders = append(folders, folder{At: at})
		}
		err := checkPlaces(folders)
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: error %v, want %q", c.reason, err, c.want)
		}
	}
}

// TestBorrow: of what is large no more is held at the same time than has room, and who waits for room hears of his end.
func TestBorrow(t *testing.T) {
	l, err := connect(t.Context(), Options{URL: start(t, "").URL()}, "test", new(log).printf)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.close)
	l.memory = semaphore.NewWeighted(7)
	a, err := l.putBytes(t.Context(), []byte("content"))
	if err != nil {
		t.Fatal(err)
	}
	got, free, err := l.borrow(t.Context(), a, mostHeld)
	if err != nil || string(got) != "content" {
		t.Errorf("got %q, %v", got, err)
	}
	ctx, cancel := context.WithTimeout(t.Context(), beat/4)
	defer cancel()
	if _, _, err := l.borrow(ctx, a, mostHeld); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("without room: %v", err)
	}
	for range 2 {
		free()
	}
	if _, _, err := l.borrow(t.Context(), a, mostHeld); err != nil {
		t.Error(err)
	}
	if _, _, err := l.borrow(t.Context(), a, 6); err == nil || !strings.Contains(err.Error(), "more than 6 bytes") {
		t.Errorf("error %v for what is larger", err)
	}
}
