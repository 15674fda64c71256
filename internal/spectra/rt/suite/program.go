package suite

import (
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"sort"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/spectra/rt"
)

// Tests start their program again: as a stand-in for a program that they talk to, or because its TestMain runs the
// command that they test. So a driver that a test starts is the program that go test builds of one package.

// A program has the tests of one package.
type program struct {
	*Package
	tests      []testing.InternalTest
	benchmarks []testing.InternalBenchmark
	targets    []testing.InternalFuzzTarget
	examples   []testing.InternalExample
}

// programs are those of all packages, by their paths, in a process that is one of them. nil: it is a driver, which runs
// tests as operations.
var programs map[string]*program

// program returns the one that gets the tests of a package; nil: they run.
func (p *Package) program() *program {
	if programs == nil {
		return nil
	}
	if programs[p.Path] == nil {
		programs[p.Path] = &program{Package: p}
	}
	return programs[p.Path]
}

// restarted runs the program that the process is, if it is known, and ends the process.
func restarted() {
	if p := chosen(collect(rt.Operations), os.Args[1:]); p != nil {
		os.Exit(p.run()) //nolint:forbidigo // as the main function that go test writes
	}
}

// collect returns the programs of the tests among some operations, by their folders.
func collect(operations []rt.Operation) (list []*program) {
	programs = map[string]*program{}
	for _, o := range operations {
		if test, ok := o.Func.(func(map[int]interface{}) bool); ok {
			test(nil)
		}
	}
	for _, p := range programs {
		list = append(list, p)
	}
	sort.Slice(list, func(i, j int) bool { return list[i].Folder < list[j].Folder })
	return list
}

// chosen returns the program that a process with these arguments is: that of the folder in which it runs, because tests
// run in theirs, and so does what they start; else one with a test that is asked for; else the only one that there is,
// or that has a TestMain. nil: it is not known.
func chosen(list []*program, arguments []string) *program {
	for _, p := range list {
		if p.here() {
			return p
		}
	}
	asked := asksFor(arguments)
	for _, p := range list {
		for _, t := range p.tests {
			if asked != nil && asked.MatchString(t.Name) {
				return p
			}
		}
	}
	if len(list) == 1 {
		return list[0]
	}
	var only []*program
	for _, p := range list {
		if testMains[p.Path] != nil {
			only = append(only, p)
		}
	}
	if len(only) == 1 {
		return only[0]
	}
	return nil
}

// here reports whether the process runs in the folder of the tests.
func (p *program) here() bool {
	folder, err := os.Stat(filepath.Join(module, p.Folder))
	if err != nil {
		return false
	}
	work, err := os.Stat(".")
	return err == nil && os.SameFile(folder, work)
}

// asksFor returns what matches the names of the tests that arguments ask for; nil: they name none.
func asksFor(arguments []string) *regexp.Regexp {
	for i, argument := range arguments {
		name, value, given := strings.Cut(strings.TrimLeft(argument, "-"), "=")
		if name != "test.run" || !strings.HasPrefix(argument, "-") {
			continue
		}
		if !given && i+1 < len(arguments) {
			value = arguments[i+1]
		}
		test, _, _ := strings.Cut(value, "/")
		if asked, err := regexp.Compile(test); err == nil && test != "" {
			return asked
		}
	}
	return nil
}

// run runs the tests that the flags ask for, by TestMain if there is one, and returns the status of the process.
func (p *program) run() int {
	line := flag.NewFlagSet(os.Args[0], flag.ExitOnError)
	complete(line, append(flagsOf[p.Folder], own)...)
	flag.CommandLine = line
	m := testing.MainStart(dependencies{p.Path, nil}, p.tests, p.benchmarks, p.targets, p.examples)
	main := testMains[p.Path]
	if main == nil {
		return m.Run()
	}
	main(m)
	return status(m)
}

// flagsOf are the sets of flags that packages with tests have for themselves, by their folders.
var flagsOf = map[string][]*flag.FlagSet{}

// noted is the set of flags that was seen last.
var noted = own

// noteFlags notes the set of flags that a package was given, if it was.
func noteFlags(folder string) {
	if flag.CommandLine != noted {
		noted = flag.CommandLine
		flagsOf[folder] = append(flagsOf[folder], noted)
	}
}
