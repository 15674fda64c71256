package suite

import (
	"go/types"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/spectradiff/spectradiff/internal/replay/api"
	"github.com/spectradiff/spectradiff/internal/replay/sequence"
	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// What comes from outside is a hole as well: the contents of files that are opened for reading, and variables of the
// environment that are asked for. A run of the test tells which there are, and their usual values.
const (
	mostFiles     = 8        // of one test
	mostContents  = 24 << 10 // bytes of all of them
	mostVariables = 8
)

// Inputs returns the call that prints what comes from outside, and computed texts.
func (t *Test) Inputs() sequence.Statement {
	st := t.Call()
	inputs := asked(wire.ListInputs, sequence.Value{Kind: sequence.Bool, Text: "true"})
	st.Args[0].Elems = append(st.Args[0].Elems, inputs...)
	return st
}

// WithInputs returns the test with holes for what such calls printed, the one on old first.
func (t *Test) WithInputs(printed ...string) Test {
	of := *t
	of.Holes = slices.Clone(t.Holes)
	r := reader{test: &of, seen: map[int]bool{}}
	for _, text := range printed {
		list, _, _ := strings.Cut(text, wire.EndOfParts)
		for line := range strings.Lines(list) {
			r.line(strings.TrimSuffix(line, "\n"))
		}
	}
	return of
}

// A reader adds holes for printed inputs to a test.
type reader struct {
	test                       *Test
	seen                       map[int]bool // numbers of holes that it added
	files, contents, variables int
}

// line adds a hole for the input that a line tells of. What else a test prints is none.
func (r *reader) line(line string) {
	if len(line) < 2 || line[1] != ' ' {
		return
	}
	quoted, err := strconv.QuotedPrefix(line[2:])
	if err != nil {
		return
	}
	name, err1 := strconv.Unquote(quoted)
	value, err2 := strconv.Unquote(strings.TrimPrefix(line[2+len(quoted):], " "))
	if err1 != nil || err2 != nil {
		return
	}
	switch kind := wire.Input(line[0]); kind {
	case wire.InputFile:
		r.file(name, value)
	case wire.InputSet:
		r.variable(name, value)
	case wire.InputUnset:
		r.unset(name, value == "true")
	}
}

// add adds a hole, unless it is there.
func (r *reader) add(kind wire.Input, name string, h Hole) {
	h.Number = wire.Outside(kind, name)
	if !r.seen[h.Number] {
		r.seen[h.Number] = true
		r.test.Holes = append(r.test.Holes, h)
		r.test.inputs++
	}
}

// file adds the content of a file, unless it only says what the test expects, or a literal of the test says it.
func (r *reader) file(name, content string) {
	said := func(h Hole) bool { return content != "" && h.Usual.Kind == sequence.String && h.Usual.Text == content }
	if r.files == mostFiles || r.contents+len(content) > mostContents || expected(name) ||
		slices.ContainsFunc(r.test.Holes, said) {
		return
	}
	r.files, r.contents = r.files+1, r.contents+len(content)
	r.add(wire.InputFile, name, Hole{
		Type: types.Typ[types.String], Usual: sequence.Value{Kind: sequence.String, Text: content}, Place: "file " + name,
	})
}

// expected reports whether a file is named as what tests compare with.
func expected(name string) bool {
	base := strings.ToLower(path.Base(name))
	return expectation(base) || slices.ContainsFunc([]string{"golden", "want", "expect", "snapshot", ".snap"},
		func(part string) bool { return strings.Contains(base, part) || strings.Contains(path.Dir(name), part) })
}

// variable adds the value of a variable of the environment.
func (r *reader) variable(name, value string) {
	if !settable(name) || r.variables == mostVariables {
		return
	}
	r.variables++
	r.add(wire.InputSet, name, Hole{
		Type: types.Typ[types.String], Usual: sequence.Value{Kind: sequence.String, Text: value},
		Place: "variable " + name,
	})
}

// unset adds the choice that a variable of the environment is not set, or is set to nothing where it usually is not.
func (r *reader) unset(name string, usually bool) {
	if !r.seen[wire.Outside(wire.InputSet, name)] {
		return
	}
	choice := "unset"
	if usually {
		choice = "set to nothing"
	}
	r.add(wire.InputUnset, name, Hole{
		Type: types.Typ[types.Bool], Usual: sequence.Value{Kind: sequence.Bool, Text: "false"},
		Place: "variable " + name, Choice: choice,
	})
}

// settable reports whether a variable of the environment may be another one. The folders of the driver stay.
func settable(name string) bool { return api.Settable(name) && name != "TMPDIR" }
