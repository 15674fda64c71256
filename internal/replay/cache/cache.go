// Package cache manages the folder in which runs leave files for later runs: the trees of versions, drivers, completed
// module files, links to toolchains, what tests run, reports, and what commits showed.
//
// Input: a folder, a limit on its size, a limit on the age of entries, and the entries that a run holds. Output: the
// paths of entries. A finished run leaves the folder below its limit, unless other runs hold too many entries.
//
//	<folder>/CACHEDIR.TAG          marks the folder as a cache of this program
//	<folder>/<kind>/<name>         an entry, which is used and removed as a whole
//	<folder>/<kind>/.tmp-…         is being written or removed, locked by its writer
//	<folder>/use/<kind>/<name>     the entry's stamp: locked by those who hold the entry; its time is
//	                               the time of the last use, its content the entry's size
//	<folder>/use/trimmed           its time is when the folder was trimmed last
//
// An entry that a running process holds is never removed. A process that has ended holds nothing, however it ended.
// Removing an entry renames it first, so no reader sees half of it. The least recently used entries are removed first.
// An entry that is damaged or incomplete has no valid seal and is made again. The folders belong to this user alone.
//
// The package never uses a folder that another user may have changed. It never removes anything from a folder without
// the mark of this program. A failure to trim never fails a run.
package cache

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"
)

// A Kind is a kind of entries. Its text is the name of their folder.
type Kind string

// The kinds of entries.
const (
	Trees       Kind = "trees"   // the files of a version
	Drivers     Kind = "builds"  // a driver, with the sources laid over its version
	ModuleFiles Kind = "mod"     // go.mod and go.sum of a version, completed
	Toolchains  Kind = "goroot"  // links to the files of a toolchain, and what is laid over them
	Footprints  Kind = "tests"   // what tests of a version run
	Reports     Kind = "reports" // of two versions
	Answers     Kind = "answers" // what commits showed
)

// Kinds lists all kinds, in the order in which runs use them.
func Kinds() []Kind {
	return []Kind{Trees, ModuleFiles, Toolchains, Drivers, Footprints, Reports, Answers}
}

// Title returns the plural for people to read.
func (k Kind) Title() string {
	switch k {
	case Drivers:
		return "drivers"
	case ModuleFiles:
		return "module files"
	case Toolchains:
		return "toolchain files"
	case Footprints:
		return "runs of tests"
	}
	return string(k)
}

const (
	// temporary is the prefix of names that are not entries yet, or no longer.
	temporary = ".tmp-"
	// partPrefix is the prefix of files and folders inside an entry that are being written.
	partPrefix = "part-"
)

// A Cache is an open cache. Its methods may be called from several goroutines.
type Cache struct {
	folder string
	limit  int64
	age    time.Duration
	log    func(format string, args ...any)

	mu   sync.Mutex
	held map[key]*os.File // the locked stamps
}

// A key names an entry.
type key struct {
	kind Kind
	name string
}

// Open opens a cache and makes its folder if need be. It logs harmless problems. The function log may be nil.
func Open(s Settings, log func(format string, args ...any)) (*Cache, error) {
	if log == nil {
		log = func(string, ...any) {}
	}
	c := &Cache{folder: s.Folder, limit: s.Limit, age: s.Age, log: log, held: map[key]*os.File{}}
	if c.folder == "" {
		c.folder = DefaultFolder()
	}
	var err error
	if c.folder, err = filepath.Abs(c.folder); err != nil {
		return nil, fmt.Errorf("cache folder: %w", err)
	}
	if err := os.MkdirAll(c.folder, 0o700); err != nil {
		return nil, fmt.Errorf("cache folder: %w; name another with %s", err, FolderVariable)
	}
	if err := c.checkOwners(); err != nil {
		return nil, err
	}
	return c, c.mark()
}

const (
	tagFile = "CACHEDIR.TAG"
	// tag begins as the Cache Directory Tagging Specification says, so that backups leave the folder out.
	tag = "Signature: 8a477f597d28d172789f06886806bc55\n" +
		"# This folder is a cache of spectradiff. All of it can be made again.\n" +
		"# See https://bford.info/cachedir/.\n"
)

