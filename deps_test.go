package spectradiff_test

// This file has the tables of the gates: which package may import which, what may be imported from
// outside, and the exceptions. Each line stands for one package or one exception. An entry that is no
// longer needed fails, like one that is missing.

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

// imports is the table of part 2 of docs/design.md: a package, then our packages that it may import. A
// line without a colon continues the one before. Packages named …test help tests of several packages;
// they are in no line, so only tests may import them.
const imports = `
	spectra/goldentest:
	spectra/moduletest:
	spectra/rt/memory:
	spectra/rt/opaque:
	spectra/rt/wire:
	spectra:                   spectra/rt/opaque spectra/rt/wire
	spectra/rt/digest:         spectra/rt/memory
	spectra/rt/layout:         spectra/rt/memory
	spectra/rt/names:          spectra/rt/opaque
	spectra/archive:           spectra/rt/wire spectra
	spectra/rt/state:          spectra/rt/memory spectra/rt/wire spectra/rt/digest spectra/rt/layout spectra/rt/names
	spectra/branch:
	spectra/symbol:            spectra
	spectra/rt:                spectra/rt/memory spectra/rt/wire spectra/rt/digest spectra/rt/names spectra/rt/state
	spectra/static:            spectra spectra/symbol
	spectra/instrument:        spectra/rt/wire spectra spectra/branch spectra/symbol spectra/static
	spectra/rt/driver:         spectra/rt/wire spectra/rt/digest spectra/rt/names spectra/rt/state spectra/rt
	spectra/static/impact:     spectra spectra/symbol spectra/static
	spectra/static/equality:   spectra/symbol spectra/static
	spectra/static/purity:     spectra/static
	spectra/static/touch:      spectra spectra/symbol spectra/static

	replay/cache:
	replay/repository/gitfolder:
	replay/repository/ignore:
	replay/repository/object:
	replay/sandbox/filter:
	replay/sandbox/processes:
	replay/repository:         replay/cache replay/repository/gitfolder replay/repository/ignore
	                           replay/repository/object
	replay/sandbox:            replay/sandbox/filter replay/sandbox/processes
	replay/sequence:           spectra/rt/wire
	replay/generate/value:     replay/sequence
	replay/gocommand:          replay/sandbox
	replay/module:             replay/repository
	replay/load:               spectra/symbol replay/repository replay/gocommand replay/module
	replay/outside:            replay/cache replay/repository replay/module
	replay/dependency:         spectra replay/repository replay/module replay/load
	replay/fault:              spectra
	replay/api:                spectra spectra/symbol replay/fault replay/load
	replay/testtypes:          spectra/symbol spectra replay/api
	replay/load/loadtest:      spectra/symbol replay/gocommand replay/load
	replay/driver:             spectra/rt/wire spectra spectra/symbol replay/testtypes replay/cache replay/gocommand
	                           replay/fault replay/load replay/api
	replay/gotest:             spectra/symbol replay/sequence replay/api replay/testtypes
	replay/generate/novelty:   spectra/rt/wire
	replay/generate/cells:     replay/generate/value
	replay/generate/ending:
	replay/generate/odds:
	replay/generate/redundancy: spectra/symbol replay/sequence replay/generate/novelty replay/api
	replay/generate/climb:
	replay/carve:              spectra/symbol replay/sequence replay/api replay/testtypes
	replay/generate/model:     spectra/symbol replay/sequence replay/generate/value replay/api replay/testtypes
	replay/generate:           spectra/rt/wire replay/sequence replay/generate/cells replay/generate/climb
	                           replay/generate/ending replay/generate/model replay/generate/novelty
	                           replay/generate/odds replay/generate/value replay/api replay/carve
	replay/contract:           spectra/symbol replay/sequence replay/api
	replay/explore:            spectra/symbol replay/sequence replay/generate/novelty replay/generate/value replay/api
	                           replay/generate
	replay:                    spectra/rt/wire spectra spectra/rt/digest replay/sandbox replay/sequence replay/driver

	diff/align:
	diff/noise:                spectra
	diff:                      spectra/rt/wire spectra diff/align diff/noise
	diff/chain:                spectra diff
	diff/match:                spectra spectra/symbol diff/align
	diff/positions:            spectra spectra/symbol diff/align
	diff/source:               spectra spectra/symbol diff/align
	diff/difftest:             spectra/rt/wire spectra diff
	diff/match/matchtest:      diff/match
	diff/observe:              spectra spectra/symbol diff/match
	diff/hybrid:               spectra spectra/symbol spectra/static
	diff/points:               spectra diff/match
	diff/root:                 spectra diff/noise diff
	diff/unended:              spectra/rt/wire spectra

	report:                    spectra
	report/json:               report
	report/text:               spectra report

	cmd/internal/project:      spectra replay/repository
	cmd/internal/reach:        spectra spectra/static spectra/instrument spectra/static/impact replay/sequence
	                           replay/load diff/match diff/source
	cmd/internal/corpus:       replay/sequence
	cmd/internal/coverage:     spectra spectra/instrument diff/source
	cmd/internal/inside:       spectra/rt/wire spectra spectra/symbol replay/sequence replay/generate/value replay/api
	                           replay/carve replay cmd/internal/choice cmd/internal/direct cmd/internal/env
	                           cmd/internal/tryout
	cmd/internal/bench:        spectra/rt/wire spectra spectra/static spectra/instrument spectra/static/touch
	                           replay/cache replay/sandbox replay/sequence replay/gocommand replay/load replay/api
	                           replay/driver replay report cmd/internal/pipeline cmd/internal/search
	                           cmd/internal/bench/generation
	cmd/internal/bench/generation: spectra spectra/static spectra/instrument replay/cache replay/sandbox
	                           replay/sandbox/processes replay/gocommand report cmd/internal/choice
	                           cmd/internal/pipeline cmd/internal/search
	cmd/internal/env:          spectra/rt/wire spectra replay/cache replay/sandbox replay/sandbox/processes
	                           replay/sequence replay/gocommand replay
	cmd/internal/versions:     spectra replay/repository replay/module replay/outside diff/source cmd/internal/env
	cmd/internal/keep:         spectra spectra/archive replay/sequence replay
	cmd/internal/choice:       spectra/rt/wire spectra replay/sequence replay diff
	cmd/internal/decision:     report
	cmd/internal/room:
	cmd/internal/initial:      spectra replay cmd/internal/env
	cmd/internal/tally:        spectra/rt/wire spectra replay
	cmd/internal/oneway:       spectra spectra/branch spectra/instrument replay/generate replay diff/source
	cmd/internal/tryout:       spectra/rt/wire spectra replay/sequence replay/generate replay cmd/internal/choice
	                           cmd/internal/env cmd/internal/oneway
	cmd/internal/search:       spectra/instrument replay/sequence replay/api replay/generate replay/explore
	                           replay/generate/redundancy cmd/internal/choice cmd/internal/contracts
	                           cmd/internal/env cmd/internal/tryout
	cmd/internal/contracts:    spectra/rt/wire spectra replay/sequence replay/api replay/contract replay/generate replay
	                           report cmd/internal/choice cmd/internal/env cmd/internal/judge cmd/internal/tryout
	cmd/internal/leftout:      spectra spectra/symbol replay/fault replay/load diff/match
	cmd/internal/reshaped:     spectra spectra/static spectra/static/purity replay/load replay/driver diff/match
	                           diff/noise diff/observe
	cmd/internal/pool:         spectra spectra/symbol replay/fault replay/load replay/api replay/carve replay/generate
	                           replay/testtypes replay/sequence replay/generate/value
	cmd/internal/mixture:      spectra replay/load replay diff/hybrid diff/root
	cmd/internal/proof:        spectra/rt/wire spectra diff diff/root cmd/internal/env cmd/internal/judge
	cmd/internal/narrow:       spectra diff/hybrid diff/root diff/source cmd/internal/env cmd/internal/judge
	                           cmd/internal/proof
	cmd/internal/emit:         spectra spectra/symbol replay/sandbox replay/sequence replay/gocommand replay/load
	                           replay/api replay/gotest replay report cmd/internal/env
	cmd/internal/judge:        spectra/rt/wire spectra spectra/archive replay/sequence replay diff/noise diff
	                           diff/root diff/unended cmd/internal/choice cmd/internal/tally cmd/internal/env
	                           cmd/internal/keep cmd/internal/room
	cmd/internal/direct:       spectra/rt/wire spectra replay/sequence
	cmd/internal/known:        report
	cmd/internal/evaluation:   spectra/symbol report cmd/internal/known
	cmd/internal/rootreport:   spectra diff/noise diff diff/chain diff/root report cmd/internal/choice
	                           cmd/internal/direct cmd/internal/proof cmd/internal/judge
	cmd/internal/pipeline:     spectra/rt/wire spectra spectra/archive spectra/symbol spectra/static
	                           spectra/instrument spectra/static/touch replay/cache
	                           replay/module replay/fault replay/load replay/dependency replay/api replay/driver
	                           replay/generate replay diff/noise diff diff/hybrid diff/match diff/positions diff/source
	                           diff/observe diff/points diff/root report cmd/internal/project
	                           cmd/internal/reach cmd/internal/choice cmd/internal/emit cmd/internal/env
	                           cmd/internal/keep cmd/internal/mixture cmd/internal/leftout cmd/internal/pool
	                           cmd/internal/proof cmd/internal/reshaped
	                           cmd/internal/tryout cmd/internal/judge cmd/internal/decision cmd/internal/rootreport
	                           cmd/internal/versions cmd/internal/inside cmd/internal/corpus cmd/internal/coverage
	                           replay/carve replay/sequence replay/testtypes cmd/internal/search
	                           cmd/internal/narrow cmd/internal/oneway replay/generate/redundancy
	                           spectra/static/equality cmd/internal/contracts cmd/internal/initial
	cmd/spectradiff:           spectra/archive replay/cache replay/sandbox replay/load report report/json report/text
	                           cmd/internal/project cmd/internal/env cmd/internal/pipeline
	                           replay/generate/redundancy
`

