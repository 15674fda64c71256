package footprint

import (
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/spectradiff/spectradiff/internal/replay/cache"
)

// TestMisses: a test is only left out if of every package it is known that nothing asked for ran.
func TestMisses(t *testing.T) {
	ran := Ran{"m": {1, 5}, "m/none": nil}
	for _, test := range []struct {
		reason string
		blocks Ran
		want   bool
	}{
		{"nothing is asked for", Ran{}, true},
		{"other blocks of a known package", Ran{"m": {0, 2, 6}, "m/none": {3}}, true},
		{"one of the blocks", Ran{"m": {0, 5}}, false},
		{"a package of which nothing is known", Ran{"m": {0}, "m/new": {0}}, false},
		{"nothing of a package of which nothing is known", Ran{"m/new": nil}, true},
	} {
		if got := ran.Misses(test.blocks); got != test.want {
			t.Errorf("%s: got %t", test.reason, got)
		}
	}
}

// TestStore: what was written is read again, under its key alone, until it is damaged.
func TestStore(t *testing.T) {
	held, err := cache.Open(cache.Settings{Folder: filepath.Join(t.TempDir(), "cache")}, t.Logf)
	if err != nil {
		t.Fatal(err)
	}
	defer held.Finish(t.Context())
	store := &Store{Cache: held}
	tests := Tests{}
	tests.Add("m.TestA", Ran{"m": {1, 2}})
	tests.Add("m.TestA", Ran{"m/other": {7}})
	if err := store.Write("key", tests); err != nil {
		t.Fatal(err)
	}
	want := Tests{"m.TestA": {"m": {1, 2}, "m/other": {7}}}
	if got := store.Read("key"); !reflect.DeepEqual(got, want) {
		t.Errorf("read %v, want %v", got, want)
	}
	if got := store.Read("other"); len(got) != 0 {
		t.Errorf("read %v under another key", got)
	}
	if err := held.Keep(cache.Footprints, "key", []byte("of another version of the tool")); err != nil {
		t.Fatal(err)
	}
	if got := store.Read("key"); len(got) != 0 {
		t.Errorf("read %v from what is none", got)
	}
}

// TestKey: the key follows the files that decide what tests run, and no others.
func TestKey(t *testing.T) {
	files := map[string]string{
		"go.mod": "module m", "configs/a.yaml": "a", "README.md": "m", "a/a.go": "package a",
		"a/a.txt": "a", "a/deep/x.txt": "x",
		"a/deep/deep.go": "package deep", "b/b.go": "package b", "b/linked.go": "package a",
		"c/testdata/c.txt": "c", "vendor/v/v.go": "package v",
	}
	keyOf := func(changed string, folders []string, settings ...string) string {
		root := t.TempDir()
		for name, text := range files {
			path := filepath.Join(root, name)
			if name == changed {
				text += " // changed"
			}
			if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
				t.Fatal(err)
			}
			if err := os.WriteFile(path, []byte(text), 0o666); err != nil {
				t.Fatal(err)
			}
		}
		if err := os.Symlink("../b/linked.go", filepath.Join(root, "a", "linked.go")); err != nil {
			t.Fatal(err)
		}
		content, err := ContentOf(root)
		if err != nil {
			t.Fatal(err)
		}
		key, err := content.Key(folders, settings...)
		if err != nil {
			t.Fatal(err)
		}
		return key
	}
	a := keyOf("", []string{"a"})
	for name, counts := range map[string]bool{
		"go.mod": true, "configs/a.yaml": true, "README.md": true, "a/a.go": true, "a/a.txt": true,
		"a/deep/x.txt": true, "a/deep/deep.go": false, "b/b.go": false, "b/linked.go": true,
		"c/testdata/c.txt": true, "vendor/v/v.go": true,
	} {
		if other := keyOf(name, []string{"a"}) != a; other != counts {
			t.Errorf("with another %s: another key %t, want %t", name, other, counts)
		}
	}
	if keyOf("", []string{"a", "b"}) == a || keyOf("", []string{"a"}, "go1.24") == a {
		t.Error("other folders or settings have the same key")
	}
}
