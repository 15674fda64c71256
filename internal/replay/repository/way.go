package repository

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A Way is the commits from one version to another, one after the other. Neighbours are a commit and one of its
// parents, or HEAD and the working tree.
//
// It leads from old down to the best commit that both have, and from there up to new. Of several parents it follows the
// first one from which that commit can be reached, so merged branches are one step each.
type Way struct {
	Steps []Step // the first one is where it begins, the last one is new
}

// A Step is a version on a way, and how it differs from the one before.
type Step struct {
	Commit  Commit   // the version after the step; its revision is that of the user at both ends, else its hash
	By      Entry    // the commit that the step makes or takes back; without a hash for the working tree
	Lacking bool     // the step takes By back: old has it and new does not
	Parents []string // hashes of the parents of Commit
}

// An Entry is what a commit says of itself.
type Entry struct {
	Hash    string // 40 hex digits
	Subject string // the first paragraph of the message, on one line
	Message string // its first maxMessage bytes
	Author  string // the name
	Date    time.Time
}

// maxMessage is how much of a message is kept, so that long ways fit into memory.
const maxMessage = 4000

// ErrUnrelated is the error for versions that no commits lead from one to the other.
var ErrUnrelated = errors.New("they have no common history; name versions with a common ancestor")

// Way finds the commits from one version to another. Only new may be the working tree.
func (r *Repository) Way(old, new Commit) (*Way, error) {
	way, err := r.way(old, new)
	if err != nil {
		return nil, fmt.Errorf("find the commits from %s to %s: %w", old.Revision, new.Revision,
			r.advise(new.Revision, err))
	}
	return way, nil
}

func (r *Repository) way(old, new Commit) (*Way, error) {
	if old.Worktree {
		return nil, errors.New("nothing comes after the working tree; give it as NEW")
	}
	end := new
	if new.Worktree {
		var err error
		if end, err = r.Resolve("HEAD"); err != nil {
			return nil, err
		}
	}
	read := r.objects.reader()
	defer read.close()
	s := resolver{r, read}
	down, up, err := s.line(old.id(), end.id())
	if err != nil {
		return nil, err
	}
	way, err := s.steps(down, up)
	if err != nil {
		return nil, err
	}
	if new.Worktree {
		way.Steps = append(way.Steps, Step{Commit: new, By: Entry{Subject: "uncommitted changes"}})
	}
	way.Steps[len(way.Steps)-1].Commit.Revision = new.Revision
	way.Steps[0].Commit.Revision = old.Revision
	return way, nil
}

// Into finds the commits that a merge took in by one of its parents, seen from another one, both counted from 1. The
// way begins at the best commit that these have in common, and ends at the parent. Either line may be the one that is
// taken in: a branch that merges main is followed as well as main is.
func (r *Repository) Into(merge string, parent, from int) (*Way, error) {
	way, err := r.into(merge, parent, from)
	if err != nil {
		return nil, fmt.Errorf("find the commits that merge %.12s took in by parent %d: %w", merge, parent,
			r.advise(merge, err))
	}
	return way, nil
}

func (r *Repository) into(merge string, parent, from int) (*Way, error) {
	read := r.objects.reader()
	defer read.close()
	s := resolver{r, read}
	c, err := read.commit(Commit{Hash: merge}.id())
	if err != nil {
		return nil, err
	}
	if s.shallow[c.hash] {
		return nil, &shallowEnd{c.hash}
	}
	if min(parent, from) < 1 || max(parent, from) > len(c.parents) || parent == from {
		return nil, fmt.Errorf("it has %d parents", len(c.parents))
	}
	_, up, err := s.line(c.parents[from-1], c.parents[parent-1])
	if err != nil {
		return nil, err
	}
	return s.steps(up[len(up)-1:], up)
}

