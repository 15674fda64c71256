package env

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"github.com/spectradiff/spectradiff/internal/replay/cache"
	"github.com/spectradiff/spectradiff/internal/replay/sandbox"
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
	logf func(string, ...any)
}

// temporaries are the folders that this process has not removed yet.
var temporaries struct {
	sync.Mutex
	of map[*Temporary]bool
}

// startTime is how long a process may take from making its folder to locking it: an unlocked one is left over only if
// it is older.
const startTime = time.Hour

// NewTemporary makes a folder, and removes those of runs that have ended without doing so. What can't be removed is
// logged, unless the log is nil.
func NewTemporary(logf func(format string, args ...any)) (*Temporary, error) {
	if logf == nil {
		logf = func(string, ...any) {}
	}
	if err := cache.CheckOwner(os.TempDir(), true); err != nil {
		return nil, fmt.Errorf("folder for temporary files %s: %w; name another with TMPDIR", os.TempDir(), err)
	}
	t, err := makeTemporary()
	if err != nil {
		return nil, fmt.Errorf("temporary folder: %w", err)
	}
	t.logf = logf
	if own, err := os.Lstat(t.Path); err == nil { // the file system's clock may be another than this process's
		sweep(os.TempDir(), own.ModTime(), logf)
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
	remove(t.Path, t.logf)
	_ = t.lock.Close()
	temporaries.Lock()
	delete(temporaries.of, t)
	temporaries.Unlock()
}

// RemoveTemporaries removes what this process has left of its folders, for an end at which nothing else is waited
// for, as for a log that nobody may be reading. The error says what stays.
func RemoveTemporaries() (err error) {
	temporaries.Lock()
	defer temporaries.Unlock()
	for t := range temporaries.of {
		remove(t.Path, func(format string, args ...any) { err = errors.Join(err, fmt.Errorf(format, args...)) })
	}
	return err
}

func remove(folder string, logf func(string, ...any)) {
	if err := sandbox.Remove(folder); err != nil {
		logf("the temporary folder %s stays: %v", folder, err)
	}
}

// sweep removes the folders of runs that have ended, also of those that were killed before they had locked theirs.
// Those of other users it leaves. Now is the time by the clock that dates what the folder holds.
func sweep(folder string, now time.Time, logf func(string, ...any)) {
	var found []string
	for _, prefix := range []string{lockedPrefix, unlockedPrefix} {
		names, _ := fs.Glob(os.DirFS(folder), prefix+"*")
		for _, name := range names {
			found = append(found, filepath.Join(folder, name))
		}
	}
	for _, name := range found {
		info, err := os.Lstat(name)
		if err != nil {
			continue
		}
		if !own(info) {
			continue
		}
		if strings.HasPrefix(filepath.Base(name), unlockedPrefix) && now.Sub(info.ModTime()) < startTime {
			continue
		}
		if lock, err := lockFolder(name); err == nil {
			remove(name, logf)
			_ = lock.Close()
		}
	}
}
