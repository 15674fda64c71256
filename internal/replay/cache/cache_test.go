package cache

import (
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

// open opens a cache like another process: it shares only the folder with other values.
func open(t *testing.T, folder string, limit int64, age time.Duration) *Cache {
	t.Helper()
	c, err := Open(Settings{Folder: folder, Limit: limit, Age: age}, func(format string, args ...any) {
		t.Logf(format, args...)
	})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// entry makes an entry of a size and time of last use, as a finished run leaves it.
func entry(t *testing.T, c *Cache, kind Kind, name string, size int, ago time.Duration) string {
	t.Helper()
	path := c.Hold(kind, name)
	write(t, filepath.Join(path, "content"), strings.Repeat("x", size))
	k := key{kind, name}
	c.measure(k, c.held[k])
	c.held[k].Close()
	delete(c.held, k)
	used := time.Now().Add(-ago)
	must(t, os.Chtimes(c.stamp(k), used, used))
	return path
}

func write(t *testing.T, name, text string) {
	t.Helper()
	must(t, os.MkdirAll(filepath.Dir(name), 0o777))
	must(t, os.WriteFile(name, []byte(text), 0o666))
}

func must(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// names lists the entries of a cache.
func names(t *testing.T, c *Cache) string {
	t.Helper()
	contents, err := c.Contents()
	must(t, err)
	var list []string
	for _, e := range contents.Entries {
		name := e.Name
		if e.InUse {
			name += "*"
		}
		list = append(list, name)
	}
	return strings.Join(list, " ")
}

const (
	kilobyte = 1024
	day      = 24 * time.Hour
)

// TestTrim has four entries of 12 KB, folders included: a (an hour old), b (2 days), c (10 days), d (40 days).
func TestTrim(t *testing.T) {
	for _, test := range []struct {
		reason string
		limit  int64
		age    time.Duration
		hold   string
		want   string
	}{
		{"no limits", 0, 0, "", "a d b c"},
		{"all fits", 48 * kilobyte, 0, "", "a d b c"},
		{"one too many: the least recently used goes", 47 * kilobyte, 0, "", "a b c"},
		{"kinds make no difference", 24 * kilobyte, 0, "", "a b"},
		{"nothing fits", 1, 0, "", ""},
		{"too old, though it would fit", 0, 30 * day, "", "a b c"},
		{"too old and too many", 12 * kilobyte, 5 * day, "", "a"},
		{"what is held stays, the next goes", 24 * kilobyte, 0, "d", "a d"},
		{"what is held stays, however old", 0, 5 * day, "d", "a d b"},
		{"what is held stays, and counts", 1, 0, "c", "c"},
	} {
		t.Run(test.reason, func(t *testing.T) {
			c := open(t, t.TempDir(), test.limit, test.age)
			entry(t, c, Trees, "a", 5000, time.Hour)
			entry(t, c, Drivers, "b", 5000, 2*day)
			entry(t, c, Drivers, "c", 5000, 10*day)
			entry(t, c, Trees, "d", 5000, 40*day)
			other := open(t, c.folder, 0, 0)
			if test.hold != "" {
				k := key{Trees, test.hold}
				if test.hold == "c" {
					k.kind = Drivers
				}
				stamp, err := lockFile(c.stamp(k), shared) // without a new time of use
				must(t, err)
				defer stamp.Close()
			}
			c.Finish(t.Context())
			got := strings.ReplaceAll(names(t, other), "*", "")
			if got != test.want {
				t.Errorf("left: %q, want %q", got, test.want)
			}
		})
	}
}

// TestHoldAndFinish checks that an entry is not removed between Hold and Finish, and that Hold makes it the most
// recently used one.
func TestHoldAndFinish(t *testing.T) {
	folder := t.TempDir()
	first, second := open(t, folder, 1, 0), open(t, folder, 1, 0)
	path := entry(t, first, Trees, "tree", 100, 9*day)
	if got := first.Hold(Trees, "tree"); got != path {
		t.Errorf("Hold returns %s, then %s", path, got)
	}
	if got := names(t, second); got != "tree*" {
		t.Errorf("the cache shows %q, want an entry in use", got)
	}
	if info, err := os.Stat(first.stamp(key{Trees, "tree"})); err != nil || time.Since(info.ModTime()) > time.Hour {
		t.Errorf("the use was not noted: %v %v", info.ModTime(), err)
	}
	second.Finish(t.Context())
	if _, err := os.Stat(path); err != nil {
		t.Fatalf("an entry in use was removed: %v", err)
	}
	first.Finish(t.Context())
	if got := names(t, second); got != "" {
		t.Errorf("%q is left, though nobody holds it and it is above the limit", got)
	}
}

// TestNewUseIsNotedOnceAnHour checks that a young stamp is not written again, so that frequent use is cheap.
func TestNewUseIsNotedOnceAnHour(t *testing.T) {
	for _, test := range []struct {
		reason string
		ago    time.Duration
		noted  bool
	}{
		{"just now", time.Minute, false},
		{"more than an hour ago", 61 * time.Minute, true},
		{"in the future, by a wrong clock", -3 * day, true},
	} {
		c := open(t, t.TempDir(), 0, 0)
		entry(t, c, Trees, "tree", 1, test.ago)
		before, err := os.Stat(c.stamp(key{Trees, "tree"}))
		must(t, err)
		c.Hold(Trees, "tree")
		after, err := os.Stat(c.stamp(key{Trees, "tree"}))
		must(t, err)
		if noted := !after.ModTime().Equal(before.ModTime()); noted != test.noted {
			t.Errorf("%s: noted: %v, want %v", test.reason, noted, test.noted)
		}
	}
}

// TestTrimRarely checks that a cache within its limits is trimmed once an hour.
func TestTrimRarely(t *testing.T) {
	c := open(t, t.TempDir(), 0, 5*day)
	c.Finish(t.Context())
	entry(t, c, Trees, "old", 1, 9*day)
	c.Finish(t.Context())
	if names(t, c) != "old" {
		t.Error("it was trimmed twice within an hour")
	}
	trimmed := filepath.Join(c.folder, "use", "trimmed")
	must(t, os.Chtimes(trimmed, time.Now(), time.Now().Add(-2*time.Hour)))
	c.Finish(t.Context())
	if got := names(t, c); got != "" {
		t.Errorf("%q is left two hours later", got)
	}
}

// TestFinishAtOnce checks that a run that ends while another one trims also trims: the other run could not remove the
// entries that it held.
func TestFinishAtOnce(t *testing.T) {
	c := open(t, t.TempDir(), 1, 0)
	entry(t, c, Trees, "tree", 1, day)
	c.Hold(Trees, "tree")
	trimming, err := lockFile(filepath.Join(c.folder, "use", "trimmed"), exclusive)
	must(t, err)
	finished := make(chan struct{})
	go func() {
		c.Finish(t.Context())
		close(finished)
	}()
	for { // until it holds nothing and only has to trim
		stamp, err := lockFile(c.stamp(key{Trees, "tree"}), exclusive)
		if err == nil {
			must(t, stamp.Close())
			break
		}
	}
	must(t, trimming.Close())
	<-finished
	if got := names(t, open(t, c.folder, 0, 0)); got != "" {
		t.Errorf("%q is left above the limit", got)
	}
}

func TestFinishAfterInterrupt(t *testing.T) {
	folder := t.TempDir()
	c := open(t, folder, 1, 0)
	entry(t, c, Trees, "tree", 1, day)
	c.Hold(Trees, "tree")
	c.Finish(cancelled(t))
	if got := names(t, c); got != "tree" {
		t.Errorf("the cache shows %q, want an entry that nobody holds and nobody removed", got)
	}
}

func TestClear(t *testing.T) {
	folder := t.TempDir()
	run, c := open(t, folder, 0, 0), open(t, folder, 0, 0)
	entry(t, run, Trees, "used", 1, day)
	entry(t, run, Trees, "unused", 1, time.Minute)
	entry(t, run, Drivers, "driver", 9000, day)
	run.Hold(Trees, "used")
	gone, left, err := c.Clear()
	must(t, err)
	if len(gone) != 2 || Total(gone) != 24*kilobyte || len(left) != 1 || left[0].Name != "used" {
		t.Errorf("gone %v, left %v", gone, left)
	}
	if got := names(t, c); got != "used*" {
		t.Errorf("the cache shows %q", got)
	}
	run.Finish(t.Context())
	if _, left, err := c.Clear(); err != nil || len(left) > 0 {
		t.Errorf("left %v, %v", left, err)
	}
}

// TestSweep checks that files of ended processes are removed when they are a day old and nobody writes to them.
func TestSweep(t *testing.T) {
	c := open(t, t.TempDir(), 0, 0)
	entry(t, c, Drivers, "driver", 1, time.Hour)
	entry(t, c, Drivers, "making", 1, time.Hour)
	aged := func(ago time.Duration, elements ...string) string {
		name := filepath.Join(append([]string{c.folder}, elements...)...)
		write(t, filepath.Join(name, "file"), "")
		must(t, os.Chtimes(name, time.Now(), time.Now().Add(-ago)))
		return name
	}
	gone := []string{
		aged(25*time.Hour, "trees", ".tmp-1"),
		aged(25*time.Hour, "builds", "driver", "part-1"),
		aged(25*time.Hour, "builds", "driver", "overlay", "part-2"),
	}
	stays := []string{
		aged(23*time.Hour, "trees", ".tmp-2"),
		aged(25*time.Hour, "builds", "making", "part-3"),
		aged(25*time.Hour, "elsewhere", ".tmp-4"),
	}
	written, done, err := c.Temporary(Trees)
	must(t, err)
	defer done()
	must(t, os.Chtimes(written, time.Now(), time.Now().Add(-25*time.Hour)))
	stays = append(stays, written)
	other := open(t, c.folder, 0, 0)
	c.Hold(Drivers, "making")
	other.Finish(t.Context())
	for _, name := range gone {
		if _, err := os.Stat(name); err == nil {
			t.Errorf("%s is left", name)
		}
	}
	for _, name := range stays {
		if _, err := os.Stat(name); err != nil {
			t.Errorf("%s was removed", name)
		}
	}
	if got := names(t, c); got != "driver making*" {
		t.Errorf("the cache shows %q", got)
	}
}

// TestStampWithoutEntry checks that an entry that a run held but never made leaves nothing.
func TestStampWithoutEntry(t *testing.T) {
	c := open(t, t.TempDir(), 0, 0)
	c.Hold(Trees, "never")
	stamp := c.stamp(key{Trees, "never"})
	must(t, os.Chtimes(stamp, time.Now(), time.Now().Add(-2*day)))
	c.Finish(t.Context())
	if _, err := os.Stat(stamp); err == nil {
		t.Error("the stamp is left")
	}
}

// TestDamaged checks that damaged stamps neither fail a run nor protect anything.
func TestDamaged(t *testing.T) {
	for _, test := range []struct {
		reason string
		damage func(t *testing.T, stamp string)
	}{
		{"no number", func(t *testing.T, stamp string) { write(t, stamp, "\x00\xff") }},
		{"a negative size", func(t *testing.T, stamp string) { write(t, stamp, "-5\n") }},
		{"empty", func(t *testing.T, stamp string) { write(t, stamp, "") }},
		{"missing", func(t *testing.T, stamp string) { must(t, os.Remove(stamp)) }},
		{"a folder", func(t *testing.T, stamp string) {
			must(t, os.Remove(stamp))
			write(t, filepath.Join(stamp, "file"), "")
		}},
		{"a link that leads nowhere", func(t *testing.T, stamp string) {
			must(t, os.Remove(stamp))
			must(t, os.Symlink(filepath.Join(stamp, "nowhere"), stamp))
		}},
		{"all of them are missing", func(t *testing.T, stamp string) {
			must(t, os.RemoveAll(filepath.Dir(filepath.Dir(stamp))))
		}},
	} {
		t.Run(test.reason, func(t *testing.T) {
			c := open(t, t.TempDir(), 4*kilobyte, 0)
			path := entry(t, c, Trees, "tree", 1, day)
			test.damage(t, c.stamp(key{Trees, "tree"}))
			run := open(t, c.folder, 0, 0)
			if got := run.Hold(Trees, "tree"); got != path {
				t.Errorf("Hold returns %s, want %s", got, path)
			}
			c.Finish(t.Context())
			if got := names(t, c); got != "tree*" {
				t.Errorf("the cache shows %q, want the entry in use", got)
			}
			run.Finish(t.Context())
			c.Finish(t.Context())
			if got := names(t, c); got != "" {
				t.Errorf("the cache shows %q, want nothing above the limit", got)
			}
		})
	}
}

// TestShared lets several runs make and read the same entries at the same time, with a limit that is always exceeded.
// An entry must stay complete while a run holds it.
func TestShared(t *testing.T) {
	folder := t.TempDir()
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for round := range 30 {
				c, err := Open(Settings{Folder: folder, Limit: 1}, nil)
				if err != nil {
					t.Error(err)
					return
				}
				use(t, c, string(rune('a'+round%3)))
				c.Finish(t.Context())
			}
		})
	}
	group.Wait()
	c := open(t, folder, 1, 0)
	c.Finish(t.Context())
	if got := names(t, c); got != "" {
		t.Errorf("left: %q", got)
	}
}

