package source

// This file compares two texts line by line.

import (
	"bytes"
	"slices"
)

// A Hunk is a run of lines that was replaced. Lines count from 1. Where a side has no lines, its
// start is the line before which the other side's lines would stand.
type Hunk struct {
	Old, New Lines
}

// Lines is a run of lines.
type Lines struct {
	Start, Count int
}

// maxEdits bounds the work on one stretch of lines. Where two stretches differ more, they are cut
// at lines that are unique on both sides, or taken as replaced as a whole.
const maxEdits = 1000

// textLines splits a text into lines without their ends, so that CRLF and LF are the same.
func textLines(text []byte) []string {
	if len(text) == 0 {
		return nil
	}
	pieces := bytes.Split(bytes.TrimSuffix(text, []byte("\n")), []byte("\n"))
	lines := make([]string, len(pieces))
	for i, p := range pieces {
		lines[i] = string(bytes.TrimSuffix(p, []byte("\r")))
	}
	return lines
}

// lineHunks returns the hunks that turn old into new, in order, never adjacent.
func lineHunks(old, new []string) []Hunk {
	var m lineMatch
	numbers := map[string]int{}
	m.compare(numbered(old, numbers), numbered(new, numbers), 0, 0)
	var hunks []Hunk
	oldAt, newAt := 0, 0
	for _, p := range append(m.pairs, linePair{len(old), len(new)}) {
		if p.old > oldAt || p.new > newAt {
			hunks = append(hunks, Hunk{Lines{oldAt + 1, p.old - oldAt}, Lines{newAt + 1, p.new - newAt}})
		}
		oldAt, newAt = p.old+1, p.new+1
	}
	return hunks
}

// numbered replaces lines by numbers, equal ones by equal numbers.
func numbered(lines []string, numbers map[string]int) []int {
	ids := make([]int, len(lines))
	for i, line := range lines {
		id, ok := numbers[line]
		if !ok {
			id = len(numbers)
			numbers[line] = id
		}
		ids[i] = id
	}
	return ids
}

// linePair is a line that stayed, by its index on both sides.
type linePair struct{ old, new int }

// lineMatch collects the lines that stayed, in order.
type lineMatch struct{ pairs []linePair }

// compare matches two stretches that start at the given lines.
func (m *lineMatch) compare(old, new []int, oldAt, newAt int) {
	for len(old) > 0 && len(new) > 0 && old[0] == new[0] {
		m.pairs = append(m.pairs, linePair{oldAt, newAt})
		old, new, oldAt, newAt = old[1:], new[1:], oldAt+1, newAt+1
	}
	tail := 0
	for tail < len(old) && tail < len(new) && old[len(old)-1-tail] == new[len(new)-1-tail] {
		tail++
	}
	midOld, midNew := old[:len(old)-tail], new[:len(new)-tail]
	if len(midOld) > 0 && len(midNew) > 0 {
		if pairs, ok := shortestEdits(midOld, midNew); ok {
			m.add(pairs, oldAt, newAt)
		} else {
			m.split(midOld, midNew, oldAt, newAt)
		}
	}
	for i := range tail {
		m.pairs = append(m.pairs, linePair{oldAt + len(midOld) + i, newAt + len(midNew) + i})
	}
}

func (m *lineMatch) add(pairs []linePair, oldAt, newAt int) {
	for _, p := range pairs {
		m.pairs = append(m.pairs, linePair{oldAt + p.old, newAt + p.new})
	}
}

// split cuts two stretches at lines that occur once on both sides and compares what lies between.
func (m *lineMatch) split(old, new []int, oldAt, newAt int) {
	oldFrom, newFrom := 0, 0
	for _, anchor := range increasing(uniquePairs(old, new)) {
		if anchor.old < oldFrom || anchor.new < newFrom {
			continue
		}
		m.compareBelow(old[oldFrom:anchor.old], new[newFrom:anchor.new], oldAt+oldFrom, newAt+newFrom)
		m.pairs = append(m.pairs, linePair{oldAt + anchor.old, newAt + anchor.new})
		oldFrom, newFrom = anchor.old+1, anchor.new+1
	}
	if oldFrom > 0 {
		m.compareBelow(old[oldFrom:], new[newFrom:], oldAt+oldFrom, newAt+newFrom)
	}
}