// oversized lists packages that may have more than maxPackage lines without tests.
var oversized = map[string]string{}

// crowded lists structs that may have more than maxWritten fields which several functions write after the
// struct was made.
var crowded = map[string]string{
	"report.Report":         "the report is filled field by field; absent is what nothing computed",
	"report.Root":           "likewise",
	"spectra/rt/state.node": "a compiled type; types refer to themselves, so it is made before its parts are known",
	"spectra/rt.record":     "the one recording of a process; each probe touches it, so its state lies together",
}

// unreached lists functions that are needed although no program of ours reaches them.
var unreached = map[string]string{
	"replay/sequence.Check":          "validity is part of what a sequence is; the generator's tests hold it to it",
	"replay/sequence.checkStatement": "a part of Check",
	"replay/sequence.checkValue":     "a part of Check",
	"replay/sequence.checkForm":      "a part of Check",
}

// never lists what packages must not import: those below the first path, and the import paths they must
// not use.
var never = []rule{
	{"diff", "go/ os os/ net net/ time syscall", "saved spectra are compared without building or reading anything"},
	{"report", "go/ os os/ net net/ syscall", "saved reports are printed without building or reading anything"},
	{"replay/generate", "os os/ net net/ time", "the same seed has the same sequences"},
	{"replay/sequence", "os os/ net net/ time", "sequences are data"},
	{"cmd", "os/exec", "replay/gocommand and replay/sandbox alone start programs"},
	{"replay", "os/exec", "replay/gocommand and replay/sandbox alone start programs"},
	{"spectra", "os/exec", "replay/gocommand and replay/sandbox alone start programs"},
}

