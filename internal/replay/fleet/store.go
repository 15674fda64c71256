package fleet

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"

	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/replay/build"
	"github.com/spectradiff/spectradiff/internal/replay/sandbox"
)

// A store holds what a worker fetched: drivers and folders, as tasks use them, in a temporary folder, and what is small
// in memory. It keeps what was used last.
type store struct {
	*link
	ctx  context.Context // of the worker
	temp string

	fetching sync.WaitGroup

	most int64 // bytes that items may have beside those in use

	mu     sync.Mutex
	items  map[content]*item
	setups map[address][]byte
	turn   int
}

// A content is what an item is made of. The bytes of a driver may be those of a folder, too.
type content struct {
	address
	folder bool
}

// An item is a driver or a folder that tasks use.
type item struct {
	fetched chan struct{} // closed when err, dir and driver are known
	err     error         // of fetching
	dir     string        // of its own
	driver  *build.Binary
	users   int
	used    int // the turn in which it was used last
	bytes   int64
}

// mostItems is how many items are kept beside those in use.
const mostItems = 24

func newStore(ctx context.Context, l *link, temp string) *store {
	return &store{
		link: l, ctx: ctx, temp: temp, most: diskShare(temp), items: map[content]*item{}, setups: map[address][]byte{},
	}
}

// A ready is a task with all that it needs.
type ready struct {
	*replay.Task
	driver *item
}

// task fetches what a task needs. Done must be called when it was done.
func (s *store) task(ctx context.Context, m *task) (r ready, done func(), err error) {
	var used []*item
	free := func() {}
	done = func() { s.release(used); free() }
	defer func() {
		if err != nil {
			done()
		}
	}()
	r.Task = &replay.Task{}
	if err = checkPlaces(m.Folders); err != nil {
		return r, done, err
	}
	if r.Own, free, err = s.own(ctx, m); err != nil {
		return r, done, err
	}
	if r.Setup, err = s.bytes(ctx, m.Setup); err != nil {
		return r, done, err
	}
	driver, err := s.item(ctx, content{m.Binary, false})
	if err != nil {
		return r, done, err
	}
	used, r.driver = append(used, driver), driver
	for _, f := range m.Folders {
		of, err := s.item(ctx, content{f.Content, true})
		if err != nil {
			return r, done, err
		}
		used = append(used, of)
		r.Folders = append(r.Folders, sandbox.Shown{Folder: filepath.Join(of.dir, "content"), At: f.At})
	}
	return r, done, nil
}

// checkPlaces returns an error unless all folders have a place of their own: none is seen in another one, where a link
// may lead elsewhere.
func checkPlaces(folders []folder) error {
	for i, f := range folders {
		if !filepath.IsAbs(f.At) || filepath.Clean(f.At) != f.At || f.At == "/" {
			return fmt.Errorf("folder %.80q: no clean absolute path", f.At)
		}
		for j, other := range folders {
			if i != j && strings.HasPrefix(f.At+"/", other.At+"/") {
				return fmt.Errorf("folder %.80q lies in %.80q, which is another one", f.At, other.At)
			}
		}
	}
	return nil
}

// job fetches what a job needs: what it is, and its folders. Done must be called when it was done.
func (s *store) job(ctx context.Context, m *job) (what []byte, folders []string, done func(), err error) {
	var used []*item
	free := func() {}
	done = func() { s.release(used); free() }
	defer func() {
		if err != nil {
			done()
		}
	}()
	if what = m.What; m.At != "" {
		if what, free, err = s.brief.borrow(ctx, m.At, mostTask); err != nil {
			return nil, nil, done, err
		}
	}
	for _, a := range m.Folders {
		of, err := s.item(ctx, content{a, true})
		if err != nil {
			return nil, nil, done, err
		}
		used, folders = append(used, of), append(folders, filepath.Join(of.dir, "content"))
	}
	return what, folders, done, nil
}

// own returns what a task does not have in common with others. Free must be called when that is not used any more.
func (s *store) own(ctx context.Context, m *task) (own replay.TaskOwn, free func(), err error) {
	if m.Own != nil {
		return *m.Own, func() {}, nil
	}
	data, free, err := s.brief.borrow(ctx, m.At, mostTask)
	if err == nil {
		err = json.Unmarshal(data, &own)
	}
	return own, free, err
}

// mostSetups is how many small contents are kept in memory.
const mostSetups = 64

