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

// WithInputs returns the test with holes for what such calls printed, the one on old first. Files of the code itself
// have none: what is in them may have changed with it, so no content is right for both versions.
func (t *Test) WithInputs(ofCode map[string]bool, printed ...string) Test {
	of := *t
	of.Holes = slices.Clone(t.Holes)
	l := learner{test: &of, ofCode: ofCode, seen: map[int]bool{}, texts: map[int]string{}}
	for _, text := range printed {
		list, _, _ := strings.Cut(text, wire.EndOfParts)
		for line := range strings.Lines(list) {
			l.line(strings.TrimSuffix(line, "\n"))
		}
	}
	of.Holes = slices.DeleteFunc(of.Holes, func(h *Hole) bool { return h.Asks && !l.computed(h) })
	for i, h := range of.Holes {
		if h.Asks {
			own := *h
			own.Usual = sequence.Value{Kind: kindOf(h.Type), Text: l.texts[h.Number]}
			of.Holes[i] = &own
		}
	}
	return of
}

// kindOf returns the kind of a computed text or number.
func kindOf(t types.Type) sequence.ValueKind {
	basic, ok := t.Underlying().(*types.Basic)
	switch {
	case !ok || basic.Info()&types.IsInteger == 0:
		return sequence.String
	case basic.Info()&types.IsUnsigned != 0:
		return sequence.Uint
	}
	return sequence.Int
}

// A learner adds holes for printed inputs to a test.
type learner struct {
	test                       *Test
	ofCode                     map[string]bool // files without holes
	seen                       map[int]bool    // numbers of holes that it added
	texts                      map[int]string  // usual values of computed texts and numbers, by their holes
	files, contents, variables int
}

// line adds a hole for the input that a line tells of. What else a test prints is none.
func (l *learner) line(line string) {
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
	case wire.InputText:
		number, err := strconv.Atoi(name)
		if _, before := l.texts[number]; err == nil && !before {
			l.texts[number] = value
		}
	case wire.InputFile:
		l.file(name, value)
	case wire.InputSet:
		l.variable(name, value)
	case wire.InputUnset:
		l.unset(name, value == "true")
	}
}

// add adds a hole, unless it is there.
func (l *learner) add(kind wire.Input, name string, h Hole) {
	h.Number = wire.Outside(kind, name)
	if !l.seen[h.Number] {
		l.seen[h.Number] = true
		l.test.Holes = append(l.test.Holes, &h)
		l.test.inputs++
	}
}

// file adds the content of a file, unless it only says what the test expects, or a literal of the test says it.
func (l *learner) file(name, content string) {
	if l.ofCode[name] || l.files == mostFiles || l.contents+len(content) > mostContents || expected(name) ||
		content != "" && l.said(content) {
		return
	}
	l.files, l.contents = l.files+1, l.contents+len(content)
	l.add(wire.InputFile, name, Hole{
		Type: types.Typ[types.String], Usual: sequence.Value{Kind: sequence.String, Text: content},
		Place: "file " + name,
	})
}

// said reports whether a literal of the test says a text.
func (l *learner) said(text string) bool {
	return slices.ContainsFunc(l.test.Holes, func(h *Hole) bool {
		return !h.Asks && h.Usual.Kind == sequence.String && h.Usual.Text == text
	})
}

// computed reports whether a computed text was seen that no literal says, or a number.
func (l *learner) computed(h *Hole) bool {
	text, seen := l.texts[h.Number]
	switch kindOf(h.Type) {
	case sequence.String:
		return seen && !l.said(text)
	case sequence.Uint:
		return seen && text[0] != '-' // else it is above the largest int64
	}
	return seen
}

// expected reports whether a file is named as what tests compare with.
func expected(name string) bool {
	base := strings.ToLower(path.Base(name))
	return expectation(base) || slices.ContainsFunc([]string{"golden", "want", "expect", "snapshot", ".snap"},
		func(part string) bool { return strings.Contains(base, part) || strings.Contains(path.Dir(name), part) })
}

// variable adds the value of a variable of the environment.
func (l *learner) variable(name, value string) {
	if !settable(name) || l.variables == mostVariables {
		return
	}
	l.variables++
	l.add(wire.InputSet, name, Hole{
		Type: types.Typ[types.String], Usual: sequence.Value{Kind: sequence.String, Text: value},
		Place: "variable " + name,
	})
}

// unset adds the choice that a variable of the environment is not set, or is set to nothing where it usually is not.
func (l *learner) unset(name string, usually bool) {
	if !l.seen[wire.Outside(wire.InputSet, name)] {
		return
	}
	choice := "unset"
	if usually {
		choice = "set to nothing"
	}
	l.add(wire.InputUnset, name, Hole{
		Type: types.Typ[types.Bool], Usual: sequence.Value{Kind: sequence.Bool, Text: "false"},
		Place: "variable " + name, Choice: choice,
	})
}

// settable reports whether a variable of the environment may be another one. The folders of the driver stay.
func settable(name string) bool { return api.Settable(name) && name != "TMPDIR" }
