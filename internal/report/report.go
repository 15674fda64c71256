// Package report defines the data of a report: what was compared and how, the deviations, the roots that explain them,
// and the verdict.
//
// In: roots with their deviations in the order of rank (Add), facts about the run, and which deviations count as a
// failure (Finish). Out: a Report, whose JSON form is what other programs rely on. After Finish every list is in a
// stable order, ids and ranks are consecutive, references hold in both directions (Validate), and the verdict and the
// exit status are decided. Formatters only print it. A field whose value was not computed is absent, and never zero
// instead, but for what a report of bisect --exec has to have, which compares nothing: its seed, its budget, and the
// numbers in subject, generation, replay, noise and exposure. The package never reads a clock, an environment or a
// file, and never formats for people.
package report

import (
	"slices"

	"github.com/spectradiff/spectradiff/internal/spectra"
)

// Schema is the version of the report's JSON form.
const Schema = "spectradiff/1"

// Worktree stands for the commit of uncommitted code.
const Worktree = "worktree"

// A Report is the result of one comparison.
type Report struct {
	Schema     string       `json:"schema"`
	Tool       Tool         `json:"tool"`
	Old        Revision     `json:"old"`
	New        Revision     `json:"new"`
	Settings   Settings     `json:"settings"`
	Subject    Subject      `json:"subject"`
	Generation Generation   `json:"generation"`
	Tests      *Tests       `json:"tests,omitempty"`    // nil: none were to be run, or there are none
	Commands   *Commands    `json:"commands,omitempty"` // likewise
	Replay     Replay       `json:"replay"`
	Noise      Noise        `json:"noise"`
	Exposure   Exposure     `json:"exposure"`
	Roots      []Root       `json:"roots"`
	Deviations []Deviation  `json:"deviations"`
	Contracts  []Contract   `json:"contracts,omitempty"`
	Stages     []Stage      `json:"stages,omitempty"`  // in the order in which they began
	Workers    *Workers     `json:"workers,omitempty"` // nil: nobody else played
	Structural []Structural `json:"structural"`
	Warnings   []string     `json:"warnings"`
	Lacks      []Lack       `json:"lacks,omitempty"`   // sorted
	Partial    *Partial     `json:"partial,omitempty"` // nil: the run was not ended early
	Commits    *Commits     `json:"commits,omitempty"` // nil: it was not asked which commits brought in the roots
	Modules    []Module     `json:"modules,omitempty"` // nil: one, where the user was, or that he named
	Verdict    Verdict      `json:"verdict"`
	Exit       int          `json:"exit"`

	// AcceptedStale are acceptances of roots that did not show although the function ran, sorted by fingerprint.
	AcceptedStale []Stale `json:"accepted_stale,omitempty"`
}

// A Tool is the program that made the report.
type Tool struct {
	Version string `json:"version"`
	Go      string `json:"go"`
}

// A Revision is one of the two versions.
type Revision struct {
	Revision string `json:"revision"` // as the user gave it
	Commit   string `json:"commit"`   // 40 hex digits, or Worktree
}

// A Stage is the cost of a stage of the run.
type Stage struct {
	Name       string  `json:"name"`
	Seconds    float64 `json:"seconds"`
	CPUSeconds float64 `json:"cpu_seconds"` // of all processors and processes

	// PeakBytes is the most memory that the tool had at once, StartedPeakBytes that of all that it started.
	PeakBytes        int64 `json:"peak_bytes"`
	StartedPeakBytes int64 `json:"started_peak_bytes"`
}

// Workers says what other machines did of the run. As durations do, it differs from run to run.
type Workers struct {
	List    []Worker `json:"list"`              // by name
	Redone  int      `json:"redone,omitempty"`  // tasks that no worker managed as this machine does: done here
	Retried int      `json:"retried,omitempty"` // tasks that workers were given more than once
}

// A Worker is another machine that did work of the run.
type Worker struct {
	Name    string  `json:"name"` // host/process
	Tasks   int     `json:"tasks"`
	Seconds float64 `json:"seconds"` // that it took for them
}

