package generate

import (
	"context"

	"github.com/spectradiff/spectradiff/internal/replay/generate/value"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
)

// stepsOfTurn is the number of sequences of one turn. Half of them change the literal that was changed last, if
// possible.
const stepsOfTurn = 48

// A footing is a component and its last change.
type footing struct {
	*component
	last *answer
}

// Size returns the number of statements.
func (f footing) Size() int { return len(f.statements) }

// climb walks towards goals and executes the steps that come nearer.
func (g *generator) climb(ctx context.Context) error {
	return g.hill.Walk(g.steps, func(list []footing) (all [][]Distance, err error) {
		compared, err := g.look(ctx, list)
		for _, of := range compared {
			all = append(all, of.Distances)
		}
		return all, err
	}, func(nearer []footing) error {
		batch := make([]*candidate, len(nearer))
		for i, f := range nearer {
			batch[i] = f.candidate(f.last.statement)
		}
		return g.execute(ctx, batch)
	})
}

// steps returns some new steps from a footing.
func (g *generator) steps(from footing, wanted []string) (list []footing) {
	base := from.component
	var places []place
	from.eachLiteral(func(i, at int, plain value.Type) { places = append(places, place{i, at, plain}) })
	of := func(p place) (all []answer) {
		value.Steps(from.statements[p.statement].Args[p.argument], p.plain, wanted, func(v sequence.Value) {
			all = append(all, answer{statement: p.statement, argument: p.argument, value: v})
		})
		return all
	}
	var last []answer
	for _, p := range places {
		if from.last != nil && from.last.statement == p.statement && from.last.argument == p.argument {
			last = of(p)
		}
	}
	take := func(from []answer, most int) {
		g.random.Shuffle(len(from), func(i, j int) { from[i], from[j] = from[j], from[i] })
		for i := 0; i < len(from) && len(list) < most; i++ {
			if c := g.replaced(base, from[i]); !g.callsEndless(c) && g.unknown(g.walked, c) {
				list = append(list, footing{&component{c.draft}, &from[i]})
			}
		}
	}
	take(last, stepsOfTurn/2)
	take(g.stepsOf(places, of), stepsOfTurn)
	g.Tried += len(list)
	return list
}

// A place is where a literal stands in a component.
type place struct {
	statement, argument int
	plain               value.Type
}

// manyLiterals is the number of literals above which a turn draws some, and then one step of each: a long text has
// hundreds of steps, a boolean one.
const manyLiterals = 24

// stepsOf returns the steps that a turn chooses from.
func (g *generator) stepsOf(places []place, of func(place) []answer) (all []answer) {
	if len(places) <= manyLiterals {
		for _, p := range places {
			all = append(all, of(p)...)
		}
		return all
	}
	steps := map[int][]answer{}
	for range 2 * stepsOfTurn {
		i := g.random.IntN(len(places))
		if steps[i] == nil {
			steps[i] = of(places[i])
		}
		if len(steps[i]) > 0 {
			all = append(all, value.Pick(g.random, steps[i]))
		}
	}
	return all
}
