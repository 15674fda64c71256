package suite

import (
	"os"
	"strings"

	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// Patterns of -test.run that stand for the test and for the subtest: names of subtests may be no regular expressions.
const (
	wholePattern = "whole"
	partPattern  = "part"
)

// checked is the name with which package testing tries a pattern out.
const checked = "non-empty"

// A part is what runs of a test.
type part struct {
	only   string   // the name of a subtest; "": all of them, unless they are listed
	list   bool     // their names are collected, and none runs
	names  []string // in the order of the first calls
	stdout *os.File // where they are printed
}

// partOf returns what shall run of a test.
func partOf(other map[int]interface{}) *part {
	p := &part{stdout: os.Stdout}
	p.only, _ = other[wire.OnlyPart].(string)
	p.list, _ = other[wire.ListParts].(bool)
	return p
}

// asked reports whether not all of the test runs.
func (p *part) asked() bool { return p.list || p.only != "" }

// end prints the subtests or the inputs if they are listed: at the end of the test, because TestMain may end the
// process then.
func (p *part) end() {
	running.print(p.stdout)
	if p.list {
		_, _ = p.stdout.WriteString(strings.Join(p.names, "\n") + wire.EndOfParts)
	}
}

// matches reports whether a test or subtest of that name runs, for one of the patterns.
func (p *part) matches(pattern, name string) bool {
	switch {
	case pattern != partPattern:
		return true
	case !p.list:
		return name == p.only
	case name == checked:
		return false
	}
	for _, known := range p.names {
		if known == name {
			return false
		}
	}
	p.names = append(p.names, name)
	return false
}