// Settings are the settings of the run.
type Settings struct {
	Seed          uint64   `json:"seed"`
	Sequences     int      `json:"sequences"`             // 0: by budget
	BudgetSeconds float64  `json:"budget_seconds"`        // at most, if BudgetAuto is set
	BudgetAuto    bool     `json:"budget_auto,omitempty"` // generating ends when the change seems to be explored
	Explore       int      `json:"explore,omitempty"`     // depth to which types were explored
	Redundancy    string   `json:"redundancy,omitempty"`  // "": by results and states that are left
	Drive         []string `json:"drive"`
	Run           string   `json:"run,omitempty"`  // the only tests that ran, as they are; "": all near the change
	Exec          string   `json:"exec,omitempty"` // the command by which commits were told apart; "": a comparison
	Sandbox       string   `json:"sandbox"`        // the layers that confined the target, "none" without any
	FailOn        FailOn   `json:"fail_on"`
	All           bool     `json:"all,omitempty"`
	Deps          bool     `json:"deps,omitempty"`     // dependencies that differ were recorded too
	Renames       []string `json:"renames,omitempty"`  // "old=new", as the user gave them
	Packages      []string `json:"packages,omitempty"` // patterns, as the user gave them; none: all of the module
	Shards        int      `json:"shards,omitempty"`   // in so many shards the run was divided; 0: it was not
	Shard         int      `json:"shard,omitempty"`    // the only one that the report is of, from 1; 0: it is of all
}

// A Subject describes the code that was compared: the module, its packages, functions and operations.
type Subject struct {
	Module           string   `json:"module"`
	Folder           string   `json:"folder,omitempty"`          // of the module, from the repository's root; "": there
	Packages         int      `json:"packages"`                  // driven and recorded
	Beyond           int      `json:"packages_beyond,omitempty"` // too far from the change to be recorded
	Loaded           *Loaded  `json:"loaded,omitempty"`
	Functions        int      `json:"functions"`  // instrumented on both sides
	Operations       int      `json:"operations"` // that a sequence can call
	ChangedFunctions []string `json:"changed_functions"`
	OnlyAdds         bool     `json:"only_adds,omitempty"`                   // nothing of old changed: nothing was run
	Unchanged        string   `json:"unchanged,omitempty"`                   // why no run could differ: nothing was run
	Unreached        []string `json:"changed_functions_unreached,omitempty"` // those that no sequence ran
	Unapplied        []string `json:"debug_lines_unapplied,omitempty"`       // commands whose //go:debug lines differ

	// Refused says of exported ones among ChangedFunctions why no sequence can call them, Why of Unreached why that is.
	Refused map[string]string `json:"changed_functions_refused,omitempty"`
	Why     map[string]string `json:"changed_functions_unreached_why,omitempty"`

	// Unmentioned are the constants and types that changed, where nothing that was compared mentions any of them.
	Unmentioned []string `json:"changed_declarations_unmentioned,omitempty"`

	Missed []Position `json:"changed_lines_unreached,omitempty"` // that no sequence ran, of functions that some ran
}

// Loaded says what the packages of both versions took.
type Loaded struct {
	Old Packages `json:"old"`
	New Packages `json:"new"`
}

// Packages counts the packages of a version.
type Packages struct {
	Source       int `json:"from_source"`      // type-checked
	Exported     int `json:"from_export_data"` // their types came from export data
	Instrumented int `json:"instrumented"`
}

// A Partial says that a run ended early, and that the report holds what was known then.
type Partial struct {
	Reason Reason   `json:"reason"`
	Stage  string   `json:"stage"`            // in which it ended, as in Report.Stages; StageMerge: shards are missing
	Undone []string `json:"undone,omitempty"` // parts of the run that were not finished
}

// And says that another part of a run ended early, too; nil: it did not. What is missing of that is said with where it
// is missing in front. An interruption is told before that shards are missing, and a limit last.
func (p *Partial) And(other *Partial, where string) *Partial {
	if other == nil {
		return p
	}
	both := Partial{Reason: other.Reason, Stage: other.Stage}
	if p != nil {
		both.Undone = slices.Clone(p.Undone)
		if p.Reason.weight() >= other.Reason.weight() {
			both.Reason, both.Stage = p.Reason, p.Stage
		}
	}
	for _, undone := range other.Undone {
		both.Undone = append(both.Undone, where+undone)
	}
	return &both
}

// StageMerge stands for putting the shards of a run together.
const StageMerge = "merge"

// A Reason is why a run ended early.
type Reason string

// The reasons.
const (
	Interrupted Reason = "interrupted" // by a signal
	TimedOut    Reason = "timeout"     // the time for the whole run was over
	Missing     Reason = "missing"     // it did not: there is nothing of some of its shards, which Partial.Undone names
)

