// Package spread computes how long a comparison would take with any number of workers, from how long its parts took
// without.
//
// In: the spans of a run of one job (compare --jobs 1 --trace), and what a play costs more if a worker does it. Out:
// for a number of workers the time that the run would take, and what holds it back. It has no clock: a division of work
// among workers (a span "each") is scheduled in the order of its pieces, the next piece to whoever is free first. What
// the comparison itself does of a piece (decoding and comparing; all but its plays) needs a processor of the client,
// wherever the plays are. All between the divisions takes as long as it took. Where whole runs are what is divided
// (shards, pairs of a series), the spans of several runs are their pieces. Pure.
//
// What moves over the network is known from the spans of a run with workers: each task in the mean, and what every
// worker fetches once. All of it goes through one link, that of the server.
package spread

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"time"
)

// A Run is what a run took.
type Run struct {
	All    time.Duration
	Whole  []time.Duration // of each run, where there are several
	Ready  time.Duration   // until the first stage that plays: what is built after that, as for tests, does not count
	Groups []Group
}

// A Group is a division of work among workers.
type Group struct {
	Stage  string
	All    time.Duration
	Pieces []Piece
}

// A Piece is one piece of it.
type Piece struct {
	All   time.Duration
	Plays int
	Play  time.Duration // of all plays
}

// A Cost is what a play costs more where a worker does it.
type Cost struct {
	Client time.Duration // of a processor of the client: writing the task, reading the result
	Wait   time.Duration // beside it: the way there and back, and what the worker does more

	Traffic
	Rate float64 // of the link, in bytes a second; 0: bytes take no time
}

// A Traffic is what a run with workers moved, in bytes.
type Traffic struct {
	Task float64 // for a task and its result, in the mean
	Once float64 // for what each worker fetches once: drivers, and folders that they read
}

// way returns how long bytes take on the link.
func (c *Cost) way(bytes float64) time.Duration {
	if c.Rate == 0 {
		return 0
	}
	return time.Duration(bytes / c.Rate * float64(time.Second))
}

// span is a line of a trace.
type span struct {
	Name        string
	SpanContext struct{ SpanID string }
	Parent      struct{ SpanID string }
	StartTime   time.Time
	EndTime     time.Time
	Attributes  []struct {
		Key   string
		Value struct{ Value any }
	}
}

// preparing are the stages in which nothing is generated or compared yet.
var preparing = []string{"load", "build", "variables"}

// plays reports whether a span is a stage that is not among those.
func (s *span) plays() bool {
	return len(s.Attributes) > 0 && s.Attributes[0].Key == "kind" && !slices.Contains(preparing, s.Name)
}

func (s *span) took() time.Duration { return s.EndTime.Sub(s.StartTime) }

// number returns an attribute that is a number, else 0.
func (s *span) number(key string) float64 {
	for _, a := range s.Attributes {
		if n, ok := a.Value.Value.(float64); ok && a.Key == key {
			return n
		}
	}
	return 0
}

// Read reads the spans of one run.
func Read(from io.Reader) (*Run, error) {
	all, order, err := decode(from)
	if err != nil {
		return nil, err
	}
	return assemble(all, order)
}

// ReadTraffic reads what moved from the spans of a run with workers.
func ReadTraffic(from io.Reader) (t Traffic, err error) {
	all, order, err := decode(from)
	if err != nil {
		return t, err
	}
	tasks := 0.0
	for _, s := range order {
		parent := all[s.Parent.SpanID]
		switch {
		case s.Name == "task" || s.Name == "job":
			tasks++
			t.Task += s.number("bytes.sent") + s.number("bytes.received")
		case s.Name == "content" && parent != nil && parent.Name == "file":
			t.Once += s.number("bytes.sent")
		case s.Name == "content":
			t.Task += s.number("bytes.sent")
		}
	}
	if tasks == 0 {
		return t, fmt.Errorf("spans: no worker did a task among %d", len(order))
	}
	t.Task /= tasks
	return t, nil
}

// decode reads spans, by their ids and in their order.
func decode(from io.Reader) (all map[string]*span, order []*span, err error) {
	all = map[string]*span{}
	lines := bufio.NewReader(from)
	decoder := json.NewDecoder(lines)
	for {
		s := new(span)
		if err := decoder.Decode(s); err == io.EOF {
			break
		} else if err != nil {
			return nil, nil, fmt.Errorf("spans: %w", err)
		}
		all[s.SpanContext.SpanID] = s
		order = append(order, s)
	}
	return all, order, nil
}

