package repository

import (
	"crypto/sha256"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

func TestReadFile(t *testing.T) {
	dir := t.TempDir()
	inside, outside := filepath.Join(dir, "inside"), filepath.Join(dir, "secret")
	must(t, os.MkdirAll(filepath.Join(inside, "folder"), 0o755))
	must(t, os.WriteFile(outside, []byte("secret"), 0o644))
	must(t, os.WriteFile(filepath.Join(inside, "plain"), []byte("text"), 0o644))
	must(t, os.Symlink("plain", filepath.Join(inside, "link")))
	must(t, os.Symlink("../secret", filepath.Join(inside, "up")))
	must(t, os.Symlink(outside, filepath.Join(inside, "absolute")))
	must(t, os.Symlink("/dev/zero", filepath.Join(inside, "device")))
	must(t, syscall.Mkfifo(filepath.Join(inside, "pipe"), 0o644))
	large, err := os.Create(filepath.Join(inside, "large"))
	must(t, err)
	must(t, large.Truncate(maxGiven+1))
	must(t, large.Close())
	for _, c := range []struct{ reason, name, want, failure string }{
		{"a file", "plain", "text", ""},
		{"a link inside of the folder", "link", "text", ""},
		{"a link that leads out", "up", "", "escapes"},
		{"an absolute link", "absolute", "", "escapes"},
		{"a device never ends", "device", "", "escapes"},
		{"a pipe waits for ever", "pipe", "", "no regular file"},
		{"a folder", "folder", "", "no regular file"},
		{"too large", "large", "", "more than the"},
		{"a name that leads out", "../secret", "", "escapes"},
	} {
		text, err := ReadFile(inside, c.name)
		switch {
		case c.failure == "" && (err != nil || string(text) != c.want):
			t.Errorf("%s: %q, %v", c.reason, text, err)
		case c.failure != "" && (err == nil || !strings.Contains(err.Error(), c.failure) || len(text) > 0):
			t.Errorf("%s: %q, error %v; want one with %q", c.reason, text, err, c.failure)
		}
	}
	for name, failure := range map[string]string{"plain": "", "large": "", "pipe": "no regular file", "up": "escapes"} {
		sum, err := HashFile(inside, name)
		if failure != "" {
			if err == nil || !strings.Contains(err.Error(), failure) {
				t.Errorf("hash of %s: %x, error %v; want one with %q", name, sum, err, failure)
			}
			continue
		}
		must(t, err)
		want, err := os.ReadFile(filepath.Join(inside, name))
		must(t, err)
		if [sha256.Size]byte(sum) != sha256.Sum256(want) {
			t.Errorf("hash of %s: %x", name, sum)
		}
	}
	if _, err := ReadFile(inside, "none"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a file that is not there: %v", err)
	}
}