func (m *lineMatch) compareBelow(old, new []int, oldAt, newAt int) {
	if len(old) > 0 && len(new) > 0 {
		m.compare(old, new, oldAt, newAt)
	}
}

// uniquePairs returns the lines that occur once on both sides, by their place in old.
func uniquePairs(old, new []int) []linePair {
	const several = -1
	place := func(lines []int) map[int]int {
		at := map[int]int{}
		for i, id := range lines {
			if _, seen := at[id]; seen {
				i = several
			}
			at[id] = i
		}
		return at
	}
	inOld, inNew := place(old), place(new)
	var pairs []linePair
	for i, id := range old {
		if j, ok := inNew[id]; ok && j != several && inOld[id] != several {
			pairs = append(pairs, linePair{i, j})
		}
	}
	return pairs
}

// increasing returns a longest run of pairs that are in order on the new side too.
func increasing(pairs []linePair) []linePair {
	var ends []int // ends[n]: the pair that ends the best run of n+1
	before := make([]int, len(pairs))
	for i, p := range pairs {
		at, _ := slices.BinarySearchFunc(ends, p.new, func(end, new int) int { return pairs[end].new - new })
		before[i] = -1
		if at > 0 {
			before[i] = ends[at-1]
		}
		if at == len(ends) {
			ends = append(ends, i)
		} else {
			ends[at] = i
		}
	}
	if len(ends) == 0 {
		return nil
	}
	run := make([]linePair, len(ends))
	for i, at := ends[len(ends)-1], len(ends)-1; at >= 0; i, at = before[i], at-1 {
		run[at] = pairs[i]
	}
	return run
}

// shortestEdits is Myers' greedy algorithm. ok is false if it takes more than maxEdits.
func shortestEdits(old, new []int) (pairs []linePair, ok bool) {
	limit := min(len(old)+len(new), maxEdits)
	reach := make([]int32, 2*limit+3) // furthest old line on each diagonal, diagonal 0 in the middle
	middle := limit + 1
	var history [][]int32 // before each round, the diagonals that it reads
	for d := 0; d <= limit; d++ {
		history = append(history, slices.Clone(reach[middle-d-1:middle+d+2]))
		for k := -d; k <= d; k += 2 {
			x := int(nextStart(reach[middle+k-1], reach[middle+k+1], k, d))
			y := x - k
			for x < len(old) && y < len(new) && old[x] == new[y] {
				x, y = x+1, y+1
			}
			reach[middle+k] = int32(x)
			if x >= len(old) && y >= len(new) {
				return backtrack(history, len(old), len(new)), true
			}
		}
	}
	return nil, false
}

// nextStart takes the further of a removal (from diagonal k-1) and an insertion (from k+1).
func nextStart(below, above int32, k, d int) int32 {
	if k == -d || k != d && below < above {
		return above
	}
	return below + 1
}

// backtrack finds the lines that stayed from the end of the last round to the start.
func backtrack(history [][]int32, x, y int) []linePair {
	var pairs []linePair
	for d := len(history) - 1; d >= 0; d-- {
		k := x - y
		middle := d + 1
		below, above := history[d][middle+k-1], history[d][middle+k+1]
		start := int(nextStart(below, above, k, d))
		if d == 0 {
			start = 0
		}
		for x > start {
			x, y = x-1, y-1
			pairs = append(pairs, linePair{x, y})
		}
		if k == -d || k != d && below < above {
			y-- // an insertion came before
		} else {
			x--
		}
	}
	slices.Reverse(pairs)
	return pairs
}