// weight orders reasons by what they mean for the whole report.
func (r Reason) weight() int { return slices.Index([]Reason{TimedOut, Missing, Interrupted}, r) }

// Generation describes how the sequences were made.
type Generation struct {
	Sequences                int      `json:"sequences"` // tried
	Kept                     int      `json:"kept"`
	Redundant                int      `json:"redundant"`          // did what others had done: see Settings.Redundancy
	Surplus                  int      `json:"surplus,omitempty"`  // enough that are no newer were kept
	Unplayed                 int      `json:"unplayed,omitempty"` // known to be redundant, not among Sequences
	Illegal                  int      `json:"illegal"`
	Steps                    int      `json:"steps"`
	StatementCoverage        *float64 `json:"statement_coverage,omitempty"`         // nil: no statements
	ChangedStatementCoverage *float64 `json:"changed_statement_coverage,omitempty"` // nil: no changed statements
	// ComparableStatementCoverage is that of the changed statements in functions that both versions have.
	ComparableStatementCoverage *float64 `json:"comparable_statement_coverage,omitempty"`
	// ConcernedStatementCoverage is that of the statements of old that the change may touch, where it changes none: a
	// constant, a type, a dependency.
	ConcernedStatementCoverage *float64 `json:"concerned_statement_coverage,omitempty"`
	OperationsReached          int      `json:"operations_reached"`
	Seconds                    float64  `json:"seconds"`

	Explored []Exploration `json:"explored,omitempty"`

	// OneWay are branches that are changed, or guard changed code, and that were reached, but never went the other way.
	OneWay []OneWay `json:"one_way_branches,omitempty"`
}

// A OneWay is a branch that went one way only.
type OneWay struct {
	Position
	Was      string `json:"was"`                  // "always true", "always false", "never taken", "never entered"
	OnTheWay bool   `json:"on_the_way,omitempty"` // it guards calls that lead to changed code, unchanged itself
}

// An Exploration says how far the values of a type were explored.
type Exploration struct {
	Type   string `json:"type"`
	Depth  int    `json:"depth"`  // calls on a value, at most
	States int    `json:"states"` // values that differ in something that they reach
	Calls  int    `json:"calls"`
	// Literals is how many literals of the type its own predicate, such as Validate, was asked about, and Valid how
	// many of these it accepted. 0: it has none, or nobody can set a field.
	Literals int  `json:"literals,omitempty"`
	Valid    int  `json:"valid,omitempty"`
	Ended    bool `json:"ended"` // every call was made on every value up to the depth that was asked for
}

// Replay counts the sequences that were played on both builds.
type Replay struct {
	Sequences          int `json:"sequences"`
	FunctionExecutions int `json:"function_executions"`
	Crashes            int `json:"crashes"`
	Timeouts           int `json:"timeouts"`

	// Recorded is the share of what the sequences run on old that was recorded, in function entries and loop bodies.
	Recorded *float64 `json:"recorded,omitempty"` // nil: no sequence ran anything

	// Of Sequences those that ran nothing that the change may touch. They were played without being recorded. Unpruned
	// is why there are none: what the change may touch can't be told, or a sequence of the sample deviated.
	EqualByReach int    `json:"equal_by_reach,omitempty"`
	Unpruned     string `json:"unpruned,omitempty"`

	// Of Sequences others that were played on both versions without being recorded, because enough was: only what a
	// caller sees was compared. Of these, those that seem to deviate as others do that were recorded.
	OutcomesOnly      int `json:"outcomes_only,omitempty"`
	OutcomesDifferent int `json:"outcomes_different,omitempty"`

	// Sequences that were not compared. Where none is, the fields are absent.
	Lost       int      `json:"lost,omitempty"`        // a limit ended them on one version or both
	Unplayed   int      `json:"unplayed,omitempty"`    // the time was up, or others that call the same do not end
	Unjudged   int      `json:"unjudged,omitempty"`    // of those that were lost: they differ, unless that is noise
	Incomplete int      `json:"incomplete,omitempty"`  // of both, those that ran changed code or may have
	LostAt     []string `json:"lost_at,omitempty"`     // functions and operations at which, sorted
	EndedAlike int      `json:"ended_alike,omitempty"` // neither version ends; compared up to there
	Truncated  int      `json:"truncated,omitempty"`   // states: too large, or too many large ones in one sequence

	Seconds float64 `json:"seconds"`
}

