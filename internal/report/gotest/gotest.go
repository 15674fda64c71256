// Package gotest writes the Go source of a test that makes the calls of a sequence. There are two kinds: a test that
// anyone can keep, and a probe that prints the values that the sequence made.
//
// In: a sequence, the operations and types of a version by the names that the sequence has, and the package of the
// test. Out: the source of a test file, gofmt-ed, without any dependency on this tool; or an error that names the part
// of the sequence that Go can't express there. A test asserts a Check: the way from a variable to a value, and the
// value that is wanted there. Checks come from the output of a probe (ReadShown).
//
// The same input has the same source. The package never builds or runs anything, and reads no files.
package gotest

import (
	"bytes"
	"fmt"
	"go/format"
	"go/types"
	"maps"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
)

// A Writer writes tests for one package of a version.
type Writer struct {
	Operations map[string]*api.Operation        // by the names that sequences have
	Types      map[string]types.Type            // by canonical names
	Known      func(path string) *types.Package // packages of the version by their paths
	Samples    []*types.Named                   // types of the driver, beside api.Samples
	Package    *types.Package                   // the test is a test of it
	Inside     bool                             // the test is in the package itself, and may use all its names
	Declared   map[string]bool                  // names that other test files of the same package declare
}

// A Test describes the test function that is to be written.
type Test struct {
	Name     string   // of the function, "TestPowUnchanged"
	Doc      string   // one line above the function
	Comment  []string // lines in it
	Sequence sequence.Sequence
	End      End
	Panic    string // the text of the panic that is wanted; EndPanics only
	Check    *Check // nil: that the sequence ends as End says is all
	Repeat   int    // how often the calls are made, where one time may be like the other; 0 = once
}

// Function returns the name of the function that is written: an example, where the check is of what the calls print.
func (t *Test) Function() string {
	name, _ := strings.CutPrefix(t.Name, "Test")
	if first, size := utf8.DecodeRuneInString(name); t.prints() {
		return "Example_" + string(unicode.ToLower(first)) + name[size:]
	}
	return t.Name
}

// prints reports whether the check is of what the calls print.
func (t *Test) prints() bool { return t.Check != nil && t.Check.Of == printedOf }

// End is how the calls of a test must end.
type End uint8

// The ends.
const (
	EndReturns End = iota // all return
	EndPanics             // the last one panics
	EndInTime             // all return, and soon
)

// Write returns the source of a test.
func (w *Writer) Write(t Test) ([]byte, error) {
	f := w.newFile(t.Name)
	f.looksAt = func(id string) bool { return t.Check != nil && t.Check.Of == id }
	body, err := f.body(t.Sequence)
	if err != nil {
		return nil, err
	}
	text, err := f.test(t, body)
	if err != nil {
		return nil, err
	}
	return f.source(text + f.implementations())
}

// Probe returns the source of a test that prints the content of each variable of a sequence, and of package variables
// of Package. ReadShown reads it. It needs the file that Shower returns in the same package.
func (w *Writer) Probe(name string, q sequence.Sequence, variables []string) ([]byte, error) {
	f := w.newFile(name)
	f.looksAt = func(string) bool { return true }
	body, err := f.body(q)
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "func %s(t *%s.T) {\n", name, f.imported("testing", "testing"))
	fmt.Fprintf(&b, "returned := false\ndefer %s(&returned)\n%s()\n", doneFunction, captureFunction)
	b.WriteString(f.declarations() + body.text(body.variables...))
	for _, v := range body.variables {
		fmt.Fprintf(&b, "%s(%q, &%s)\n", showFunction, v.id, v.name)
	}
	for _, v := range variables {
		fmt.Fprintf(&b, "%s(%q, &%s)\n", showFunction, v, f.qualified(w.Package, v))
	}
	fmt.Fprintf(&b, "%s()\nreturned = true\n}\n", printedFunction)
	return f.source(b.String() + f.implementations())
}

// Clause returns the package clause of a test file.
func (w *Writer) Clause() string {
	if w.Inside {
		return w.Package.Name()
	}
	return w.Package.Name() + "_test"
}

// A file is a test file that is being written.
type file struct {
	*Writer
	imports map[string]string    // path → name
	taken   map[string]bool      // names that no variable may have
	own     string               // the name of the package under test, where it is imported: no variable takes it
	looksAt func(id string) bool // whether the test looks at what a call was handed
	samples []sample             // types of the driver that a test has to declare where it needs them
	local   []string             // names of those that this one declares, in the order in which they were first needed
	hoisted []string             // statements that must stand before the one that is being written
}

// newFile begins the file of a test with a name.
func (w *Writer) newFile(name string) *file {
	f := &file{Writer: w, imports: map[string]string{}, taken: map[string]bool{"t": true, "got": true, "want": true}}
	for _, name := range types.Universe.Names() {
		f.taken[name] = true
	}
	maps.Copy(f.taken, w.Declared)
	if w.Inside {
		for _, name := range w.Package.Scope().Names() {
			f.taken[name] = true
		}
	} else {
		f.own = f.fresh(w.Package.Name())
	}
	for _, t := range slices.Concat(api.Samples(), w.Samples) {
		f.samples = append(f.samples, newSample(t, name))
	}
	return f
}

