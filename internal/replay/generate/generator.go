package generate

import (
	"slices"
	"sort"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/carve"
	"github.com/spectradiff/spectradiff/internal/replay/generate/novelty"
	"github.com/spectradiff/spectradiff/internal/replay/generate/value"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// Shares of all candidates, and of the ways to make one.
const (
	directedShare = 0.5 // extend or mutate a favourite, if there is one
	repeatShare   = 0.1 // repeat the last call
	valueShare    = 0.1 // call a function value, if there is one
	untriedShare  = 0.3 // call an operation that had no call yet, if there is one
	moreShare     = 0.3 // one more call on available values
	setShare      = 0.1 // assign to an exported field of the receiver first
	untriedTurns  = 8   // turns after which an operation counts as called
	attempts      = 12  // duplicates and impossible calls in a row after which a slot of a batch stays empty
)

type generator struct {
	in     Input
	limits Limits
	random value.Random
	model  *Model
	values *value.Source // of literals, with the same randomness

	aimless   bool // it is unknown which operations reach changed code
	histories histories
	pools     pools

	ops        []*Operation
	preparing  []*Operation // of these, what sets what changed code mentions
	asserted   []*Type      // as Input.Asserted
	cumulative []float64    // cumulative weights of ops for one batch

	favourites *Cells[*component] // kept sequences that hit changed counters and may be extended
	reaching   []*component       // those whose last operation can reach changed code
	compared   comparisons
	hill       *Hill[footing]
	untried    []*Operation                  // had no turn yet, or their calls could not be made
	walked     *novelty.Recent[sequence.Key] // sequences that were steps towards goals
	seeds      []*carve.Call                 // calls of tests that were not made yet
	sweeping   []swept                       // calls that were not swept yet
	swept      bool                          // sweeping is known
	settings   settings
	byName     map[string]*Operation
	asked      *novelty.Recent[sequence.Key]
	buffer     []byte

	seen   *novelty.Seen
	paths  map[uint64]bool // through changed code, as keys of cells
	kept   []Kept
	stored [Classes]int // per class, including those that are not in kept
	stats  Stats
	Effort
}

// A component is a kept sequence that others may be built on.
type component struct{ draft }

// A candidate is a sequence to execute.
type candidate struct {
	draft
	added int // statements from here on come from no component

	redundant bool // according to Input.Redundancy
}

func newGenerator(in Input) *generator {
	random := value.NewRandom(in.Seed)
	g := &generator{
		in:         in,
		limits:     in.Limits.Filled(len(in.Operations)),
		random:     random,
		model:      newModel(in.Operations, in.Types, in.Samples, in.Unset, in.Constants),
		aimless:    !slices.ContainsFunc(in.Operations, func(op *api.Operation) bool { return op.Reaches }),
		histories:  histories{},
		values:     value.NewSource(random, in.Constants),
		asked:      novelty.NewRecent[sequence.Key](rememberedSequences),
		favourites: newCells[*component](),
		paths:      map[uint64]bool{},
		seen:       novelty.New(),
		hill:       newHill[footing](),
		walked:     novelty.NewRecent[sequence.Key](rememberedSequences),
	}
	g.ops = g.model.Operations
	for _, t := range in.Asserted {
		if g.model.known(symbol.Type(t)) {
			g.asserted = append(g.asserted, g.model.info(t))
		}
	}
	for _, op := range g.ops {
		if op.Of.Prepares {
			g.preparing = append(g.preparing, op)
		}
	}
	g.histories.price(g.ops)
	g.untried = g.firstOnes()
	g.plant(in.Calls)
	g.settings.start(g.model.OperationsOf(in.Settings))
	return g
}

func (g *generator) result(stop Stop) Generated {
	stats := g.stats
	for _, op := range g.ops {
		if g.histories.of(op).ran > 0 && !op.Of.Supplier {
			stats.Reached = append(stats.Reached, op.Of.Name)
		}
	}
	slices.Sort(stats.Reached)
	return Generated{Kept: g.kept, Stats: stats, Stop: stop}
}

// batch makes candidates that were never executed. The batch is empty if there are none.
func (g *generator) batch() []*candidate {
	g.weigh()
	var batch []*candidate
	size := g.limits.Batch
	if g.in.Batch != nil {
		size = g.in.Batch()
	}
	for range size {
		for range attempts {
			g.Tried++
			if c := g.candidate(); c != nil && !g.callsEndless(c) && g.fresh(c) && !g.repeats(c) {
				batch = append(batch, c)
				break
			}
		}
	}
	return batch
}

// repeats reports whether a candidate is known to be redundant without being executed.
func (g *generator) repeats(c *candidate) bool {
	if g.in.Redundancy == nil || !g.in.Redundancy.Known(sequence.Sequence{Statements: c.statements}) {
		return false
	}
	g.stats.Unplayed++
	return true
}

// callsEndless reports whether a candidate calls an operation that Endless reports. Calls of its component are known to
// end.
func (g *generator) callsEndless(c *candidate) bool {
	q := sequence.Sequence{Statements: c.statements}
	for i := c.added; i < len(c.statements); i++ {
		if g.endless(q.Driven(i)) {
			return true
		}
	}
	return false
}

func (g *generator) endless(name string) bool { return g.in.Endless != nil && g.in.Endless(name) }

// rememberedSequences is the minimum number of remembered sequences, so that none is made twice.
const rememberedSequences = 1 << 18

// fresh reports whether the same sequence was not made before.
func (g *generator) fresh(c *candidate) bool {
	isNew := g.unknown(g.asked, c)
	if last := c.ops[len(c.ops)-1]; !isNew && last != nil {
		g.histories.of(last).Unmade++
	}
	return isNew
}

// unknown adds a sequence to a set and reports whether it is new there.
func (g *generator) unknown(set *novelty.Recent[sequence.Key], c *candidate) bool {
	var key sequence.Key
	key, g.buffer = sequence.Sequence{Statements: c.statements}.AppendKey(g.buffer)
	return set.Add(key)
}

// candidate makes one sequence, or returns nil if the attempt fails.
func (g *generator) candidate() *candidate {
	if c := g.compared.next(g.random); c != nil {
		return c
	}
	if c := g.seeded(); c != nil {
		return c
	}
	if g.in.Alone {
		if c := g.sweep(); c != nil {
			return c
		}
		return g.variant()
	}
	if op := g.uncalled(); op != nil {
		return g.callOf(op)
	}
	if c := g.preset(); c != nil {
		return c
	}
	if base := g.favourite(); base != nil {
		return g.mutant(base)
	}
	if len(g.pools.functions) > 0 && g.random.Chance(valueShare) {
		return g.valueCall()
	}
	if op := g.operation(); op != nil {
		return g.callOf(op)
	}
	return nil
}

// callOf makes a sequence with a call of an operation, and perhaps further calls.
func (g *generator) callOf(op *Operation) *candidate {
	d := &draft{}
	if !g.call(d, op, 0) {
		g.histories.of(op).Unmade++
		return nil
	}
	g.finish(d)
	return d.candidate(0)
}

// firstOnes returns the operations that get a turn before others get their second: those that can reach changed code,
// or all if none is known to.
func (g *generator) firstOnes() (list []*Operation) {
	for _, op := range g.ops {
		if !op.Of.Supplier && (g.aimless || op.Reaches()) {
			list = append(list, op)
		}
	}
	return list
}

// uncalled returns an operation without calls so far. It returns nil if there is none, and by chance to leave the turn
// to others.
func (g *generator) uncalled() *Operation {
	for len(g.untried) > 0 && g.random.Chance(untriedShare) {
		op := g.untried[0]
		g.untried = g.untried[1:]
		if of := g.histories.of(op); of.ran == 0 && !g.endless(op.Of.Name) {
			if of.turns++; of.turns < untriedTurns {
				g.untried = append(g.untried, op)
			}
			return op
		}
	}
	return nil
}

// favourite returns a component to extend or mutate, or nil for a candidate from scratch.
func (g *generator) favourite() *component {
	if g.favourites.Len()+len(g.reaching) == 0 || !g.random.Chance(directedShare) {
		return nil
	}
	if g.favourites.Len() > 0 && (len(g.reaching) == 0 || !g.random.Chance(0.3)) {
		return g.favourites.Draw(g.random)
	}
	if g.random.Chance(0.3) { // the latest one is the least explored
		return g.reaching[len(g.reaching)-1-g.random.IntN(min(len(g.reaching), 16))]
	}
	return value.PickShort(g.random, g.reaching, func(c *component) int { return len(c.statements) })
}

// weigh computes the weights of the operations for one batch.
func (g *generator) weigh() {
	g.cumulative = cumulative(g.cumulative, len(g.ops), func(i int) (record, bool) {
		return g.histories.of(g.ops[i]).record, g.endless(g.ops[i].Of.Name)
	})
}

// operation draws an operation by weight.
func (g *generator) operation() *Operation {
	if len(g.ops) == 0 {
		return nil
	}
	total := g.cumulative[len(g.cumulative)-1]
	i := sort.SearchFloat64s(g.cumulative, g.random.Float64()*total)
	return g.ops[min(i, len(g.ops)-1)]
}

// finish sometimes repeats the last call, and appends calls on available values. Often only another call shows the
// effect of a call.
func (g *generator) finish(d *draft) {
	g.repeat(d)
	for g.random.Chance(moreShare) && len(d.statements) < g.limits.Length && g.related(d) {
	}
}

// repeat sometimes appends further calls of the last operation.
func (g *generator) repeat(d *draft) {
	last := len(d.statements) - 1
	room := min(g.limits.Repeat, 2*g.limits.Length-len(d.statements))
	if room <= 0 || !g.random.Chance(repeatShare) {
		return
	}
	st, op := d.statements[last], d.ops[last]
	same := g.random.Chance(0.5) && st.HasRef() // without an object the same call has the same effect
	if len(st.Args) == 0 {
		return
	}
	if !g.random.Chance(0.15) {
		room = min(room, 6) // long runs are for capacities and counters only
	}
	for range 1 + g.random.IntN(room) {
		if !same {
			st = g.varied(st, op)
		}
		d.append(st, op)
	}
}

// varied returns the call with other literals.
func (g *generator) varied(st sequence.Statement, op *Operation) sequence.Statement {
	args := slices.Clone(st.Args)
	for i := range args {
		switch {
		case args[i].Kind == sequence.Ref || i >= len(op.Params):
		case op.Params[i].Scalar:
			args[i] = g.other(op.Params[i], op, i)
		default:
			if v, ok := g.values.Nudged(args[i]); ok {
				args[i] = v
			}
		}
	}
	st.Args = args
	return st
}
