package generate

import (
	"github.com/spectradiff/spectradiff/internal/replay/generate/novelty"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

const (
	stateShare   = 0.1  // share of calls with unknown effect on their arguments that are built upon
	valuesOf     = 100  // sequences kept for a new value or state, by operation; more only with falling probability
	economical   = 12   // longer sequences with only a new value or state are kept with falling probability
	valuesOfNear = 2000 // the same as valuesOf, for operations that can reach changed code
	blindOf      = 15   // the same for variants of a test that run changed code: what callers see of it says little
	endsOf       = 10   // sequences kept for another way to end, by operation: texts that name arguments all differ
	endsOfNear   = 100  // the same for operations that can reach changed code
)

// judge decides whether a candidate is kept, redundant or illegal.
func (g *generator) judge(c *candidate, o *Outcome) {
	if o.Missing {
		return
	}
	g.stats.Sequences++
	g.stats.Steps += len(o.Steps)
	for i := range min(len(o.Steps), len(c.ops)) {
		if c.ops[i] != nil {
			g.histories.of(c.ops[i]).ran++
		}
	}
	if died := len(o.Steps); o.Killed() && died < len(c.ops) && c.ops[died] != nil {
		g.histories.of(c.ops[died]).ran++
	}
	if at := misuse(c, o); at >= 0 {
		if c, o = g.salvaged(c, o, at); c == nil {
			g.stats.Illegal++
			return
		}
	}
	last := c.ops[len(c.ops)-1]
	if last == nil {
		last = &Operation{}
	}
	past := g.histories.of(last)
	past.Calls++
	switch {
	case o.Panicked:
		g.ended(c, o, len(o.Steps)-1, NewPanic)
	case o.Rejected:
		past.Unmade++
		g.stats.Illegal++
	case o.Killed():
		g.ended(c, o, len(o.Steps), NewEnd)
	default:
		past.Legal++
		if reason := g.legal(c, o, last); reason != "" {
			if reason != NewValue && reason != NewState { // some operations never run out of new values and states
				past.Fresh++
			}
			g.keep(c, o, reason, last)
		}
	}
}

// misuse returns the first statement that uses a result which is nil or came with an error, -1 if there is none. Only
// results of this candidate can be such.
func misuse(c *candidate, o *Outcome) int {
	bad := func(v *sequence.Value) bool {
		if v.Statement >= len(o.Steps) || v.Result >= len(o.Steps[v.Statement].Results) {
			return false
		}
		results := o.Steps[v.Statement].Results
		r := &results[v.Result]
		return r.Nil && !c.mayBeNil(v) || !r.ErrorSet && novelty.Failed(results)
	}
	for i := range c.statements {
		found := false
		c.statements[i].EachRef(func(ref *sequence.Value) { found = found || bad(ref) })
		if found {
			return i
		}
	}
	return -1
}

// mayBeNil reports whether nil is a regular value of the reference's type.
func (d *draft) mayBeNil(ref *sequence.Value) bool {
	op := d.ops[ref.Statement]
	if op == nil || ref.Result >= len(op.Results) {
		return true
	}
	t := op.Results[ref.Result]
	return t.Fails || t.IsSlice() || t.IsMap()
}

// salvaged returns the part of a candidate before a misuse, unless that part is old.
func (g *generator) salvaged(c *candidate, o *Outcome, at int) (*candidate, *Outcome) {
	short := &candidate{draft: c.draft, added: min(c.added, at), redundant: c.redundant}
	short.statements, short.ops = c.statements[:at:at], c.ops[:at:at]
	if at == 0 || len(o.Steps) < at || !g.fresh(short) {
		return nil, nil
	}
	return short, &Outcome{Steps: o.Steps[:at]} // without coverage, because it may come from later statements
}

// ended judges a sequence that one statement ended. It is kept once for each operation and way to end, because the
// other version may not end there. Nothing is built on it.
func (g *generator) ended(c *candidate, o *Outcome, at int, reason Reason) {
	at = max(0, min(at, len(c.ops)-1))
	op := c.ops[at]
	if op == nil {
		op = &Operation{}
	}
	way := ""
	if reason == NewPanic {
		way = "panic " + novelty.Normalised(o.Steps[at].Panic)
	} else {
		past := g.histories.of(op)
		past.Killed++
		if o.End == wire.EndTimeout {
			way = "no end"
			past.Killed += 4 // waiting for it took as long as thousands of calls
		}
	}
	apart := g.apart(o)
	if reason == NewPanic && c.risky && novelty.IsNilPanic(way) && !apart {
		g.stats.Illegal++
		return
	}
	isNew := g.first(op, way) && g.oneMoreEnd(op)
	hit, changed := g.hits(o)
	switch {
	case isNew:
		g.progress(hit || op.Reaches())
	case hit && reason == NewPanic:
		g.progress(true)
		reason = NewCoverage
	case apart:
		reason = NewDifference
	default:
		g.stats.Illegal++
		return
	}
	g.earn(c, c.added, at+1)
	if g.in.Alone && changed && o.End != wire.EndTimeout { // other values may let it go on, in another way
		comp := &component{c.draft}
		comp.included, comp.values = nil, nil
		g.compared.wonder(comp)
		g.favourites.Add(g.random, g.cellOf(c, o), len(comp.statements), comp)
	}
	// Statements behind the one that ended it never ran.
	g.store(Kept{sequence.Sequence{Statements: c.statements[:at+1]}, reason, changed, o.Played})
}

// oneMoreEnd counts a way in which an operation ended a sequence, and reports whether there were few.
func (g *generator) oneMoreEnd(op *Operation) bool {
	limit, past := endsOf, g.histories.of(op)
	if op.Reaches() {
		limit = endsOfNear
	}
	past.ends++
	return past.ends <= limit
}

// apartKept is the maximum number of kept sequences with one difference and nothing else that is new.
const apartKept = 40

// apart reports whether a sequence is worth keeping for its difference between the versions.
func (g *generator) apart(o *Outcome) bool {
	if o.Difference == "" {
		return false
	}
	times := g.seen.Differences(o.Difference)
	if g.Differs = g.Differs || !o.Unsure; times == 1 {
		g.progress(true)
		g.LastChange = g.Tried
	}
	return times <= apartKept
}

// legal returns the reason to keep a sequence that ran to its end, "" if there is none.
func (g *generator) legal(c *candidate, o *Outcome, last *Operation) Reason {
	hit, changed := g.hits(o)
	outcome, apart := false, g.apart(o)
	for i, op := range c.ops {
		if op != nil && !op.Variable && i < len(o.Steps) && g.first(op, novelty.Way(&o.Steps[i])) {
			outcome = true
			g.progress(op.Reaches())
		}
	}
	value, state, path := g.newValue(c, o), g.newState(c, o), g.newPath(o)
	switch {
	case hit:
		g.progress(true)
		return NewCoverage
	case outcome:
		return NewOutcome
	case apart:
		return NewDifference
	case path:
		return NewPath
	}
	past, limit := g.histories.of(last), float64(valuesOf)
	if last.Reaches() {
		limit = valuesOfNear
	}
	blind := g.in.Alone && changed && !value && !state
	if blind {
		limit = blindOf
	}
	if g.in.Redundancy == nil && !value && !state && !blind || c.redundant {
		g.stats.Redundant++
		return ""
	}
	if !g.random.Chance(limit/float64(past.values+1)) || !g.random.Chance(economical/float64(len(c.statements))) {
		g.stats.Surplus++
		return ""
	}
	past.values++
	if value {
		return NewValue
	}
	return NewState
}

// mostPaths is the number of paths through changed code of which one sequence each is kept.
const mostPaths = 256

// newPath reports whether the changed code that a variant ran, of both versions, did not run together before. A version
// may take another path where all that callers see is equal. Of other sequences they see values and states.
func (g *generator) newPath(o *Outcome) bool {
	if !g.in.Alone || len(g.paths) == mostPaths {
		return false
	}
	ran := g.changed(o)
	key := cellKey("", "", ran)
	if len(ran) == 0 || g.paths[key] {
		return false
	}
	g.paths[key] = true
	return true
}

// hits notes the coverage, and reports whether any of it is new and any is in changed code.
func (g *generator) hits(o *Outcome) (hit, changed bool) { return g.seen.Hits(o, g.in.Changed) }

// first reports whether an operation shows a behaviour for the first time.
func (g *generator) first(op *Operation, way string) bool {
	switch {
	case op.Of != nil:
		return g.seen.First(op.Of.Name, "", way)
	case len(op.Params) > 0:
		return g.seen.First("", op.Params[0].Name, way)
	}
	return g.seen.First("", "", way)
}

// progress resets the plateau if is is true.
func (g *generator) progress(is bool) {
	if is {
		g.LastNew = g.Tried
	}
}

// newValue notes the results, and reports whether one of them is new for its operation. Huge results do not count,
// because sequences built on them are slow.
func (g *generator) newValue(c *candidate, o *Outcome) bool {
	found := false
	for i := c.added; i < min(len(c.ops), len(o.Steps)); i++ {
		op := c.ops[i]
		if op == nil || op.Variable {
			continue
		}
		for r := range o.Steps[i].Results {
			result := &o.Steps[i].Results[r]
			found = g.seen.Value(op, r, result.Digest) && !result.Huge || found
		}
	}
	return found
}

// newState reports whether the sequence left its arguments in a new state.
func (g *generator) newState(c *candidate, o *Outcome) bool {
	found, known := false, false
	for i := range o.Steps {
		state := o.Steps[i].State
		if state == ([2]uint64{}) {
			continue
		}
		known = true
		if i >= len(c.statements) || !c.statements[i].HasRef() {
			continue // literals: nobody can use them again
		}
		if g.seen.State(state) {
			found = true
		}
	}
	return found || !known && len(g.touched(c)) > 0 && g.random.Chance(stateShare)
}

// touched returns the values that the last statement may have changed.
func (g *generator) touched(c *candidate) []available {
	var values []available
	args := c.statements[len(c.statements)-1].Args
	for i := range args {
		if args[i].Kind != sequence.Ref {
			continue
		}
		for _, v := range c.values {
			same := v.statement == args[i].Statement && v.result == args[i].Result
			if same && (v.t.IsReference() || v.t.IsInterface()) {
				values = append(values, v)
			}
		}
	}
	return values
}