// imported returns the name under which the file has a package.
func (f *file) imported(path, name string) string {
	if known, ok := f.imports[path]; ok {
		return known
	}
	if f.imports[path] = f.own; f.own == "" || path != f.Package.Path() {
		f.imports[path] = f.fresh(name)
	}
	return f.imports[path]
}

// qualified returns how the file writes a name that a package declares.
func (f *file) qualified(p *types.Package, name string) string {
	if q := f.qualifier(p); q != "" {
		return q + "." + name
	}
	return name
}

// qualifier implements types.Qualifier.
func (f *file) qualifier(p *types.Package) string {
	if f.Inside && p.Path() == f.Package.Path() || p == api.SamplePackage {
		return ""
	}
	return f.imported(p.Path(), p.Name())
}

// source returns the file, formatted.
func (f *file) source(functions string) ([]byte, error) {
	var b bytes.Buffer
	fmt.Fprintf(&b, "package %s\n\n", f.Clause())
	switch {
	case len(f.imports) > 1:
		b.WriteString("import (\n")
	case len(f.imports) == 1:
		b.WriteString("import ")
	}
	var own []string
	for _, path := range slices.Sorted(maps.Keys(f.imports)) {
		line := strconv.Quote(path)
		if name := f.imports[path]; path != name && !strings.HasSuffix(path, "/"+name) {
			line = name + " " + line
		}
		if first, _, _ := strings.Cut(path, "/"); strings.Contains(first, ".") || path == f.Package.Path() {
			own = append(own, line)
			continue
		}
		fmt.Fprintln(&b, line)
	}
	if len(own) > 0 {
		fmt.Fprintf(&b, "\n%s\n", strings.Join(own, "\n"))
	}
	if len(f.imports) > 1 {
		b.WriteString(")\n")
	}
	fmt.Fprintf(&b, "\n%s", functions)
	text, err := format.Source(b.Bytes())
	if err != nil {
		return nil, fmt.Errorf("format the test: %w", err)
	}
	return text, nil
}

// test returns the test function.
func (f *file) test(t Test, b *body) (string, error) {
	if t.prints() {
		return f.example(t, b), nil
	}
	var check string
	var observed []*variable
	if t.Check != nil {
		var err error
		if check, observed, err = b.check(t.Check); err != nil {
			return "", err
		}
	}
	text := b.text(observed...)
	switch t.End {
	case EndPanics:
		text = f.wantsPanic(t.Panic) + text
	case EndInTime:
		text = f.inTime(text)
	}
	if t.Repeat > 1 {
		check = strings.NewReplacer("t.Error(", "t.Fatal(", "t.Errorf(", "t.Fatalf(").Replace(check)
	}
	text += check
	if t.Repeat > 1 {
		text = fmt.Sprintf("for i := 0; i < %d; i++ {\n%s}\n", t.Repeat, text)
	}
	return fmt.Sprintf("// %s\nfunc %s(t *%s.T) {\n%s%s%s}\n",
		t.Doc, t.Name, f.imported("testing", "testing"), comment(t.Comment), f.declarations(), text), nil
}

// example returns an example that checks what the calls print.
func (f *file) example(t Test, b *body) string {
	var output strings.Builder
	for line := range strings.Lines(strings.TrimSpace(t.Check.Want)) {
		output.WriteString("\t// " + strings.TrimRight(line, "\n") + "\n")
	}
	return fmt.Sprintf("// %s\nfunc %s() {\n%s%s%s\n\t// Output:\n%s}\n",
		t.Doc, t.Function(), comment(t.Comment), f.declarations(), b.text(), output.String())
}

// comment returns a comment within a function. It is indented, because one that is not would be formatted as the text
// of a declaration.
func comment(lines []string) string {
	var b strings.Builder
	for _, line := range lines {
		b.WriteString(strings.TrimRight("\t// "+line, " ") + "\n")
	}
	return b.String()
}

// wantsPanic returns the statement that fails unless the calls behind it panic.
func (f *file) wantsPanic(text string) string {
	if text == "" {
		return "defer func() {\nif recover() == nil {\nt.Error(\"no panic\")\n}\n}()\n"
	}
	return fmt.Sprintf("defer func() {\nif got, want := %s.Sprint(recover()), %s; got != want {\n"+
		"t.Errorf(\"panic %%q, want %%q\", got, want)\n}\n}()\n", f.imported("fmt", "fmt"), quoted(text))
}

// inTime returns statements that fail if others do not end.
func (f *file) inTime(text string) string {
	const seconds = 10
	time := f.imported("time", "time")
	return fmt.Sprintf("done := make(chan struct{})\ngo func() {\ndefer close(done)\n%s}()\nselect {\n"+
		"case <-done:\ncase <-%s.After(%d * %s.Second):\nt.Fatal(\"still running after %[3]d seconds\")\n}\n",
		text, time, seconds, time)
}
