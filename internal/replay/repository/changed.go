package repository

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"os"
	"slices"

	"github.com/go-git/go-git/v5/plumbing"
)

// A FileChange is a file or symlink that differs between two versions, in content or mode.
type FileChange struct {
	Name     string // slash-separated, from the root
	Old, New string // git's hashes of the contents; "" = not there
}

// ChangedFiles lists the files that differ between two versions, sorted by name. Of commits, only the folders that
// differ are read, and no file. What trees leave out is left out: submodules, folders of version control systems.
func (r *Repository) ChangedFiles(ctx context.Context, old, new Commit) ([]FileChange, error) {
	var changes []FileChange
	var err error
	if old.Worktree || new.Worktree {
		changes, err = r.changedOnDisk(ctx, old, new)
	} else {
		changes, err = r.changedTrees(ctx, old, new)
	}
	if err != nil {
		return nil, fmt.Errorf("compare the files of %s and %s: %w", old.Revision, new.Revision,
			r.advise(new.Revision, err))
	}
	slices.SortFunc(changes, func(a, b FileChange) int { return cmp.Compare(a.Name, b.Name) })
	return changes, nil
}

func (r *Repository) changedTrees(ctx context.Context, old, new Commit) ([]FileChange, error) {
	read := r.objects.reader()
	defer read.close()
	one, err := read.commit(old.id())
	if err != nil {
		return nil, err
	}
	other, err := read.commit(new.id())
	if err != nil {
		return nil, err
	}
	d := differ{old: lister{ctx: ctx, read: read}, new: lister{ctx: ctx, read: read}}
	if err := d.folder(one.tree, other.tree, ""); err != nil {
		return nil, err
	}
	return changesBetween(d.old.files, d.new.files), nil
}

// A differ lists the files of two trees without what is below equal folders.
type differ struct{ old, new lister }

// folder compares two folders; prefix ends with a slash unless it is the root.
func (d *differ) folder(old, new hash, prefix string) error {
	if old == new {
		return nil
	}
	ones, err := d.old.folder(old, prefix)
	if err != nil {
		return err
	}
	others, err := d.new.folder(new, prefix)
	if err != nil {
		return err
	}
	before, after := byName(ones), byName(others)
	var removed, added []treeEntry
	for _, e := range ones {
		now, both := after[e.name]
		switch {
		case both && now == e:
		case both && folders(e, now):
			if err := d.folder(e.hash, now.hash, prefix+e.name+"/"); err != nil {
				return err
			}
		default:
			removed = append(removed, e)
		}
	}
	for _, e := range others {
		if was, both := before[e.name]; !both || was != e && !folders(was, e) {
			added = append(added, e)
		}
	}
	if err := d.old.list(removed, prefix); err != nil {
		return err
	}
	return d.new.list(added, prefix)
}

func byName(entries []treeEntry) map[string]treeEntry {
	names := make(map[string]treeEntry, len(entries))
	for _, e := range entries {
		names[e.name] = e
	}
	return names
}

// folders reports whether two entries of a name are folders that belong to a version. A lister judges all others.
func folders(one, other treeEntry) bool {
	return one.mode == modeFolder && other.mode == modeFolder && safeName(one.name) && !isVersionControl(one.name)
}

// changesBetween lists the files of which only one side has that content and mode.
func changesBetween(old, new []file) []FileChange {
	type place struct {
		mode uint32
		hash hash
	}
	before := map[string]place{}
	for _, f := range old {
		before[f.path] = place{f.mode, f.hash}
	}
	var changes []FileChange
	for _, f := range new {
		was, both := before[f.path]
		delete(before, f.path)
		switch {
		case !both:
			changes = append(changes, FileChange{Name: f.path, New: f.hash.String()})
		case was != place{f.mode, f.hash}:
			changes = append(changes, FileChange{Name: f.path, Old: was.hash.String(), New: f.hash.String()})
		}
	}
	for name, was := range before {
		changes = append(changes, FileChange{Name: name, Old: was.hash.String()})
	}
	return changes
}

// changedOnDisk compares all files of two versions, one of which is the working tree.
func (r *Repository) changedOnDisk(ctx context.Context, old, new Commit) ([]FileChange, error) {
	all := func(*lister, hash) error { return nil }
	ones, err := r.files(ctx, old, all)
	if err != nil {
		return nil, err
	}
	others, err := r.files(ctx, new, all)
	if err != nil {
		return nil, err
	}
	return changesBetween(ones, others), nil
}

// Key returns a text that stands for the files of a version that count, and for settings. Files that this clone lacks
// don't count. Versions with the same text have the same such files.
func (r *Repository) Key(ctx context.Context, c Commit, counts func(name string) bool, settings ...string,
) (string, error) {
	files, err := r.files(ctx, c, func(l *lister, tree hash) error {
		whole, err := (&lister{ctx: ctx, read: l.read}).whole(tree, "")
		if !whole {
			l.leaveOutAbsent()
		}
		return err
	})
	if err != nil {
		return "", fmt.Errorf("hash files of %s: %w", c.Revision, r.advise(c.Revision, err))
	}
	h := sha256.New()
	fmt.Fprintf(h, "%q%s\n", settings, r.objects.replacement())
	for _, f := range files {
		if counts(f.path) {
			fmt.Fprintf(h, "%q %o %s\n", f.path, f.mode, f.hash)
		}
	}
	return hex.EncodeToString(h.Sum(nil)[:16]), nil
}

// files lists the files of a version with git's hashes of their contents, sorted. Of a commit, choose may leave out
// some.
func (r *Repository) files(
	ctx context.Context, c Commit, choose func(l *lister, tree hash) error,
) ([]file, error) {
	if c.Worktree {
		return r.hashedWorktree(ctx)
	}
	read := r.objects.reader()
	defer read.close()
	head, err := read.commit(c.id())
	if err != nil {
		return nil, err
	}
	list := lister{ctx: ctx, read: read}
	if err = list.tree(head.tree, ""); err == nil {
		err = choose(&list, head.tree)
	}
	slices.SortFunc(list.files, func(a, b file) int { return cmp.Compare(a.path, b.path) })
	return list.files, err
}

// hashedWorktree lists the files of the working tree, with the hashes that git would give their bytes.
func (r *Repository) hashedWorktree(ctx context.Context) ([]file, error) {
	files, _, err := r.worktreeFiles(ctx)
	if err != nil {
		return nil, err
	}
	err = parallel(ctx, len(files), func() (func(int) error, func()) {
		return func(i int) (err error) {
			if files[i].disk != "" {
				files[i].hash, err = blobHash(files[i])
			}
			return err
		}, func() {}
	})
	return files, err
}

// blobHash returns the hash that git would give the content of a file on disk.
func blobHash(f file) (hash, error) {
	if f.mode == modeSymlink {
		target, err := os.Readlink(f.disk)
		return plumbing.ComputeHash(plumbing.BlobObject, []byte(target)), err
	}
	in, err := os.Open(f.disk)
	if err != nil {
		return hash{}, err
	}
	defer in.Close()
	info, err := in.Stat()
	if err != nil {
		return hash{}, err
	}
	h := plumbing.NewHasher(plumbing.BlobObject, info.Size())
	if _, err := io.Copy(h, in); err != nil {
		return hash{}, fmt.Errorf("read %s: %w", f.path, err)
	}
	return h.Sum(), nil
}
