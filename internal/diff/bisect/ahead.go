package bisect

import (
	"cmp"
	"iter"
	"maps"
	"slices"
)

// A guess is a search as it may go on: with answers that nobody gave yet.
type guess struct {
	*search
	chance float64 // that these are the answers
}

// likely yields the versions that will probably be asked once a class was, each once: those that will surely be before
// others, then by how likely that is. Answers are guessed from what is likely to have changed where. It looks at
// mostGuesses states of the search.
func (s *search) likely(class int) iter.Seq[int] {
	return func(yield func(int) bool) {
		chances := map[int]float64{}
		open := guess{s, 1}.answered(class)
		for range mostGuesses {
			if len(open) == 0 {
				break
			}
			best := slices.MaxFunc(open, func(x, y guess) int { return cmp.Compare(x.chance, y.chance) })
			open = slices.DeleteFunc(open, func(g guess) bool { return g.search == best.search })
			next, more := best.next()
			if !more {
				continue
			}
			chances[next] += best.chance
			open = append(open, best.answered(next)...)
		}
		for _, next := range slices.SortedFunc(maps.Keys(chances), func(x, y int) int {
			return cmp.Or(cmp.Compare(chances[y], chances[x]), cmp.Compare(x, y))
		}) {
			if !yield(s.first[next]) {
				return
			}
		}
	}
}

// mostGuesses bounds the work for one question: a guess is as dear as the choice of a question.
const mostGuesses = 48

// answered returns how the search may go on after the answers at a class: with those that are likely of each thing, and
// with another one of the thing that they tell most of.
func (g guess) answered(class int) []guess {
	answers := make([]Answer, len(g.Things))
	open, split := -1, 0.0
	var other Answer
	for thing := range g.Things {
		before, after, share := g.around(thing, class)
		answers[thing] = before
		if share > 0.5 {
			answers[thing] = after
		}
		if entropy(share) > entropy(split) {
			open, split, other = thing, share, after
			if share > 0.5 {
				other = before
			}
		}
	}
	likely := max(split, 1-split)
	list := []guess{g.with(class, answers, likely)}
	if open >= 0 {
		answers = slices.Clone(answers)
		answers[open] = other
		list = append(list, g.with(class, answers, 1-likely))
	}
	return list
}

// with returns the guess with answers at one more class.
func (g guess) with(class int, answers []Answer, chance float64) guess {
	next := *g.search
	next.answers = slices.Clone(g.answers)
	next.answers[class] = answers
	return guess{&next, g.chance * chance}
}

// around returns what told of a thing before and after a class, and how likely the thing changes before the class, if
// these differ.
func (s *search) around(thing, class int) (before, after Answer, share float64) {
	low, high := class-1, class+1
	for low > 0 && !s.tells(thing, low) {
		low--
	}
	for high < s.newest() && !s.tells(thing, high) {
		high++
	}
	before, after = s.answers[low][thing], s.answers[high][thing]
	if before.Value == after.Value {
		return before, after, 0
	}
	return before, after, s.share(thing, gap{from: low, to: high}, low, class)
}