// use makes an entry if it is missing, in the way trees are made, and reads it.
func use(t *testing.T, c *Cache, name string) {
	path := c.Hold(Trees, name)
	file := filepath.Join(path, "content")
	if _, err := os.Stat(file); err != nil {
		dir, done, err := c.Temporary(Trees)
		if err != nil {
			t.Error(err)
			return
		}
		defer done()
		if err := os.WriteFile(filepath.Join(dir, "content"), []byte(name), 0o666); err != nil {
			t.Error(err)
		}
		_ = os.Rename(dir, path) // another run may have been faster
	}
	for range 10 {
		if text, err := os.ReadFile(file); err != nil || string(text) != name {
			t.Errorf("an entry in use reads %q, %v", text, err)
		}
	}
}

func TestOtherFolders(t *testing.T) {
	folder := t.TempDir()
	write(t, filepath.Join(folder, "trees", "my-oak", "photo"), "")
	_, err := Open(Settings{Folder: folder}, nil)
	if err == nil || !strings.Contains(err.Error(), "no cache of spectradiff") {
		t.Errorf("a folder with something else is taken: %v", err)
	}
	if entries, err := os.ReadDir(folder); err != nil || len(entries) != 1 {
		t.Errorf("the folder was changed: %v %v", entries, err)
	}
	c := open(t, filepath.Join(folder, "new", "cache"), 0, 0)
	entry(t, c, Trees, "tree", 1, 0)
	if got := names(t, open(t, c.folder, 0, 0)); got != "tree" {
		t.Errorf("a cache of ours shows %q", got)
	}
}

