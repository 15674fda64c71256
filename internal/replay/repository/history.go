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
	found, err := s.commonAncestors(one, other)
	if err != nil {
		return nil, err
	}
	// The times of commits may be wrong, so a candidate may be an ancestor of another one.
	var best []hash
	for i, h := range found {
		redundant := false
		for j, more := range found {
			if i == j {
				continue
			}
			bases, err := s.commonAncestors(h, more)
			if err != nil {
				return nil, err
			}
			redundant = redundant || slices.Contains(bases, h)
		}
		if !redundant {
			best = append(best, h)
		}
	}
	return best, nil
}

// commonAncestors walks both histories, newest commits first, until only ancestors of common commits are left. It
// returns the common ancestors at which the walk arrives first, newest first.
func (s resolver) commonAncestors(one, other hash) ([]hash, error) {
	w := ancestorWalk{resolver: s, marks: map[hash]int{}}
	if err := w.mark(one, fromOne); err != nil {
		return nil, err
	}
	if err := w.mark(other, fromOther); err != nil {
		return nil, err
	}
	var found []commit
	for w.open() {
		c := heap.Pop(&w.todo).(commit)
		marks := w.marks[c.hash]
		if marks&both == both && marks&below == 0 {
			found = append(found, c)
			marks |= below
		}
		for _, parent := range s.parents(c) {
			if err := w.mark(parent, marks); err != nil {
				return nil, err
			}
		}
	}
	found = slices.DeleteFunc(found, func(c commit) bool { return w.marks[c.hash]&below != 0 })
	slices.SortFunc(found, newer)
	var hashes []hash
	for i, c := range found {
		if i == 0 || c.hash != found[i-1].hash {
			hashes = append(hashes, c.hash)
		}
	}
	return hashes, nil
}

type ancestorWalk struct {
	resolver
	marks map[hash]int
	todo  queue
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
