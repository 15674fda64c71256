package jobs

import (
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/spectradiff/spectradiff/cmd/internal/pipeline"
)

// A site is where a worker does a job: a repository, and a session for shards.
type site struct {
	of      string // what its jobs have in common, as job.run says
	place   string // folder
	cfg     pipeline.Config
	session *pipeline.Session
	timed   atomic.Int64 // sequences that the machine ended
	expires *time.Timer  // while it is kept
}

func (s *site) remove() {
	if s.session != nil {
		s.session.Close()
	}
	_ = os.RemoveAll(s.place) // the folder above is removed in the end
}

// idle is how long a site is kept for a further shard: it holds versions in memory.
const idle = 30 * time.Second

// Sites are kept for further shards, one for each slot.
type sites struct {
	mu   sync.Mutex
	list map[int]*site

	expiring sync.WaitGroup // those that are removed because nothing came
}

// take returns the site that a slot keeps for a run; nil: none. One of another run is removed.
func (s *sites) take(slot int, of string) *site {
	s.mu.Lock()
	at := s.list[slot]
	delete(s.list, slot)
	s.mu.Unlock()
	if at != nil {
		at.expires.Stop()
	}
	if at != nil && at.of != of {
		at.remove()
		return nil
	}
	return at
}

// put keeps the site of a job, or removes it.
func (s *sites) put(slot int, at *site, keep bool) {
	if !keep {
		at.remove()
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.list == nil {
		s.list = map[int]*site{}
	}
	s.list[slot] = at
	at.expires = time.AfterFunc(idle, func() { s.expire(slot, at) })
}

// expire removes a site, unless it was taken.
func (s *sites) expire(slot int, at *site) {
	s.mu.Lock()
	kept := s.list[slot] == at
	if kept {
		delete(s.list, slot)
		s.expiring.Add(1)
	}
	s.mu.Unlock()
	if kept { // others need not wait for it
		at.remove()
		s.expiring.Done()
	}
}

// close removes all sites.
func (s *sites) close() {
	s.mu.Lock()
	list := s.list
	s.list = nil
	s.mu.Unlock()
	for _, at := range list {
		at.remove()
	}
	s.expiring.Wait()
}
