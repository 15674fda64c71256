package generation

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/spectradiff/spectradiff/internal/spectra"
)

// A place is a line and a column, both from 1.
type place struct{ line, column int }

func (p place) before(other place) bool { return cmp.Or(p.line-other.line, p.column-other.column) < 0 }

// An extent is a block of a profile.
type extent struct {
	from, to place
	ran      bool
}

// A profile has the extents of each file, named as in the profile.
type profile map[string][]extent

// read adds a profile of the go command's.
func (p profile) read(text string) error {
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "mode:") {
			continue
		}
		colon := strings.LastIndexByte(line, ':')
		var e extent
		var statements, count int
		if colon < 0 {
			return fmt.Errorf("line %q of a profile has no file", line)
		}
		if _, err := fmt.Sscanf(line[colon+1:], "%d.%d,%d.%d %d %d",
			&e.from.line, &e.from.column, &e.to.line, &e.to.column, &statements, &count); err != nil {
			return fmt.Errorf("line %q of a profile: %w", line, err)
		}
		e.ran = count > 0
		p.add(line[:colon], e)
	}
	return nil
}

// add adds an extent, or that it was run too.
func (p profile) add(file string, e extent) {
	list := p[file]
	i, found := slices.BinarySearchFunc(list, e, func(x, y extent) int {
		return cmp.Or(x.from.line-y.from.line, x.from.column-y.from.column,
			x.to.line-y.to.line, x.to.column-y.to.column)
	})
	if found {
		list[i].ran = list[i].ran || e.ran
		return
	}
	p[file] = slices.Insert(list, i, e)
}

// ranAt reports whether the innermost extent around a place was run.
func (p profile) ranAt(file string, at place) bool {
	ran := false
	for _, e := range p[file] { // sorted, so that the innermost comes last
		if !at.before(e.from) && at.before(e.to) {
			ran = e.ran
		}
	}
	return ran
}

// blocks returns the numbers of the blocks of a scope whose first statement was run.
func (p profile) blocks(s *scope) map[uint32]bool {
	ran := map[uint32]bool{}
	s.packages.Blocks(func(id uint32, _ string, _ int, b spectra.Block) {
		if b.Statements > 0 && p.ranAt(s.module+"/"+b.File, place{b.Line, b.Column}) {
			ran[id] = true
		}
	})
	return ran
}
