package generate

import (
	"context"
	"fmt"
	"slices"

	"github.com/spectradiff/spectradiff/internal/replay/generate/value"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// An Operand is one observed comparison or parameter.
type Operand struct {
	Site        uint32 // the same for the same place
	Changed     bool   // it lies in changed code
	Number      bool   // the sides are numbers in Go syntax; else they are texts
	Alone       bool   // a parameter: Right is empty
	Left, Right string
}

const (
	askedSequences = 12  // sequences played for their operands after each batch
	askedLength    = 30  // maximum number of statements of one of them
	answered       = 24  // maximum number of candidates from the operands of one sequence
	changedAnswers = 12  // of them those that are drawn of operands in changed code first
	waitingAnswers = 600 // maximum number of waiting candidates; the oldest are dropped
	answerShare    = 0.4 // share of a batch, if there are any
)

// Compared holds the operands and branch distances of a sequence.
type Compared struct {
	Operands  []Operand
	Distances []Distance
}

// comparisons hold the work on operands of kept sequences.
type comparisons struct {
	unasked Latest[footing]    // components whose operands are worth looking at
	waiting Latest[*candidate] // candidates that answer comparisons
}

// ask plays the latest kept components again to see their operands in changed code and on the way to it. The latest are
// the least explored.
func (g *generator) ask(ctx context.Context) error {
	chosen := g.compared.unasked.Take(askedSequences)
	compared, err := g.look(ctx, chosen)
	for i, of := range compared {
		g.answer(chosen[i].component, of.Operands)
		g.hill.Note(of.Distances, chosen[i])
	}
	return err
}

// look plays sequences and returns their comparisons.
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

// next returns the latest candidate that answers a comparison. It returns nil if there is none, and by chance to leave
// the turn to others.
func (c *comparisons) next(random value.Random) *candidate {
	if len(c.waiting) == 0 || !random.Chance(answerShare) {
		return nil
	}
	return c.waiting.Take(1)[0]
}

// An answer replaces one literal in a component.
type answer struct {
	statement, argument int
	value               sequence.Value
}

// answer makes candidates from the operands of a component: where a literal contains one side of a comparison, it gets
// the other side. It also remembers the compared texts.
func (g *generator) answer(c *component, operands []Operand) {
	var inChanged, others []answer
	for _, o := range operands {
		if o.Site == wire.SiteEnvironment {
			g.heard(c, o.Left)
			continue
		}
		if o.Left == o.Right { // nothing to put in its place
			continue
		}
		comparison := value.Comparison{Number: o.Number, Alone: o.Alone, Left: o.Left, Right: o.Right}
		if o.Changed {
			for _, text := range comparison.Words() {
				g.values.Learn(nil, 0, text)
			}
		}
		for _, a := range g.answers(c, comparison) {
			if o.Changed {
				inChanged = append(inChanged, a)
			} else {
				others = append(others, a)
			}
		}
	}
	for _, texts := range together(operands) {
		others = append(others, g.answers(c, value.Comparison{Together: texts})...)
	}
	chosen, rest := g.several(changedAnswers, inChanged)
	more, _ := g.several(answered-len(chosen), append(others, rest...))
	for _, a := range append(chosen, more...) {
		g.compared.add(g.replaced(c, a))
	}
}

// several draws up to n answers, each with the same chance, and returns them and the others.
func (g *generator) several(n int, of []answer) (drawn, rest []answer) {
	taken := make([]bool, len(of))
	for _, at := range g.random.Several(n, slices.Repeat([]int{1}, len(of))) {
		drawn, taken[at] = append(drawn, of[at]), true
	}
	for i, a := range of {
		if !taken[i] {
			rest = append(rest, a)
		}
	}
	return drawn, rest
}

// together returns the texts of each place that compared several with several others, in the order in which they were
// seen. A loop ends where the texts are the same, so it does not say what else it would compare.
func together(operands []Operand) (all [][]string) {
	type place struct{ lefts, rights []string }
	places := map[uint32]*place{}
	var sites []uint32
	add := func(list *[]string, text string) {
		if text != "" && !slices.Contains(*list, text) {
			*list = append(*list, text)
		}
	}
	for _, o := range operands {
		if o.Number || o.Alone {
			continue
		}
		at := places[o.Site]
		if at == nil {
			at = &place{}
			places[o.Site] = at
			sites = append(sites, o.Site)
		}
		add(&at.lefts, o.Left)
		add(&at.rights, o.Right)
	}
	for _, site := range sites {
		at := places[site]
		if len(at.lefts) < 2 || len(at.rights) < 2 {
			continue
		}
		for _, text := range at.rights {
			add(&at.lefts, text)
		}
		all = append(all, at.lefts)
	}
	return all
}

// answers returns the possible answers of a component's literals to a comparison.
func (g *generator) answers(c *component, comparison value.Comparison) (list []answer) {
	c.eachLiteral(func(i, at int, plain value.Type) {
		comparison.Each(c.statements[i].Args[at], plain, func(v sequence.Value) {
			list = append(list, answer{statement: i, argument: at, value: v})
		})
	})
	return list
}

// eachLiteral visits the arguments of a component. Numbers come with their types.
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

// replaced returns the candidate with an answer in its place.
func (g *generator) replaced(c *component, a answer) *candidate {
	st := c.statements[a.statement]
	st.Args = append([]sequence.Value(nil), st.Args...)
	st.Args[a.argument] = a.value
	d := c.prefix(a.statement)
	d.append(st, c.ops[a.statement])
	d.resume(c, a.statement+1, a.statement)
	return d.candidate(a.statement)
}
