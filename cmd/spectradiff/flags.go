package main

import (
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/spectradiff/spectradiff/cmd/internal/pipeline"
	"github.com/spectradiff/spectradiff/internal/replay/fleet"
	"github.com/spectradiff/spectradiff/internal/replay/generate/redundancy"
	"github.com/spectradiff/spectradiff/internal/replay/shard"
	"github.com/spectradiff/spectradiff/internal/replay/suite"
	"github.com/spectradiff/spectradiff/internal/report"
)

// settings are the flags of all commands.
type settings struct {
	dir        string
	seed       uint64
	sequences  int
	budget     budget
	timeout    *time.Duration // nil: terminalTimeout on a terminal, else none
	drive      string
	run        *suite.Match
	format     string
	renames    []string
	outputs    []output
	sequence   *int // of kept spectra; nil: all
	failOn     string
	outside    []string // folders outside of the repository that builds may read
	deps       bool
	noProof    bool
	noSandbox  bool
	playsOnly  bool
	corpus     string
	explore    int
	redundancy string
	emit       string
	keep       string
	all        bool
	jobs       int // 0: number of CPUs
	noProgress bool
	verbose    bool
	details    bool   // of the run, in text
	color      string // when
	accept     accepting
	plain      bool // without a dialogue
	replayed   bool // the sequence of a finding is played again
	secrets    secrets

	trace  string // file for spans
	nats   fleet.Options
	listen string // where the server listens
	store  string // folder of the server
	config string // file of nats-server

	commits     bool // find those that brought in roots
	bisected    bool // and print only these
	firstParent bool
	pre         bool   // versions before a release, too
	reports     string // folder for those of a series
	exec        string // a command that tells commits apart; "": a comparison does

	shard  shard.Shard // the only one that is done; the zero Shard: all
	shards int         // that are done; 0: the run is not divided
	part   []byte      // the file of the last shard that was done
}

// A budget is the time for generating.
type budget struct {
	time time.Duration
	auto bool // until the change is explored
}

// String implements flag.Value.
func (b *budget) String() string {
	if b.auto {
		return "auto"
	}
	return b.time.String()
}

// Set implements flag.Value.
func (b *budget) Set(text string) (err error) {
	if b.auto = text == "auto"; b.auto {
		return nil
	}
	if b.time, err = time.ParseDuration(text); err != nil {
		return errors.New("want auto, or a duration such as 30s")
	}
	return nil
}

// terminalTimeout is the time for a whole run that somebody waits for.
const terminalTimeout = 5 * time.Minute

func (s *settings) setTimeout(text string) error {
	limit, err := time.ParseDuration(text)
	switch {
	case text == "0":
		limit = 0
	case err != nil || limit < 0:
		return errors.New("want a duration such as 10m, or 0 for no limit")
	case limit > 0 && limit < leastTimeout:
		return fmt.Errorf("want at least %v: nothing could be built until then", leastTimeout)
	}
	s.timeout = &limit
	return nil
}

// leastTimeout is the smallest limit that leaves time for anything but the report.
const leastTimeout = 5 * time.Second

// timeLimit returns the time for the whole run, 0 for no limit. Errs is standard error.
func (s *settings) timeLimit(errs io.Writer) time.Duration {
	switch {
	case s.timeout != nil:
		return *s.timeout
	case terminalWidth(errs) > 0 && s.sequences == 0 && s.budget.auto:
		return terminalTimeout
	}
	return 0
}

// An output is one --out F=FILE.
type output struct {
	format, file string
}

// A flagSet is the set of flags of one command.
type flagSet struct {
	*flag.FlagSet
	takes func(format string) bool // whether the report has such a form; nil: it has all
}

var errHelp = flag.ErrHelp

func newFlags(name string) *flagSet {
	set := flag.NewFlagSet(name, flag.ContinueOnError)
	set.SetOutput(io.Discard)
	set.Usage = func() {}
	return &flagSet{FlagSet: set}
}

// what defines the flags for what is compared. In the usage of a flag, the word behind the last colon is
// the name of its value.
func (f *flagSet) what(s *settings) {
	f.StringVar(&s.dir, "C", ".", "the repository, or a folder in it: `DIR`")
	f.Uint64Var(&s.seed, "seed", 1, "the only source of randomness: `N`")
	f.IntVar(&s.sequences, "sequences", 0, "keep N sequences, whatever time that takes (default by budget): `N`")
	s.budget.auto = true
	f.Var(&s.budget, "budget", "time for generating calls, such as 2m; auto ends by itself, within 60s: `DURATION`")
	f.Func("timeout", "time for the whole run, 0 = no limit (default 5m on a terminal, see help compare): `DURATION`",
		s.setTimeout)
	f.StringVar(&s.drive, "drive", strings.Join(pipeline.Drives(), ","),
		"what is run, of api (calls), tests, command: `LIST`")
	f.Func("run",
		"only tests that match, unchanged; benchmarks too, if REGEXP has the word Benchmark: `REGEXP`", s.setRun)
	f.Func("allow-outside", "a build may read DIR, outside of the repository; may be repeated: `DIR`", s.addOutside)
	f.BoolVar(&s.deps, "deps", false, "record what differs in dependencies too")
	f.BoolVar(&s.all, "all", false, "run all packages, not only those near the change")
}

