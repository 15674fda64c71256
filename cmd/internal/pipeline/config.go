package pipeline

import (
	"runtime"
	"time"

	"github.com/spectradiff/spectradiff/internal/replay"
	"github.com/spectradiff/spectradiff/internal/replay/cache"
	"github.com/spectradiff/spectradiff/internal/replay/fleet"
	"github.com/spectradiff/spectradiff/internal/replay/repository"
	"github.com/spectradiff/spectradiff/internal/replay/search"
	"github.com/spectradiff/spectradiff/internal/replay/shard"
	"github.com/spectradiff/spectradiff/internal/report"
)

// A Config is the whole input of Run. Run reads nothing else: no flags, no environment of its own.
type Config struct {
	Dir  string   // the repository, or a folder in it; "" = "."
	Args []string // positional arguments as the user gave them: OLD [NEW] [PACKAGE...] or OLD..NEW or OLD...NEW

	// Commits are the versions, where they are resolved already. Then Args are packages. nil: they are not.
	Commits *repository.Range

	Seed      uint64         // the only source of randomness
	Sequences int            // stop generating after this many kept sequences; 0 = by budget
	Budget    time.Duration  // time for generating, unless Sequences is set; limits of the run follow from it
	Auto      bool           // generating ends when the change is explored; Budget is not used
	Explore   int            // all calls on values of a type up to this depth; 0 = none
	Redundant string         // representation by which sequences are redundant, as package redundancy calls it
	Drive     []string       // where sequences come from, of Drives()
	Run       string         // the only tests that run, as they are, see suite.Match; "" = all near the change, varied
	All       bool           // drive and record every selected package, also where no change can reach
	Renames   []string       // "old=new": what has another name in new, whatever it looks like
	FailOn    string         // which findings fail, as report.ParseFailOn takes it
	Jobs      int            // parallel drivers and builds; at least 1
	Outside   []string       // folders outside of the repository that builds may read
	Deps      bool           // dependencies that differ are recorded too
	NoProof   bool           // roots are not proven
	NoSandbox bool           // go on where confinement is not available
	Emit      string         // write a Go test for each root below this folder; "" = none
	Corpus    string         // sequences are kept in this folder from run to run; "" = in none
	Keep      string         // leave sources, builds and raw spectra in this folder; "" = nowhere
	Cache     cache.Settings // where versions and drivers are kept for later runs, and how much of them

	Nats fleet.Options // the server with workers, which play too; without an address nobody else plays

	Shard shard.Shard // the only one that is done; the zero Shard: the run is not divided

	Timeout   time.Duration   // of the whole run; 0 = none
	Unlimited bool            // somebody asked for no limit: tests do not end by the time since the begin
	End       <-chan struct{} // when it is closed, the run ends early; nil = never

	Tool    string // version of the tool, for the report
	Verbose bool   // Log gets details, such as what was not instrumented

	// Progress is called at the start of each stage and while it goes on; total is 0 where it is
	// not known. Log takes one line without a line end. Both may be nil and both may be called
	// from several goroutines.
	Progress func(stage string, done, total int)
	Log      func(format string, args ...any)

	// Timed is called for each sequence that the machine ended, see replay.Clock.OfMachine, from several goroutines;
	// nil = nobody is told.
	Timed func()

	// Found is called with a report of each root alone as soon as it is proven; nil = nobody is told. The tests of the
	// module may show a root that its calls have shown, once more. Several goroutines may call it.
	Found func(*report.Report)
}

// Ended reports whether somebody wants the run to end.
func (c Config) Ended() bool {
	select {
	case <-c.End:
		return true
	default:
		return false
	}
}

// timed tells who wants to know it that a clock ended a sequence.
func (c Config) timed(by replay.Clock) {
	if c.Timed != nil && by.OfMachine() {
		c.Timed()
	}
}

// Alone returns the configuration without workers.
func (c Config) Alone() Config {
	c.Nats = fleet.Options{}
	return c
}

// Where sequences come from: they are made of calls of what the module exports, are its tests, or run its commands
// where the others don't reach the change.
const (
	DriveAPI     = "api"
	DriveTests   = "tests"
	DriveCommand = "command"
)

// Drives lists where sequences may come from. All are used unless others are asked for.
func Drives() []string { return []string{DriveAPI, DriveTests, DriveCommand} }

// What Auto stands for: so long is generated at most, but no longer than apartBudget once a difference was seen, and
// than aloneBudget where one declaration is all that changed: it is what differs then. The limits of the run follow
// from usualBudget.
const (
	autoBudget  = time.Minute
	apartBudget = 20 * time.Second
	aloneBudget = 8 * time.Second
	usualBudget = 30 * time.Second
)

// budget returns the time from which the limits of a run follow.
func (c *Config) budget() time.Duration {
	if c.Budget <= 0 || c.Auto {
		return usualBudget
	}
	return c.Budget
}

// generating returns for how long is generated at most.
func (c *Config) generating() time.Duration {
	if c.Auto {
		return autoBudget
	}
	return c.Budget
}

// search returns how long sequences are searched for, and by which means.
func (c *Config) search() search.Settings {
	s := search.Settings{
		Seed: c.Shard.Seed(c.Seed), Sequences: c.Shard.Share(c.Sequences), Shard: c.Shard,
		Most: c.generating(), Differing: c.generating(),
		Settled: c.Auto && c.Sequences == 0, Explore: c.Explore, Redundancy: c.Redundant,
		Corpus: c.Corpus, Run: c.Run,
	}
	if !c.Shard.First() { // exploring has no seed: all shards would make the same calls
		s.Explore = 0
	}
	if c.Auto {
		s.Differing = apartBudget
	}
	return s
}

// Asked returns the settings as a report of a run says them, but for what confines and what fails.
func (c *Config) Asked() report.Settings { return c.report("").Settings }

// report returns a report that says how the run was asked for.
func (c *Config) report(sandbox string) *report.Report {
	return &report.Report{
		Tool: report.Tool{Version: c.Tool, Go: runtime.Version()},
		Settings: report.Settings{
			Seed: c.Seed, Sequences: c.Sequences, BudgetSeconds: c.generating().Seconds(), BudgetAuto: c.Auto,
			Drive: c.Drive, Sandbox: sandbox, All: c.All, Deps: c.Deps, Renames: c.Renames,
			Explore: c.Explore, Redundancy: c.Redundant, Run: c.Run,
			Shards: c.Shard.Of, Shard: c.Shard.Number,
		},
	}
}
