package env

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"
)

func exists(name string) bool {
	_, err := os.Lstat(name)
	return err == nil
}

func TestTemporary(t *testing.T) {
	folder := t.TempDir()
	t.Setenv("TMPDIR", folder)
	kept := filepath.Join(folder, "kept")
	if err := os.MkdirAll(kept, 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(kept, filepath.Join(folder, lockedPrefix+"link")); err != nil {
		t.Fatal(err)
	}
	killed, err := NewTemporary(t.Logf)
	if err != nil {
		t.Fatal(err)
	}
	running, err := NewTemporary(t.Logf)
	if err != nil {
		t.Fatal(err)
	}
	if !exists(killed.Path) {
		t.Fatal("a second run removed the folder of one that goes on")
	}
	if err := os.WriteFile(filepath.Join(killed.Path, "file"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	if err := killed.lock.Close(); err != nil { // as the kernel does when a process ends
		t.Fatal(err)
	}
	early := filepath.Join(folder, unlockedPrefix+"early") // of a process that ended before it had locked it
	if err := os.Mkdir(early, 0o700); err != nil {
		t.Fatal(err)
	}
	long := time.Now().Add(-2 * startTime)
	if err := os.Chtimes(early, long, long); err != nil {
		t.Fatal(err)
	}
	next, err := NewTemporary(t.Logf)
	if err != nil {
		t.Fatal(err)
	}
	if exists(killed.Path) || !exists(running.Path) || !exists(kept) {
		t.Errorf("left of a killed run %v, of a running one %v, what a link leads to %v; want only the last two",
			exists(killed.Path), exists(running.Path), exists(kept))
	}
	for _, of := range []*Temporary{running, next} {
		of.Remove()
		if exists(of.Path) {
			t.Errorf("%s is left", of.Path)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(folder, unlockedPrefix+"*")); len(left) > 0 {
		t.Errorf("left: %q", left)
	}
}

// TestSweepByClockOfFolder: what a process is just making stays, whatever the own clock says.
func TestSweepByClockOfFolder(t *testing.T) {
	folder := t.TempDir()
	made := filepath.Join(folder, unlockedPrefix+"made")
	if err := os.Mkdir(made, 0o700); err != nil {
		t.Fatal(err)
	}
	long := time.Now().Add(-2 * startTime)
	if err := os.Chtimes(made, long, long); err != nil {
		t.Fatal(err)
	}
	if sweep(folder, long.Add(time.Second), t.Logf); !exists(made) {
		t.Error("a folder that was made a second ago is gone")
	}
	if sweep(folder, long.Add(2*startTime), t.Logf); exists(made) {
		t.Error("a folder that was made hours ago is left")
	}
}

// TestTemporariesAtOnce: what sweeps does not take a folder from a process that is just making it.
func TestTemporariesAtOnce(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	var group sync.WaitGroup
	for range 8 {
		group.Go(func() {
			for range 50 {
				made, err := NewTemporary(t.Logf)
				if err != nil {
					t.Error(err)
					return
				}
				if !exists(made.Path) {
					t.Errorf("%s was removed", made.Path)
				}
				made.Remove()
			}
		})
	}
	group.Wait()
}

func TestRemoveTemporaries(t *testing.T) {
	t.Setenv("TMPDIR", t.TempDir())
	made, err := NewTemporary(t.Logf)
	if err != nil {
		t.Fatal(err)
	}
	defer made.Remove()
	if err := RemoveTemporaries(); err != nil || exists(made.Path) {
		t.Errorf("%s is left: %v", made.Path, err)
	}
}

// TestUnwritableTemporary: folders that a command left without permissions are removed, by the run itself and by the
// next one.
func TestUnwritableTemporary(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root needs no permissions")
	}
	t.Setenv("TMPDIR", t.TempDir())
	var logged []string
	logf := func(format string, args ...any) { logged = append(logged, fmt.Sprintf(format, args...)) }
	unwritable := func() *Temporary {
		made, err := NewTemporary(logf)
		if err != nil {
			t.Fatal(err)
		}
		below := filepath.Join(made.Path, "exec", "private", "cache")
		if err := os.MkdirAll(below, 0o700); err != nil {
			t.Fatal(err)
		}
		for dir := below; dir != made.Path; dir = filepath.Dir(dir) {
			if err := os.Chmod(dir, 0o500); err != nil {
				t.Fatal(err)
			}
		}
		return made
	}
	removed, killed, ended := unwritable(), unwritable(), unwritable()
	removed.Remove()
	if err := killed.lock.Close(); err != nil {
		t.Fatal(err)
	}
	last := unwritable()
	defer last.Remove()
	if err := RemoveTemporaries(); err != nil {
		t.Error(err)
	}
	for name, of := range map[string]*Temporary{"removed": removed, "killed": killed, "ended": ended, "last": last} {
		if exists(of.Path) {
			t.Errorf("the folder that was to be %s is left", name)
		}
	}
	if len(logged) > 0 {
		t.Errorf("logged %q", logged)
	}
}

// TestTemporaryStays: what can't be removed is told.
func TestTemporaryStays(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root needs no permissions")
	}
	folder := t.TempDir()
	t.Setenv("TMPDIR", folder)
	logged := ""
	made, err := NewTemporary(func(format string, args ...any) { logged = fmt.Sprintf(format, args...) })
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(folder, 0o500); err != nil {
		t.Fatal(err)
	}
	made.Remove()
	if err := os.Chmod(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(logged, "the temporary folder "+made.Path+" stays") {
		t.Errorf("logged %q", logged)
	}
}
