package emit

import (
	"bytes"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"golang.org/x/tools/go/packages"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/spectra"
	"github.com/spectradiff/spectradiff/internal/spectra/symbol"
)

// signature stands in every file that this package wrote.
const signature = "Written by spectradiff"

// A testFile is a test that was seen to pass on old and to fail on new.
type testFile struct {
	folder string // of its package, in the module
	name   string
	source []byte
}

// save writes the file below a folder, and returns its path.
func (f *testFile) save(below string) (string, error) {
	dir := filepath.Join(below, filepath.FromSlash(f.folder))
	if err := os.MkdirAll(dir, 0o777); err != nil {
		return "", err
	}
	path := filepath.Join(dir, f.name)
	for i := 2; ; i++ {
		switch taken, err := ofUser(path); {
		case err != nil:
			return "", err
		case !taken:
			return path, os.WriteFile(path, f.source, 0o666)
		}
		path = filepath.Join(dir, strings.TrimSuffix(f.name, "_test.go")+"_"+strconv.Itoa(i)+"_test.go")
	}
}

// ofUser reports whether there is a file that this package did not write.
func ofUser(path string) (bool, error) {
	content, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) {
		return false, nil
	}
	return err == nil && !bytes.Contains(content, []byte(signature)), err
}

// folder returns the folder of a package in the module, with slashes.
func (w *worker) folder(path string) string {
	return strings.TrimPrefix(strings.TrimPrefix(path, w.Loaded.Old.Module), "/")
}

// packageIn returns a package of old in one of the versions, nil if it has none.
func (w *worker) packageIn(s spectra.Side, path string) *packages.Package {
	v := *w.Loaded.Of(s)
	return v.Package(symbol.Rebase(path, w.Loaded.Old.Module, v.Module))
}

// declared returns the names of functions that the tests of a package declare in both versions, but for those of this
// package.
func (w *worker) declared(path string) map[string]bool {
	names := map[string]bool{}
	w.eachTestFile(path, func(file *ast.File) {
		for _, d := range file.Decls {
			if f, ok := d.(*ast.FuncDecl); ok && f.Recv == nil {
				names[f.Name.Name] = true
			}
		}
	})
	return names
}

// declaredIn returns all names that test files with a package clause declare in both versions, but for those of this
// package.
func (w *worker) declaredIn(path, clause string) map[string]bool {
	names := map[string]bool{}
	w.eachTestFile(path, func(file *ast.File) {
		if file.Name.Name != clause {
			return
		}
		for _, d := range file.Decls {
			for _, id := range namesOf(d) {
				names[id.Name] = true
			}
		}
	})
	return names
}

// namesOf returns the names that a declaration declares in its package.
func namesOf(d ast.Decl) (list []*ast.Ident) {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			list = append(list, d.Name)
		}
	case *ast.GenDecl:
		for _, spec := range d.Specs {
			switch spec := spec.(type) {
			case *ast.ValueSpec:
				list = append(list, spec.Names...)
			case *ast.TypeSpec:
				list = append(list, spec.Name)
			}
		}
	}
	return list
}

// eachTestFile visits the test files of a package in both versions, but for those of this package.
func (w *worker) eachTestFile(path string, visit func(*ast.File)) {
	for _, s := range spectra.Sides() {
		p := w.packageIn(s, path)
		if p == nil {
			continue
		}
		for _, name := range api.TestFiles(p.Dir) {
			file, _ := parser.ParseFile(token.NewFileSet(), name, nil, parser.ParseComments|parser.SkipObjectResolution)
			if users, err := ofUser(name); file != nil && users && err == nil {
				visit(file)
			}
		}
	}
}

// insideStyle reports whether most tests of a package stand in the package itself.
func (w *worker) insideStyle(path string) bool {
	inside, outside := 0, 0
	for _, name := range api.TestFiles(w.Loaded.Old.Package(path).Dir) {
		file, _ := parser.ParseFile(token.NewFileSet(), name, nil, parser.PackageClauseOnly)
		switch {
		case file == nil:
		case strings.HasSuffix(file.Name.Name, "_test"):
			outside++
		default:
			inside++
		}
	}
	return inside > outside
}

// testNames returns a name for the test of each root, which no other test of its package has.
func (w *worker) testNames(roots []root) []string {
	taken := map[string]map[string]bool{}
	var names []string
	for _, r := range roots {
		home, err := w.home(r)
		if err == nil && taken[home] == nil {
			taken[home] = w.declared(home)
		}
		base := "Test" + capitalised(w.shown(r).Short()) + "Unchanged"
		name := base
		for i := 2; taken[home][name]; i++ {
			name = base + strconv.Itoa(i)
		}
		if err == nil {
			taken[home][name] = true
		}
		names = append(names, name)
	}
	return names
}

// shown returns what the test of a root is called after: what changed, or what is called last where that is no
// declaration of the module.
func (w *worker) shown(r root) spectra.Symbol {
	if w.Loaded.New.OwnsPath(r.symbol.Package()) {
		return r.symbol
	}
	for _, st := range slices.Backward(r.sequence.Statements) {
		if op := w.operations[st.Op]; op != nil {
			return op.Symbol
		}
	}
	return r.symbol
}

// capitalised returns a symbol as part of a test's name: "(*Decimal).pow" as "DecimalPow".
func capitalised(short string) string {
	var b strings.Builder
	start := true
	for _, r := range short {
		switch {
		case !unicode.IsLetter(r) && !unicode.IsDigit(r):
			start = true
		case start:
			b.WriteRune(unicode.ToUpper(r))
			start = false
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// fileName returns the name of the file of a test: "TestDecimalPowUnchanged" stands in
// "decimal_pow_unchanged_test.go".
func fileName(test string) string {
	name := []rune(strings.TrimPrefix(test, "Test"))
	var b strings.Builder
	for i, r := range name {
		begins := i > 0 && (!unicode.IsUpper(name[i-1]) || i+1 < len(name) && unicode.IsLower(name[i+1]))
		if unicode.IsUpper(r) && begins {
			b.WriteByte('_')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return b.String() + "_test.go"
}

// doc returns the line above the test.
func (a *attempt) doc(name string) string {
	return fmt.Sprintf("%s passes on %s and fails on %s. %s.", name, a.Revision.Old, a.Revision.New, signature)
}

// comment returns the comment of the test: the deviation that it shows.
func (a *attempt) comment() []string {
	return wrapped(strings.TrimSuffix(a.root.summary, ".")+".", 100)
}

// wrapped divides a text into lines.
func wrapped(text string, width int) (lines []string) {
	line := ""
	for _, word := range strings.Fields(text) {
		if line != "" && len(line)+1+len(word) > width {
			lines, line = append(lines, line), ""
		}
		line = strings.TrimSpace(line + " " + word)
	}
	return append(lines, line)
}
