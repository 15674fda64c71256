package cache

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"
)

// TestSealed seals a folder with a file, a folder and a link, and a file alone.
func TestSealed(t *testing.T) {
	edit := func(name, text string) func(*testing.T, string) {
		return func(t *testing.T, folder string) { write(t, filepath.Join(folder, name), text) }
	}
	for _, test := range []struct {
		reason string
		change func(t *testing.T, folder string)
		folder bool // the folder must count as unchanged
		file   bool // the file must count as unchanged
	}{
		{"nothing", func(*testing.T, string) {}, true, true},
		{"cut", edit("a/file", "tex"), false, false},
		{"another text of that length and time", func(t *testing.T, folder string) {
			name := filepath.Join(folder, "a/file")
			info, err := os.Stat(name)
			must(t, err)
			write(t, name, "tExt")
			must(t, os.Chtimes(name, info.ModTime(), info.ModTime()))
		}, false, false},
		{"the same text, written again", edit("a/file", "text"), true, true},
		{"another time", func(t *testing.T, folder string) {
			must(t, os.Chtimes(filepath.Join(folder, "a/file"), time.Time{}, time.Unix(1, 0)))
		}, true, true},
		{"another mode", func(t *testing.T, folder string) {
			must(t, os.Chmod(filepath.Join(folder, "a/file"), 0o751))
		}, false, false},
		{"gone", func(t *testing.T, folder string) {
			must(t, os.Remove(filepath.Join(folder, "a/file")))
		}, false, false},
		{"one more", edit("a/more", ""), false, true},
		{"an empty folder more", func(t *testing.T, folder string) {
			must(t, os.Mkdir(filepath.Join(folder, "b"), 0o777))
		}, false, true},
		{"a link that leads elsewhere", func(t *testing.T, folder string) {
			must(t, os.Remove(filepath.Join(folder, "link")))
			must(t, os.Symlink("elsewhere", filepath.Join(folder, "link")))
		}, false, true},
		{"a copy", func(t *testing.T, folder string) {
			must(t, os.Rename(folder, folder+".moved"))
			must(t, os.CopyFS(folder, os.DirFS(folder+".moved")))
		}, true, true},
		{"the seals are cut", func(t *testing.T, folder string) {
			must(t, os.Truncate(folder+sealSuffix, 20))
			must(t, os.Truncate(filepath.Join(folder, "a/file")+sealSuffix, 20))
		}, false, false},
	} {
		t.Run(test.reason, func(t *testing.T) {
			folder := filepath.Join(t.TempDir(), "tree")
			file := filepath.Join(folder, "a", "file")
			write(t, file, "text")
			must(t, os.Symlink("a/file", filepath.Join(folder, "link")))
			must(t, Place(file, file))
			info, err := os.Stat(file)
			must(t, err)
			must(t, os.Chmod(file+sealSuffix, info.Mode())) // that of copies
			must(t, Seal(folder, "a note", "another"))
			test.change(t, folder)
			c := open(t, t.TempDir(), 0, 0)
			for range 2 { // the second time with the seal of the first
				if _, ok := c.Sealed(file); ok != test.file {
					t.Errorf("the file is good: %v, want %v", ok, test.file)
				}
				notes, ok := c.Sealed(folder)
				if ok != test.folder {
					t.Errorf("the folder is good: %v, want %v", ok, test.folder)
				}
				if want := []string{"a note", "another"}; ok && !slices.Equal(notes, want) {
					t.Errorf("the notes are %q, want %q", notes, want)
				}
			}
		})
	}
}

// TestSealOfFolder checks that files are not read if nothing has changed.
func TestSealOfFolder(t *testing.T) {
	if os.Getuid() == 0 {
		t.Skip("root can read every file")
	}
	folder := filepath.Join(t.TempDir(), "tree")
	file := filepath.Join(folder, "file")
	write(t, file, "text")
	must(t, os.Chmod(file, 0))
	s := seal{}
	var err error
	s.Stamp, err = stampOf(folder, nil)
	must(t, err)
	must(t, s.write(folder))
	if _, ok := sealed(folder); !ok {
		t.Error("a folder that nobody changed is not good, or its files are read")
	}
}