// deeper defines the flags for how sequences are searched.
func (f *flagSet) deeper(s *settings) {
	f.IntVar(&s.explore, "explore", 0, "first every call on every value that up to N calls lead to: `N`")
	f.StringVar(&s.redundancy, "redundancy", "",
		"what makes a call a repetition, such as whole-state; see help compare: `R`")
}

// how defines the flags for how the comparison is run, and what it leaves.
func (f *flagSet) how(s *settings) {
	f.running(s)
	f.StringVar(&s.keep, "keep", "", "leave sources, builds and raw spectra in DIR: `DIR`")
}

// running defines the flags for how the comparison is run.
func (f *flagSet) running(s *settings) {
	f.BoolVar(&s.noProof, "no-proof", false, "leave out the experiments that confirm roots")
	f.BoolVar(&s.noSandbox, "no-sandbox", false, "go on where confinement is not available")
	f.IntVar(&s.jobs, "jobs", 0, "drivers and builds at the same time (default number of CPUs): `N`")
	f.StringVar(&s.trace, "trace", "", "write timings to FILE, as spans of OpenTelemetry, in lines of JSON: `FILE`")
	f.server(s, "have workers at a NATS server do their part, see help worker: `URL`")
	f.BoolVar(&s.noProgress, "no-progress", false, "no progress on standard error, and no notes without -v")
	f.BoolVar(&s.verbose, "v", false, "say more on standard error, such as what was left out")
}

// server defines the flags for the server over which machines work together.
func (f *flagSet) server(s *settings, usage string) {
	f.StringVar(&s.nats.URL, "nats", "", usage)
	f.StringVar(&s.nats.Credentials, "nats-creds", "", "NATS credentials of the user: `FILE`")
	f.StringVar(&s.nats.CA, "nats-ca", "",
		"who may sign the server's certificate (default whom the system trusts): `FILE`")
	f.StringVar(&s.nats.Cert, "nats-cert", "", "certificate of this client, with --nats-key: `FILE`")
	f.StringVar(&s.nats.Key, "nats-key", "", "key of --nats-cert: `FILE`")
}

// result defines the flags for what is done with the report.
func (f *flagSet) result(s *settings, failOn report.FailOn) {
	f.printed(s)
	f.Func("out", "also write format F to FILE; may be repeated: `F=FILE`", s.addOutput)
	f.secrets(s)
	f.StringVar(&s.failOn, "fail-on", string(failOn),
		"any, visible, not-reached, none or a tier: what gives exit status 1: `WHAT`")
}

func (f *flagSet) printed(s *settings) {
	f.StringVar(&s.format, "format", "text", "format of the report on standard output; help formats lists them: `F`")
	f.StringVar(&s.color, "color", "auto", "auto, always or never: colours in text: `WHEN`")
	f.BoolVar(&s.details, "details", false, "say all about the run in text: noise, exposure, what was generated")
}

func (s *settings) addOutput(text string) error {
	format, file, found := strings.Cut(text, "=")
	if !found || file == "" {
		return errors.New("want FORMAT=FILE, such as json=report.json")
	}
	if err := checkFormat(format); err != nil && format != partFormat {
		return err
	}
	s.outputs = append(s.outputs, output{format, file})
	return nil
}

const renameUsage = "what old calls OLD is NEW in new, as in p.T.a=p.T.b; may be repeated: `OLD=NEW`"

func (s *settings) addRename(text string) error {
	if old, new, found := strings.Cut(text, "="); !found || old == "" || new == "" {
		return errors.New("want OLD=NEW, such as p.T.Size=p.T.Len")
	}
	s.renames = append(s.renames, text)
	return nil
}

func (s *settings) addOutside(folder string) error {
	if info, err := os.Stat(folder); err != nil || !info.IsDir() {
		return errors.New("want a folder, such as ../lib")
	}
	s.outside = append(s.outside, folder)
	return nil
}

func (s *settings) setSequence(text string) error {
	n, err := strconv.Atoi(text)
	if err != nil || n < 0 {
		return errors.New("want a number from 0")
	}
	s.sequence = &n
	return nil
}

// parse returns the arguments that are no flags. Everything behind "--" is an argument.
func (f *flagSet) parse(args []string) (positional []string, err error) {
	for {
		if err := f.Parse(args); err != nil {
			return nil, flagError(err)
		}
		rest := f.Args()
		if consumed := len(args) - len(rest); consumed > 0 && args[consumed-1] == "--" {
			return append(positional, rest...), nil
		}
		if len(rest) == 0 {
			return positional, nil
		}
		positional, args = append(positional, rest[0]), rest[1:]
	}
}

