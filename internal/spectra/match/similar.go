package match

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Limits for taking two declarations for one that was renamed. Their similarity is Dice's coefficient of
// their tokens and of the pairs of adjacent tokens: 1 for equal ones, 0 for nothing in common.
const (
	alike      = 0.8  // enough by itself
	related    = 0.5  // enough if also the name, or half of the users, is the same
	fewTokens  = 4    // with fewer tokens, similarity alone is not enough
	manyTokens = 8    // with fewer tokens, declarations with different signatures are never matched
	maxPairs   = 1e5  // limit of the pairs that are compared of one signature, for modules that were rewritten
	userBonus  = 0.1  // added for common users, to choose among several that are alike
	nameBonus  = 0.05 // added for the same name in another package or type
)

// A bag counts tokens and pairs of them.
type bag struct {
	counts map[string]int
	size   int
}

func newBag(tokens []string) bag {
	b := bag{counts: map[string]int{}}
	last := "^"
	for _, t := range tokens {
		b.add(t)
		b.add(last + "\x00" + t)
		last = t
	}
	b.add(last + "\x00$")
	return b
}

func (b *bag) add(s string) {
	b.counts[s]++
	b.size++
}

func dice(one, other bag) float64 {
	if one.size+other.size == 0 {
		return 0
	}
	common := 0
	for s, n := range one.counts {
		common += min(n, other.counts[s])
	}
	return 2 * float64(common) / float64(one.size+other.size)
}

// A candidate is a declaration that only one version has, in one round of matching.
type candidate struct {
	declaration *declaration
	group       string // only equal ones are compared
	body, users bag
	tokens      int
}

// A match is a pair of candidates.
type match struct {
	old, new   *candidate
	similarity float64
	score      float64 // similarity with bonuses
	shaped     bool    // the groups differ
	by         string  // what matched them, if it was not the similarity
}

// matches returns the pairs that are similar enough and in which each is the best for the other, without a
// tie.
func matches(olds, news []*candidate) []match {
	groups := map[string][2][]*candidate{}
	for i, list := range [][]*candidate{olds, news} {
		for _, c := range list {
			g := groups[c.group]
			g[i] = append(g[i], c)
			groups[c.group] = g
		}
	}
	var found []match
	for _, group := range slices.Sorted(maps.Keys(groups)) {
		g := groups[group]
		if len(g[0])*len(g[1]) > maxPairs {
			continue
		}
		best := map[*candidate]*match{} // nil = a tie
		for _, old := range g[0] {
			for _, new := range g[1] {
				if m := compare(old, new); m != nil {
					better(best, old, m)
					better(best, new, m)
				}
			}
		}
		for _, old := range g[0] {
			if m := best[old]; m != nil && m.score >= 0 && best[m.new] == m {
				found = append(found, *m)
			}
		}
	}
	slices.SortFunc(found, func(x, y match) int { return cmp.Compare(x.old.declaration.name, y.old.declaration.name) })
	return found
}

// reshaped matches functions whose signatures differ. Their bodies have to be longer and more similar.
func reshaped(olds, news []*candidate) []match {
	one := func(list []*candidate) []*candidate {
		var all []*candidate
		for _, c := range list {
			alone := *c
			alone.group = ""
			all = append(all, &alone)
		}
		return all
	}
	found := slices.DeleteFunc(matches(one(olds), one(news)), func(m match) bool {
		few := min(m.old.tokens, m.new.tokens) < manyTokens
		sameName := strings.EqualFold(m.old.declaration.short(), m.new.declaration.short())
		return few || m.similarity < alike && (!sameName || dice(m.old.users, m.new.users) < related)
	})
	for i := range found {
		found[i].shaped = true
	}
	return found
}

// better keeps the best pair of a candidate. A tie is kept as a pair with a negative score, which is never
// taken.
func better(best map[*candidate]*match, c *candidate, m *match) {
	const equal = 1e-9
	switch known := best[c]; {
	case known == nil || m.score > max(known.score, -known.score)+equal:
		best[c] = m
	case m.score >= max(known.score, -known.score)-equal:
		best[c] = &match{score: -m.score}
	}
}

// compare returns nil if the two can't be the same declaration.
func compare(old, new *candidate) *match {
	m := &match{old: old, new: new, similarity: dice(old.body, new.body)}
	users := dice(old.users, new.users)
	sameName := strings.EqualFold(old.declaration.short(), new.declaration.short())
	few := min(old.tokens, new.tokens) < fewTokens
	switch {
	case m.similarity >= alike && !few:
	case m.similarity >= related && (sameName && old.tokens+new.tokens > 0 || users >= related):
	case old.declaration.kind == typeDecl && users >= alike && min(old.users.size, new.users.size) > 1:
		m.by = fmt.Sprintf("users, similarity %.2f", users) // its fields were renamed too
	default:
		return nil
	}
	m.score = m.similarity + userBonus*users
	if sameName {
		m.score += nameBonus
	}
	return m
}