// TestPlace checks that a driver replaces whatever has its name.
func TestPlace(t *testing.T) {
	folder := t.TempDir()
	name := filepath.Join(folder, "driver")
	write(t, filepath.Join(name, "deeper", "file"), "")
	write(t, filepath.Join(folder, "made"), "text")
	must(t, Place(filepath.Join(folder, "made"), name))
	if text, err := os.ReadFile(name); err != nil || string(text) != "text" {
		t.Errorf("found %q, %v", text, err)
	}
	if _, ok := sealed(name); !ok {
		t.Error("what was placed has no seal")
	}
}

// TestModuleFiles checks when module files are used again.
func TestModuleFiles(t *testing.T) {
	for _, test := range []struct {
		reason string
		end    func(*Cache) // how the run ends that wrote them
		change string       // text that somebody writes then
		other  bool         // whether another run uses them
		stays  bool
	}{
		{"as a run left them", (*Cache).SealModuleFiles, "", false, true},
		{"the run did not end well", func(*Cache) {}, "", false, false},
		{"changed since", (*Cache).SealModuleFiles, "mod", false, false},
		{"another run is completing them", (*Cache).SealModuleFiles, "module m2", true, true},
	} {
		t.Run(test.reason, func(t *testing.T) {
			first := open(t, t.TempDir(), 0, 0)
			file := filepath.Join(first.Hold(ModuleFiles, "version"), "go1.26", "go.mod")
			write(t, file, "module m")
			test.end(first)
			first.Finish(t.Context())
			if test.other {
				first.Hold(ModuleFiles, "version")
			}
			if test.change != "" {
				write(t, file, test.change)
			}
			next := open(t, first.folder, 0, 0)
			next.Hold(ModuleFiles, "version")
			if _, err := os.Stat(file); (err == nil) != test.stays {
				t.Errorf("the file stays: %v, want %v", err == nil, test.stays)
			}
			if got := names(t, next); test.stays && got != "version*" {
				t.Errorf("the cache shows %q: the entry is not held", got)
			}
		})
	}
}

// TestEntryIsNoFolder checks that a file with the name of an entry is removed.
func TestEntryIsNoFolder(t *testing.T) {
	c := open(t, t.TempDir(), 0, 0)
	kept := filepath.Join(t.TempDir(), "kept")
	write(t, filepath.Join(kept, "file"), "")
	write(t, filepath.Join(c.folder, "trees", "file"), "")
	must(t, os.Symlink(kept, filepath.Join(c.folder, "trees", "link")))
	for _, name := range []string{"file", "link"} {
		if _, err := os.Lstat(c.Hold(Trees, name)); err == nil {
			t.Errorf("the %s is left", name)
		}
	}
	if _, err := os.Stat(filepath.Join(kept, "file")); err != nil {
		t.Errorf("what a link leads to was removed: %v", err)
	}
}

// BenchmarkSealed checks a file of the size of a driver, and a tree as large as that of a large project.
func BenchmarkSealed(b *testing.B) {
	folder := b.TempDir()
	file := filepath.Join(folder, "driver")
	if err := os.WriteFile(file, make([]byte, 20<<20), 0o777); err != nil {
		b.Fatal(err)
	}
	if err := Seal(file); err != nil {
		b.Fatal(err)
	}
	tree := filepath.Join(folder, "tree")
	for i := range 10_000 {
		name := filepath.Join(tree, string(rune('a'+i%26)), string(rune('a'+i/26%26)), string(rune('a'+i/676)))
		if err := os.MkdirAll(filepath.Dir(name), 0o777); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(name, make([]byte, 5000), 0o666); err != nil {
			b.Fatal(err)
		}
	}
	if err := Seal(tree); err != nil {
		b.Fatal(err)
	}
	for _, path := range []string{file, tree} {
		b.Run(filepath.Base(path), func(b *testing.B) {
			for range b.N {
				if _, ok := sealed(path); !ok {
					b.Fatal("damaged")
				}
			}
		})
	}
}
