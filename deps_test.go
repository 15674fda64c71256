package spectradiff_test

// This file checks what the compiler does not: which package may import which, what may be
// imported from outside, how long functions and files may get, and which names are not used.

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const module = "github.com/spectradiff/spectradiff"

// imports is the table of part 2 of docs/design.md: a package, then those of ours that it may
// import. A package that is not in it fails the test. Packages named …test help tests of more than
// one package; no line lists them, so only tests import them.
const imports = `
	spectra/rt:
	spectra/rt/driver:        spectra/rt
	spectra:                  spectra/rt
	spectra/archive:          spectra
	spectra/symbol:           spectra
	spectra/instrument:       spectra

	replay/version:           spectra
	replay/load:              spectra spectra/symbol
	replay/load/loadtest:     spectra/symbol replay/load
	replay/api:               spectra spectra/symbol replay/load
	replay/harness:           replay/load replay/api
	replay/build:             spectra
	replay/sequence:          spectra spectra/rt
	replay/generate:          spectra/symbol replay/api replay/sequence
	replay/sandbox:
	replay:                   spectra spectra/rt replay/build replay/sequence replay/sandbox

	diff/align:
	diff/noise:               spectra
	diff:                     spectra spectra/rt diff/align diff/noise
	diff/root:                spectra diff diff/noise
	diff/match:               spectra spectra/symbol
	diff/match/matchtest:     diff/match
	diff/points:              spectra diff/match
	diff/observe:             spectra spectra/symbol diff/match
	diff/difftest:            spectra spectra/rt diff

	report:                   spectra diff diff/root
	report/text:              report
	report/json:              report

	cmd/internal/env:         spectra replay replay/sandbox replay/sequence
	cmd/internal/keep:        spectra spectra/archive replay replay/sequence
	cmd/internal/project:     spectra
	cmd/internal/judge:       spectra spectra/archive replay replay/sequence diff diff/noise diff/root cmd/internal/env cmd/internal/keep
	cmd/internal/pipeline:    spectra spectra/archive spectra/symbol spectra/instrument replay replay/version replay/load replay/api replay/harness replay/build replay/sequence replay/generate diff diff/match diff/points diff/observe diff/noise diff/root report cmd/internal/env cmd/internal/keep cmd/internal/project cmd/internal/judge
	cmd/spectradiff:          cmd/internal/pipeline cmd/internal/project replay/sandbox report report/text report/json
`

// standard says what else may not be imported: packages that start with the first word, and paths
// of the standard library or outside that none of them uses.
var standard = []struct {
	packages, never string
	reason          string
}{
	{"diff", "go/ os os/ net net/ time syscall", "saved spectra are compared without building, running or reading anything"},
	{"report", "go/ os os/ net net/ syscall", "saved reports are printed without building, running or reading anything"},
	{"spectra/rt", "fmt os os/ net net/ time testing log", "the target must not be disturbed"},
	{"replay/generate", "os os/ net net/ time", "the same seed gives the same sequences"},
	{"replay/sequence", "os os/ net net/ time", "sequences are data"},
}

// except lists imports that a rule above does not mean.
var except = map[string]string{
	"diff/match":           "go/",             // it compares declarations that others have loaded, and loads nothing
	"diff/observe":         "go/",             // likewise
	"diff/match/matchtest": "go/",             // it type-checks the versions of a test's text
	"spectra/rt/driver":    "fmt os os/ time", // the driver program around the target, not the runtime inside of it
}

// A source is one parsed file.
type source struct {
	name    string // slash-separated, relative to the root
	folder  string // its package: "" for the root
	test    bool
	file    *ast.File
	fileSet *token.FileSet
}