// A rule forbids imports to a package and to those below it.
type rule struct{ packages, never, reason string }

// excepted lists packages to which a rule does not apply, with what they may import nevertheless.
var excepted = map[string]exception{
	"cmd/internal/bench":            {"os/exec", "it runs test suites, and is no part of the tool"},
	"cmd/internal/bench/generation": {"os/exec", "it makes repositories with git, and is no part of the tool"},
	"cmd/internal/evaluation":       {"os/exec", "it runs a mutation tool and the command, and is no part of the tool"},
	"replay/gocommand":              {"os/exec", "it runs the go command"},
	"replay/sandbox":                {"os/exec", "it starts what it confines"},
	"spectra/moduletest":            {"os/exec", "it fetches modules for tests"},
	"diff/match":                    {"go/", "it compares declarations that others loaded, and loads nothing"},
	"diff/match/matchtest":          {"go/", "it type-checks the versions in a test's text"},
	"diff/hybrid":                   {"go/", "it writes declarations that others loaded, and loads nothing"},
	"diff/observe":                  {"go/", "it compares types that others loaded, and loads nothing"},
	"diff/positions":                {"go/", "it aligns declarations that others loaded, and loads nothing"},
	"diff/source":                   {"go/ os", "its two sides are folders of source, not saved spectra"},
}

