package repository

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"runtime"
	"strings"
	"sync"
	"sync/atomic"
)

// lfsHeader starts every Git LFS pointer file.
const lfsHeader = "version https://git-lfs.github.com/spec/"

// pointerNote is what is told of a Git LFS pointer file, after its path.
const pointerNote = " is a Git LFS pointer; the content it stands for is not there"

// changing is the error for a file of the working tree that changes while it is read.
type changing struct {
	path string
	err  error
}

func (e *changing) Error() string { return fmt.Sprintf("%s changed: %v", e.path, e.err) }
func (e *changing) Unwrap() error { return e.err }

func isChanging(err error) bool {
	var c *changing
	return errors.As(err, &c)
}

// changed returns the error for a file of the working tree that can't be opened. If the file does not exist any more,
// it is a *changing.
func changed(path string, err error) error {
	if errors.Is(err, os.ErrNotExist) {
		return &changing{path, err}
	}
	return fmt.Errorf("read %s: %w", path, err)
}

// parallel calls functions for the indexes 0…n-1 in several goroutines, and returns the error of the lowest index. Each
// goroutine gets its do and end from worker. It calls do for runs of neighbouring indexes, and end at last.
func parallel(ctx context.Context, n int, worker func() (do func(int) error, end func())) error {
	const run = 32
	var next atomic.Int64
	var failed atomic.Bool
	errs := make([]error, n)
	var group sync.WaitGroup
	for range min(runtime.GOMAXPROCS(0), (n+run-1)/run) {
		group.Go(func() {
			do, end := worker()
			defer end()
			for !failed.Load() && ctx.Err() == nil {
				first := int(next.Add(run)) - run
				for i := first; i < min(first+run, n); i++ {
					if errs[i] = do(i); errs[i] != nil {
						failed.Store(true)
						return
					}
				}
				if first >= n {
					return
				}
			}
		})
	}
	group.Wait()
	for _, err := range errs {
		if err != nil {
			return err
		}
	}
	return ctx.Err()
}

// writeFiles writes files below root and returns warnings about them.
func (s store) writeFiles(ctx context.Context, root string, files []file) ([]string, error) {
	if err := makeFolders(root, files); err != nil {
		return nil, err
	}
	notes := make([]string, len(files))
	var size atomic.Int64
	err := parallel(ctx, len(files), func() (func(int) error, func()) {
		w := treeWriter{root: root, read: s.objects.reader(), size: &size}
		return func(i int) error {
			note, err := w.write(files[i])
			notes[i] = note
			return err
		}, w.read.close
	})
	if err != nil {
		return nil, err
	}
	return gathered(notes), nil
}

// gathered returns the notes that there are, with one for all Git LFS pointers: a repository that has one has many.
func gathered(notes []string) (list []string) {
	first, more := -1, 0
	for _, note := range notes {
		switch {
		case note == "":
		case first < 0 || !strings.HasSuffix(note, pointerNote):
			if strings.HasSuffix(note, pointerNote) {
				first = len(list)
			}
			list = append(list, note)
		default:
			more++
		}
	}
	if more > 0 {
		const all = "%s and %d more are Git LFS pointers; the contents they stand for are not there"
		list[first] = fmt.Sprintf(all, strings.TrimSuffix(list[first], pointerNote), more)
	}
	return list
}

func makeFolders(root string, files []file) error {
	if err := os.MkdirAll(root, 0o755); err != nil {
		return err
	}
	last := ""
	for _, f := range files {
		dir := path.Dir(f.path)
		if dir == last || dir == "." {
			continue
		}
		last = dir
		if err := os.MkdirAll(filepath.Join(root, filepath.FromSlash(dir)), 0o755); err != nil {
			return err
		}
	}
	return nil
}

type treeWriter struct {
	root string
	read *reader
	size *atomic.Int64 // of all files so far
}

// maxTree is the maximum size of the files of a tree in bytes, maxLink that of the target of a symlink.
const (
	maxTree = 8 << 30
	maxLink = 4095
)

// Write counts the bytes written to the tree.
func (w treeWriter) Write(p []byte) (int, error) {
	if w.size.Add(int64(len(p))) > maxTree {
		return 0, fmt.Errorf("the version's files have more than %d bytes in all", int64(maxTree))
	}
	return len(p), nil
}

// open returns a file's content.
func (w treeWriter) open(f file) (io.ReadCloser, error) {
	switch {
	case f.text != nil:
		return io.NopCloser(bytes.NewReader(f.text)), nil
	case f.disk != "" && f.mode == modeSymlink:
		target, err := os.Readlink(f.disk)
		if err != nil {
			return nil, &changing{f.path, err}
		}
		return io.NopCloser(strings.NewReader(target)), nil
	case f.disk != "":
		in, err := os.Open(f.disk)
		if err != nil {
			return nil, changed(f.path, err)
		}
		return in, nil
	}
	obj, err := w.read.object(f.hash)
	if err != nil {
		return nil, fmt.Errorf("read %s: %w", f.path, err)
	}
	return obj.Reader()
}

func (w treeWriter) write(f file) (note string, err error) {
	in, err := w.open(f)
	if err != nil {
		return "", err
	}
	defer in.Close()
	name := filepath.Join(w.root, filepath.FromSlash(f.path))
	if f.mode == modeSymlink {
		return w.symlink(f, name, in)
	}
	perm := os.FileMode(0o644)
	if f.mode&0o111 != 0 {
		perm = 0o755
	}
	sum, head := sha256.New(), &headWriter{}
	to := io.MultiWriter(head, w)
	if f.disk != "" {
		to = io.MultiWriter(head, w, sum)
	}
	if err := copyFile(name, perm, io.TeeReader(in, to)); err != nil {
		return "", fmt.Errorf("write %s: %w", f.path, err)
	}
	if f.sum != "" && f.disk != "" && hex.EncodeToString(sum.Sum(nil)) != f.sum {
		return "", &changing{f.path, errors.New("its content is another now")}
	}
	if strings.HasPrefix(string(head.data), lfsHeader) {
		note = f.path + pointerNote
	}
	return note, nil
}

func copyFile(name string, perm os.FileMode, in io.Reader) error {
	out, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, perm)
	if err != nil {
		return err
	}
	_, err = io.Copy(out, in)
	if err == nil {
		err = out.Chmod(perm) // the umask must not change the modes of a version
	}
	if closed := out.Close(); err == nil {
		err = closed
	}
	return err
}

// symlink makes a symlink. It keeps a link out of the tree, because it is part of the version; note then describes it.
func (w treeWriter) symlink(f file, name string, in io.Reader) (note string, err error) {
	data, err := io.ReadAll(io.LimitReader(in, maxLink+1))
	if err == nil && len(data) > maxLink {
		err = fmt.Errorf("it is a symlink to a path of more than %d bytes", maxLink)
	}
	if err != nil {
		return "", fmt.Errorf("read %s: %w", f.path, err)
	}
	target := string(data)
	if err := os.Symlink(target, name); err != nil {
		return "", err
	}
	inside := path.Join(path.Dir(f.path), target)
	if path.IsAbs(target) || inside == ".." || strings.HasPrefix(inside, "../") {
		note = fmt.Sprintf("%s is a symlink that leads out of the repository, to %s", f.path, target)
	}
	return note, nil
}

// headWriter keeps the first bytes.
type headWriter struct{ data []byte }

func (h *headWriter) Write(p []byte) (int, error) {
	if room := len(lfsHeader) - len(h.data); room > 0 {
		h.data = append(h.data, p[:min(room, len(p))]...)
	}
	return len(p), nil
}
