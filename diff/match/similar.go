package match

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// This file defines how alike two declarations are, and which pairs are taken for renames.

// Limits for taking two declarations for one that was renamed. How alike they are is Dice's
// measure of their tokens and pairs of adjacent tokens: 1 for the same, 0 for nothing in common.
const (
	alike      = 0.8  // enough by itself
	related    = 0.5  // enough if also the name, or half of the users, is the same
	fewTokens  = 4    // of less, a likeness by itself says nothing
	manyTokens = 8    // of less, nothing is said if the signatures differ too
	maxPairs   = 1e5  // compared at most of one signature, so that a rewritten module costs no more
	userBonus  = 0.1  // of what the users agree in, when several are alike
	nameBonus  = 0.05 // the same name elsewhere
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

// A candidate is a declaration in one version only, as a round of matching sees it.
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
	score      float64 // with what else speaks for it
	shaped     bool    // although the groups differ
	by         string  // what matched them, where it is not the likeness
}

// matches returns the pairs that are alike enough and each other's best without a tie.
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
	for _, group := range sortedKeys(groups) {
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

// reshaped matches functions whose signatures differ: of those the bodies have to say more.
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

// better keeps the best pair of a candidate. Of a tie it keeps a pair that nobody takes.
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
		m.by = fmt.Sprintf("users, similarity %.2f", users) // what it has was renamed too
	default:
		return nil
	}
	m.score = m.similarity + userBonus*users
	if sameName {
		m.score += nameBonus
	}
	return m
}