// An exception allows imports that a rule forbids.
type exception struct{ imports, reason string }

// copied lists the packages that are compiled into the target, with everything that they may import. Each
// further line is a package of the standard library that runs among the target's own calls, and that
// can't import the runtime itself.
var copied = map[string]map[string]string{
	"spectra/rt": {
		"iter":    "observers are called on a stack of their own",
		"reflect": "values that the driver wants a digest of",
		"runtime": "goroutines and callers; what is walked is kept alive",
		"slices":  "keys of maps that are compared, in a stated order",
		"strconv": "numbers that are compared, as texts",
		"strings": "the runtime's own frames among the callers; copies of texts",
		"syscall": "the seed, before package os is there",
		"unsafe":  "what a probe was given is hidden from escape analysis; linknames",

		module + "/spectra/rt/digest": "digests of states that are numbers and texts only",
		module + "/spectra/rt/memory": "slots as numbers",
		module + "/spectra/rt/names":  "its configuration is part of that of the runtime",
		module + "/spectra/rt/state":  "the walk of a state",
		module + "/spectra/rt/wire":   "how events are written",
	},
	"spectra/rt/state": {
		"cmp":     "orders of keys and fields",
		"math":    "bits of floats, one NaN",
		"reflect": "types are compiled from it once; maps are walked by it",
		"runtime": "what is walked is kept alive; errors of observers",
		"slices":  "sorted keys",
		"strconv": "indexes in paths of values",
		"strings": "names of types, texts as keys",
		"unsafe":  "a walk reads memory, not values",

		module + "/spectra/rt/digest": "what a state becomes",
		module + "/spectra/rt/layout": "types that are compared by what they mean",
		module + "/spectra/rt/memory": "addresses, slots, descriptors of types, pages for marks",
		module + "/spectra/rt/names":  "names of types, fields and functions",
		module + "/spectra/rt/wire":   "how values are written",
	},
	"spectra/rt/names": {
		"path":    "the folder of a function's file",
		"reflect": "types",
		"runtime": "names of functions",
		"strconv": "lengths of arrays",
		"strings": "names are cut",

		module + "/spectra/rt/opaque": "types that are left out",
	},
	"spectra/rt/layout": {
		"reflect": "fields of types; reflect.Value and reflect.MapIter are known by it",
		"sync":    "sync.Map is known by it",
		"unsafe":  "values are read by how they lie",

		module + "/spectra/rt/memory": "addresses",
	},
	"spectra/rt/digest": {
		"math/bits": "rotations",
		"unsafe":    "where a text lies",

		module + "/spectra/rt/memory": "addresses",
	},
	"spectra/rt/memory": {
		"reflect": "types and their descriptors",
		"syscall": "pages outside of the heap",
		"unsafe":  "addresses become pointers",
	},
	"spectra/rt/wire": {
		"errors":  "what a reader finds wrong",
		"math":    "bits of floats",
		"strconv": "the place of an error",
	},
	"spectra/rt/driver": {
		"encoding/binary":   "frames of the protocol",
		"errors":            "frames that do not check",
		"fmt":               "reasons why a sequence is not valid, between two calls of the target",
		"go/token":          "exported names",
		"internal/synctest": "the time bubble; only where the runtime is extended",
		"internal/testlog":  "which variables of the environment are asked for; likewise",
		"io":                "the pipes",
		"io/fs":             "what a sequence left in the scratch folder",
		"os":                "the pipes and the scratch folder",
		"path/filepath":     "the scratch folder",
		"reflect":           "operations are called by it",
		"runtime":           "collections and yielding between two sequences, one processor",
		"runtime/debug":     "the limit of the stack",
		"slices":            "lists in a stated order",
		"sort":              "lists in a stated order",
		"strconv":           "texts of results",
		"strings":           "names of types",
		"syscall":           "descriptors, shared memory",
		"unsafe":            "where the runtime leaves that a bubble failed",

		module + "/spectra/rt":        "the runtime whose events it sends",
		module + "/spectra/rt/digest": "checks of frames, digests of files and texts",
		module + "/spectra/rt/names":  "names of types in results",
		module + "/spectra/rt/state":  "which slots are compared; what observers return",
		module + "/spectra/rt/wire":   "how frames and sequences are written",
	},
}