// given reports whether a flag is set, on the command line or by what is there.
func (f *flagSet) given(name string) (found bool) {
	f.Visit(func(of *flag.Flag) { found = found || of.Name == name })
	return found
}

// imply sets what others ask for: with --run nothing but tests runs, whatever the repository's file says.
func (f *flagSet) imply() error {
	if f.given("run") && !f.given("drive") {
		return f.Set("drive", pipeline.DriveTests)
	}
	return nil
}

// flagError rewrites the flag package's errors such that flags are named as in the help.
func flagError(err error) error {
	if errors.Is(err, flag.ErrHelp) {
		return errHelp
	}
	text := err.Error()
	if name, found := strings.CutPrefix(text, "flag provided but not defined: -"); found {
		return fmt.Errorf("unknown flag %s", flagName(name))
	}
	if name, found := strings.CutPrefix(text, "flag needs an argument: -"); found {
		return fmt.Errorf("flag %s needs a value", flagName(name))
	}
	if before, after, found := strings.Cut(text, " for flag -"); found {
		name, reason, _ := strings.Cut(after, ": ")
		return fmt.Errorf("%s for %s: %s", before, flagName(name), reason)
	}
	return err
}

// flagName returns a flag as the help writes it: one dash before a letter, two before a word.
func flagName(name string) string {
	name = strings.TrimLeft(name, "-")
	if len(name) == 1 {
		return "-" + name
	}
	return "--" + name
}

// mostExplored is the depth from which on exploring has no end for any type.
const mostExplored = 20

// check refuses values with which no run can work. Values of flags that a command doesn't have are zero
// and accepted.
func (s *settings) check() error {
	switch {
	case s.sequences < 0:
		return fmt.Errorf("--sequences %d: want a number from 0", s.sequences)
	case s.explore < 0 || s.explore > mostExplored:
		return fmt.Errorf("--explore %d: want a number from 0 to %d", s.explore, mostExplored)
	case s.budget.time < 0:
		return fmt.Errorf("--budget %s: want a positive duration, such as 30s", s.budget.time)
	case s.jobs < 0:
		return fmt.Errorf("--jobs %d: want a number from 0", s.jobs)
	}
	if err := errors.Join(s.checkServer(), s.checkCommits(), s.checkShards()); err != nil {
		return err
	}
	if names := redundancy.Names(); s.redundancy != "" && !slices.Contains(names, s.redundancy) {
		return fmt.Errorf("--redundancy %s: want one of %s", s.redundancy, strings.Join(names, ", "))
	}
	for _, driver := range s.drivers() {
		if known := pipeline.Drives(); s.drive != "" && !slices.Contains(known, driver) {
			return fmt.Errorf("--drive %s: want a list of %s", s.drive, strings.Join(known, ", "))
		}
	}
	if s.run != nil && s.drive != pipeline.DriveTests {
		return fmt.Errorf("--drive %s: --run runs tests only; leave out --drive", s.drive)
	}
	if s.format != "" {
		if err := checkFormat(s.format); err != nil {
			return fmt.Errorf("--format: %w", err)
		}
	}
	if when := []string{"", "auto", "always", "never"}; !slices.Contains(when, s.color) {
		return fmt.Errorf("--color %s: want auto, always or never", s.color)
	}
	if s.failOn != "" {
		if _, err := report.ParseFailOn(s.failOn); err != nil {
			return fmt.Errorf("--fail-on: %w", err)
		}
	}
	return s.checkOutputs()
}

// setRun notes which tests run.
func (s *settings) setRun(text string) (err error) {
	if text == "" {
		return errors.New("want a regular expression, such as ^TestParse$")
	}
	s.run, err = suite.ParseMatch(text)
	return err
}

func (s *settings) drivers() []string {
	return strings.Split(s.drive, ",")
}

// checkOutputs checks before the run that the files can be written after it.
func (s *settings) checkOutputs() error {
	for _, folder := range [][2]string{{"--emit", s.emit}, {"--corpus", s.corpus}} {
		if info, err := os.Stat(folder[1]); folder[1] != "" && err == nil && !info.IsDir() {
			return fmt.Errorf("%s %s: that is a file; want a folder", folder[0], folder[1])
		}
	}
	for _, out := range s.outputs {
		folder := filepath.Dir(out.file)
		if info, err := os.Stat(folder); err != nil || !info.IsDir() {
			return fmt.Errorf("--out %s=%s: there is no folder %s; make it first", out.format, out.file, folder)
		}
		if info, err := os.Stat(out.file); err == nil && info.IsDir() {
			return fmt.Errorf("--out %s=%s: that is a folder; want a file", out.format, out.file)
		}
	}
	return nil
}
