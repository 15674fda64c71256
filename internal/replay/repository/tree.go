package repository

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"

	"github.com/spectradiff/spectradiff/internal/replay/cache"
)

// file is one file to write into a tree. Its content is text if that is not nil, else the file disk if that is not
// empty, else the object hash.
type file struct {
	path string // slash-separated
	mode uint32
	disk string
	hash hash
	text []byte
	sum  string // of the content, "" = unknown; that of a file on disk is checked while it is copied
}

// maxAttempts is the maximum number of attempts to copy a working tree that keeps changing, and of attempts to publish.
const maxAttempts = 5

// Materialise writes a version's files to a tree in the cache, or finds them there. The cache holds the tree until it
// is finished.
func (r *Repository) Materialise(ctx context.Context, c Commit, trees *cache.Cache) (*Tree, error) {
	var got stored
	var err error
	if c.Worktree {
		got, err = r.materialiseWorktree(ctx, trees)
	} else {
		got, err = r.materialiseCommit(ctx, c, trees)
	}
	if err != nil {
		return nil, fmt.Errorf("write tree of %s: %w", c.Revision, r.advise(c.Revision, err))
	}
	return &Tree{
		Dir: got.dir, Commit: c, Warnings: got.warnings,
		Origin: r.origin(), Name: filepath.Base(r.Root),
		cache: trees, kept: got.name,
	}, nil
}

func (r *Repository) materialiseCommit(ctx context.Context, c Commit, trees *cache.Cache) (stored, error) {
	if err := c.check(); err != nil {
		return stored{}, err
	}
	s, name := store{cache: trees, objects: r.objects}, c.Hash+r.objects.replacement()
	if got, ok := s.find(name); ok {
		return got, nil
	}
	read := r.objects.reader()
	defer read.close()
	head, err := read.commit(c.id())
	if err != nil {
		return stored{}, err
	}
	list := lister{ctx: ctx, read: read}
	apart, err := list.version(head.tree)
	if err != nil {
		return stored{}, err
	}
	if of := c.Hash + apart; of != name {
		name = of
		if got, ok := s.find(name); ok {
			return got, nil
		}
	}
	return s.write(ctx, name, list.files, list.warnings)
}

type lister struct {
	ctx      context.Context
	read     *reader
	files    []file
	warnings []string
	listed   int // files and folders so far
	folders  int // folders among them
}

// The maximum numbers of files and folders of a version, of folders, and of bytes in a path. Few objects can stand for
// more than a disk holds: a tree may contain the same tree in many places.
const (
	maxListed  = 1_000_000
	maxFolders = 100_000
	maxPath    = 4000
)

// count counts the entries of a folder before any of them is read.
func (l *lister) count(prefix string, entries []treeEntry) error {
	l.listed += len(entries)
	for _, e := range entries {
		if e.mode == modeFolder {
			l.folders++
		}
		if n := len(prefix) + len(e.name); n > maxPath {
			return fmt.Errorf("the tree has a path of %d bytes, more than the %d that are written: %q…", n, maxPath,
				(prefix + e.name)[:100])
		}
	}
	if l.listed > maxListed || l.folders > maxFolders {
		return fmt.Errorf("the tree has more than %d files, or more than %d folders", maxListed, maxFolders)
	}
	return nil
}

// tree lists a tree object; prefix ends with a slash unless it is the root.
func (l *lister) tree(h hash, prefix string) error {
	entries, err := l.folder(h, prefix)
	if err != nil {
		return err
	}
	return l.list(entries, prefix)
}

// folder returns the entries of a tree object, counted.
func (l *lister) folder(h hash, prefix string) ([]treeEntry, error) {
	if err := l.ctx.Err(); err != nil {
		return nil, err
	}
	entries, err := l.read.tree(h)
	if err == nil {
		err = l.count(prefix, entries)
	}
	return entries, err
}

// list lists entries of a folder.
func (l *lister) list(entries []treeEntry, prefix string) error {
	for _, e := range entries {
		if !safeName(e.name) {
			return fmt.Errorf("the tree has a file called %q, which git refuses too", prefix+e.name)
		}
		path := prefix + e.name
		if isVersionControl(e.name) {
			l.warnings = append(l.warnings, versionControlWarning(path))
			continue
		}
		switch e.mode {
		case modeFolder:
			if err := l.tree(e.hash, path+"/"); err != nil {
				return err
			}
		case modeSubmodule:
			l.warnings = append(l.warnings, submoduleWarning(path))
		default:
			l.files = append(l.files, file{path: path, mode: e.mode, hash: e.hash})
		}
	}
	return nil
}

// safeName reports whether the name of a tree entry stays inside its folder and out of git's.
func safeName(name string) bool {
	return name != "" && name != "." && name != ".." &&
		!strings.EqualFold(name, ".git") && !strings.ContainsAny(name, "/\x00")
}

// materialiseWorktree makes a tree of the working tree. Its name is a hash of the content, so an unchanged working tree
// is found again. Every file is read, because a file may change without its time changing.
func (r *Repository) materialiseWorktree(ctx context.Context, trees *cache.Cache) (stored, error) {
	s := store{cache: trees, objects: r.objects}
	return s.copy(ctx, worktree, func() ([]file, []string, error) { return r.worktreeFiles(ctx) })
}

// copy copies files on disk to a tree whose name is kind and a hash of the content. If the files change meanwhile, it
// calls list again.
func (s store) copy(ctx context.Context, kind string, list func() ([]file, []string, error)) (stored, error) {
	for attempt := 1; ; attempt++ {
		files, warnings, err := list()
		if err != nil {
			return stored{}, err
		}
		key, err := contentKey(ctx, files)
		if err == nil {
			name := kind + "-" + key + s.objects.replacement() // a sparse working tree takes files from objects
			if got, ok := s.find(name); ok {
				return got, nil
			}
			var got stored
			if got, err = s.write(ctx, name, files, warnings); err == nil {
				return got, nil
			}
		}
		if !isChanging(err) || ctx.Err() != nil {
			return stored{}, err
		}
		if attempt == maxAttempts {
			return stored{}, fmt.Errorf("it keeps changing while it is copied: %w", err)
		}
	}
}

// contentKey returns a hash of the paths, modes and contents of files, and sets the sum of each file.
func contentKey(ctx context.Context, files []file) (string, error) {
	err := parallel(ctx, len(files), func() (func(int) error, func()) {
		return func(i int) error {
			f := &files[i]
			if f.disk == "" {
				f.sum = f.hash.String()
				return nil
			}
			sum, err := fileSum(*f)
			f.sum = sum
			return err
		}, func() {}
	})
	if err != nil {
		return "", err
	}
	all := sha256.New()
	for _, f := range files {
		fmt.Fprintf(all, "%q %o %s\n", f.path, f.mode, f.sum)
	}
	return hex.EncodeToString(all.Sum(nil))[:40], nil
}

func fileSum(f file) (string, error) {
	sum := sha256.New()
	if f.mode == modeSymlink {
		target, err := os.Readlink(f.disk)
		if err != nil {
			return "", &changing{f.path, err}
		}
		sum.Write([]byte(target))
		return hex.EncodeToString(sum.Sum(nil)), nil
	}
	in, err := os.Open(f.disk)
	if err != nil {
		return "", changed(f.path, err)
	}
	defer in.Close()
	if _, err := io.Copy(sum, in); err != nil {
		return "", fmt.Errorf("read %s: %w", f.path, err)
	}
	return hex.EncodeToString(sum.Sum(nil)), nil
}