func sources(t *testing.T) []source {
	t.Helper()
	var all []source
	err := filepath.WalkDir(".", func(name string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && name != "." && (entry.Name() == "testdata" || entry.Name()[0] == '.' || entry.Name()[0] == '_') {
			return filepath.SkipDir
		}
		if entry.IsDir() || !strings.HasSuffix(name, ".go") {
			return nil
		}
		fileSet := token.NewFileSet()
		file, err := parser.ParseFile(fileSet, name, nil, parser.ParseComments)
		if err != nil {
			return err
		}
		name = filepath.ToSlash(name)
		all = append(all, source{name, path.Dir(name), strings.HasSuffix(name, "_test.go"), file, fileSet})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if len(all) < 20 {
		t.Fatalf("only %d source files were found: the test does not run at the root", len(all))
	}
	return all
}

// importsOf gives the import paths of a file.
func (s source) importsOf() []string {
	var all []string
	for _, spec := range s.file.Imports {
		all = append(all, strings.Trim(spec.Path.Value, "\"`"))
	}
	return all
}

// table parses imports.
func table(t *testing.T) map[string][]string {
	t.Helper()
	allowed := map[string][]string{}
	for line := range strings.Lines(imports) {
		name, list, found := strings.Cut(strings.TrimSpace(line), ":")
		if !found {
			continue
		}
		if _, twice := allowed[name]; twice {
			t.Errorf("%s is in the table twice", name)
		}
		allowed[name] = strings.Fields(list)
	}
	return allowed
}

func TestImportGraph(t *testing.T) {
	allowed := table(t)
	seen := map[string]bool{}
	for _, source := range sources(t) {
		if source.folder == "." || source.test {
			continue
		}
		list, known := allowed[source.folder]
		if !known && !seen[source.folder] {
			t.Errorf("%s is not in the table of imports: say there what it may import", source.folder)
		}
		seen[source.folder] = true
		for _, imported := range source.importsOf() {
			if ours, found := strings.CutPrefix(imported, module+"/"); found && !slices.Contains(list, ours) {
				t.Errorf("%s: %s may not import %s", source.name, source.folder, ours)
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(allowed)) {
		if !seen[name] {
			t.Errorf("%s is in the table of imports and does not exist", name)
		}
	}
}

// TestTableIsAcyclic: the order of the table's lines needs no reading; a cycle is an error.
func TestTableIsAcyclic(t *testing.T) {
	allowed := table(t)
	state := map[string]int{} // 1 = being visited, 2 = done
	var visit func(name string, way []string)
	visit = func(name string, way []string) {
		switch state[name] {
		case 1:
			t.Errorf("cycle: %s", strings.Join(append(way, name), " → "))
		case 0:
			state[name] = 1
			for _, imported := range allowed[name] {
				if _, known := allowed[imported]; !known {
					t.Errorf("%s may import %s, which is not in the table", name, imported)
				}
				visit(imported, append(way, name))
			}
			state[name] = 2
		}
	}
	for _, name := range slices.Sorted(maps.Keys(allowed)) {
		visit(name, nil)
	}
}

// TestNobodyImportsCommands holds for tests as well.
func TestNobodyImportsCommands(t *testing.T) {
	for _, source := range sources(t) {
		for _, imported := range source.importsOf() {
			if strings.HasPrefix(imported, module+"/cmd/") && !strings.HasPrefix(source.folder, "cmd/") {
				t.Errorf("%s imports %s from outside of cmd", source.name, imported)
			}
		}
	}
}

// TestRuntimeNeedsOnlyTheStandardLibrary: it is compiled into the target as one of its packages.
func TestRuntimeNeedsOnlyTheStandardLibrary(t *testing.T) {
	files := 0
	for _, source := range sources(t) {
		if source.test || source.folder != "spectra/rt" && !strings.HasPrefix(source.folder, "spectra/rt/") {
			continue
		}
		files++
		for _, imported := range source.importsOf() {
			first, _, _ := strings.Cut(imported, "/")
			if strings.Contains(first, ".") && imported != module+"/spectra/rt" {
				t.Errorf("%s imports %s", source.name, imported)
			}
		}
	}
	if files == 0 {
		t.Error("no files of spectra/rt were found")
	}
}

func TestStandardLibrary(t *testing.T) {
	for _, source := range sources(t) {
		if source.test {
			continue
		}
		for _, rule := range standard {
			if source.folder != rule.packages && !strings.HasPrefix(source.folder, rule.packages+"/") {
				continue
			}
			for _, imported := range source.importsOf() {
				if oneOf(imported, rule.never) && !oneOf(imported, except[source.folder]) && !durations(source, imported) {
					t.Errorf("%s imports %s: %s", source.name, imported, rule.reason)
				}
			}
		}
	}
}

// oneOf says whether an import path is in a list; an entry that ends with a slash means all below.
func oneOf(imported, list string) bool {
	return slices.ContainsFunc(strings.Fields(list), func(entry string) bool {
		return imported == entry || strings.HasSuffix(entry, "/") && strings.HasPrefix(imported, entry)
	})
}

// durations says whether a file imports time and takes no more than durations from it.
func durations(s source, imported string) bool {
	if imported != "time" {
		return false
	}
	only := true
	ast.Inspect(s.file, func(node ast.Node) bool {
		if selector, ok := node.(*ast.SelectorExpr); ok {
			if name, ok := selector.X.(*ast.Ident); ok && name.Name == "time" {
				only = only && !slices.Contains([]string{"Now", "Since", "Until", "Sleep", "After", "Tick", "NewTimer", "NewTicker"}, selector.Sel.Name)
			}
		}
		return true
	})
	return only
}

// TestOnlyCommandsExit: below main, errors are returned.
func TestOnlyCommandsExit(t *testing.T) {
	for _, source := range sources(t) {
		if source.test || strings.HasPrefix(source.folder, "cmd/") {
			continue
		}
		ast.Inspect(source.file, func(node ast.Node) bool {
			selector, ok := node.(*ast.SelectorExpr)
			if !ok {
				return true
			}
			name, ok := selector.X.(*ast.Ident)
			if !ok {
				return true
			}
			call := name.Name + "." + selector.Sel.Name
			if strings.HasPrefix(call, "log.Fatal") || call == "os.Exit" && !exits[source.folder] {
				t.Errorf("%s: %s outside of cmd", source.fileSet.Position(node.Pos()), call)
			}
			return true
		})
	}
}

// exits lists the packages that are programs themselves, though not commands.
var exits = map[string]bool{
	"replay/sandbox":    true, // Child is another process
	"spectra/rt/driver": true, // runs in the target's process
}

const (
	maxFunction = 80
	maxFile     = 500
)

func TestSizes(t *testing.T) {
	for _, source := range sources(t) {
		if source.test {
			continue
		}
		line := func(pos token.Pos) int { return source.fileSet.Position(pos).Line }
		if lines := line(source.file.FileEnd); lines > maxFile {
			t.Errorf("%s has %d lines, at most %d are allowed: split it by what it does", source.name, lines, maxFile)
		}
		for _, declaration := range source.file.Decls {
			function, ok := declaration.(*ast.FuncDecl)
			if !ok {
				continue
			}
			if lines := line(function.End()) - line(function.Pos()) + 1; lines > maxFunction {
				t.Errorf("%s: %s has %d lines, at most %d are allowed", source.name, function.Name.Name, lines, maxFunction)
			}
		}
	}
}

// TestPackageNames: a package is named after what it gives, and its comment is its contract.
func TestPackageNames(t *testing.T) {
	banned := []string{"util", "utils", "common", "helper", "helpers", "misc", "pkg", "base", "shared", "types"}
	commented := map[string]bool{}
	for _, source := range sources(t) {
		if source.test {
			continue
		}
		for _, element := range strings.Split(source.folder, "/") {
			if slices.Contains(banned, element) || element == "internal" && !strings.HasPrefix(source.folder, "cmd/internal/") {
				t.Errorf("%s: no package is called %s", source.name, element)
			}
		}
		commented[source.folder] = commented[source.folder] || source.file.Doc != nil && len(source.file.Doc.List) >= 4
	}
	for _, folder := range slices.Sorted(maps.Keys(commented)) {
		if !commented[folder] {
			t.Errorf("%s has no package comment that says what goes in, what comes out and what always holds", folder)
		}
	}
}

// TestNothingLeftOver: no notes to self, neither in code nor in comments.
func TestNothingLeftOver(t *testing.T) {
	notes := []string{"TO" + "DO", "FIX" + "ME", "XX" + "X:"}
	for _, source := range sources(t) {
		for _, group := range source.file.Comments {
			for _, note := range notes {
				if strings.Contains(group.Text(), note) {
					t.Errorf("%s: comment with %s", source.fileSet.Position(group.Pos()), note)
				}
			}
		}
	}
}
