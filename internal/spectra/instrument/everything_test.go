package instrument

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/internal/spectra/moduletest"
	"github.com/spectradiff/spectradiff/internal/spectra/static"
	"github.com/spectradiff/spectradiff/internal/spectra/static/variables"
)

// A corpus is a module, or a set of packages of the standard library. Its reason is what is hard to
// instrument in it.
type corpus struct {
	reason  string
	module  string // with version; "": standard library
	pattern string
	skip    string // tests that can't pass with probes; the reason is in allowed
	allowed string
}

const allocation = "counts allocations or inlined calls, which any probe changes"

var shortCorpora = []corpus{
	{reason: "data structures", pattern: "container/..."},
	{reason: "state machines, columns", pattern: "text/tabwriter text/scanner"},
	{reason: "lots of branches", pattern: "encoding/csv path"},
}

var longCorpora = []corpus{
	{reason: "the standard library's pure packages",
		skip: "TestNewBufferShallow|TestNewIntAllocs|TestAllocationsDecode", allowed: allocation,
		pattern: "archive/... bufio bytes compress/... container/... database/sql encoding/... errors expvar flag " +
			"fmt go/ast go/build/constraint go/constant go/doc/... go/format go/parser go/printer go/scanner " +
			"go/token go/types hash/... html/... image/... index/suffixarray log/... maps math/big math/cmplx " +
			"math/rand mime/... net/mail net/textproto net/url path path/filepath regexp/... slices sort strconv " +
			"strings text/... unicode/utf16"},
	{reason: "reflection over all kinds", module: "github.com/BurntSushi/toml@v1.6.0"},
	{reason: "closures in structs, os.Exit", module: "github.com/spf13/cobra@v1.10.2", skip: "TestFailGen",
		allowed: "it wants a file that can not be written, and panics when run as root"},
	{reason: "interfaces and contexts", module: "github.com/gorilla/mux@v1.8.1"},
	{reason: "generics with free lists", module: "github.com/google/btree@v1.1.3"},
	{reason: "finds callers by runtime.Callers", module: "github.com/stretchr/testify@v1.12.1"},
	{reason: "a translated C state machine with goto and labels", module: "gopkg.in/yaml.v3@v3.0.1"},
	{reason: "unsafe strings, huge functions", module: "github.com/tidwall/gjson@v1.20.0"},
	{reason: "goroutines and timers", module: "github.com/robfig/cron/v3@v3.0.1"},
	{reason: "generics throughout", module: "github.com/samber/lo@v1.53.0"},
	{reason: "large tables, generated code", module: "golang.org/x/text@v0.43.0"},
	{reason: "atomics and interfaces", module: "github.com/prometheus/client_golang@v1.25.0"},
	{reason: "unexported fields by unsafe, caller names", module: "github.com/google/go-cmp@v0.7.0"},
	{reason: "main packages and scripts", module: "github.com/rogpeppe/go-internal@v1.16.0"},
	{reason: "parsers and errors with positions", module: "golang.org/x/mod@v0.42.0"},
}

func TestEverything(t *testing.T) {
	list := shortCorpora
	if os.Getenv("SPECTRADIFF_LONG") != "" {
		list = longCorpora
	}
	only := regexp.MustCompile(os.Getenv("SPECTRADIFF_ONLY"))
	for _, c := range list {
		name := c.module + c.pattern
		if len(name) > 40 {
			name = name[:40]
		}
		if only.MatchString(name) {
			t.Run(name, func(t *testing.T) { c.test(t) })
		}
	}
}

func (c corpus) test(t *testing.T) {
	dir, patterns := filepath.Join(moduletest.GOROOT(t), "src"), strings.Fields(c.pattern)
	if c.module != "" {
		dir, patterns = moduletest.Checkout(t, c.module), []string{"./..."}
	}
	pkgs := moduletest.Load(t, dir, patterns...)
	pkgs = slices.DeleteFunc(pkgs, func(p *packages.Package) bool { return len(p.Errors) > 0 })
	list := instrumentAll(t, dir, pkgs)
	checkSources(t, pkgs, list)
	touches, err := variables.Variables(static.New(pkgs, nil))
	if err != nil {
		t.Fatal(err)
	}
	points, skipped := 0, 0
	for _, p := range list {
		for _, point := range p.Points {
			if _, ok := touches[point.Symbol]; !ok {
				t.Errorf("%s is not analysed", point.Symbol)
			}
		}
		points += len(p.Points)
		skipped += len(p.Skipped)
	}
	t.Logf("%s: %d packages, %d points, %d skipped", c.reason, len(list), points, skipped)
	if points == 0 {
		t.Fatal("nothing was instrumented")
	}
	for _, record := range []bool{false, true} {
		c.suite(t, dir, list, record)
	}
}

// suite runs the tests of all packages. A package that fails must fail without probes too.
func (c corpus) suite(t *testing.T, dir string, list []*Package, record bool) {
	args := []string{"test", "-vet=off", "-short", "-timeout=5m"}
	if c.skip != "" {
		args = append(args, "-skip="+c.skip)
	}
	var paths []string
	for _, p := range list {
		if p.Name != mainName { // the tests of a main package belong to a package that can't be imported
			paths = append(paths, p.Path)
		}
	}
	over := "-overlay=" + overlay(t, list, record, nil)
	build, text, err := moduletest.Try(dir, nil, "go", slices.Concat([]string{"build", over}, allPaths(list))...)
	if err != nil {
		t.Fatalf("recording %t: build: %v\n%s%s", record, err, build, text)
	}
	out, text, err := moduletest.Try(dir, nil, "go", slices.Concat(args, []string{over}, paths)...)
	t.Logf("recording %t: %d suites passed", record, strings.Count("\n"+out, "\nok "))
	if err == nil {
		return
	}
	for _, path := range failures(out, "FAIL") {
		again, text, _ := moduletest.Try(dir, nil, "go", slices.Concat(args, []string{over, path})...)
		plain, _, _ := moduletest.Try(dir, nil, "go", slices.Concat(args, []string{path})...)
		if fails := failures(plain, "--- FAIL:"); len(fails) > 0 {
			t.Logf("%s without probes: %v fail", path, fails)
		}
		for _, name := range failures(again, "--- FAIL:") {
			if !slices.Contains(failures(plain, "--- FAIL:"), name) {
				t.Errorf("recording %t: %s: %s fails\n%s%s", record, path, name, again, text)
			}
		}
		if len(failures(again, "FAIL")) > 0 && len(failures(plain, "FAIL")) == 0 {
			t.Errorf("recording %t: %s fails\n%s%s", record, path, again, text)
		}
	}
	if len(failures(out, "FAIL")) == 0 {
		t.Errorf("recording %t: %v\n%s%s", record, err, out, text)
	}
}

func allPaths(list []*Package) []string {
	var paths []string
	for _, p := range list {
		paths = append(paths, p.Path)
	}
	return paths
}

// failures lists what the go command reports as failed: packages, or tests if the mark is "--- FAIL:".
func failures(out, mark string) []string {
	var list []string
	for line := range strings.Lines(out) {
		rest, ok := strings.CutPrefix(strings.TrimSpace(line), mark)
		if words := strings.Fields(rest); ok && len(words) > 0 {
			list = append(list, words[0])
		}
	}
	return list
}