// table parses a table of imports. It complains about packages that are in it twice.
func table(text string) (allowed map[string][]string, complaints []string) {
	allowed = map[string][]string{}
	name := ""
	for line := range strings.Lines(text) {
		list := line
		if before, after, found := strings.Cut(line, ":"); found {
			name, list = strings.TrimSpace(before), after
			if _, twice := allowed[name]; twice {
				complaints = append(complaints, fmt.Sprintf("%s is in the table of imports twice", name))
			}
			allowed[name] = nil
		}
		allowed[name] = append(allowed[name], strings.Fields(list)...)
	}
	delete(allowed, "")
	return allowed, complaints
}

// importGraph complains about packages that are not in the table, about imports that the table does not
// allow, and about lines and edges of the table that nothing uses.
func importGraph(all []source, text string) []string {
	allowed, complaints := table(text)
	used := map[string]map[string]bool{}
	for _, source := range product(all) {
		list, known := allowed[source.folder]
		if used[source.folder] == nil {
			used[source.folder] = map[string]bool{}
			if !known {
				complaints = append(complaints, source.folder+" is not in the table of imports: "+
					"say there what it may import")
			}
		}
		for _, imported := range source.importsOf() {
			ours, found := strings.CutPrefix(imported, module+"/")
			if found && known && !slices.Contains(list, ours) {
				complaints = append(complaints,
					fmt.Sprintf("%s: %s may not import %s", source.name, source.folder, ours))
			}
			used[source.folder][ours] = true
		}
	}
	for _, name := range slices.Sorted(maps.Keys(allowed)) {
		if used[name] == nil {
			complaints = append(complaints, name+" is in the table of imports and does not exist")
			continue
		}
		for _, ours := range allowed[name] {
			if !used[name][ours] {
				complaints = append(complaints,
					fmt.Sprintf("%s may import %s and does not: take it out of the table", name, ours))
			}
		}
	}
	return complaints
}

// cycles complains about packages that import themselves through others, and about imports of packages
// that are not in the table.
func cycles(text string) []string {
	allowed, complaints := table(text)
	const visiting, done = 1, 2
	state := map[string]int{}
	var visit func(name string, way []string)
	visit = func(name string, way []string) {
		switch state[name] {
		case visiting:
			complaints = append(complaints, "cycle: "+strings.Join(append(way, name), " → "))
		case 0:
			state[name] = visiting
			for _, imported := range allowed[name] {
				if _, known := allowed[imported]; !known {
					complaints = append(complaints,
						fmt.Sprintf("%s may import %s, which is not in the table", name, imported))
				}
				visit(imported, append(slices.Clone(way), name))
			}
			state[name] = done
		}
	}
	for _, name := range slices.Sorted(maps.Keys(allowed)) {
		visit(name, nil)
	}
	return complaints
}

