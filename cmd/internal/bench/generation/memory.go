package generation

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"runtime/metrics"
	"sync"
	"time"

	"github.com/spectradiff/spectradiff/internal/replay/sandbox"
)

// flat is up to which ratio of the last part to an earlier one memory counts as flat.
const flat = 1.2

// parts is into how many parts the time of generating is divided.
const parts = 10

// pause lies between two looks at the memory.
const pause = 200 * time.Millisecond

// Memory generates for one module, the first that is wanted, and prints the memory of each part of the time.
func Memory(ctx context.Context, cfg Config) error {
	return confined(ctx, cfg, func(m *measuring) error {
		for _, of := range modules {
			if of.wanted(cfg.Modules) {
				return m.memory(ctx, of)
			}
		}
		return errors.New("no such module")
	})
}

// memory measures the memory of generating for a module.
func (m *measuring) memory(ctx context.Context, of module) error {
	dir, err := os.MkdirTemp(m.Dir, "module-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if err := m.fetch(ctx, of, filepath.Join(dir, "source")); err != nil {
		return err
	}
	s := &samples{}
	ended := make(chan struct{})
	var looking sync.WaitGroup
	looking.Go(func() { s.look(ended) })
	m.Progress = s.progress
	_, _, err = m.generate(ctx, dir, directed())
	close(ended)
	looking.Wait()
	if err != nil {
		return err
	}
	m.logf("%s, %s of generating\n", of.name, m.Budget)
	return m.printMemory(s.divided())
}

// printMemory prints the memory of each part of the time, and how it grew.
func (m *measuring) printMemory(list []use) error {
	if len(list) == 0 {
		return errors.New("generating ended before anything was measured")
	}
	m.logf("| part | live heap of the tool, MB | drivers, MB |\n|---|---|---|")
	for i, u := range list {
		m.logf("| %d | %.1f | %.1f |", i+1, u.tool/(1<<20), u.drivers/(1<<20))
	}
	last := list[len(list)-1]
	for _, at := range []int{0, len(list) / 2} { // at first what is bounded fills
		of := list[at]
		m.logf("\nPart %d / part %d: tool %.2f, drivers %.2f, both %.2f; up to %.1f is flat", len(list), at+1,
			last.tool/of.tool, last.drivers/of.drivers, (last.tool+last.drivers)/(of.tool+of.drivers), flat)
	}
	return nil
}

// A use is the bytes that are used at a moment, or on average.
type use struct{ tool, drivers float64 }

// samples are looks at the memory while sequences are generated.
type samples struct {
	lock       sync.Mutex
	generating bool
	list       []use
}

// progress is told in which stage a run is.
func (s *samples) progress(stage string, _, _ int) {
	s.lock.Lock()
	defer s.lock.Unlock()
	s.generating = stage == "generating"
}

// look looks at the memory from time to time, until it has ended.
func (s *samples) look(ended <-chan struct{}) {
	heap := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	for {
		select {
		case <-ended:
			return
		case <-time.After(pause):
		}
		metrics.Read(heap)
		now := use{tool: float64(heap[0].Value.Uint64())}
		for _, pid := range sandbox.ProcessesBelow(os.Getpid()) {
			now.drivers += float64(sandbox.UseOf(pid).Memory)
		}
		s.lock.Lock()
		if s.generating {
			s.list = append(s.list, now)
		}
		s.lock.Unlock()
	}
}

// divided returns the average of each part of the time.
func (s *samples) divided() (means []use) {
	for i := range parts {
		part := s.list[i*len(s.list)/parts : (i+1)*len(s.list)/parts]
		if len(part) == 0 {
			continue
		}
		var mean use
		for _, u := range part {
			mean.tool += u.tool / float64(len(part))
			mean.drivers += u.drivers / float64(len(part))
		}
		means = append(means, mean)
	}
	return means
}
