package inducing

import (
	"context"
	"errors"
	"iter"
	"slices"
	"sync"
	"time"

	"github.com/spectradiff/spectradiff/cmd/internal/pipeline"
	"github.com/spectradiff/spectradiff/internal/replay/repository"
)

// Early are questions that workers are asked before the search comes to them. The search asks the same without, and in
// the same order: an answer that it never wants is dropped. One goroutine may use it.
type early struct {
	run   *run
	asked map[string]*asking // by hash of the commit
	group sync.WaitGroup
}

// An asking is one commit that a worker was asked.
type asking struct {
	keys    []string // of the questions
	cancel  context.CancelFunc
	done    chan struct{}
	answers []pipeline.Answer
	err     error
}

// want has workers ask the commits that the search will probably come to after the present one, the likeliest first: as
// many as they have slots for. What they are asked of others is taken back.
func (e *early) want(
	ctx context.Context, present repository.Commit, likely iter.Seq[repository.Commit], asks []pipeline.Ask,
) {
	slots := e.run.crew.Slots()
	if slots == 0 {
		return
	}
	wanted, new := map[string]bool{}, map[repository.Commit]recalled{} // those that workers are at, or will be
	if a := e.asked[present.Hash]; a != nil && a.open() {
		wanted[present.Hash] = true
	}
	for at := range likely {
		if len(wanted) >= slots {
			break
		}
		a := e.asked[at.Hash]
		switch {
		case at.Worktree || wanted[at.Hash]:
		case a != nil && a.open():
			wanted[at.Hash] = true
		case a == nil:
			if of := e.run.recall(ctx, at, asks); of.askable() {
				wanted[at.Hash], new[at] = true, of
			}
		}
	}
	for hash, a := range e.asked {
		if !wanted[hash] && a.open() {
			a.cancel()
			delete(e.asked, hash)
		}
	}
	for at, of := range new {
		e.ask(ctx, at, of, asks)
	}
}

// ask has a worker ask what is not known of a commit.
func (e *early) ask(ctx context.Context, at repository.Commit, known recalled, asks []pipeline.Ask) {
	ctx, cancel := context.WithCancel(ctx)
	a := &asking{keys: pick(known.keys, known.missing), cancel: cancel, done: make(chan struct{})}
	e.asked[at.Hash] = a
	e.group.Go(func() {
		defer close(a.done)
		a.answers, a.err = e.run.elsewhere(ctx, at, pick(asks, known.missing))
	})
}

// at returns the worker's asking of these questions at a commit; nil: there is none.
func (e *early) at(commit repository.Commit, keys []string) *asking {
	if a := e.asked[commit.Hash]; a != nil && slices.Equal(a.keys, keys) {
		return a
	}
	return nil
}

// A worker whose answer is needed is waited for so long, and so many times as long as it took here: it may hang.
const (
	patience = 2 * time.Minute
	patient  = 3
)

// first asks a commit here while a worker is at it, and returns what comes first: both would answer the same, and a
// worker that has to build old first is late.
func (r *run) first(
	ctx context.Context, at repository.Commit, asks []pipeline.Ask, keys []string,
) (answers []pipeline.Answer, err error) {
	a := r.early.at(at, keys)
	if a == nil {
		return r.query(ctx, at, asks)
	}
	defer a.cancel()
	if !a.answered() {
		here, cancel := context.WithCancel(ctx)
		defer cancel()
		go func() {
			if <-a.done; a.err == nil {
				cancel()
			}
		}()
		begun := time.Now()
		answers, err = r.query(here, at, asks)
		passing := func(a pipeline.Answer) bool { return !a.Lasts() }
		if err == nil && slices.ContainsFunc(answers, passing) { // the worker may have what is not here
			waited, cancel := context.WithTimeout(ctx, patience+patient*time.Since(begun))
			defer cancel()
			select {
			case <-a.done:
			case <-waited.Done():
			}
		}
	}
	if a.answered() {
		return a.answers, nil
	}
	return answers, err
}

// close takes back what nobody wants any more.
func (e *early) close() {
	for _, a := range e.asked {
		a.cancel()
	}
	e.group.Wait()
}

// open reports whether a worker may still be at it.
func (a *asking) open() bool {
	select {
	case <-a.done:
		return false
	default:
		return true
	}
}

// answered reports whether a worker did.
func (a *asking) answered() bool { return !a.open() && a.err == nil }

// errHere says that a commit can only be asked on this machine.
var errHere = errors.New("its tests are in the working tree")

// elsewhere has a worker ask a commit.
func (r *run) elsewhere(
	ctx context.Context, at repository.Commit, asks []pipeline.Ask,
) ([]pipeline.Answer, error) {
	old, new := r.ends.Old, at
	old.Revision, new.Revision = old.Hash, new.Hash // as query names them
	var tests *repository.Commit
	if playsNew(asks) {
		if tests = &r.ends.New; tests.Worktree {
			return nil, errHere
		}
	}
	return r.crew.Query(ctx, r.Config, repository.Range{Old: old, New: new}, asks, tests)
}