// Noise describes the values that were not compared, because they differ between runs of one version.
type Noise struct {
	Values int         `json:"values"` // compared in the repeated runs
	Masked int         `json:"masked"`
	Sites  []NoiseSite `json:"sites"`
}

// A NoiseSite is a value that is not compared.
type NoiseSite struct {
	Function string `json:"function"`
	Path     string `json:"path"`
	Reason   string `json:"reason"`
}

// Exposure counts sequences: how many ran changed code, and in how many each spectrum differed.
type Exposure struct {
	Covering int `json:"covering"`
	Output   int `json:"output"`
	Hit      int `json:"hit"`
	Count    int `json:"count"`
	Trace    int `json:"trace"`
}

// A Root is one cause of deviations.
type Root struct {
	Rank        int                `json:"rank"` // from 1
	Function    string             `json:"function"`
	Position    *Position          `json:"position,omitempty"`
	Change      spectra.Change     `json:"change"`
	Confidence  spectra.Confidence `json:"confidence"`
	Proof       *Proof             `json:"proof,omitempty"`
	Tier        spectra.Tier       `json:"tier,omitempty"` // absent in reports of earlier versions
	Reach       spectra.Reach      `json:"reach"`
	Summary     string             `json:"summary"`
	Why         string             `json:"why,omitempty"` // what the runs have in common around the place, and what not
	Sequences   int                `json:"sequences"`     // in which it deviated
	Deviations  []string           `json:"deviations"`
	Reproducer  string             `json:"reproducer,omitempty"`
	Fingerprint string             `json:"fingerprint"`

	Accepted *Acceptance `json:"accepted,omitempty"` // nil: it is not; else it counts for no exit status

	// Introduced says with which commits it came, in the order of the way: several if what is seen changed several
	// times. Nil: nobody asked, or it could not be told.
	Introduced []Introduction `json:"introduced,omitempty"`

	Test    *Test    `json:"test,omitempty"`    // whose run Sequence is; nil: Sequence makes calls of the module
	Drivers []string `json:"drivers,omitempty"` // of Settings.Drive, what showed it, if tests or commands ran

	// Intended is a test of new that shows it, and passes on new alone; nil: there is none. Only says that nothing else
	// shows it.
	Intended *Test `json:"intended,omitempty"`
	Only     bool  `json:"only_intended,omitempty"`

	OnNil      bool `json:"only_on_nil,omitempty"`      // only calls of methods of nil pointers show it
	OnNegative bool `json:"only_on_negative,omitempty"` // only calls with negative integers show its effect

	NoReproducer string `json:"no_reproducer,omitempty"` // why no test was written that was asked for

	Places []Place `json:"places,omitempty"` // others of the same decision

	Values   []Difference `json:"values,omitempty"`   // of the first sequence, first what a caller sees
	Tree     []TreeLine   `json:"tree,omitempty"`     // deviation-propagation call tree of the first sequence
	Calls    *Calls       `json:"calls,omitempty"`    // of the same sequence, with states; of the first roots only
	Chain    *Chain       `json:"chain,omitempty"`    // from the root to what is noticed
	Sequence string       `json:"sequence,omitempty"` // the shortest one that shows the root, in text form

	// Redacted says that secrets were replaced in what is played again: Sequence, Test.Other or Test.Command.
	Redacted bool `json:"sequence_redacted,omitempty"`

	// Diff are the lines that changed at Position, and at most a few around them, as git diff prints hunks: a line
	// "@@ -41,4 +41,5 @@", then lines that begin with a space, - or +. Each line ends with \n.
	Diff string `json:"diff,omitempty"`

	// Basis identifies the edit itself, such as by hashes of the old and the new body. It is part of the
	// fingerprint, so that another edit of the same function is another finding.
	Basis string `json:"-"`
}

// A Test is a test or example of the module, perhaps with other values in the place of some literals.
type Test struct {
	Name    string    `json:"name"`
	Package string    `json:"package"`
	Other   []Literal `json:"other,omitempty"`

	Command *CommandLine `json:"command,omitempty"` // nil: it is a test, else a command of this name
}

// A CommandLine is one run of a command.
type CommandLine struct {
	Line  string        `json:"line"` // as a shell reads it
	Args  []string      `json:"args"`
	Input string        `json:"stdin,omitempty"`
	Files []CommandFile `json:"files,omitempty"` // in the folder where it runs
}