// line finds the line from one commit to another: down to the common ancestor at which the line turns, and, both lists
// newest first, from the other commit down to that ancestor.
func (s resolver) line(one, other hash) (down, up []hash, err error) {
	w, err := s.walk(one, other)
	if err != nil {
		return nil, nil, err
	}
	bases, err := s.best(w.common())
	if err != nil {
		return nil, nil, err
	}
	if len(bases) == 0 && len(w.ends) > 0 {
		return nil, nil, &shallowEnd{w.ends[0]}
	}
	if len(bases) == 0 {
		return nil, nil, ErrUnrelated
	}
	turn := w.turn(bases, other, one)
	return w.line(one, turn), w.line(other, turn), nil
}

// turn chooses among several common ancestors: one that is reached along first parents, else the newest.
func (w *ancestorWalk) turn(bases []hash, tops ...hash) hash {
	for _, h := range tops {
		for w.marks[h]&both != both && len(w.graph[h]) > 0 {
			h = w.graph[h][0]
		}
		if slices.Contains(bases, h) {
			return h
		}
	}
	return bases[0]
}

// line returns the commits from top down to one of its ancestors. It follows the first parents that lead there.
func (w *ancestorWalk) line(top, ancestor hash) []hash {
	children := map[hash][]hash{}
	for h, parents := range w.graph {
		for _, parent := range parents {
			children[parent] = append(children[parent], h)
		}
	}
	leads := map[hash]bool{ancestor: true}
	for todo := []hash{ancestor}; len(todo) > 0; {
		last := todo[len(todo)-1]
		todo = todo[:len(todo)-1]
		for _, child := range children[last] {
			if !leads[child] {
				leads[child] = true
				todo = append(todo, child)
			}
		}
	}
	line := []hash{top}
	for h := top; h != ancestor; line = append(line, h) {
		h = w.graph[h][slices.IndexFunc(w.graph[h], func(parent hash) bool { return leads[parent] })]
	}
	return line
}

// steps makes a way of two lines with the same end.
func (s resolver) steps(down, up []hash) (*Way, error) {
	way := &Way{}
	var before Entry
	for i, h := range down {
		step, entry, err := s.step(h)
		if err != nil {
			return nil, err
		}
		if i > 0 {
			step.By, step.Lacking = before, true
		}
		before = entry
		way.Steps = append(way.Steps, step)
	}
	for i := len(up) - 2; i >= 0; i-- {
		step, entry, err := s.step(up[i])
		if err != nil {
			return nil, err
		}
		step.By = entry
		way.Steps = append(way.Steps, step)
	}
	return way, nil
}

// step returns the step to a commit, without what it is by, and what the commit says of itself.
func (s resolver) step(h hash) (Step, Entry, error) {
	c, err := s.read.commit(h)
	if err != nil {
		return Step{}, Entry{}, err
	}
	step := Step{Commit: Commit{Revision: h.String(), Hash: h.String(), Time: c.time}}
	for _, parent := range c.parents {
		step.Parents = append(step.Parents, parent.String())
	}
	return step, c.entry(), nil
}

// entry returns what a commit says of itself. Nothing of it holds the whole object in memory.
func (c commit) entry() Entry {
	e := Entry{Hash: c.hash.String(), Date: signedDate(c.author)}
	name, _, _ := strings.Cut(c.author, "<")
	e.Author = strings.ToValidUTF8(strings.Clone(strings.TrimSpace(name)), "\uFFFD")
	message := strings.TrimLeft(c.message, "\n")
	e.Message = strings.ToValidUTF8(strings.Clone(message[:min(len(message), maxMessage)]), "\uFFFD")
	paragraph, _, _ := strings.Cut(e.Message, "\n\n")
	e.Subject = strings.Join(strings.Fields(paragraph), " ")
	return e
}

// signedDate reads the date of "Name <mail> seconds zone"; zero if it can't be read.
func signedDate(line string) time.Time {
	fields := strings.Fields(line[strings.LastIndex(line, ">")+1:])
	if len(fields) != 2 {
		return time.Time{}
	}
	seconds, err := strconv.ParseInt(fields[0], 10, 64)
	zone, zoneErr := time.Parse("-0700", fields[1])
	if err != nil || zoneErr != nil {
		return time.Time{}
	}
	_, offset := zone.Zone()
	return time.Unix(seconds, 0).In(time.FixedZone("", offset))
}
