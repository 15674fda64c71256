package suite

import (
	"fmt"
	"go/token"
	"slices"
	"strconv"

	"github.com/spectradiff/spectradiff/internal/replay/sequence"
)

// The numbers of holes depend on what changed between two versions: it says which fields and methods are holes. What is
// asked of other versions therefore goes by what a hole is.

// Meanings returns what the holes are that a call of the test gives another value, by their numbers. What comes from
// outside has the same number everywhere, and is left out; so is all where the test has no holes.
func (t *Test) Meanings(call sequence.Statement) map[int]string {
	if t.meanings == nil {
		return nil
	}
	all, used := t.meanings(), map[int]string{}
	for _, number := range numbersIn(call) {
		if meaning, ok := all[number]; ok {
			used[number] = meaning
		}
	}
	return used
}

// Renumbered returns a call of the test with the numbers that its holes have here, by what they are. It returns false
// if the test lacks one of them.
func (t *Test) Renumbered(call sequence.Statement, meanings map[int]string) (sequence.Statement, bool) {
	if len(meanings) == 0 {
		return call, true
	}
	if t.meanings == nil {
		return call, false
	}
	here := map[string]int{}
	for number, meaning := range t.meanings() {
		here[meaning] = number
	}
	other := call
	other.Args = slices.Clone(call.Args)
	elems := slices.Clone(call.Args[0].Elems)
	for i, number := range numbersIn(call) {
		meaning, named := meanings[number]
		if !named {
			continue
		}
		to, ok := here[meaning]
		if !ok {
			return call, false
		}
		elems[2*i].Text = strconv.Itoa(to)
	}
	other.Args[0].Elems = elems
	return other, true
}

// Only leaves out holes but for those with certain meanings, and numbers these anew: so what was left out says nothing
// about their numbers.
func (h *Holes) Only(f *Files, meanings map[string]bool) {
	for _, d := range []*digger{h.inside, h.external} {
		before, wanted := d.meanings(f.fset), map[*hole]bool{}
		for _, h := range d.all {
			if meanings[before[h.number]] {
				wanted[h.holder()] = true
			}
		}
		d.leave(func(h *hole) bool { return !wanted[h.holder()] })
		named := map[int]string{}
		for _, h := range d.all {
			if !d.left[h] {
				named[len(named)], h.number = before[h.number], len(named)
			}
		}
		d.named = named
	}
}

// numbersIn returns the numbers of what a call gives, in their order.
func numbersIn(call sequence.Statement) (list []int) {
	if len(call.Args) != 1 {
		return nil
	}
	elems := call.Args[0].Elems
	for n := 0; n+1 < len(elems); n += 2 {
		number, _ := strconv.Atoi(elems[n].Text)
		list = append(list, number)
	}
	return list
}

// meanings returns what each hole is, by its number: its place, what stands there, and what it is given to. Of those
// that are alike it is also which one.
func (d *digger) meanings(fset *token.FileSet) map[int]string {
	if d.named != nil {
		return d.named
	}
	all, alike := map[int]string{}, map[string]int{}
	for _, h := range d.all {
		choice := ""
		if h.choice != nil {
			choice = fmt.Sprint(h.choice.kind, " ", h.choice.text)
		}
		// Which option holds the others depends on what the change mentions.
		if h.within != nil && (h.choice == nil || h.choice.kind != option) {
			choice += " of " + h.within.name
		}
		meaning := fmt.Sprintf("%s %s %s %q %q", h.place(fset), h.basic(), h.name, h.value.Text, choice)
		alike[meaning]++
		if !d.left[h] {
			all[h.number] = fmt.Sprintf("%s %d", meaning, alike[meaning])
		}
	}
	return all
}