// mark writes the tag. It refuses a folder that holds other files.
func (c *Cache) mark() error {
	if c.marked() {
		return nil
	}
	entries, err := os.ReadDir(c.folder)
	if err != nil {
		return fmt.Errorf("cache folder: %w", err)
	}
	for _, entry := range entries {
		if strings.HasPrefix(entry.Name(), tagFile) || c.folder == DefaultFolder() {
			continue
		}
		if c.marked() { // another run has just marked it
			return nil
		}
		return fmt.Errorf("cache folder %s: it is not empty and no cache of spectradiff; "+
			"name an empty or a new folder with %s", c.folder, FolderVariable)
	}
	err = c.writeTag()
	if err != nil && !errors.Is(err, os.ErrPermission) {
		return fmt.Errorf("cache folder: %w", err)
	}
	return nil
}

func (c *Cache) marked() bool {
	text, err := os.ReadFile(filepath.Join(c.folder, tagFile))
	return err == nil && strings.Contains(string(text), "spectradiff")
}

// writeTag writes the tag under another name and renames it, so that no process reads half of it.
func (c *Cache) writeTag() error {
	part, err := os.CreateTemp(c.folder, tagFile)
	if err != nil {
		return err
	}
	defer os.Remove(part.Name())
	_, err = part.WriteString(tag)
	if err = errors.Join(err, part.Chmod(0o644), part.Close()); err != nil {
		return err
	}
	return os.Rename(part.Name(), filepath.Join(c.folder, tagFile))
}

// Hold keeps an entry from being removed until Finish, and notes its use. The entry need not exist yet.
// Call Hold before looking for the entry. It returns the entry's path.
func (c *Cache) Hold(kind Kind, name string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	k := key{kind, name}
	if c.held[k] != nil {
		return c.path(k)
	}
	if err := os.MkdirAll(filepath.Join(c.folder, string(kind)), 0o700); err != nil {
		c.log("cache: %v", err)
	}
	stamp, err := lockFile(c.stamp(k), shared)
	if err != nil {
		// If this process can't lock, others can't either, so they remove nothing.
		c.log("cache: %s is used without a lock: %v", filepath.Join(string(kind), name), err)
		return c.path(k)
	}
	if !c.sound(k) {
		if stamp = c.repair(k, stamp); stamp == nil {
			return c.path(k)
		}
	}
	if err := touch(stamp); err != nil {
		c.log("cache: note the use of %s: %v", filepath.Join(string(kind), name), err)
	}
	c.held[k] = stamp
	return c.path(k)
}

func (c *Cache) path(k key) string  { return filepath.Join(c.folder, string(k.kind), k.name) }
func (c *Cache) stamp(k key) string { return filepath.Join(c.folder, "use", string(k.kind), k.name) }

// Temporary makes a folder for writing an entry. A rename then gives the entry its name, and the caller calls done. If
// the writer dies, a later run removes the folder.
func (c *Cache) Temporary(kind Kind) (dir string, done func(), err error) {
	parent := filepath.Join(c.folder, string(kind))
	if err := os.MkdirAll(parent, 0o700); err != nil {
		return "", nil, fmt.Errorf("cache: %w", err)
	}
	if dir, err = os.MkdirTemp(parent, temporary); err != nil {
		return "", nil, fmt.Errorf("cache: %w", err)
	}
	folder, err := os.Open(dir)
	if err == nil {
		err = lock(folder, exclusive)
	}
	if err != nil {
		c.log("cache: %s is written without a lock: %v", dir, err)
	}
	return dir, func() {
		_ = os.RemoveAll(dir)
		_ = folder.Close()
	}, nil
}

// Finish releases all entries and trims the folder, unless the context is over. It trims once an hour, and whenever the
// folder is above its limit. It logs problems.
func (c *Cache) Finish(ctx context.Context) {
	c.mu.Lock()
	for k, stamp := range c.held {
		c.measure(k, stamp)
		_ = stamp.Close()
	}
	clear(c.held)
	c.mu.Unlock()
	if ctx.Err() != nil {
		return
	}
	if err := c.trim(time.Now()); err != nil {
		c.log("cache: trim %s: %v", c.folder, err)
	}
}
