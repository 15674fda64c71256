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
	var last, all []answer
	base := from.component
	from.eachLiteral(func(i, at int, plain value.Type) {
		value.Steps(from.statements[i].Args[at], plain, wanted, func(v sequence.Value) {
			all = append(all, answer{statement: i, argument: at, value: v})
			if from.last != nil && from.last.statement == i && from.last.argument == at {
				last = append(last, all[len(all)-1])
			}
		})
	})
	take := func(from []answer, most int) {
		g.random.Shuffle(len(from), func(i, j int) { from[i], from[j] = from[j], from[i] })
		for i := 0; i < len(from) && len(list) < most; i++ {
			if c := g.replaced(base, from[i]); !g.callsEndless(c) && g.unknown(g.walked, c) {
				list = append(list, footing{&component{c.draft}, &from[i]})
			}
		}
	}
	take(last, stepsOfTurn/2)
	take(all, stepsOfTurn)
	g.Tried += len(list)
	return list
}
