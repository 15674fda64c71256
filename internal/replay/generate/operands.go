package generate

import (
	"context"
	"fmt"

	"github.com/spectradiff/spectradiff/internal/replay/generate/value"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// An Operand is what was seen at one place: both sides of a comparison, or a parameter.
type Operand struct {
	Site        uint32 // the same for the same place
	Changed     bool   // it lies in changed code
	Number      bool   // the sides are numbers in Go syntax, otherwise texts
	Alone       bool   // a parameter: Right is empty
	Left, Right string
}

const (
	askedSequences = 12  // played to see their operands after each batch
	askedLength    = 30  // statements of one of them
	answered       = 24  // candidates from the operands of one sequence
	waitingAnswers = 600 // candidates that wait for their turn; the oldest are dropped
	answerShare    = 0.4 // of a batch, while there are any
	changedWeight  = 4   // of an operand in changed code
)

// Compared is what was compared in a sequence.
type Compared struct {
	Operands  []Operand
	Distances []Distance
}

// comparisons are what is known of the operands of kept sequences.
type comparisons struct {
	unasked Latest[footing]    // whose operands are worth looking at
	waiting Latest[*candidate] // that answer comparisons
}

// ask has the latest of the components that were kept played to see their operands: they are the least explored.
func (g *generator) ask(ctx context.Context) error {
	chosen := g.compared.unasked.Take(askedSequences)
	compared, err := g.look(ctx, chosen)
	for i, of := range compared {
		g.answer(chosen[i].component, of.Operands)
		g.hill.Note(of.Distances, chosen[i])
	}
	return err
}

// look plays sequences to see what is compared in them.
func (g *generator) look(ctx context.Context, chosen []footing) ([]Compared, error) {
	if len(chosen) == 0 || g.in.Operands == nil {
		return nil, nil
	}
	sequences := make([]sequence.Sequence, len(chosen))
	for i, c := range chosen {
		sequences[i].Statements = c.statements
	}
	compared, err := g.in.Operands(ctx, sequences)
	if err != nil {
		return nil, fmt.Errorf("look at the operands of %d sequences: %w", len(sequences), err)
	}
	return compared[:min(len(compared), len(chosen))], nil
}

// wonder notes that the operands of a component are worth looking at.
func (c *comparisons) wonder(of *component) {
	if len(of.statements) <= askedLength {
		c.unasked.Add(footing{component: of}, 4*askedSequences)
	}
}

// add notes a candidate that answers a comparison.
func (c *comparisons) add(of *candidate) { c.waiting.Add(of, waitingAnswers) }

// next returns the latest candidate that answers a comparison, nil if there is none, or it is another one's turn.
func (c *comparisons) next(random value.Random) *candidate {
	if len(c.waiting) == 0 || !random.Chance(answerShare) {
		return nil
	}
	return c.waiting.Take(1)[0]
}

// An answer is another literal for a place in a component.
type answer struct {
	statement, argument int
	value               sequence.Value
}

// answer makes candidates from the operands of a component, and remembers the texts that it was compared with.
func (g *generator) answer(c *component, operands []Operand) {
	var list []answer
	var weights []int
	for _, o := range operands {
		if o.Site == wire.SiteEnvironment {
			g.heard(c, o.Left)
			continue
		}
		if o.Left == o.Right { // nothing can be put in its place
			continue
		}
		comparison := value.Comparison{Number: o.Number, Alone: o.Alone, Left: o.Left, Right: o.Right}
		if o.Changed {
			for _, text := range comparison.Words() {
				g.values.Learn(nil, 0, text)
			}
		}
		for _, a := range g.answers(c, comparison) {
			weight := 1
			if o.Changed {
				weight = changedWeight
			}
			list, weights = append(list, a), append(weights, weight)
		}
	}
	for _, at := range g.random.Several(answered, weights) {
		g.compared.add(g.replaced(c, list[at]))
	}
}

// answers returns all answers of a component's literals to a comparison.
func (g *generator) answers(c *component, comparison value.Comparison) (list []answer) {
	c.eachLiteral(func(i, at int, plain value.Type) {
		comparison.Each(c.statements[i].Args[at], plain, func(v sequence.Value) {
			list = append(list, answer{statement: i, argument: at, value: v})
		})
	})
	return list
}

// eachLiteral visits the arguments of a component, with their types if they are numbers.
func (c *component) eachLiteral(visit func(statement, argument int, plain value.Type)) {
	for i, st := range c.statements {
		for at := range st.Args {
			var plain value.Type
			if op := c.ops[i]; op != nil && at < len(op.Params) {
				plain = op.Params[at].Plain
			}
			visit(i, at, plain)
		}
	}
}

// replaced returns the candidate in which an answer stands.
func (g *generator) replaced(c *component, a answer) *candidate {
	st := c.statements[a.statement]
	st.Args = append([]sequence.Value(nil), st.Args...)
	st.Args[a.argument] = a.value
	d := c.prefix(a.statement)
	d.append(st, c.ops[a.statement])
	d.resume(c, a.statement+1, a.statement)
	return d.candidate(a.statement)
}
