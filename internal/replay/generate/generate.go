package generate

import (
	"context"
	"fmt"
	"go/types"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/carve"
	"github.com/spectradiff/spectradiff/internal/replay/generate/novelty"
	"github.com/spectradiff/spectradiff/internal/replay/generate/value"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
)

// Input is the input of Run.
type Input struct {
	Operations []*api.Operation
	Settings   []*api.Operation
	Types      []api.Type          // types that a sequence may name
	Samples    []*types.Named      // structs for slots of type any, beside those of the driver
	Unset      map[string][]string // struct type → fields that no sequence may set
	Constants  []Constant          // mined from the module; the order doesn't matter, nor do duplicates
	Calls      []carve.Call        // that somebody wrote down, as in tests
	Seed       uint64
	Limits     Limits

	// Execute plays sequences and returns one outcome for each, in their order.
	Execute func(ctx context.Context, batch []sequence.Sequence) ([]Outcome, error)
	// Operands plays sequences and returns for each what was compared in changed code and on the way to it. Nil means
	// that nobody can tell.
	Operands func(ctx context.Context, batch []sequence.Sequence) ([]Compared, error)
	// Whole reports whether every branch of the change went both ways.
	Whole func() bool
	// Endless reports whether calls of an operation, or of a function value, are not worth their time any more,
	// because several of them did not end. No further call is made. Nil means that none is.
	Endless func(driven string) bool // as in sequence.Sequence.Driven
	// Changed reports whether a coverage counter lies in changed code. Nil means that none does.
	Changed func(counter uint32) bool
	// Redundancy decides which sequences without new code, outcomes or differences are worth keeping. Nil means those
	// that return a value or leave a state that was never there.
	Redundancy Redundancy
	// Settled has the run end when the change seems to be explored.
	Settled bool
	// Expired reports whether the time is up. It is called between batches, with whether some sequence told the
	// versions apart. Nil means that it never is.
	Expired func(apart bool) bool
}

// A Constant is a literal or declared constant of the module.
type Constant = value.Constant

// A Redundancy decides which sequences only repeat what others did: all their calls were made before with what counts
// as the same receiver and arguments.
type Redundancy interface {
	// Known reports whether that is known of a sequence without playing it.
	Known(q sequence.Sequence) bool
	// Same reports for each sequence of a batch that was played whether it repeats earlier ones, and remembers it.
	Same(ctx context.Context, batch []sequence.Sequence, outcomes []Outcome) ([]bool, error)
}

// Outcomes are what Execute returns, one for each sequence.
type (
	Outcome = novelty.Outcome
	Step    = novelty.Step
	Result  = novelty.Result
)

// A Kept is a sequence that is worth replaying.
type Kept struct {
	Sequence sequence.Sequence
	Reason   Reason
	Changed  bool // it was seen to hit a changed counter
	Played   any  // as in Outcome; nil if what was executed did more
}

// Classes is the number of classes of sequences that were kept.
const Classes = 3

// Class returns how much a sequence is worth when there is no time for all: 0 for one that brought new code, a new kind
// of outcome or a difference, 1 for another that ran changed code, 2 for the rest.
func (k *Kept) Class() int {
	switch {
	case k.Reason != NewValue && k.Reason != NewState:
		return 0
	case k.Changed:
		return 1
	}
	return 2
}

// A Reason is why a sequence was kept.
type Reason string

// The reasons, in the order in which they are tried.
const (
	NewEnd        Reason = "end"      // its last call ends the process or never ends
	NewPanic      Reason = "panic"    // its last call panics in a new way
	NewCoverage   Reason = "coverage" // code that nothing hit before
	NewOutcome    Reason = "outcome"  // another way to return: an error, a nil, a dynamic type
	NewValue      Reason = "value"    // a result that the operation never returned
	NewState      Reason = "state"    // arguments in a state that was never seen
	NewDifference Reason = "apart"    // the new version does something else
)

// Stats count what happened, for the report.
type Stats struct {
	Sequences int      // candidates that were executed
	Kept      int      // of which Generated has no more than Limits.OfClass of a class
	Redundant int      // legal, but nothing new: see Input.Redundancy
	Surplus   int      // legal, not redundant, but enough that are no newer were kept
	Unplayed  int      // known to be redundant without being executed; not among Sequences
	Illegal   int      // panicked because the generator passed nil, ended in a known way, or rejected
	Steps     int      // statements that ran
	Reached   []string // operations that ran at least once, sorted; suppliers left out
}

// Generated is the result of a run.
type Generated struct {
	Kept  []Kept
	Stats Stats
	Stop  Stop
}

// Run generates sequences. If Execute fails or ctx ends, it returns the sequences so far with the error.
func Run(ctx context.Context, in Input) (Generated, error) {
	g := newGenerator(in)
	for {
		if stop, ok := g.stop(); ok {
			return g.result(stop), nil
		}
		batch := g.batch()
		if len(batch) == 0 {
			return g.result(Exhausted), nil
		}
		err := g.execute(ctx, batch)
		if err == nil {
			err = g.ask(ctx)
		}
		if err == nil {
			err = g.climb(ctx)
		}
		if err != nil {
			return g.result(""), err
		}
	}
}

func (g *generator) execute(ctx context.Context, batch []*candidate) error {
	sequences := make([]sequence.Sequence, len(batch))
	for i, c := range batch {
		sequences[i] = sequence.Sequence{Statements: c.statements}
	}
	outcomes, err := g.in.Execute(ctx, sequences)
	if err != nil {
		return fmt.Errorf("execute a batch of %d sequences: %w", len(batch), err)
	}
	if len(outcomes) != len(batch) {
		return fmt.Errorf("execute a batch of %d sequences: got %d outcomes", len(batch), len(outcomes))
	}
	same := make([]bool, len(batch))
	if g.in.Redundancy != nil {
		if same, err = g.in.Redundancy.Same(ctx, sequences, outcomes); err != nil {
			return fmt.Errorf("look for redundant ones among %d sequences: %w", len(batch), err)
		}
	}
	for i, c := range batch {
		if g.limits.Sequences == 0 || g.stats.Kept < g.limits.Sequences {
			c.redundant = same[i]
			g.judge(c, &outcomes[i])
		}
	}
	return ctx.Err()
}

func (g *generator) stop() (Stop, bool) {
	stop := g.Stop(g.limits, g.stats.Kept)
	switch {
	case stop != "":
	case g.in.Settled && g.favourites.Len() > 0 && g.Settled(g.in.Whole != nil && g.in.Whole()):
		stop = Explored
	case g.in.Expired != nil && g.in.Expired(g.Differs):
		stop = Budget
	}
	return stop, stop != ""
}
