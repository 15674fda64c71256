package fleet

import (
	"archive/tar"
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"sync"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
	"go.opentelemetry.io/otel/attribute"
	"go.opentelemetry.io/otel/trace"
)

// An address is the SHA-256 of a content, in hex digits.
type address string

func (a address) valid() bool {
	sum, err := hex.DecodeString(string(a))
	return err == nil && len(sum) == sha256.Size
}

func addressOf(content []byte) address {
	sum := sha256.Sum256(content)
	return address(hex.EncodeToString(sum[:]))
}

// HashFile returns the SHA-256 of a file, in hex digits.
func HashFile(path string) (string, error) {
	file, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer file.Close()
	sum := sha256.New()
	_, err = io.Copy(sum, file)
	return hex.EncodeToString(sum.Sum(nil)), err
}

// A shelf is a part of the store whose contents are kept for a time.
type shelf struct {
	of      *link
	bucket  string
	ttl     time.Duration
	lasting time.Duration         // contents that are older are sent again before they are used
	blobs   jetstream.ObjectStore // for what is asked about contents
	moved   jetstream.ObjectStore // the same over the connection for contents, for themselves
}

func newShelf(of *link, bucket string, ttl time.Duration) *shelf {
	return &shelf{of: of, bucket: bucket, ttl: ttl, lasting: ttl / 2}
}

// prepare makes it, also again for a server that lost it.
func (s *shelf) prepare(ctx context.Context) error {
	blobs, err := s.of.js.CreateOrUpdateObjectStore(ctx, jetstream.ObjectStoreConfig{
		Bucket: s.bucket, TTL: s.ttl, Compression: true, Description: "what tasks of spectradiff need, by content",
	})
	if err != nil {
		return fmt.Errorf("object store: %w", err)
	}
	if s.blobs == nil { // the first time: nobody else uses it yet
		s.blobs = blobs
	}
	return nil
}

// has reports whether the store has a content of so many bytes, and will have it long enough for a run. It compares
// times of the server.
func (s *shelf) has(ctx context.Context, a address, size int64) (bool, error) {
	ctx, cancel := context.WithTimeout(ctx, 2*asking)
	defer cancel()
	info, err := s.blobs.GetInfo(ctx, string(a))
	switch {
	case errors.Is(err, jetstream.ErrObjectNotFound):
		return false, nil
	case lostStream(err):
		return false, s.of.prepare(ctx)
	case err != nil:
		return false, err
	case info.Size != uint64(size): // whoever put it there lied
		return false, nil
	}
	status, err := s.blobs.Status(ctx)
	if err != nil {
		return false, err
	}
	of, ok := status.(*jetstream.ObjectBucketStatus)
	return ok && of.StreamInfo().TimeStamp.Sub(info.ModTime) < s.lasting, nil
}

// lostStream reports whether an error says that there is no such stream.
func lostStream(err error) bool {
	return errors.Is(err, jetstream.ErrStreamNotFound) || errors.Is(err, jetstream.ErrNoStreamResponse) ||
		errors.Is(err, nats.ErrNoResponders)
}

// put puts a content of so many bytes into the store, unless it is there for long enough, and nobody missed it.
func (s *shelf) put(ctx context.Context, a address, size int64, open func() (io.ReadCloser, error)) error {
	if there, err := s.has(ctx, a, size); there && !s.of.mending.asked(a) || err != nil {
		return err
	}
	if err := s.of.sending.Acquire(ctx, 1); err != nil {
		return err
	}
	defer s.of.sending.Release(1)
	content, err := open()
	if err != nil {
		return err
	}
	defer content.Close()
	ctx, span := spans.Start(ctx, "content", trace.WithAttributes(attribute.Int64("bytes.sent", size)))
	defer span.End()
	switch err = s.send(ctx, a, size, content); {
	case err == nil:
		s.of.mending.mended(a)
	case errors.Is(err, errCut): // its name may be there, without all of it
		s.of.mending.ask(a)
	}
	return err
}

func (s *shelf) putBytes(ctx context.Context, content []byte) (address, error) {
	a := addressOf(content)
	return a, s.put(ctx, a, int64(len(content)), func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(content)), nil
	})
}

// The largest contents that are fetched, in bytes: whoever reaches the server can put some of any size there.
const (
	mostHeld   = 1 << 30  // in memory, all together
	mostTask   = 64 << 20 // what a task or job is
	mostDriver = 2 << 30  // a program
	mostFolder = 16 << 30 // a folder, packed or not
)

// fetch writes a content of at most so many bytes that was checked.
func (s *shelf) fetch(ctx context.Context, a address, most int64, to io.Writer) error {
	_, err := s.size(ctx, a, most)
	if err == nil {
		err = s.copy(ctx, a, most, to)
	}
	return of(a, err)
}

// of returns an error of a content with its address, as missing if it is.
func of(a address, err error) error {
	switch {
	case lacks(err):
		return &missing{a, err}
	case err != nil:
		return fmt.Errorf("content %.12s: %w", a, err)
	}
	return nil
}

// size returns how many bytes the store says that a content has, which may be so many at most.
func (s *shelf) size(ctx context.Context, a address, most int64) (int64, error) {
	if !a.valid() {
		return 0, fmt.Errorf("%.80q is no address", a)
	}
	ctx, cancel := context.WithTimeout(ctx, asking)
	defer cancel()
	info, err := s.blobs.GetInfo(ctx, string(a))
	switch {
	case err != nil:
		return 0, notThere(err)
	case info.Size > uint64(most):
		return 0, tooLarge(most)
	}
	return int64(info.Size), nil
}