// bytes returns a small content.
func (s *store) bytes(ctx context.Context, a address) ([]byte, error) {
	s.mu.Lock()
	content, ok := s.setups[a]
	s.mu.Unlock()
	if ok {
		return content, nil
	}
	content, err := s.fetchBytes(ctx, a, mostHeld/mostSetups)
	if err != nil {
		return nil, err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(s.setups) == mostSetups {
		clear(s.setups)
	}
	s.setups[a] = content
	return content, nil
}

// download fetches a content to a file.
func (s *store) download(ctx context.Context, a address, most int64, name string, mode os.FileMode) error {
	file, err := os.OpenFile(name, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	return errors.Join(s.fetch(ctx, a, most, file), file.Close())
}

// item returns a driver or folder, which is fetched for its first user, and counts its user. It goes on being fetched
// for others if that user's task is taken back.
func (s *store) item(ctx context.Context, a content) (*item, error) {
	s.mu.Lock()
	of := s.items[a]
	if of == nil {
		of = &item{fetched: make(chan struct{}), users: 1} // who fetches it
		s.items[a] = of
		fetch := s.makeDriver
		if a.folder {
			fetch = s.makeFolder
		}
		s.fetching.Go(func() { s.fill(of, a, fetch) })
	}
	s.turn++
	of.users, of.used = of.users+1, s.turn
	s.mu.Unlock()
	select {
	case <-ctx.Done():
		s.release([]*item{of})
		return nil, ctx.Err()
	case <-of.fetched:
	}
	if of.err != nil {
		return nil, of.err
	}
	return of, nil
}

// fill fetches an item into a folder of its own. After an error the next task tries again.
func (s *store) fill(of *item, a content, fetch func(context.Context, *item, address) error) {
	defer s.release([]*item{of})
	defer close(of.fetched)
	of.err = s.make(of, a.address, fetch)
	if full(of.err) && s.evict(func() bool { return true }) > 0 {
		of.err = s.make(of, a.address, fetch)
	}
	if of.err != nil {
		s.mu.Lock()
		defer s.mu.Unlock()
		delete(s.items, a)
	}
}

// make fetches an item into a folder of its own.
func (s *store) make(of *item, a address, fetch func(context.Context, *item, address) error) (err error) {
	if of.dir, err = os.MkdirTemp(s.temp, "content-"); err != nil {
		return err
	}
	if err = fetch(s.ctx, of, a); err != nil {
		_ = sandbox.Remove(of.dir)
		return err
	}
	bytes := size(of.dir)
	s.mu.Lock()
	defer s.mu.Unlock()
	of.bytes = bytes
	return nil
}

// release counts users that have ended, and removes what was not used for long. A driver may have variants by now.
func (s *store) release(list []*item) {
	s.mu.Lock()
	for _, of := range list {
		if of.users--; of.users == 0 && of.driver != nil {
			of.bytes = size(of.dir)
		}
	}
	s.mu.Unlock()
	s.evict(func() bool { return len(s.items) > mostItems || s.held() > s.most })
}

// held returns the bytes of all items. The store is locked.
func (s *store) held() (n int64) {
	for _, of := range s.items {
		n += of.bytes
	}
	return n
}

// evict removes items that nobody uses, those that were not used for longest first, while there are too many. It
// returns how many.
func (s *store) evict(many func() bool) (n int) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for ; many(); n++ {
		var oldest content
		for a, of := range s.items {
			if of.users == 0 && (oldest == content{} || of.used < s.items[oldest].used) {
				oldest = a
			}
		}
		if oldest == (content{}) {
			break
		}
		_ = sandbox.Remove(s.items[oldest].dir)
		delete(s.items, oldest)
	}
	return n
}

// makeDriver fetches a program. Its variants are made beside it, and are removed with it.
func (s *store) makeDriver(ctx context.Context, of *item, a address) error {
	of.driver = &build.Binary{Path: filepath.Join(of.dir, "driver")}
	return s.download(ctx, a, mostDriver, of.driver.Path, 0o755)
}

// makeFolder fetches a folder.
func (s *store) makeFolder(ctx context.Context, of *item, a address) error {
	packed, dir := filepath.Join(of.dir, "packed"), filepath.Join(of.dir, "content")
	if err := s.download(ctx, a, mostFolder, packed, 0o600); err != nil {
		return err
	}
	defer os.Remove(packed)
	if err := os.Mkdir(dir, 0o755); err != nil {
		return err
	}
	from, err := os.Open(packed)
	if err != nil {
		return err
	}
	defer from.Close()
	return unpack(from, dir, mostFolder)
}
