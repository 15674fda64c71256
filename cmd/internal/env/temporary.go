package env

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/spectradiff/spectradiff/internal/replay/cache"
)

// Folders of runs have this prefix in the folder for temporary files. Until they are locked they have another.
const (
	lockedPrefix   = "spectradiff-run-"
	unlockedPrefix = "spectradiff-new-"
)

// A Temporary is a folder that is locked until the process ends. The folder of a run that was killed is left behind;
// the next run removes it.
type Temporary struct {
	Path string
	lock *os.File
}

// temporaries are the folders that this process has not removed yet.
var temporaries struct {
	sync.Mutex
	of map[*Temporary]bool
}

// startTime is how long a process may take from making its folder to locking it: an unlocked one is left over only if
// it is older.
const startTime = time.Hour

// NewTemporary makes a folder, and removes those of runs that have ended without doing so.
func NewTemporary() (*Temporary, error) {
	if err := cache.CheckOwner(os.TempDir(), true); err != nil {
		return nil, fmt.Errorf("folder for temporary files %s: %w; name another with TMPDIR", os.TempDir(), err)
	}
	sweep(os.TempDir())
	t, err := makeTemporary()
	if err != nil {
		return nil, fmt.Errorf("temporary folder: %w", err)
	}
	temporaries.Lock()
	defer temporaries.Unlock()
	if temporaries.of == nil {
		temporaries.of = map[*Temporary]bool{}
	}
	temporaries.of[t] = true
	return t, nil
}

func makeTemporary() (*Temporary, error) {
	made, err := os.MkdirTemp("", unlockedPrefix)
	if err != nil {
		return nil, err
	}
	t := &Temporary{Path: filepath.Join(filepath.Dir(made), lockedPrefix+filepath.Base(made)[len(unlockedPrefix):])}
	// It gets the name that says so only when it is locked.
	if t.lock, err = lockFolder(made); err == nil {
		err = os.Rename(made, t.Path)
	}
	if err != nil {
		return nil, errors.Join(err, os.RemoveAll(made))
	}
	return t, nil
}

// Remove removes the folder, and lets go of its lock.
func (t *Temporary) Remove() {
	_ = os.RemoveAll(t.Path)
	_ = t.lock.Close()
	temporaries.Lock()
	delete(temporaries.of, t)
	temporaries.Unlock()
}

// RemoveTemporaries removes what this process has left of its folders, for an end at which nothing else is waited
// for.
func RemoveTemporaries() {
	temporaries.Lock()
	defer temporaries.Unlock()
	for t := range temporaries.of {
		_ = os.RemoveAll(t.Path)
	}
}

// sweep removes the folders of runs that have ended, also of those that were killed before they had locked theirs.
// What it can't remove it leaves: it may be another user's.
func sweep(folder string) {
	var found []string
	for _, prefix := range []string{lockedPrefix, unlockedPrefix} {
		names, _ := filepath.Glob(filepath.Join(folder, prefix+"*"))
		found = append(found, names...)
	}
	for _, name := range found {
		info, err := os.Lstat(name)
		if err != nil {
			continue
		}
		if !own(info) {
			continue
		}
		if strings.HasPrefix(filepath.Base(name), unlockedPrefix) && time.Since(info.ModTime()) < startTime {
			continue
		}
		if lock, err := lockFolder(name); err == nil {
			_ = os.RemoveAll(name)
			_ = lock.Close()
		}
	}
}
