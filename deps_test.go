package spectradiff_test

import (
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"
	"testing"
)

// imports says which of our packages each package may import, without the folder internal in front. A line without a
// colon continues the one before. A package never imports one of a higher floor. Packages named …test help tests of
// several packages; no other package may import them, so only tests do.
const imports = `
	spectra/align:
	spectra/branch:
	spectra/goldentest:
	spectra/moduletest:
	spectra/rt/memory:
	spectra/rt/names:
	spectra/rt/wire:
	spectra/rt/suite:            spectra/rt spectra/rt/wire
	spectra:                     spectra/rt/names spectra/rt/wire
	spectra/rt/digest:           spectra/rt/memory
	spectra/archive:             spectra spectra/rt/wire
	spectra/rt/state:            spectra/rt/digest spectra/rt/memory spectra/rt/names spectra/rt/wire
	spectra/symbol:              spectra spectra/rt/names
	spectra/match:               spectra spectra/align spectra/rt/names spectra/symbol
	spectra/positions:           spectra spectra/align spectra/symbol
	spectra/rt:                  spectra/rt/digest spectra/rt/memory spectra/rt/names spectra/rt/state
	                             spectra/rt/wire
	spectra/source:              spectra spectra/align spectra/symbol
	spectra/static:              spectra spectra/symbol
	spectra/extent:              spectra spectra/symbol
	spectra/deltas:              spectra spectra/symbol
	spectra/instrument:          spectra spectra/branch spectra/rt/wire spectra/static spectra/symbol
	spectra/match/matchtest:     spectra/match
	spectra/observe:             spectra spectra/match spectra/symbol
	spectra/rt/driver:           spectra/rt spectra/rt/digest spectra/rt/names spectra/rt/state spectra/rt/wire
	spectra/static/purity:       spectra/static
	spectra/static/variables:    spectra spectra/static spectra/symbol

	replay/cache:
	replay/repository/ignore:
	replay/repository/attributes: replay/repository/ignore
	replay/repository/object:
	replay/sandbox:
	replay/tags:
	replay/generate/novelty:     spectra/rt/wire
	replay/shard:
	replay/buildcache:
	replay/gocommand:            replay/buildcache replay/sandbox
	replay/repository:           spectra/source replay/cache replay/repository/attributes replay/repository/ignore
	                             replay/repository/object
	replay/fault:                spectra
	replay/module:               replay/repository
	replay/sequence:             spectra spectra/rt/wire
	replay/generate/value:       replay/sequence
	replay/load:                 spectra spectra/symbol replay/gocommand replay/module replay/repository
	replay/predicate:            replay/gocommand replay/repository replay/sandbox
	replay/outside:              replay/cache replay/module replay/repository
	replay/api:                  spectra spectra/symbol replay/fault replay/load replay/repository
	replay/load/loadtest:        spectra/symbol replay/gocommand replay/load
	replay/generate/redundancy:  spectra/symbol replay/api replay/generate/novelty replay/sequence
	replay/history:              spectra spectra/align spectra/extent spectra/symbol replay/repository
	replay/impact:               spectra spectra/instrument spectra/match spectra/source spectra/static
	                             spectra/static/purity spectra/symbol replay/load replay/sequence
	replay/testtypes:            spectra spectra/symbol replay/api
	replay/build:                spectra spectra/rt/wire spectra/source spectra/symbol replay/api
	                             replay/buildcache replay/cache replay/fault replay/gocommand replay/load
	                             replay/repository replay/testtypes
	replay/carve:                spectra/symbol replay/api replay/sequence replay/testtypes
	replay:                      spectra spectra/rt/digest spectra/rt/wire replay/build replay/sandbox
	                             replay/sequence
	replay/generate:             spectra/rt/wire spectra/symbol replay/api replay/carve replay/generate/novelty
	                             replay/generate/value replay/sequence replay/testtypes
	replay/suite:                spectra spectra/rt/wire spectra/symbol replay/api replay/carve replay/gocommand
	                             replay/repository replay/sequence
	replay/command:              spectra spectra/rt/wire replay/api replay/build replay/repository
	                             replay/sequence replay/suite
	replay/coverage:             spectra spectra/branch spectra/instrument spectra/source replay replay/generate
	replay/explore:              spectra/symbol replay/api replay/generate replay/generate/novelty
	                             replay/generate/value replay/sequence
	replay/selection:            spectra spectra/rt/wire replay replay/sequence
	replay/versions:             spectra spectra/source replay replay/cache replay/gocommand replay/module
	                             replay/outside replay/repository
	replay/contract:             spectra spectra/rt/wire spectra/symbol replay replay/api replay/generate
	                             replay/selection replay/sequence
	replay/plan:                 spectra spectra/instrument spectra/match spectra/source spectra/static
	                             spectra/symbol replay replay/api replay/cache replay/fault replay/gocommand
	                             replay/load replay/module replay/suite replay/versions
	replay/drivers:              spectra spectra/instrument spectra/match spectra/observe spectra/positions
	                             spectra/static/purity spectra/static/variables spectra/symbol replay replay/api
	                             replay/build replay/command replay/coverage replay/fault replay/footprint
	                             replay/gocommand replay/impact
	                             replay/load replay/plan replay/repository replay/sequence replay/suite replay/testtypes
	replay/fleet:                replay replay/build replay/sandbox
	replay/footprint:            spectra/source replay/cache
	replay/search:               spectra spectra/rt/wire spectra/static spectra/symbol replay replay/api
	                             replay/carve replay/command replay/contract replay/coverage
	                             replay/drivers
	                             replay/explore replay/fault replay/footprint replay/generate
	                             replay/generate/redundancy
	                             replay/generate/value replay/load replay/plan replay/repository replay/selection
	                             replay/sequence replay/shard replay/suite replay/testtypes

	diff/bisect:
	diff/ddmin:
	diff/noise:                  spectra
	diff:                        spectra spectra/align spectra/rt/wire replay/sequence diff/noise
	diff/difftest:               spectra spectra/rt/wire diff
	diff/root:                   spectra spectra/source replay/plan diff diff/noise
	diff/hybrid:                 spectra spectra/instrument spectra/static spectra/symbol replay replay/fault
	                             replay/load diff/root
	diff/judge:                  spectra spectra/archive spectra/observe spectra/rt/wire replay replay/api
	                             replay/drivers replay/search replay/selection replay/sequence replay/suite diff
	                             diff/noise diff/root
	diff/group:                  spectra spectra/observe spectra/source replay/drivers replay/plan diff
	                             diff/judge diff/root
	diff/proof:                  spectra spectra/rt/wire spectra/source replay replay/drivers replay/fault replay/plan
	                             diff diff/ddmin diff/hybrid diff/judge diff/root

	report:                      spectra
	report/accepted:             report
	report/json:                 report
	report/redact:               report
	report/series:               spectra report
	report/shards:               spectra replay/coverage replay/shard report report/accepted report/json
	report/markdown:             spectra report report/series report/text
	report/text:                 spectra report report/series
	report/explain:              spectra spectra/align report report/text
	report/explain/screen:       report/explain report/text
	report/finding:              spectra report
	report/annotations:          spectra report report/finding report/text
	report/junit:                spectra report report/finding report/text
	report/rdjson:               report report/finding report/json report/text
	report/reporttest:           spectra report report/series
	report/sarif:                report report/finding report/json report/text
	report/page:                 spectra report report/series report/text
	report/gotest:               spectra/symbol replay/api replay/sequence replay/testtypes
	report/summary:              spectra spectra/align spectra/observe spectra/rt/wire replay/api replay/command
	                             replay/contract replay/coverage replay/drivers replay/plan replay/search
	                             replay/sequence replay/shard replay/suite diff diff/judge diff/noise diff/root
	                             report report/shards
	report/emit:                 spectra spectra/symbol replay replay/api replay/gocommand replay/load
	                             replay/sandbox replay/sequence diff report/gotest report/summary

	cmd/internal/lab/faults:
	cmd/internal/lab/fuzz:       replay/gocommand replay/sandbox
	cmd/internal/lab/known:      report
	cmd/internal/lab/origins:    spectra/symbol
	cmd/internal/lab/siemens:    spectra/symbol
	cmd/internal/lab/spread:
	cmd/internal/env:            spectra replay replay/build replay/cache replay/fleet replay/footprint
	                             replay/gocommand replay/load replay/sandbox
	cmd/internal/lab:            spectra spectra/instrument spectra/rt/wire spectra/static
	                             spectra/static/variables spectra/symbol replay replay/api replay/build
	                             replay/cache replay/gocommand replay/load replay/sandbox replay/sequence report
	                             cmd/internal/lab/faults cmd/internal/lab/fuzz cmd/internal/lab/known
	                             cmd/internal/lab/origins cmd/internal/lab/siemens cmd/internal/lab/spread
	cmd/internal/pipeline:       spectra replay replay/api replay/cache replay/drivers replay/fault replay/fleet
	                             replay/load replay/module replay/plan replay/repository replay/search replay/selection
	                             replay/sequence replay/shard replay/suite replay/versions diff diff/group diff/judge
	                             diff/noise diff/proof report report/accepted report/emit report/shards
	                             report/summary cmd/internal/env
	cmd/internal/kept:           spectra replay/cache replay/drivers replay/fleet replay/gocommand
	                             replay/repository report report/json cmd/internal/env cmd/internal/pipeline
	cmd/internal/jobs:           replay replay/cache replay/drivers replay/fleet replay/module replay/repository
	                             replay/shard report report/json report/shards cmd/internal/env cmd/internal/pipeline
	cmd/internal/inducing:       spectra spectra/deltas spectra/source replay/gocommand replay/history replay/module
	                             replay/predicate replay/repository replay/sandbox diff diff/bisect diff/ddmin report
	                             report/summary cmd/internal/env cmd/internal/jobs cmd/internal/kept
	                             cmd/internal/pipeline
	cmd/spectradiff:             spectra spectra/archive spectra/extent replay/buildcache replay/cache replay/drivers
	                             replay/fleet replay/generate/redundancy replay/load replay/repository
	                             replay/sandbox replay/shard replay/suite replay/tags report report/accepted
	                             report/annotations report/explain
	                             report/explain/screen report/json report/junit report/markdown report/page
	                             report/rdjson report/redact report/sarif report/series report/shards report/text
	                             cmd/internal/env cmd/internal/inducing cmd/internal/jobs cmd/internal/kept
	                             cmd/internal/pipeline
`