// A CommandFile is a file that a command finds.
type CommandFile struct {
	Name    string `json:"name"`
	Content string `json:"content"`
}

// A Literal is a literal of a test that has another value, or something else that the test does there.
type Literal struct {
	Place  string `json:"place"` // file and line
	Usual  string `json:"usual,omitempty"`
	Value  string `json:"value,omitempty"`
	Choice string `json:"choice,omitempty"` // such as "without: f(1)"; then there are no values
}

// A Place is a further place of a root: another declaration that changed in the same way, with a proof of its own.
type Place struct {
	Function   string             `json:"function"`
	Position   *Position          `json:"position,omitempty"`
	Confidence spectra.Confidence `json:"confidence,omitempty"`
	Proof      *Proof             `json:"proof,omitempty"`
}

// A Position is the place of a root.
type Position struct {
	Side    spectra.Side `json:"side"`
	File    string       `json:"file"` // slash-separated, from the module or, with Report.Modules, the repository
	Line    int          `json:"line"`
	EndLine int          `json:"end_line,omitempty"`
}

// A Proof is the result of the causal trials.
type Proof struct {
	Sufficient bool `json:"sufficient"`
	Necessary  bool `json:"necessary"`
	Trials     int  `json:"trials"`

	With   []string `json:"with,omitempty"`   // other changes that are proven together with it
	Also   []string `json:"also,omitempty"`   // by these new shows it without this change, and not without both
	Amid   bool     `json:"amid,omitempty"`   // all with new's types and dependencies; old with these differs elsewhere
	Reason string   `json:"reason,omitempty"` // why the root is not confirmed
}

// A Difference is one value that differs between the two versions.
type Difference struct {
	Function string `json:"function,omitempty"` // empty for the program's output
	Path     string `json:"path"`
	Old      string `json:"old"`
	New      string `json:"new"`
	Output   bool   `json:"output,omitempty"` // a caller can see it
}

// A Chain is the way of a root's deviation, in the first sequence, to its effect.
type Chain struct {
	Links     []Link `json:"links"`
	Swallowed string `json:"swallowed,omitempty"` // the function that ends alike although something deviates in it
}

// A Link is one station of a Chain: an execution, or an output.
type Link struct {
	Function string `json:"function,omitempty"` // absent for what the whole run shows
	Path     string `json:"path,omitempty"`     // what differs there
	Old      string `json:"old,omitempty"`
	New      string `json:"new,omitempty"`
	Called   bool   `json:"called,omitempty"` // it is called with what differs; else it ends with it
	Output   bool   `json:"output,omitempty"` // a caller can see it

	Position *Position `json:"position,omitempty"` // of the function, on new if it is there
}

// A TreeLine is one line of a deviation tree: an execution, or the number of those not shown.
type TreeLine struct {
	Depth int    `json:"depth"`
	Text  string `json:"text"`
	Mark  string `json:"mark,omitempty"` // "container", "follower"; empty: not deviated
	Root  bool   `json:"root,omitempty"`
}

// A Deviation is one difference between the two runs of a sequence.
type Deviation struct {
	ID          string        `json:"id"` // "d1", "d2", …
	Kind        spectra.Kind  `json:"kind"`
	Function    string        `json:"function"`
	Path        string        `json:"path"`
	Old         string        `json:"old"`
	New         string        `json:"new"`
	Sequence    string        `json:"sequence"`
	Tier        spectra.Tier  `json:"tier,omitempty"`
	Reach       spectra.Reach `json:"reach"`
	Root        int           `json:"root"` // rank
	Fingerprint string        `json:"fingerprint"`
}

// A Contract is one of the contracts that Go expects a method to keep, and that a version breaks. It is no finding:
// what only one version breaks deviates too, and that is one.
type Contract struct {
	Contract string         `json:"contract"`       // such as "symmetric"
	Function string         `json:"function"`       // of the old version
	Sides    []spectra.Side `json:"sides"`          // that break it
	Detail   string         `json:"detail"`         // in what way
	Sequence string         `json:"sequence"`       // that shows it, in text form
	Root     int            `json:"root,omitempty"` // rank of the root that it shows, if only one version breaks it
}

// A Structural change is a function that exists in one version only or has another signature.
type Structural struct {
	Function string         `json:"function"`
	Change   spectra.Change `json:"change"`
	Detail   string         `json:"detail,omitempty"` // the new name, or the two signatures
}