// assemble puts the outermost divisions of work of a run together, in the order in which they began.
func assemble(all map[string]*span, order []*span) (*Run, error) {
	r := &Run{}
	slices.SortStableFunc(order, func(a, b *span) int { return a.StartTime.Compare(b.StartTime) })
	groups, pieces := map[string]int{}, map[string][2]int{}
	for _, s := range order {
		parent := all[s.Parent.SpanID]
		switch {
		case s.Name == "run":
			r.All += s.took()
			r.Whole = append(r.Whole, s.took())
		case s.plays() && r.Ready == 0:
			r.Ready = s.StartTime.Sub(order[0].StartTime)
		case s.Name == "each" && (parent == nil || parent.Name != "piece"):
			groups[s.SpanContext.SpanID] = len(r.Groups)
			g := Group{All: s.took()}
			if parent != nil {
				g.Stage = parent.Name
			}
			r.Groups = append(r.Groups, g)
		case s.Name == "piece":
			if g, ok := groups[s.Parent.SpanID]; ok {
				pieces[s.SpanContext.SpanID] = [2]int{g, len(r.Groups[g].Pieces)}
				r.Groups[g].Pieces = append(r.Groups[g].Pieces, Piece{All: s.took()})
			}
		case s.Name == "play":
			if at, ok := pieces[s.Parent.SpanID]; ok {
				p := &r.Groups[at[0]].Pieces[at[1]]
				p.Plays++
				p.Play += s.took()
			}
		}
	}
	if r.All == 0 {
		return nil, fmt.Errorf("spans: there is no run among %d", len(order))
	}
	return r, nil
}

// Serial returns the time between the divisions of work.
func (r *Run) Serial() time.Duration {
	rest := r.All
	for _, g := range r.Groups {
		rest -= g.All
	}
	return max(rest, 0)
}

// Simulate returns the time of the run with some workers of one job beside the client, which has so many processors and
// jobs.
func (r *Run) Simulate(workers, jobs int, c Cost) time.Duration {
	all, fetching := r.Serial(), c.way(float64(workers)*c.Once)
	for _, g := range r.Groups {
		took := g.simulate(workers, jobs, fetching, c)
		fetching = max(fetching-took, 0)
		all += took
	}
	return all
}

// Divide returns the time of all runs where each is done by whoever is free first: the client or a worker. The first
// one of a worker takes it more by begin, since it has nothing of the repository.
func (r *Run) Divide(workers int, begin time.Duration, c Cost) time.Duration {
	free := make([]time.Duration, 1+workers)
	for i := 1; i < len(free); i++ {
		free[i] = begin + c.way(float64(workers)*c.Once)
	}
	var last, link time.Duration
	for _, took := range r.Whole {
		n := slices.Index(free, slices.Min(free))
		if n > 0 {
			moves := c.way(c.Task)
			took += moves
			link += moves
		}
		free[n] += took
		last = max(last, free[n])
	}
	return max(last, link)
}

// simulate returns the time of a division of work, whose workers first fetch what they need: that of its schedule, but
// no less than what the client and the link have to do of it.
func (g *Group) simulate(workers, jobs int, fetching time.Duration, c Cost) time.Duration {
	free := make([]time.Duration, jobs+workers) // when each is
	for i := jobs; i < len(free); i++ {
		free[i] = fetching
	}
	var client, last, link time.Duration
	for _, p := range g.Pieces {
		n := slices.Index(free, slices.Min(free))
		took, own := p.All, p.All
		if n >= jobs {
			more := time.Duration(p.Plays) * c.Client
			own = max(p.All-p.Play, 0) + more
			moves := c.way(float64(p.Plays) * c.Task)
			took += more + time.Duration(p.Plays)*c.Wait + moves
			link += moves
		}
		free[n] += took
		client += own
		last = max(last, free[n])
	}
	return max(last, client/time.Duration(jobs), link)
}

// Bounds returns what holds a run back however many workers there are: the time between divisions, that of the longest
// pieces, and that of the client.
func (r *Run) Bounds(c Cost) (serial, longest, client time.Duration) {
	for _, g := range r.Groups {
		most := time.Duration(0)
		for _, p := range g.Pieces {
			most = max(most, p.All)
			client += max(p.All-p.Play, 0) + time.Duration(p.Plays)*c.Client
		}
		longest += most
	}
	return r.Serial(), longest, client
}