// unreached lists functions that are needed although no program of ours reaches them.
var unreached = map[string]string{}

// never lists what packages must not import: those below the first path, and the import paths they must
// not use.
var never = []rule{
	{"internal/diff", "go/ os os/ net net/ time syscall", "spectra are compared without building or reading anything"},
	{"internal/report", "go/ os os/ net net/ syscall", "reports are printed without building or reading anything"},
	{"internal/replay/generate", "os os/ net net/ time", "the same seed has the same sequences"},
	{"internal/replay/sequence", "os os/ net net/ time", "sequences are data"},
	{"cmd", "os/exec", "replay/gocommand and replay/sandbox alone start programs"},
	{"internal", "os/exec", "replay/gocommand and replay/sandbox alone start programs"},
}

// A rule forbids imports to a package and to those below it.
type rule struct{ packages, never, reason string }

// excepted lists packages to which a rule does not apply, with what they may import nevertheless.
var excepted = map[string]exception{
	"cmd/internal/lab":            {"os/exec", "it runs tests, git and the command, and is no part of the tool"},
	"cmd/internal/lab/faults":     {"os/exec", "it runs and kills the command, and is no part of the tool"},
	"internal/replay/gocommand":   {"os/exec", "it runs the go command"},
	"internal/replay/sandbox":     {"os/exec", "it starts what it confines"},
	"internal/spectra/moduletest": {"os/exec", "it fetches modules for tests"},
	"internal/diff/hybrid":        {"go/ os", "it writes declarations that others loaded, and reads their files"},
	"internal/diff/proof":         {"os", "it reads the lines of changed functions"},
	"internal/diff/judge":         {"os", "it writes raw spectra below a folder that the user names"},
	"internal/report/gotest":      {"go/", "it writes Go"},
	"internal/report/emit":        {"go/ os", "it writes test files, and runs them"},
	"internal/report/reporttest":  {"os", "it reads and writes golden files"},
}

