package repository

import (
	"bytes"
	"container/heap"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
)

// queue is a heap of commits, the newest first. Commits of the same time are ordered by hash, so every walk has the
// same order.
type queue []commit

func (q queue) Len() int           { return len(q) }
func (q queue) Less(i, j int) bool { return newer(q[i], q[j]) < 0 }
func (q queue) Swap(i, j int)      { q[i], q[j] = q[j], q[i] }
func (q *queue) Push(c any)        { *q = append(*q, c.(commit)) }
func (q *queue) Pop() any {
	last := (*q)[len(*q)-1]
	*q = (*q)[:len(*q)-1]
	return last
}

func newer(one, other commit) int {
	if one.time != other.time {
		if one.time > other.time {
			return -1
		}
		return 1
	}
	return bytes.Compare(one.hash[:], other.hash[:])
}

// parents returns a commit's parents, none for the last commits of a shallow clone.
func (s resolver) parents(c commit) []hash {
	if s.shallow[c.hash] {
		return nil
	}
	return c.parents
}

// searchAll finds the newest commit of any reference whose message matches.
func (s resolver) searchAll(pattern string) (hash, error) {
	var starts []hash
	for _, name := range append([]string{"HEAD"}, s.refs()...) {
		h, _, ok := s.ref(name)
		if !ok {
			continue
		}
		// References to trees and blobs have no history.
		if h, err := s.peel(h, plumbing.CommitObject); err == nil {
			starts = append(starts, h)
		}
	}
	return s.search(starts, pattern)
}

// search finds the newest commit, reachable from starts, whose message matches. A pattern that starts with
// "!-" matches the others.
func (s resolver) search(starts []hash, pattern string) (hash, error) {
	invert := strings.HasPrefix(pattern, "!-")
	text := strings.TrimPrefix(strings.TrimPrefix(pattern, "!-"), "!")
	match, err := regexp.Compile("(?m)" + text)
	if err != nil {
		return hash{}, fmt.Errorf("read the pattern %q: %w", pattern, err)
	}
	seen := map[hash]bool{}
	var todo queue
	add := func(hashes []hash) error {
		for _, h := range hashes {
			if seen[h] {
				continue
			}
			seen[h] = true
			c, err := s.read.commit(h)
			if err != nil {
				return err
			}
			heap.Push(&todo, c)
		}
		return nil
	}
	if err := add(starts); err != nil {
		return hash{}, err
	}
	for len(todo) > 0 {
		c := heap.Pop(&todo).(commit)
		if match.MatchString(c.message) != invert {
			return c.hash, nil
		}
		if err := add(s.parents(c)); err != nil {
			return hash{}, err
		}
	}
	return hash{}, fmt.Errorf("no commit message matches %q", pattern)
}

// The marks of commits in a search for common ancestors.
const (
	fromOne = 1 << iota
	fromOther
	below // an ancestor of a common ancestor
	both  = fromOne | fromOther
)

// mergeBases returns the best common ancestors of two commits, newest first.
func (s resolver) mergeBases(one, other hash) ([]hash, error) {
	w, err := s.walk(one, other)
	if err != nil {
		return nil, err
	}
	return s.best(w.common())
}

// best leaves out the ancestors of others. The times of commits may be wrong, so a walk may find some.
func (s resolver) best(found []hash) ([]hash, error) {
	var best []hash
	for i, h := range found {
		redundant := false
		for j, more := range found {
			if i == j {
				continue
			}
			w, err := s.walk(h, more)
			if err != nil {
				return nil, err
			}
			redundant = redundant || slices.Contains(w.common(), h)
		}
		if !redundant {
			best = append(best, h)
		}
	}
	return best, nil
}

// An ancestorWalk goes through the histories of two commits, newest commits first, until only ancestors of common
// commits are left.
type ancestorWalk struct {
	resolver
	marks map[hash]int
	graph map[hash][]hash // the parents of all commits that it came by
	todo  queue
	found []commit // common ancestors, and perhaps ancestors of these
	ends  []hash   // where a shallow clone ends
}

func (s resolver) walk(one, other hash) (*ancestorWalk, error) {
	w := &ancestorWalk{resolver: s, marks: map[hash]int{}, graph: map[hash][]hash{}}
	if err := w.mark(one, fromOne); err != nil {
		return nil, err
	}
	if err := w.mark(other, fromOther); err != nil {
		return nil, err
	}
	for w.open() {
		c := heap.Pop(&w.todo).(commit)
		marks := w.marks[c.hash]
		if marks&both == both && marks&below == 0 {
			w.found = append(w.found, c)
			marks |= below
		}
		if s.shallow[c.hash] {
			w.ends = append(w.ends, c.hash)
		}
		w.graph[c.hash] = s.parents(c)
		for _, parent := range w.graph[c.hash] {
			if err := w.mark(parent, marks); err != nil {
				return nil, err
			}
		}
	}
	return w, nil
}

// common returns the common ancestors at which the walk arrived first, newest first.
func (w *ancestorWalk) common() []hash {
	found := slices.DeleteFunc(slices.Clone(w.found), func(c commit) bool { return w.marks[c.hash]&below != 0 })
	slices.SortFunc(found, newer)
	var hashes []hash
	for i, c := range found {
		if i == 0 || c.hash != found[i-1].hash {
			hashes = append(hashes, c.hash)
		}
	}
	return hashes
}

// mark adds marks to a commit and queues it if they are new.
func (w *ancestorWalk) mark(h hash, marks int) error {
	if w.marks[h]|marks == w.marks[h] {
		return nil
	}
	w.marks[h] |= marks
	c, err := w.read.commit(h)
	if err != nil {
		return err
	}
	heap.Push(&w.todo, c)
	return nil
}

// open reports whether a queued commit could still lead to a common ancestor.
func (w *ancestorWalk) open() bool {
	for _, c := range w.todo {
		if w.marks[c.hash]&below == 0 {
			return true
		}
	}
	return false
}
