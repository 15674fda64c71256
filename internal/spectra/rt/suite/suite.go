// Package suite runs tests of the target as operations of its driver.
//
// In: a test function, the folder of its package, and other values for its literals, or one of its subtests, which then
// runs alone. Out: whether it passed; what it printed is printed if it did not. The test runs as under go test: in its
// package's folder, with its own *testing.T, subtests, cleanups and flags, and by TestMain if there is one. What it
// prints has no durations. A panic of the test or of a subtest, which would end the process of go test, is that of the
// operation. What else ends the process of a test ends that of the driver.
//
// A process that a test starts from its own program is one of go test instead: it runs tests by its arguments.
package suite

import (
	"flag"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/spectra/rt"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// A Package is the tested package of a test.
type Package struct {
	Path   string
	Folder string // where its tests run, below that of the module
}

// module is the folder of the module beside whose files tests run. The linker sets it: in sources it would have all of
// them be compiled again for the next commit.
var module string

// before is the folder in which the process was before In.
var before string

// In goes to the folder of a package that is initialised. If it can't, that may miss files. Out goes back.
func In(path, folder string) struct{} {
	initialising(path)
	rt.Restarted = restarted
	noteFlags(folder)
	before, _ = os.Getwd()
	_ = os.Chdir(filepath.Join(module, folder))
	return struct{}{}
}

// Out goes back to where the process was before In.
func Out() {
	_ = os.Chdir(before)
	initialising("")
}

// flags are those of package testing, nil before any test. They are set up once in a process.
var flags *flag.FlagSet

func start() {
	if flags != nil {
		return
	}
	flags = flag.NewFlagSet(os.Args[0], flag.ContinueOnError) // tests have defined flags in others
	flag.CommandLine = flags
	testing.Init()
	_ = flags.Parse(nil)
}

// Test runs a test, or the part of it that other asks for.
func (p *Package) Test(name string, test func(*testing.T), other map[int]interface{}) (passed bool) {
	if of := p.program(); of != nil {
		of.tests = append(of.tests, testing.InternalTest{Name: name, F: test})
		return false
	}
	some := begin("test.run", "", other)
	defer receive(other)()
	list := []testing.InternalTest{{Name: name, F: func(t *testing.T) { p.play(some, t, func() { test(t) }) }}}
	defer raise()
	return p.run(testing.MainStart(dependencies{p.Path, some}, list, nil, nil, nil))
}

// Fuzz runs a fuzz target with its corpus, or with the part of it that other asks for.
func (p *Package) Fuzz(name string, target func(*testing.F), other map[int]interface{}) (passed bool) {
	if of := p.program(); of != nil {
		of.targets = append(of.targets, testing.InternalFuzzTarget{Name: name, Fn: target})
		return false
	}
	some := begin("test.run", "", other)
	defer receive(other)()
	list := []testing.InternalFuzzTarget{{Name: name, Fn: func(f *testing.F) { p.play(some, f, func() { target(f) }) }}}
	defer raise()
	return p.run(testing.MainStart(dependencies{p.Path, some}, nil, nil, list, nil))
}

// Benchmark runs one iteration of a benchmark, or of the part of it that other asks for.
func (p *Package) Benchmark(name string, run func(*testing.B), other map[int]interface{}) (passed bool) {
	if of := p.program(); of != nil {
		of.benchmarks = append(of.benchmarks, testing.InternalBenchmark{Name: name, F: run})
		return false
	}
	some := begin("test.bench", wholePattern, other)
	defer receive(other)()
	_ = flags.Set("test.benchtime", "1x")
	list := []testing.InternalBenchmark{{Name: name, F: func(b *testing.B) { p.play(some, b, func() { run(b) }) }}}
	defer raise()
	return p.run(testing.MainStart(dependencies{p.Path, some}, nil, list, nil, nil))
}

// play runs a test that package testing has begun.
func (p *Package) play(some *part, t testing.TB, run func()) {
	defer began()()
	defer some.end()
	if testMains[p.Path] == nil { // else the process ends anyway
		defer Caught(t)
	}
	run()
}

// begin sets the flags of package testing for what of a test or a benchmark shall run. The named one says so; pattern
// is its value for all of it.
func begin(name, pattern string, other map[int]interface{}) *part {
	start() // before package testing defines its flags in another set
	some := partOf(other)
	if some.asked() {
		pattern = wholePattern + "/" + partPattern
	}
	_ = flags.Set("test.run", "")
	_ = flags.Set("test.bench", "")
	_ = flags.Set(name, pattern)
	return some
}

// Example runs an example that says what it prints, in which lines may have any order.
func (p *Package) Example(name string, run func(), output string, unordered bool) (passed bool) {
	if of := p.program(); of != nil {
		example := testing.InternalExample{Name: name, F: run, Output: output, Unordered: unordered}
		of.examples = append(of.examples, example)
		return false
	}
	prints := func(got string) bool {
		got, want := strings.TrimSpace(got), strings.TrimSpace(output)
		os.Stdout.WriteString(got)
		return got == want || unordered && sorted(got) == sorted(want)
	}
	if testMains[p.Path] != nil {
		return p.exampleInMain(name, run, prints)
	}
	if !p.enter() {
		return false
	}
	return prints(capture(run))
}

// exampleInMain runs an example by TestMain, as a test: package testing would catch what it prints through a pipe, and
// sequences that open pipes are not played together with others.
func (p *Package) exampleInMain(name string, run func(), prints func(got string) bool) (passed bool) {
	all := begin("test.run", "", nil)
	list := []testing.InternalTest{{Name: name, F: func(t *testing.T) {
		defer began()()
		before := captured()
		run()
		got := captured()
		os.Stdout.WriteString(before)
		if !prints(got) {
			t.Fail()
		}
	}}}
	defer raise()
	return p.run(testing.MainStart(dependencies{p.Path, all}, list, nil, nil, nil))
}

func sorted(text string) string {
	lines := strings.Split(text, "\n")
	sort.Strings(lines)
	return strings.Join(lines, "\n")
}

// enter goes to the folder of the tests, with the flags of package testing. If it can't, it prints why.
func (p *Package) enter() bool {
	start()
	if err := os.Chdir(filepath.Join(module, p.Folder)); err != nil {
		os.Stdout.WriteString("the folder of the test: " + err.Error())
		return false
	}
	return true
}

// when says for an end of the process how far the test is.
var when string

// began notes that the test runs, until the function that it returns is called.
func began() (over func()) {
	when = wire.InTest
	return func() { when = "" }
}

func (p *Package) run(m *testing.M) (passed bool) {
	if !p.enter() {
		return false
	}
	stdout, self, main := os.Stdout, rt.Self(), testMains[p.Path]
	when, rt.AtExit = wire.BeforeTest, func(code int) string {
		if main != nil && rt.Self() == self {
			p.left(code)
		}
		if code != 0 {
			stdout.WriteString(captured())
		}
		return when
	}
	defer func() { rt.AtExit = nil }()
	printed := capture(func() {
		if main != nil {
			passed = p.main(main, m)
		} else {
			passed = m.Run() == 0
		}
	})
	if !passed {
		os.Stdout.WriteString(printed)
	}
	return passed
}

// duration matches what package testing prints of times.
var duration = regexp.MustCompile(`\(\d+\.\d+s\)`)

// printed is where tests print to. It has no name, so that no folder tells of it.
var printed *os.File

// capture returns what a function prints to standard output through package os.
func capture(run func()) string {
	if printed == nil {
		file, err := unnamed("")
		if err != nil {
			run()
			return ""
		}
		printed = file
	}
	usual := os.Stdout
	defer func() { os.Stdout = usual }()
	os.Stdout = printed
	run()
	return captured()
}

// captured returns what was printed so far, and forgets it.
func captured() string {
	if printed == nil {
		return ""
	}
	size, err := printed.Seek(0, io.SeekCurrent)
	if err != nil || size == 0 {
		return ""
	}
	text := make([]byte, size)
	n, _ := printed.ReadAt(text, 0)
	_, _ = printed.Seek(0, io.SeekStart)
	_ = printed.Truncate(0)
	return duration.ReplaceAllString(string(text[:n]), "(0.00s)")
}
