package repository

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"strings"
	"sync"

	"github.com/spectradiff/spectradiff/internal/spectra/source"
)

// Held returns a text that stands for the files of a commit as they are written here: other files where objects are
// replaced, fewer where the clone lacks some. Trees of commits have that name in the cache.
func (r *Repository) Held(ctx context.Context, c Commit) (string, error) {
	if err := c.check(); err != nil {
		return "", err
	}
	read := r.objects.reader()
	defer read.close()
	head, err := read.commit(c.id())
	var apart string
	if err == nil {
		apart, err = read.apart(ctx, head.tree)
	}
	if err != nil {
		return "", fmt.Errorf("find the files of %s: %w", c.Revision, r.advise(c.Revision, err))
	}
	return c.Hash + apart, nil
}

// apart returns how the name of what is made of a tree ends; see version. It reads no tree again that was there with
// all its files.
func (r *reader) apart(ctx context.Context, tree hash) (string, error) {
	list := lister{ctx: ctx, read: r}
	if whole, err := list.whole(tree, ""); err != nil || whole {
		return r.objects.replacement(), err
	}
	list = lister{ctx: ctx, read: r}
	return list.version(tree)
}

// version lists the files of a version, and returns how the name of what is made of them ends: "" where they are those
// that its tree names.
func (l *lister) version(tree hash) (apart string, err error) {
	if err := l.tree(tree, ""); err != nil {
		return "", err
	}
	apart = l.read.objects.replacement()
	if removed := l.leaveOutAbsent(); removed != "" {
		apart += "-without-" + removed
	}
	return apart, nil
}

// A wholeness remembers trees that are there with all that is below them.
type wholeness struct {
	lock sync.Mutex
	of   map[hash]bool
}

func (w *wholeness) known(tree hash) bool {
	w.lock.Lock()
	defer w.lock.Unlock()
	return w.of[tree]
}

func (w *wholeness) note(tree hash) {
	w.lock.Lock()
	defer w.lock.Unlock()
	if w.of == nil {
		w.of = map[hash]bool{}
	}
	w.of[tree] = true
}

// whole reports whether all that is below a tree is there; prefix ends with a slash unless it is the root.
func (l *lister) whole(tree hash, prefix string) (bool, error) {
	known := &l.read.objects.whole
	if known.known(tree) {
		return true, nil
	}
	entries, err := l.folder(tree, prefix)
	if err != nil {
		return false, err
	}
	for _, e := range entries {
		there := true
		switch {
		case isVersionControl(e.name) || e.mode == modeSubmodule:
		case e.mode == modeFolder:
			there, err = l.whole(e.hash, prefix+e.name+"/")
		default:
			there = l.read.objects.has(e.hash)
		}
		if err != nil || !there {
			return false, err
		}
	}
	known.note(tree)
	return true, nil
}

// leaveOutAbsent removes the files whose contents a clone does not have, as partial ones and mirrors without large
// files. What a build may read stays, so that writing it fails with advice. It returns a hash of the removed paths, ""
// if there are none.
func (l *lister) leaveOutAbsent() (removed string) {
	absent := sha256.New()
	embeds := map[string]bool{}
	kept := l.files[:0:0]
	for _, f := range l.files {
		if l.read.objects.has(f.hash) || f.mode == modeSymlink || Builds(f.path) || l.mayEmbed(f.path, embeds) {
			kept = append(kept, f)
			continue
		}
		l.warnings = append(l.warnings,
			f.path+" is left out: this clone does not have its content, and no build reads it")
		fmt.Fprintf(absent, "%q\n", f.path)
	}
	if len(kept) == len(l.files) {
		return ""
	}
	l.files = kept
	return hex.EncodeToString(absent.Sum(nil)[:8])
}

// has reports whether the store has an object.
func (o *objects) has(h hash) bool {
	if other, ok := o.replaced[h]; ok {
		h = other
	}
	err := o.search(func(packs []pack) error {
		for _, p := range packs {
			if found, _ := p.index.Contains(h); found {
				return nil
			}
		}
		for _, folder := range o.folders {
			name := h.String()
			if _, err := os.Stat(filepath.Join(folder, name[:2], name[2:])); err == nil {
				return nil
			}
		}
		return &missingObject{h}
	})
	_, missing := errors.AsType[*missingObject](err)
	return !missing // of other errors whoever reads it hears
}

// Builds reports whether the go command, or this package, may read a file because of its name.
func Builds(name string) bool {
	base := path.Base(name)
	switch base {
	case "go.mod", "go.sum", "go.work", "go.work.sum", "modules.txt":
		return true
	}
	if strings.HasPrefix(base, ".git") {
		return true
	}
	return path.Ext(base) == ".go" || path.Ext(base) == ".pgo" || source.Native(base)
}

// mayEmbed reports whether Go code in the folder of a file, or in one above, embeds any files. The results for folders
// are kept in known.
func (l *lister) mayEmbed(name string, known map[string]bool) bool {
	for dir := path.Dir(name); ; dir = path.Dir(dir) {
		embeds, ok := known[dir]
		if !ok {
			embeds = l.embeds(dir)
			known[dir] = embeds
		}
		if embeds || dir == "." {
			return embeds
		}
	}
}

// embeds reports whether a Go file of a folder has an embed directive, or can't be read.
func (l *lister) embeds(dir string) bool {
	for _, f := range l.files {
		if path.Dir(f.path) != dir || path.Ext(f.path) != ".go" {
			continue
		}
		_, text, err := l.read.content(f.hash)
		if err != nil || bytes.Contains(text, []byte("//go:embed")) {
			return true
		}
	}
	return false
}