// TestSizesAreNoted checks that a tree or a driver is measured once, so that listing a cache reads only stamps. Entries
// that may grow are measured after each run.
func TestSizesAreNoted(t *testing.T) {
	c := open(t, t.TempDir(), 0, 0)
	for _, kind := range []Kind{Trees, ModuleFiles} {
		write(t, filepath.Join(c.Hold(kind, "entry"), "content"), "x")
	}
	c.Finish(t.Context())
	for _, kind := range []Kind{Trees, ModuleFiles} {
		write(t, filepath.Join(c.Hold(kind, "entry"), "more"), "x")
	}
	sizes := func() (tree, files int64) {
		contents, err := c.Contents()
		must(t, err)
		return contents.Entries[0].Size, contents.Entries[1].Size
	}
	if tree, files := sizes(); tree != 8*kilobyte || files != 8*kilobyte {
		t.Errorf("before the run is over: %d, %d, want the sizes that were noted", tree, files)
	}
	c.Finish(t.Context())
	if tree, files := sizes(); tree != 8*kilobyte || files != 12*kilobyte {
		t.Errorf("after it: %d, %d, want a tree as before and larger module files", tree, files)
	}
}

// TestSizeAfterInterruptedBuild checks that a driver counts although a run before was ended while it was built, and
// that it is measured once from then on.
func TestSizeAfterInterruptedBuild(t *testing.T) {
	c := open(t, t.TempDir(), 0, 0)
	for _, run := range []struct {
		reason string
		build  func(entry string)
		want   int64
	}{
		{"ended after its sources were written", func(entry string) { write(t, filepath.Join(entry, "a.go"), "x") }, 8},
		{"built", func(entry string) {
			part := filepath.Join(entry, partPrefix+"driver")
			write(t, part, strings.Repeat("x", 100*kilobyte))
			must(t, Place(part, filepath.Join(entry, "driver")))
		}, 112},
		{"used, and not measured again", func(entry string) { write(t, filepath.Join(entry, "b.go"), "x") }, 112},
	} {
		run.build(c.Hold(Drivers, "entry"))
		c.Finish(t.Context())
		contents, err := c.Contents()
		must(t, err)
		if got := contents.Entries[0].Size; got != run.want*kilobyte {
			t.Errorf("%s: %d bytes, want %d", run.reason, got, run.want*kilobyte)
		}
	}
}
