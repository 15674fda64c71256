package search

import (
	"fmt"
	"hash/fnv"
	"path/filepath"
	"slices"

	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/replay/drivers"
	"github.com/spectradiff/spectradiff/internal/replay/footprint"
	"github.com/spectradiff/spectradiff/internal/replay/selection"
	"github.com/spectradiff/spectradiff/internal/replay/suite"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// A memory knows what tests ran in earlier runs on the same content, and learns it in this one.
type memory struct {
	store   *footprint.Store
	suites  []*remembered
	of      map[string]*remembered // the same, by the names of tests
	all     map[string][]int       // every block of old
	places  []place                // of the blocks, by their numbers
	touched footprint.Ran          // what the change may touch
	tests   map[string]bool        // whose own code it may touch, by their names
}

type place struct {
	pkg string
	key int // as keyOf makes it
}

// keyOf returns a number by which a block is known between runs, which its place makes: what notes more than its number
// counts changes with the change, as do the numbers behind it. What two blocks share either of them ran.
func keyOf(b spectra.Block) int {
	h := fnv.New32a()
	fmt.Fprintln(h, b.File, b.Line, b.Column, b.Last, b.After, b.Before)
	return int(h.Sum32())
}

// A remembered is what is known of the tests of one package.
type remembered struct {
	key    string
	needs  map[string]string // packages whose content the key stands for
	tests  footprint.Tests
	learnt bool // something that was not known
}

// remember returns what is known of the tests; nil where all of them run: nothing is kept, it is not known what the
// change touches, or somebody asked for them.
func (in Input) remember() *memory {
	d := in.Drivers
	if d.Tools.Footprints == nil || !d.Touched.Known || in.only != nil || in.Settings.New {
		return nil
	}
	m := &memory{
		store: d.Tools.Footprints, of: map[string]*remembered{}, all: map[string][]int{}, touched: footprint.Ran{},
		tests: d.Touched.Tests,
	}
	d.Versions.Old.Packages.Blocks(func(id uint32, pkg string, i int, b spectra.Block) {
		key := keyOf(b)
		m.places, m.all[pkg] = append(m.places, place{pkg, key}), append(m.all[pkg], i)
		if d.Touched.Blocks[id] {
			m.touched[pkg] = append(m.touched[pkg], key)
		}
	})
	old := d.Plan.Sides.Old.Target
	settings, ok := old.Settings()
	if !ok {
		return nil
	}
	settings = append(settings, d.Tools.Footprints.Salt)
	content, err := footprint.ContentOf(d.Plan.Given.Old.Build.Tree)
	if err != nil {
		d.Tools.Workers.Detailf("what tests run is not remembered: %v", err)
		return nil
	}
	for _, s := range d.Suites.Old {
		if of := rememberedOf(d, s, content, settings); of != nil {
			of.tests = m.store.Read(of.key)
			m.suites = append(m.suites, of)
			for _, t := range s.Tests {
				m.of[t.Name] = of
			}
		}
	}
	return m
}

// rememberedOf returns a suite with its key; nil if something decides what its tests run that no key stands for.
func rememberedOf(
	d *drivers.Drivers, s *suite.Suite, content *footprint.Content, settings []string,
) *remembered {
	needs, ok := d.Plan.Sides.Old.Target.Needed(append(slices.Clone(s.Imports), s.Package))
	if !ok {
		return nil
	}
	var folders []string
	for _, folder := range needs {
		name, err := filepath.Rel(d.Plan.Given.Old.Build.Tree, folder)
		if err != nil || !filepath.IsLocal(name) {
			return nil
		}
		folders = append(folders, filepath.ToSlash(name))
	}
	key, err := content.Key(folders, append(slices.Clone(settings), s.Package)...)
	if err != nil {
		d.Tools.Workers.Detailf("what tests run is not remembered: %v", err)
		return nil
	}
	return &remembered{key: key, needs: needs}
}

// unknown returns the tests that may run what the change may touch, as far as anybody knows.
func (m *memory) unknown(tests []suite.Test) []suite.Test {
	if m == nil {
		return tests
	}
	return slices.DeleteFunc(slices.Clone(tests), func(t suite.Test) bool {
		of := m.of[t.Name]
		if of == nil || t.Sub != "" || m.tests[t.Name] {
			return false
		}
		ran, known := of.tests[t.Name]
		return known && ran.Misses(m.touched)
	})
}

// watching returns players which tell all that sequences run on old.
func (m *memory) watching(players *replay.Players) *replay.Players {
	if m == nil {
		return players
	}
	return players.Watching(m.all)
}

// learn notes what tests ran that came to their end in time bubbles, where they do the same each time.
func (r *testRun) learn(ran []selection.Sequence) {
	m := r.memory
	if m == nil || !r.players.Bubbles() {
		return
	}
	for _, q := range ran {
		old, name := q.Outcomes.Old, q.Statements[0].Op
		of := m.of[name]
		if of == nil || old == nil || q.Hung || old.Spectrum.End.Kind != wire.EndDone ||
			r.early[q.Sequence.String()].Why != "" {
			continue
		}
		if hit, ok := m.footprint(old.Coverage, of.needs); ok {
			of.tests.Add(name, hit)
			of.learnt = true
		}
	}
}

// footprint returns blocks by packages, with an empty list for those of which none ran. It reports false if one is in a
// package that the others do not need: other content may lead there.
func (m *memory) footprint(blocks []uint32, needs map[string]string) (footprint.Ran, bool) {
	hit := footprint.Ran{}
	for pkg := range m.all {
		hit[pkg] = nil
	}
	for _, id := range blocks {
		at := m.places[id]
		if _, needed := needs[at.pkg]; !needed {
			return nil, false
		}
		hit[at.pkg] = append(hit[at.pkg], at.key)
	}
	for pkg := range hit {
		slices.Sort(hit[pkg])
		hit[pkg] = slices.Compact(hit[pkg])
	}
	return hit, true
}

// keep keeps what was learnt for later runs, which is never a reason to fail.
func (in Input) keep() {
	if in.memory == nil {
		return
	}
	for _, of := range in.memory.suites {
		if !of.learnt {
			continue
		}
		if err := in.memory.store.Write(of.key, of.tests); err != nil {
			in.Drivers.Tools.Workers.Detailf("what tests run is not remembered: %v", err)
		}
	}
}
