package fleet

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"maps"
	"os"
	"runtime"
	"sync"
	"time"

	"golang.org/x/sync/singleflight"

	"github.com/spectradiff/spectradiff/internal/replay"
)

// sent remembers what was put into the store in this run.
type sent struct {
	group singleflight.Group
	mu    sync.Mutex
	at    map[string]placed // by what names a content, or a state of a file or folder of this machine
}

// A placed is a content that the store was given, or was found to have, at some time.
type placed struct {
	address
	when time.Time
}

// once sends what a key names, once for as long as it lasts there. Who gives up does not end it for others.
func (s *sent) once(
	ctx context.Context, key string, lasting time.Duration, send func(ctx context.Context) (address, error),
) (address, error) {
	s.mu.Lock()
	before := s.at[key]
	s.mu.Unlock()
	if before.address != "" && time.Since(before.when) < lasting {
		return before.address, nil
	}
	made := s.group.DoChan(key, func() (any, error) { return send(context.WithoutCancel(ctx)) })
	select {
	case <-ctx.Done():
		return "", ctx.Err()
	case r := <-made:
		if r.Err != nil {
			return "", r.Err
		}
		a, _ := r.Val.(address)
		s.mu.Lock()
		defer s.mu.Unlock()
		s.at[key] = placed{a, time.Now()}
		return a, nil
	}
}

// forget has all contents sent again that are still needed.
func (s *sent) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	clear(s.at)
}

// forgetOne has a content sent again, unless that was done since a time. It reports whether it is to be sent.
func (s *sent) forgetOne(which address, since time.Time) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	before := len(s.at)
	maps.DeleteFunc(s.at, func(_ string, p placed) bool { return p.address == which && p.when.Before(since) })
	return len(s.at) < before
}

// sendAgain puts a content into the store again that a worker missed whose task was handed out at a time. Others may
// fetch what was put since then: to put it once more would take it from them.
func (c *Client) sendAgain(which address, handed time.Time) {
	if c.sent.forgetOne(which, handed) {
		c.mending.ask(which)
	}
}

// message returns the message with a task, after it put what it needs into the store.
func (c *Client) message(ctx context.Context, t *replay.Task) (m task, err error) {
	m = task{Run: c.run}
	if m.Binary, err = c.file(ctx, t.Binary, sendBinary); err != nil {
		return m, fmt.Errorf("hand out a driver: %w", err)
	}
	for _, of := range t.Folders {
		content, err := c.file(ctx, of.Folder, sendFolder)
		if err != nil {
			return m, fmt.Errorf("hand out folder %s: %w", of.Folder, err)
		}
		m.Folders = append(m.Folders, folder{of.At, content})
	}
	if m.Setup, err = c.content(ctx, c.shelf, t.Setup); err != nil {
		return m, fmt.Errorf("hand out a task: %w", err)
	}
	if own := encode(t.Own); len(own) > inlined {
		m.At, err = c.content(ctx, c.brief, own)
	} else {
		m.Own = &t.Own
	}
	return m, err
}

// job returns the message with a job, after it put what it needs into the store.
func (c *Client) job(ctx context.Context, what []byte, folders []string) (m task, err error) {
	m = task{Run: c.run, Job: &job{What: what}}
	if len(what) > inlined {
		m.Job.What = nil
		if m.Job.At, err = c.content(ctx, c.brief, what); err != nil {
			return m, fmt.Errorf("hand out a job: %w", err)
		}
	}
	for _, of := range folders {
		content, err := c.file(ctx, of, sendFolder)
		if err != nil {
			return m, fmt.Errorf("hand out folder %s: %w", of, err)
		}
		m.Job.Folders = append(m.Job.Folders, content)
	}
	return m, nil
}

// content puts a content into a part of the store, once.
func (c *Client) content(ctx context.Context, to *shelf, content []byte) (address, error) {
	key := to.bucket + " " + string(addressOf(content))
	return c.sent.once(ctx, key, to.lasting, func(ctx context.Context) (address, error) {
		return to.putBytes(ctx, content)
	})
}

// file sends a file or folder, once. Nobody changes a folder that a run uses.
func (c *Client) file(
	ctx context.Context, path string, send func(context.Context, *link, string) (address, error),
) (address, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	key := fmt.Sprintf("%s %d %d", path, info.Size(), info.ModTime().UnixNano())
	return c.sent.once(ctx, key, c.lasting, func(ctx context.Context) (address, error) {
		ctx, span := spans.Start(ctx, "file")
		defer span.End()
		return send(ctx, c.link, path)
	})
}

// sendBinary puts a driver into the store.
func sendBinary(ctx context.Context, l *link, path string) (address, error) {
	if runtime.GOOS == "linux" {
		if err := loads(path); err != nil {
			return "", err
		}
	}
	hash, err := HashFile(path)
	if err != nil {
		return "", err
	}
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	a := address(hash)
	return a, l.put(ctx, a, info.Size(), func() (io.ReadCloser, error) { return os.Open(path) })
}

// sendFolder puts a folder into the store.
func sendFolder(ctx context.Context, l *link, path string) (address, error) {
	sum, size := sha256.New(), counter(0)
	if err := pack(path, io.MultiWriter(sum, &size)); err != nil {
		return "", err
	}
	a := address(hex.EncodeToString(sum.Sum(nil)))
	return a, l.put(ctx, a, int64(size), func() (io.ReadCloser, error) {
		from, to := io.Pipe()
		go func() { to.CloseWithError(pack(path, to)) }()
		return from, nil
	})
}

// A counter counts what is written to it, in bytes.
type counter int64

func (c *counter) Write(b []byte) (int, error) {
	*c += counter(len(b))
	return len(b), nil
}