// An exception allows imports that a rule forbids.
type exception struct{ imports, reason string }

// copied lists the packages that are compiled into the target, with everything that they may import. Each
// further line is a package of the standard library that runs among the target's own calls, and that
// can't import the runtime itself.
var copied = map[string]map[string]string{
	"internal/spectra/rt": {
		"iter":          "observers are called on a stack of their own",
		"reflect":       "values that the driver wants a digest of",
		"runtime":       "goroutines and callers; what is walked is kept alive",
		"runtime/debug": "memory that is gone, where the runtime is not patched",
		"slices":        "keys of maps that are compared, in a stated order",
		"strconv":       "numbers that are compared, as texts",
		"strings":       "the runtime's own frames among the callers; copies of texts",
		"syscall":       "the seed, before package os is there",
		"sync/atomic":   "threads of a target whose runtime is not patched: one probe is at work",
		"unsafe":        "what a probe was given is hidden from escape analysis; linknames",

		module + "/internal/spectra/rt/digest": "digests of states that are numbers and texts only",
		module + "/internal/spectra/rt/memory": "slots as numbers",
		module + "/internal/spectra/rt/names":  "its configuration is part of that of the runtime",
		module + "/internal/spectra/rt/state":  "the walk of a state",
		module + "/internal/spectra/rt/wire":   "how events are written",
	},
	"internal/spectra/rt/state": {
		"cmp":     "orders of keys and fields",
		"math":    "bits of floats, one NaN",
		"reflect": "types are compiled from it once; maps are walked by it",
		"runtime": "what is walked is kept alive; errors of observers",
		"slices":  "sorted keys",
		"strconv": "indexes in paths of values",
		"strings": "names of types, texts as keys",
		"sync":    "sync.Map is known by it",
		"unsafe":  "a walk reads memory, not values",

		module + "/internal/spectra/rt/digest": "what a state becomes",
		module + "/internal/spectra/rt/memory": "addresses, slots, descriptors of types, pages for marks",
		module + "/internal/spectra/rt/names":  "names of types, fields and functions",
		module + "/internal/spectra/rt/wire":   "how values are written",
	},
	"internal/spectra/rt/suite": {
		"bytes":         "readers of other bytes",
		"context":       "contexts that are cancelled",
		"errors":        "errors that stubs return, and what is not there",
		"flag":          "flags of package testing",
		"io":            "interfaces of package testing",
		"os":            "the folder of a test, standard output, files of corpora, and copies of files that tests read",
		"path/filepath": "files of corpora, names of files that tests read",
		"reflect":       "values of named types for holes",
		"regexp":        "durations are taken out of what tests print",
		"strconv":       "values in files of corpora",
		"sort":          "lines of examples in any order",
		"strings":       "what examples print",
		"sync":          "goroutines of a test read files at the same time",
		"syscall":       "descriptors of files with other contents; the environment, of which package os would tell",
		"testing":       "tests run by it",
		"time":          "interfaces of package testing",

		"internal/testlog": "what package os is asked for, in a target with an extended runtime",

		module + "/internal/spectra/rt":      "the end of the process is noted",
		module + "/internal/spectra/rt/wire": "how parts of a test are asked for",
	},
	"internal/spectra/rt/names": {
		"path":    "the folder of a function's file",
		"reflect": "types",
		"runtime": "names of functions",
		"strconv": "lengths of arrays",
		"strings": "names are cut",
	},
	"internal/spectra/rt/digest": {
		"math/bits": "rotations",
		"unsafe":    "where a text lies",

		module + "/internal/spectra/rt/memory": "addresses",
	},
	"internal/spectra/rt/memory": {
		"reflect": "types and their descriptors",
		"syscall": "pages outside of the heap",
		"unsafe":  "addresses become pointers",
	},
	"internal/spectra/rt/wire": {
		"errors":  "what a reader finds wrong",
		"math":    "bits of floats",
		"strconv": "the place of an error",
	},
	"internal/spectra/rt/driver": {
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
		"runtime/metrics":   "how much memory is in use",
		"slices":            "lists in a stated order",
		"sort":              "lists in a stated order",
		"strconv":           "texts of results",
		"strings":           "names of types",
		"syscall":           "descriptors, shared memory",
		"unsafe":            "where the runtime leaves that a bubble failed",

		module + "/internal/spectra/rt":        "the runtime whose events it sends",
		module + "/internal/spectra/rt/digest": "checks of frames, digests of files and texts",
		module + "/internal/spectra/rt/names":  "names of types in results",
		module + "/internal/spectra/rt/state":  "which slots are compared; what observers return",
		module + "/internal/spectra/rt/wire":   "how frames and sequences are written",
	},
}

