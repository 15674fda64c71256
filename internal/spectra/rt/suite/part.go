package suite

import (
	"os"
	"strings"
	"testing"

	"github.com/spectradiff/spectradiff/internal/spectra/rt/wire"
)

// Patterns of -test.run that stand for the test and for the subtest: names of subtests may be no regular expressions.
const (
	wholePattern = "whole"
	partPattern  = "part"
)

// A part is what runs of a test.
type part struct {
	only    string   // the name of a subtest; "": all of them, unless they are listed
	list    bool     // their names are collected, and none runs
	names   []string // in the order of the first calls
	running bool
}

// partOf returns what shall run of a test.
func partOf(other map[int]interface{}) *part {
	p := &part{}
	p.only, _ = other[wire.OnlyPart].(string)
	p.list, _ = other[wire.ListParts].(bool)
	return p
}

// asked reports whether not all of the test runs.
func (p *part) asked() bool { return p.list || p.only != "" }

// of returns the test as it runs. If subtests are listed, it prints them at its end, because TestMain may end the
// process then.
func (p *part) of(test func(*testing.T)) func(*testing.T) {
	if !p.asked() {
		return test
	}
	stdout := os.Stdout
	return func(t *testing.T) {
		p.running = true
		defer func() {
			if p.list {
				stdout.WriteString(strings.Join(p.names, "\n") + wire.EndOfParts)
			}
		}()
		test(t)
	}
}

// matches reports whether a test or subtest of that name runs, for one of the patterns.
func (p *part) matches(pattern, name string) bool {
	if pattern != partPattern || !p.running {
		return true
	}
	if !p.list {
		return name == p.only
	}
	for _, known := range p.names {
		if known == name {
			return false
		}
	}
	p.names = append(p.names, name)
	return false
}