// copy copies a content, and checks it.
func (s *shelf) copy(ctx context.Context, a address, most int64, to io.Writer) error {
	if err := s.of.receiving.Acquire(ctx, 1); err != nil {
		return err
	}
	defer s.of.receiving.Release(1)
	from, err := s.open(ctx, a)
	if err != nil {
		return err
	}
	defer from.Close()
	sum := sha256.New()
	n, err := io.Copy(io.MultiWriter(to, sum), io.LimitReader(from, most+1))
	switch {
	case err != nil:
		return err
	case n > most:
		return tooLarge(most)
	case address(hex.EncodeToString(sum.Sum(nil))) != a:
		return ErrContent
	}
	return nil
}

func tooLarge(most int64) error {
	return fmt.Errorf("it has more than %d bytes, and is left alone", most)
}

func (s *shelf) fetchBytes(ctx context.Context, a address, most int64) ([]byte, error) {
	var content bytes.Buffer
	err := s.fetch(ctx, a, most, &content)
	return content.Bytes(), err
}

// borrow is fetchBytes for what may be large. It waits until all that is held in memory has room, until free is called.
// Who has borrowed something must not borrow more before that.
func (s *shelf) borrow(ctx context.Context, a address, most int64) (content []byte, free func(), err error) {
	free = func() {}
	size, err := s.size(ctx, a, most)
	if err == nil {
		err = s.of.memory.Acquire(ctx, size)
	}
	if err != nil {
		return nil, free, of(a, err)
	}
	free = sync.OnceFunc(func() { s.of.memory.Release(size) })
	to := bytes.NewBuffer(make([]byte, 0, size))
	if err = s.copy(ctx, a, size, to); err != nil {
		free()
	}
	return to.Bytes(), free, of(a, err)
}

// pack writes a folder: its files, links and folders in the order of their names, with modes and times, without owners.
// Links have no times.
func pack(root string, to io.Writer) error {
	w := tar.NewWriter(to)
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		name, err := filepath.Rel(root, path)
		if err != nil || name == "." {
			return err
		}
		return packEntry(w, path, filepath.ToSlash(name), entry)
	})
	return errors.Join(err, w.Close())
}

func packEntry(w *tar.Writer, path, name string, entry fs.DirEntry) error {
	info, err := entry.Info()
	if err != nil {
		return err
	}
	link := ""
	switch info.Mode().Type() {
	case fs.ModeSymlink:
		if link, err = os.Readlink(path); err != nil {
			return err
		}
		info = untimed{info}
	case 0, fs.ModeDir:
	default:
		return fmt.Errorf("%s is neither file, folder nor link", path)
	}
	head, err := tar.FileInfoHeader(info, link)
	if err != nil {
		return err
	}
	head.Name, head.Format = name, tar.FormatPAX
	head.Uid, head.Gid, head.Uname, head.Gname = 0, 0, "", ""
	head.AccessTime, head.ChangeTime = time.Time{}, time.Time{}
	if err := w.WriteHeader(head); err != nil || !info.Mode().IsRegular() {
		return err
	}
	file, err := os.Open(path)
	if err != nil {
		return err
	}
	defer file.Close()
	_, err = io.Copy(w, file)
	return err
}

// untimed is a link without its time, which can't be set everywhere.
type untimed struct{ fs.FileInfo }

func (untimed) ModTime() time.Time { return time.Time{} }

// entrySize is how many bytes a file or folder is counted for beside its content.
const entrySize = 4 << 10

// unpack writes what pack packed into an empty folder, at most so many bytes. Nothing of it leads out of there while it
// is written. What is packed may be smaller: files of tar may have holes.
func unpack(from io.Reader, folder string, most int64) error {
	root, err := os.OpenRoot(folder)
	if err != nil {
		return err
	}
	defer root.Close()
	r := tar.NewReader(from)
	left := most
	var folders []*tar.Header // whose modes and times are set last
	for {
		head, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err == nil {
			if left -= entrySize; head.Size > left {
				err = tooLarge(most)
			} else {
				left -= head.Size
				err = unpackEntry(root, head, r)
			}
		}
		if err != nil {
			return err
		}
		if head.Typeflag == tar.TypeDir {
			folders = append(folders, head)
		}
	}
	for i := len(folders) - 1; i >= 0; i-- {
		head := folders[i]
		err := errors.Join(
			root.Chtimes(head.Name, head.ModTime, head.ModTime), root.Chmod(head.Name, fs.FileMode(head.Mode).Perm()))
		if err != nil {
			return err
		}
	}
	return nil
}

func unpackEntry(root *os.Root, head *tar.Header, content io.Reader) error {
	switch head.Typeflag {
	case tar.TypeDir:
		return root.MkdirAll(head.Name, 0o700)
	case tar.TypeSymlink:
		return root.Symlink(head.Linkname, head.Name)
	case tar.TypeReg:
	default:
		return fmt.Errorf("%.80q is neither file, folder nor link", head.Name)
	}
	mode := fs.FileMode(head.Mode).Perm()
	file, err := root.OpenFile(head.Name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = io.Copy(file, content)
	// The umask of this machine is no matter of the content.
	return errors.Join(err, file.Chmod(mode), file.Close(), root.Chtimes(head.Name, head.ModTime, head.ModTime))
}