// table parses a table of imports. It complains about packages that are in it twice.
func table(text string) (allowed map[string][]string, complaints []string) {
	allowed = map[string][]string{}
	name := ""
	for line := range strings.Lines(text) {
		list := line
		if before, after, found := strings.Cut(line, ":"); found {
			name, list = full(strings.TrimSpace(before)), after
			if _, twice := allowed[name]; twice {
				complaints = append(complaints, fmt.Sprintf("%s is in the table of imports twice", name))
			}
			allowed[name] = nil
		}
		for _, imported := range strings.Fields(list) {
			allowed[name] = append(allowed[name], full(imported))
		}
	}
	delete(allowed, "")
	return allowed, complaints
}

// full returns the folder of a package in the table.
func full(name string) string {
	if slices.ContainsFunc(floors, func(folder string) bool { return below("internal/"+name, folder) }) {
		return "internal/" + name
	}
	return name
}

// floors are the folders of packages, the lowest first.
var floors = []string{"internal/spectra", "internal/replay", "internal/diff", "internal/report", "cmd"}

// climbing complains about packages that may import one of a higher floor.
func climbing(text string) (complaints []string) {
	allowed, _ := table(text)
	floor := func(name string) int {
		return slices.IndexFunc(floors, func(folder string) bool { return below(name, folder) })
	}
	for _, name := range slices.Sorted(maps.Keys(allowed)) {
		for _, imported := range allowed[name] {
			if floor(imported) > floor(name) {
				const text = "%s may import %s, which is on a higher floor"
				complaints = append(complaints, fmt.Sprintf(text, name, imported))
			}
		}
	}
	return complaints
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
	used := func(name string) bool { return s.uses("time", name) }
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
func TestFloors(t *testing.T)                { require(t, climbing(imports)) }
func TestTableIsAcyclic(t *testing.T)        { require(t, cycles(imports)) }
func TestNobodyImportsCommands(t *testing.T) { require(t, commandsImported(sources(t))) }
func TestForbiddenImports(t *testing.T)      { require(t, forbidden(sources(t), never, excepted)) }

func TestImportsInTheTarget(t *testing.T) {
	require(t, copiedImports(sources(t), "internal/spectra/rt", copied))
}

func TestPackagesAreDescribed(t *testing.T) {
	document, err := os.ReadFile("docs/design.md")
	if err != nil {
		t.Fatal(err)
	}
	require(t, undescribed(imports, string(document)))
}