// commandsImported complains about packages and tests that import a command.
func commandsImported(all []source) []string {
	var complaints []string
	for _, source := range all {
		for _, imported := range source.importsOf() {
			if strings.HasPrefix(imported, module+"/cmd/") && !below(source.folder, "cmd") {
				complaints = append(complaints, fmt.Sprintf("%s imports %s from outside of cmd", source.name, imported))
			}
		}
	}
	return complaints
}

// copiedImports complains about packages that are compiled into the target: about imports that are not in
// a package's list, and about entries that are not used. A package without a list may import nothing.
func copiedImports(all []source, root string, lists map[string]map[string]string) []string {
	var complaints []string
	used := map[string]map[string]bool{}
	for _, source := range product(all) {
		if !below(source.folder, root) {
			continue
		}
		if used[source.folder] == nil {
			used[source.folder] = map[string]bool{}
		}
		for _, imported := range source.importsOf() {
			if lists[source.folder][imported] == "" {
				complaints = append(complaints, fmt.Sprintf("%s imports %s, which is not in the list of what goes "+
					"into the target", source.name, imported))
			}
			used[source.folder][imported] = true
		}
	}
	for _, folder := range slices.Sorted(maps.Keys(lists)) {
		for _, imported := range slices.Sorted(maps.Keys(lists[folder])) {
			if !used[folder][imported] {
				complaints = append(complaints,
					fmt.Sprintf("%s is listed for %s and not imported there", imported, folder))
			}
		}
	}
	return complaints
}

// forbidden complains about imports that a rule forbids.
func forbidden(all []source, rules []rule, excepted map[string]exception) []string {
	var complaints []string
	for _, source := range product(all) {
		for _, rule := range rules {
			if !below(source.folder, rule.packages) {
				continue
			}
			for _, imported := range source.importsOf() {
				allowed := oneOf(imported, excepted[source.folder].imports) || onlyDurations(source, imported)
				if oneOf(imported, rule.never) && !allowed {
					complaints = append(complaints,
						fmt.Sprintf("%s imports %s: %s", source.name, imported, rule.reason))
				}
			}
		}
	}
	return complaints
}

// oneOf reports whether an import path is in a list. An entry that ends with a slash stands for
// everything below.
func oneOf(imported, list string) bool {
	return slices.ContainsFunc(strings.Fields(list), func(entry string) bool {
		return imported == entry || strings.HasSuffix(entry, "/") && strings.HasPrefix(imported, entry)
	})
}

// onlyDurations reports whether the import is that of package time, and the file uses only durations of
// it.
func onlyDurations(s source, imported string) bool {
	clocks := []string{"Now", "Since", "Until", "Sleep", "After", "AfterFunc", "Tick", "NewTimer", "NewTicker"}
	used := func(name string) bool { return len(s.uses("time", name)) > 0 }
	return imported == "time" && !slices.ContainsFunc(clocks, used)
}

// undescribed complains about packages of the table that have no row in a document's table.
func undescribed(text, document string) []string {
	allowed, complaints := table(text)
	for _, name := range slices.Sorted(maps.Keys(allowed)) {
		named := false
		for line := range strings.Lines(document) {
			named = named || strings.HasPrefix(line, "| `") && strings.Contains(line, "`"+name+"`")
		}
		if !named && !strings.HasSuffix(name, "test") {
			complaints = append(complaints, name+" has no row in the table of packages in docs/design.md")
		}
	}
	return complaints
}

func TestImportGraph(t *testing.T)           { require(t, importGraph(sources(t), imports)) }
func TestTableIsAcyclic(t *testing.T)        { require(t, cycles(imports)) }
func TestNobodyImportsCommands(t *testing.T) { require(t, commandsImported(sources(t))) }
func TestForbiddenImports(t *testing.T)      { require(t, forbidden(sources(t), never, excepted)) }

func TestImportsInTheTarget(t *testing.T) {
	require(t, copiedImports(sources(t), "spectra/rt", copied))
}

func TestPackagesAreDescribed(t *testing.T) {
	document, err := os.ReadFile("docs/design.md")
	if err != nil {
		t.Fatal(err)
	}
	require(t, undescribed(imports, string(document)))
}
